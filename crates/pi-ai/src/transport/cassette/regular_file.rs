//! Opens what is named as a cassette. A pipe or a file of the kernel would be waited for, and a device may have no end:
//! only regular files count.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// What lies here looks like a regular file, and may make a reader wait.
const OF_THE_KERNEL: [&str; 2] = ["/proc", "/sys"];

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
    let is_of_the_kernel = |real: &Path| OF_THE_KERNEL.iter().any(|dir| real.starts_with(dir));
    if std::fs::canonicalize(path).is_ok_and(|real| is_of_the_kernel(&real)) {
        return Err(io::Error::other("it is a file of the kernel"));
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(refused());
    }
    Ok(file)
}
