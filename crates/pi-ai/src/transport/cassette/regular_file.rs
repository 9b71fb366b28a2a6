//! Opens a cassette, which must be a regular file: reading a pipe or a file of the kernel may block, and a device may
//! have no end.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Files here look regular, but reading one may block.
const OF_THE_KERNEL: [&str; 2] = ["/proc", "/sys"];

/// Opens a regular file, or creates it if the options allow that.
///
/// # Errors
/// When the system refuses, or the file is not regular.
pub(super) fn open_regular(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let refused = || io::Error::other("it is not a regular file");
    // Checked twice: before, because opening some devices has side effects, and after, because the file may be replaced
    // in between.
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
