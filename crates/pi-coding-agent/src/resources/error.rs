//! Why packages, themes or prompts cannot be used.

use super::packages::PackageError;
use super::theme::ThemeError;

/// A failure of what is found beside the program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file, a lock or a value of JSON.
    #[error(transparent)]
    Host(#[from] crate::host::Error),
    /// Settings could not be read or written.
    #[error(transparent)]
    Config(#[from] crate::config::Error),
    /// A package cannot be installed, removed or read.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// A theme cannot be used.
    #[error(transparent)]
    Theme(#[from] ThemeError),
}
