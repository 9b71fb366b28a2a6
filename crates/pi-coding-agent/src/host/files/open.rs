//! Opens regular files, and nothing that could hold up the program or stream for ever.

use std::fs::{self, File, FileType};
use std::io;
use std::path::Path;

use super::refusal::Refusal;

/// Opens a file for reading, through links.
///
/// # Errors
/// What the system says; [`Refusal::NotRegular`] for pipes, sockets and devices, also for one that has taken the place of
/// a file; the system's own words for a directory.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Looked at twice: opening some devices has an effect, and what is at the path may have changed meanwhile.
    check(fs::metadata(path)?.file_type())?;
    let file = reading().open(path)?;
    check_regular(&file)?;
    Ok(file)
}

/// The same for reading and appending.
///
/// # Errors
/// Those of [`open_regular`].
pub(crate) fn open_regular_for_appending(path: &Path) -> io::Result<File> {
    check(fs::metadata(path)?.file_type())?;
    let file = reading().append(true).open(path)?;
    check_regular(&file)?;
    Ok(file)
}

/// Lets an open file through if it is a regular one.
///
/// # Errors
/// Those of [`open_regular`].
pub(crate) fn check_regular(file: &File) -> io::Result<()> {
    check(file.metadata()?.file_type())
}

/// Lets regular files through.
///
/// # Errors
/// Those of [`open_regular`].
fn check(kind: FileType) -> io::Result<()> {
    match kind_name(kind) {
        None => Ok(()),
        Some(_) if kind.is_dir() => Err(is_a_directory()),
        Some(what) => Err(Refusal::NotRegular { what }.into()),
    }
}

/// In the system's own words.
pub(super) fn is_a_directory() -> io::Error {
    #[cfg(unix)]
    return rustix::io::Errno::ISDIR.into();
    #[cfg(not(unix))]
    return io::ErrorKind::IsADirectory.into();
}

/// What something is that is no regular file, with its article.
pub(crate) fn kind_name(kind: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    match kind {
        kind if kind.is_file() => None,
        kind if kind.is_dir() => Some("a directory"),
        kind if kind.is_symlink() => Some("a link"),
        _ => Some("a device"),
    }
}

/// Neither waits for a pipe's other end nor for what a file of the kernel may have to say, and takes no terminal.
#[cfg(unix)]
fn reading() -> fs::OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;
    let mut options = File::options();
    options.read(true).custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32);
    options
}

#[cfg(not(unix))]
fn reading() -> fs::OpenOptions {
    let mut options = File::options();
    options.read(true);
    options
}
