//! Opens what is named as a cassette. A pipe would be waited for, and a device may have no end: only regular files count,
//! and reading one never waits, as files of the kernel may.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file, or makes one where the options say so.
///
/// # Errors
/// What the system says, and that it is no regular file.
pub(super) fn open_regular(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let refused = || io::Error::other("it is not a regular file");
    // Looked at twice: opening some devices has an effect, and what is at the path may change meanwhile.
    if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return Err(refused());
    }
    let file = without_waiting(options).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(refused());
    }
    Ok(file)
}

#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32)
}

#[cfg(not(unix))]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}
