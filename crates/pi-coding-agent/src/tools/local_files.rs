//! File operations on this machine. All of them run on the blocking pool.

use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use futures::future::FutureExt;
use rustix::fs::Access;

use super::background::blocking;
use super::image::{ImageKind, SNIFF_BYTES};
use super::operations::{
    EditOperations, OperationError, OperationResult, PathOperations, ReadOperations, WriteOperations,
};
use super::real_path::real_path;

/// Largest file that is read into memory: the limit of the reference's runtime, 2 GiB.
const MAX_FILE_BYTES: u64 = 2 << 30;

/// The files of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalFiles;

impl PathOperations for LocalFiles {
    fn real_path<'a>(&'a self, path: &'a Path) -> OperationResult<'a, PathBuf> {
        on_pool(path, real_path)
    }
}

impl ReadOperations for LocalFiles {
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>> {
        on_pool(path, read_all)
    }

    fn access<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        on_pool(path, |path| check_access(path, Access::READ_OK))
    }

    fn detect_image<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Option<ImageKind>> {
        on_pool(path, |path| read_at_most(path, SNIFF_BYTES).map(|head| ImageKind::sniff(&head)))
    }
}

impl WriteOperations for LocalFiles {
    fn write_file<'a>(&'a self, path: &'a Path, text: &'a str) -> OperationResult<'a, ()> {
        let text = text.to_owned();
        on_pool(path, move |path| write_all(path, &text))
    }

    fn create_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        on_pool(path, |path| fs::create_dir_all(path).map_err(|e| OperationError::from_io(&e, "mkdir", Some(path))))
    }
}

impl EditOperations for LocalFiles {
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>> {
        on_pool(path, read_all)
    }

    fn write_file<'a>(&'a self, path: &'a Path, text: &'a str) -> OperationResult<'a, ()> {
        WriteOperations::write_file(self, path, text)
    }

    fn access<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        on_pool(path, |path| check_access(path, Access::READ_OK | Access::WRITE_OK))
    }
}

/// Runs work on a file on the blocking pool.
fn on_pool<T: Send + 'static>(
    path: &Path,
    work: impl FnOnce(&Path) -> Result<T, OperationError> + Send + 'static,
) -> OperationResult<'static, T> {
    let path = PathBuf::from(path);
    async move { blocking(move || work(&path)).await? }.boxed()
}

fn check_access(path: &Path, access: Access) -> Result<(), OperationError> {
    rustix::fs::access(path, access).map_err(|e| OperationError::from_io(&e.into(), "access", Some(path)))
}

fn read_all(path: &Path) -> Result<Vec<u8>, OperationError> {
    read_at_most(path, MAX_FILE_BYTES)
}

/// Reads up to `limit` bytes. Only regular files: reading a pipe or a device could block for ever.
fn read_at_most(path: &Path, limit: u64) -> Result<Vec<u8>, OperationError> {
    let metadata = stat(path)?;
    let kind = metadata.file_type();
    if !kind.is_file() && !kind.is_dir() {
        return Err(not_regular(path, kind));
    }
    if limit == MAX_FILE_BYTES && metadata.len() > limit {
        return Err(too_large(path, metadata.len()));
    }
    let file = File::open(path).map_err(|e| OperationError::from_io(&e, "open", Some(path)))?;
    let mut bytes = Vec::with_capacity(metadata.len().min(limit) as usize);
    file.take(limit).read_to_end(&mut bytes).map_err(|e| OperationError::from_io(&e, "read", None))?;
    Ok(bytes)
}

fn write_all(path: &Path, text: &str) -> Result<(), OperationError> {
    // Opening a pipe that nobody reads would block for ever; devices such as /dev/null are fine.
    if let Ok(metadata) = fs::metadata(path)
        && metadata.file_type().is_fifo()
    {
        return Err(not_regular(path, metadata.file_type()));
    }
    let mut file = File::create(path).map_err(|e| OperationError::from_io(&e, "open", Some(path)))?;
    file.write_all(text.as_bytes()).map_err(|e| OperationError::from_io(&e, "write", None))
}

fn stat(path: &Path) -> Result<Metadata, OperationError> {
    fs::metadata(path).map_err(|e: io::Error| OperationError::from_io(&e, "open", Some(path)))
}

fn not_regular(path: &Path, kind: FileType) -> OperationError {
    let what = match () {
        () if kind.is_fifo() => "a named pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    };
    OperationError::new(format!("{} is {what}, not a regular file. Use bash to work with it.", path.display()))
}

fn too_large(path: &Path, bytes: u64) -> OperationError {
    let path = path.display();
    OperationError::new(format!(
        "{path} has {bytes} bytes, more than the limit of 2 GiB. Use bash to read parts of it."
    ))
}
