//! Lists directories of others, which may have any number of entries and any depth.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::refusal::Refusal;

/// Most entries of one directory; one with more is not looked through.
const MAX_ENTRIES: usize = 10_000;
/// Most directories that one search looks through.
pub(crate) const MAX_DIRECTORIES: usize = 10_000;
/// Most directories inside of each other that one search goes down.
pub(crate) const MAX_DEPTH: usize = 32;

/// The entries of a directory, in no order.
///
/// # Errors
/// What the system says, [`Refusal::TooManyEntries`].
pub fn list(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir)? {
        if paths.len() == MAX_ENTRIES {
            return Err(Refusal::TooManyEntries { limit: MAX_ENTRIES }.into());
        }
        paths.push(entry?.path());
    }
    Ok(paths)
}
