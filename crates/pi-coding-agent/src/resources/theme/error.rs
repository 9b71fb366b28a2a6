//! Why a theme cannot be used.

use std::path::PathBuf;

/// A theme is not there, or is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ThemeError {
    /// A file is not a theme.
    #[error("Invalid theme \"{}\":\n  {}", .path.display(), .problems.join("\n  "))]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong, a sentence each.
        problems: Vec<String>,
    },
    /// No theme has this name.
    #[error("There is no theme \"{name}\". Themes: {names}. `pi doctor` lists theme files that could not be used.")]
    Unknown {
        /// The name.
        name: String,
        /// The names that there are.
        names: String,
    },
}
