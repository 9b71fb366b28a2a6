//! Which files may be sessions. Only names and metadata are looked at.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::host::paths::{Paths, absolute};

/// A file that may be a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::session) struct SessionFile {
    pub(in crate::session) path: PathBuf,
    /// Bytes.
    pub(in crate::session) size: u64,
    /// When it was written last.
    pub(in crate::session) changed: SystemTime,
}

impl SessionFile {
    /// When it was written last, Unix time in milliseconds.
    pub(in crate::session) fn changed_ms(&self) -> i64 {
        let since = self.changed.duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
}

/// The files of a directory that are named like sessions, in no order; none if the directory cannot be read.
pub(in crate::session) fn session_files(dir: &Path) -> Vec<SessionFile> {
    entries(dir).filter_map(|entry| candidate(&entry)).collect()
}

/// The same for all projects, or for `dir` alone.
pub(in crate::session) fn all_session_files(paths: &Paths, dir: Option<&Path>) -> Vec<SessionFile> {
    match dir {
        Some(dir) => session_files(&absolute(paths.cwd(), dir)),
        None => entries(&paths.sessions_root()).flat_map(|entry| session_files(&entry.path())).collect(),
    }
}

/// The newest first; among equals the last by name.
pub(in crate::session) fn newest_first(mut files: Vec<SessionFile>) -> Vec<SessionFile> {
    files.sort_unstable_by(|a, b| (b.changed, &b.path).cmp(&(a.changed, &a.path)));
    files
}

/// Whether a session that names `stored` as its working directory is one of `cwd`.
pub(in crate::session) fn belongs_to(stored: &str, cwd: &Path) -> bool {
    !stored.is_empty() && absolute(cwd, Path::new(stored)) == cwd
}

fn entries(dir: &Path) -> impl Iterator<Item = fs::DirEntry> {
    fs::read_dir(dir).into_iter().flatten().flatten()
}

fn candidate(entry: &fs::DirEntry) -> Option<SessionFile> {
    let path = entry.path();
    if path.extension()? != "jsonl" {
        return None;
    }
    let metadata = fs::metadata(&path).ok()?;
    metadata.is_file().then_some(())?;
    Some(SessionFile { path, size: metadata.len(), changed: metadata.modified().ok()? })
}
