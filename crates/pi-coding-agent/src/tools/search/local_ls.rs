//! `ls` on this machine.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use futures::future::FutureExt;

use super::rules;
use crate::tools::background::blocking;
use crate::tools::local_files::LocalFiles;
use crate::tools::operations::{DirectoryEntry, EntryKind, LsOperations, OperationError, OperationResult};

impl LsOperations for LocalFiles {
    fn read_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<DirectoryEntry>> {
        let path = PathBuf::from(path);
        async move { blocking(move || read_dir(&path)).await? }.boxed()
    }
}

fn read_dir(path: &Path) -> Result<Vec<DirectoryEntry>, OperationError> {
    let failed = |e| OperationError::from_io(&e, "scandir", Some(path));
    rules::check_directory(path)?;
    let entries = fs::read_dir(path).map_err(failed)?;
    entries.map(|entry| entry.map(|entry| describe(&entry)).map_err(failed)).collect()
}

fn describe(entry: &DirEntry) -> DirectoryEntry {
    let name = entry.file_name().to_string_lossy().into_owned();
    let is_dir = match entry.file_type() {
        Ok(kind) if !kind.is_symlink() => Some(kind.is_dir()),
        _ => fs::metadata(entry.path()).ok().map(|target| target.is_dir()),
    };
    let kind = match is_dir {
        Some(true) => EntryKind::Directory,
        Some(false) => EntryKind::Other,
        None => EntryKind::Unknown,
    };
    DirectoryEntry { name, kind }
}
