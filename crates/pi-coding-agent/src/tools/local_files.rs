//! File operations on this machine. All of them run on the blocking pool.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use futures::future::FutureExt;
use futures::stream::{self, StreamExt};
use rustix::fs::Access;

use super::background::blocking;
use super::image_kind::{ImageKind, SNIFF_BYTES};
use super::operations::{
    ByteStream, EditOperations, OperationError, OperationResult, PathOperations, ReadOperations, WriteOperations,
};
use super::real_path::real_path;
use super::regular_file::{open_quietly, open_regular};
use super::store::store;
use super::truncate::format_size;

/// Largest file that is read into memory as a whole, in bytes: for `edit`, which needs several times as much.
pub(super) const MAX_FILE_BYTES: u64 = 50 << 20;

/// As much of a file is read in one go.
const PIECE_BYTES: u64 = 1 << 20;

/// The files of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalFiles;

impl LocalFiles {
    /// The one for all tools to which no other operations were given.
    pub(crate) fn shared() -> Arc<Self> {
        static SHARED: LazyLock<Arc<LocalFiles>> = LazyLock::new(Arc::default);
        Arc::clone(&SHARED)
    }
}

impl PathOperations for LocalFiles {
    fn real_path<'a>(&'a self, path: &'a Path) -> OperationResult<'a, PathBuf> {
        on_pool(path, real_path)
    }

    fn is_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, bool> {
        on_pool(path, |path| Ok(path.is_dir()))
    }
}

impl ReadOperations for LocalFiles {
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>> {
        on_pool(path, |path| read_all(path, open_regular(path)))
    }

    fn open<'a>(&'a self, path: &'a Path) -> ByteStream<'a> {
        let next = |state| async { blocking(move || next_piece(state)).await? };
        stream::try_unfold(Reading::Soon(path.to_owned()), next).boxed()
    }

    fn access<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        on_pool(path, |path| check_access(path, Access::READ_OK))
    }

    fn detect_image<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Option<ImageKind>> {
        on_pool(path, |path| read_up_to(&mut open_regular(path)?, SNIFF_BYTES).map(|head| ImageKind::sniff(&head)))
    }
}

impl WriteOperations for LocalFiles {
    fn write_file<'a>(&'a self, path: &'a Path, text: &'a str) -> OperationResult<'a, ()> {
        let text = text.to_owned();
        on_pool(path, move |path| store(path, text.as_bytes()))
    }

    fn create_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()> {
        on_pool(path, |path| fs::create_dir_all(path).map_err(|e| OperationError::from_io(&e, "mkdir", Some(path))))
    }
}

impl EditOperations for LocalFiles {
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>> {
        on_pool(path, |path| read_all(path, open_quietly(path)))
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

/// A file on its way through [`ReadOperations::open`].
enum Reading {
    Soon(PathBuf),
    Now(File),
}

fn next_piece(state: Reading) -> Result<Option<(Bytes, Reading)>, OperationError> {
    let mut file = match state {
        Reading::Soon(path) => open_regular(&path)?,
        Reading::Now(file) => file,
    };
    let piece = read_up_to(&mut file, PIECE_BYTES)?;
    Ok((!piece.is_empty()).then(|| (piece.into(), Reading::Now(file))))
}

fn read_all(path: &Path, opened: Result<File, OperationError>) -> Result<Vec<u8>, OperationError> {
    let mut file = opened?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    if size > MAX_FILE_BYTES {
        return Err(too_large(path, size));
    }
    // A file may grow meanwhile, and those of the kernel have no size.
    let bytes = read_up_to(&mut file, MAX_FILE_BYTES + 1)?;
    let size = bytes.len() as u64;
    if size > MAX_FILE_BYTES { Err(too_large(path, size)) } else { Ok(bytes) }
}

fn read_up_to(file: &mut File, limit: u64) -> Result<Vec<u8>, OperationError> {
    let expected = file.metadata().map_or(0, |metadata| metadata.len()).min(limit);
    // One byte more, so that the end of the file is seen without growing.
    let mut bytes = Vec::with_capacity(expected as usize + 1);
    file.take(limit).read_to_end(&mut bytes).map_err(|e| OperationError::from_io(&e, "read", None))?;
    Ok(bytes)
}

/// The error for a file that is not read as a whole.
pub(super) fn too_large(path: &Path, size: u64) -> OperationError {
    let shown = |bytes: u64| format_size(usize::try_from(bytes).unwrap_or(usize::MAX));
    let (path, size, limit) = (path.display(), shown(size), shown(MAX_FILE_BYTES));
    OperationError::new(format!(
        "{path} has {size}, and files of more than {limit} are not edited. Use bash to change it, with sed or a script."
    ))
}
