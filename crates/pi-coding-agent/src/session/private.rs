//! How files of a session are made: what was said is nobody else's business. Files that exist keep their mode.

use std::fs::OpenOptions;

/// Options for a file that only its owner may read.
pub(super) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Should there be a pipe instead, opening it does not wait for somebody to read it.
        options.mode(0o600).custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    options
}
