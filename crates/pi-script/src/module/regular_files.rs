//! Files of scripts and packages, read as long as they are files: a pipe would be waited for, and a device or a file of the
//! kernel may have no end.

use std::fs::{Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use oxc_resolver::{FileMetadata, FileSystem, FileSystemOs, ResolveError};

/// Largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// The text of a regular file.
///
/// # Errors
/// What the system says; in words for what is no regular file, or too large.
pub(super) fn read_text(path: &Path) -> io::Result<String> {
    let text = String::from_utf8(read(path)?);
    text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8"))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Looked at twice: another may take its place meanwhile.
    check(&std::fs::metadata(path)?)?;
    let file = reading().open(path)?;
    let metadata = file.metadata()?;
    check(&metadata)?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST { Err(too_large()) } else { Ok(bytes) }
}

/// Why something that is there, and no directory, is not read.
pub(super) fn refusal(path: &Path) -> Option<io::Error> {
    let metadata = std::fs::metadata(path).ok().filter(|metadata| !metadata.is_dir())?;
    check(&metadata).err()
}

fn check(metadata: &Metadata) -> io::Result<()> {
    match metadata {
        metadata if metadata.is_dir() => Err(rustix::io::Errno::ISDIR.into()),
        metadata if !metadata.is_file() => Err(io::Error::other("it is not a regular file")),
        metadata if metadata.len() > LARGEST => Err(too_large()),
        _ => Ok(()),
    }
}

fn too_large() -> io::Error {
    io::Error::other("it has more than 64 MB")
}

/// Does not wait for the other end of a pipe.
fn reading() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NONBLOCK.bits() as i32);
    options
}

/// What the resolver reads manifests with.
#[derive(Debug)]
pub(super) struct RegularFiles(FileSystemOs);

impl FileSystem for RegularFiles {
    fn new() -> Self {
        Self(FileSystemOs::new())
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        read(path)
    }

    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        read_text(path)
    }

    fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.0.metadata(path)
    }

    fn symlink_metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.0.symlink_metadata(path)
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf, ResolveError> {
        self.0.read_link(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.canonicalize(path)
    }
}
