//! The one name of a file or directory that has several.

use std::fs;
use std::path::{Path, PathBuf};

/// The absolute path without links. What cannot be resolved, such as a directory that is gone, keeps the name that it has.
pub fn without_links(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
