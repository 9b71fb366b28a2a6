//! How files of a session are made: what was said is nobody else's business. Files that exist keep their mode.

use std::fs::OpenOptions;

/// Options for a file that only its owner may read.
pub(super) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
