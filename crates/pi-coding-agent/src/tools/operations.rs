//! The seam between a tool and the machine on which it works: one trait per tool, local by default.
//!
//! Implement these to run the tools on another host, in a container or in memory. The local
//! implementations live in `local_files.rs` and `bash/local.rs`; nothing here touches a file.

use std::fmt::Debug;
use std::io;
use std::path::Path;

use futures::future::{BoxFuture, FutureExt, ready};
use pi_agent_core::ToolError;

use super::errno;
use super::image::ImageKind;

/// Why an operation failed, in the form that the model sees.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct OperationError {
    code: Option<String>,
    message: String,
}

impl OperationError {
    /// An error without a code.
    pub fn new(message: impl Into<String>) -> Self {
        Self { code: None, message: message.into() }
    }

    /// An error with a symbolic code such as `ENOENT`.
    pub fn with_code(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: Some(code.into()), message: message.into() }
    }

    /// The form of the reference's runtime: `{CODE}: {sentence}, {syscall} '{path}'`, without the path where the
    /// call works on an open file.
    pub fn from_io(error: &io::Error, syscall: &str, path: Option<&Path>) -> Self {
        let place = path.map(|path| format!(" '{}'", path.display())).unwrap_or_default();
        match errno::describe(error) {
            Some((code, text)) => Self::with_code(code, format!("{code}: {text}, {syscall}{place}")),
            None => Self::new(format!("{error}, {syscall}{place}")),
        }
    }

    /// The symbolic code, if there is one.
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }
}

impl From<OperationError> for ToolError {
    fn from(error: OperationError) -> Self {
        Self::new(error.message)
    }
}

/// What an operation returns.
pub type OperationResult<'a, T> = BoxFuture<'a, Result<T, OperationError>>;

/// What the `read` tool needs. Paths are absolute.
pub trait ReadOperations: Debug + Send + Sync {
    /// The whole content.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn read_file<'a>(&'a self, path: &'a Path) -> OperationResult<'a, Vec<u8>>;

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
pub trait WriteOperations: Debug + Send + Sync {
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
pub trait EditOperations: Debug + Send + Sync {
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
