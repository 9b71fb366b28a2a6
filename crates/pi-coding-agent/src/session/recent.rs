//! Which session file of a directory was used last.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::read::read_header;
use crate::paths::absolute;

/// The session file with the newest modification time; among equals the last by name. With `cwd` only sessions of
/// that directory count. A directory that cannot be read holds none. Blocks; files are only looked into until one
/// fits.
pub(super) fn most_recent(dir: &Path, cwd: Option<&Path>) -> Option<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(dir).ok()?.filter_map(|entry| candidate(&entry.ok()?)).collect();
    files.sort_unstable_by_key(|file| Reverse(file.clone()));
    files.into_iter().map(|(_, path)| path).find(|path| is_session_of(path, cwd))
}

fn candidate(entry: &fs::DirEntry) -> Option<(SystemTime, PathBuf)> {
    let path = entry.path();
    if path.extension()? != "jsonl" {
        return None;
    }
    let metadata = fs::metadata(&path).ok()?;
    metadata.is_file().then_some((metadata.modified().ok()?, path))
}

fn is_session_of(path: &Path, cwd: Option<&Path>) -> bool {
    let Some(header) = read_header(path) else { return false };
    cwd.is_none_or(|cwd| !header.cwd.is_empty() && absolute(cwd, Path::new(&header.cwd)) == cwd)
}
