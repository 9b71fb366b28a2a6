//! What is found beside the program: context files, skills, prompt templates, themes, and packages of them. Nothing here
//! runs what it finds.
//!
//! # Layout
//! `locate` finds the files; `packages` and `theme` stand on it, and `prompt`, which holds all resources of a session, on
//! these.

mod error;
pub(crate) mod locate;
mod package_error;
pub mod packages;
pub mod prompt;
pub mod theme;

pub use error::Error;
pub use package_error::PackageError;
