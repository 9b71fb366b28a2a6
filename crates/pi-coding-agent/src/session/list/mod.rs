//! The sessions of a project, or of all projects, as a list for people and programs.
//!
//! Nothing is opened for writing, locked, migrated or repaired, and nothing here fails: a file that vanishes, cannot be
//! read or is no session is left out. Everything blocks; call it where blocking is allowed.
//!
//! # Layout
//! `files`: which files there are. `lines`, `session_lines`: a file as lines, in bounded memory. `edges`: what a line is,
//! told by its two ends. `parsed_entry`, `fast_line`: the same by parsing. `summary`: from lines to a [`SessionInfo`]. `workers`: many
//! files at once.

pub(super) mod edges;
mod fast_line;
pub(super) mod files;
mod info;
mod lines;
pub(super) mod parsed_entry;
pub(super) mod session_lines;
mod summary;
pub(super) mod workers;

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub use info::SessionInfo;

use self::files::{SessionFile, all_session_files, session_files};
use crate::host::paths::{Paths, absolute};

/// The sessions of `cwd`, the one with the newest message first.
///
/// They are those in the default directory of `cwd`, or in `dir`; when that is another directory, only sessions that
/// name `cwd` as theirs count. A directory that does not exist holds none, and is not made.
///
/// `progress` is told after each file how many are done and how many there are. When it breaks, the sessions read so
/// far are returned.
pub fn list_sessions(
    paths: &Paths,
    cwd: &Path,
    dir: Option<&Path>,
    progress: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> Vec<SessionInfo> {
    let place = SessionsLocation::new(paths, cwd, dir);
    summaries(session_files(&place.dir), place.only_of.as_deref(), progress)
}

/// The sessions of all projects, or all in `dir`, the one with the newest message first. `progress` as in
/// [`list_sessions`].
pub fn list_all_sessions(
    paths: &Paths,
    dir: Option<&Path>,
    progress: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> Vec<SessionInfo> {
    summaries(all_session_files(paths, dir), None, progress)
}

/// Where the sessions of a project are.
#[derive(Debug)]
pub(super) struct SessionsLocation {
    /// The directory, absolute.
    pub(super) dir: PathBuf,
    /// The working directory that they must name, when the directory is shared by several.
    pub(super) only_of: Option<PathBuf>,
}

impl SessionsLocation {
    /// The default directory of `cwd`, or `dir`.
    pub(super) fn new(paths: &Paths, cwd: &Path, dir: Option<&Path>) -> Self {
        let cwd = absolute(paths.cwd(), cwd);
        let default = paths.default_session_dir(&cwd);
        let dir = dir.map_or_else(|| default.clone(), |dir| absolute(paths.cwd(), dir));
        let only_of = (dir != default).then_some(cwd);
        Self { dir, only_of }
    }
}

fn summaries(
    mut files: Vec<SessionFile>,
    only_of: Option<&Path>,
    progress: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> Vec<SessionInfo> {
    // The longest first, so that nobody waits for one that was begun last.
    files.sort_unstable_by_key(|file| Reverse(file.size));
    let mut sessions = workers::read_all(&files, only_of, progress);
    sessions.sort_unstable_by(|a, b| (b.modified, &b.path).cmp(&(a.modified, &a.path)));
    sessions
}
