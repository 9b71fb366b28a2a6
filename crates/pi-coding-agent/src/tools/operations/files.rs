//! Files and directories: what `read`, `write`, `edit` and `ls` need, and what a real path is.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures::future::{FutureExt, ready};
use futures::stream::{self, BoxStream, StreamExt};

use super::error::{OperationError, OperationResult};
use crate::tools::image_kind::ImageKind;

/// Content as it arrives, in pieces of any size. Dropping the stream ends the reading.
pub type ByteStream<'a> = BoxStream<'a, Result<Bytes, OperationError>>;

/// What every file tool needs: the one name of a file that has several.
pub trait PathOperations: Debug + Send + Sync {
    /// The path with every symbolic link resolved, also one that leads to nothing; names that do not exist stay as they
    /// are. Writers of one file are kept apart by it, and a [`ToolPolicy`](crate::tools::ToolPolicy) judges it. Without
    /// an override a path is its own real path, so links are not seen.
    ///
    /// # Errors
    /// When the look-up fails, for example in a directory that may not be searched.
    fn real_path<'a>(&'a self, path: &'a Path) -> OperationResult<'a, PathBuf> {
        ready(Ok(path.to_owned())).boxed()
    }

    /// Whether there is a directory at the path, links followed. Asked about the root of a
    /// [`ToolPolicy`](crate::tools::ToolPolicy) only. Without an override there is one.
    ///
    /// # Errors
    /// When the look-up fails.
    fn is_dir<'a>(&'a self, _path: &'a Path) -> OperationResult<'a, bool> {
        ready(Ok(true)).boxed()
    }
}

/// What the `read` tool needs. Paths are absolute.
pub trait ReadOperations: PathOperations {
    /// The whole content.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>>;

    /// The content in pieces, from the start; the tool stops when it has what it wants. Without an override it is
    /// [`ReadOperations::read_file`] in one piece. An error is the last item.
    fn open<'a>(&'a self, path: &'a Path) -> ByteStream<'a> {
        stream::once(async move { self.read_file(path).await.map(Bytes::from) }).boxed()
    }

    /// Checks that the file is readable.
    ///
    /// # Errors
    /// When it is not, or does not exist (code `ENOENT`).
    fn access<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()>;

    /// Which kind of image the file holds, by content. Without an override everything is text.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn detect_image<'a>(&'a self, _path: &'a Path) -> OperationResult<'a, Option<ImageKind>> {
        ready(Ok(None)).boxed()
    }
}

/// What the `write` tool needs. Paths are absolute.
pub trait WriteOperations: PathOperations {
    /// Replaces the whole content, creating the file if need be.
    ///
    /// # Errors
    /// When not every byte was accepted.
    fn write_file<'a>(&'a self, path: &'a Path, text: &'a str) -> OperationResult<'a, ()>;

    /// Creates a directory and its parents; an existing directory is fine.
    ///
    /// # Errors
    /// When the directory does not exist afterwards.
    fn create_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()>;
}

/// What the `edit` tool needs. Paths are absolute.
pub trait EditOperations: PathOperations {
    /// The whole content.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>>;

    /// Replaces the whole content.
    ///
    /// # Errors
    /// When not every byte was accepted.
    fn write_file<'a>(&'a self, path: &'a Path, text: &'a str) -> OperationResult<'a, ()>;

    /// Checks that the file is readable and writable.
    ///
    /// # Errors
    /// When it is not, or does not exist (code `ENOENT`).
    fn access<'a>(&'a self, path: &'a Path) -> OperationResult<'a, ()>;
}

/// What the `ls` tool needs. Paths are absolute.
pub trait LsOperations: PathOperations {
    /// The entries of a directory, in any order, without `.` and `..`.
    ///
    /// # Errors
    /// Code `ENOENT` when there is nothing at the path, `ENOTDIR` when it is no directory.
    fn read_dir<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<DirectoryEntry>>;
}

/// An entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryEntry {
    /// Its name; bytes that are not UTF-8 are replaced by U+FFFD.
    pub name: String,
    /// What it is, symbolic links followed.
    pub kind: EntryKind,
}

/// What an entry is, symbolic links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A directory.
    Directory,
    /// A file or anything else.
    Other,
    /// A symbolic link to nothing, or an entry that may not be looked at.
    Unknown,
}
