//! What is found beside the program: context files, skills, prompt templates, themes, and packages of them. Nothing here
//! runs what it finds.

mod error;
pub mod packages;
pub mod prompt;
pub mod theme;

pub use error::Error;
pub use packages::PackageError;
