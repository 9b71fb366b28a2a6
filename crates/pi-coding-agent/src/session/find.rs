//! What `--session` and `--fork` mean by their argument: a file, or the session with an id. Only headers are read.

use std::path::{Path, PathBuf};

use super::empty_file::read_named_beginning;
use super::list::SessionsLocation;
use super::list::files::{SessionFile, all_session_files, belongs_to, newest_first, session_files};
use crate::host::paths::Paths;

/// What an argument means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionMatch {
    /// This file, because the argument is a path. It need not exist.
    Path(PathBuf),
    /// A session of the project.
    Here(PathBuf),
    /// A session of another project.
    Elsewhere {
        /// The file.
        file: PathBuf,
        /// The working directory that it names; empty when it names none.
        cwd: String,
    },
    /// No session has such an id.
    None,
}

/// What `argument` means to a user in `cwd`, whose sessions are in `dir` if that is given.
///
/// With a slash or backslash, or when it ends in `.jsonl`, it is a path. Otherwise it is an id or the start of one:
/// a session of the project with exactly this id, else one whose id starts so, else the same among all sessions. Of
/// several that fit, the one whose file was written last is taken. Blocks.
pub fn find_session(paths: &Paths, cwd: &Path, dir: Option<&Path>, argument: &str) -> SessionMatch {
    if argument.contains(['/', '\\']) || argument.ends_with(".jsonl") {
        return SessionMatch::Path(paths.resolve(argument));
    }
    // Every id starts with nothing.
    if argument.is_empty() {
        return SessionMatch::None;
    }
    let place = SessionsLocation::new(paths, cwd, dir);
    let of_project = |cwd: &str| place.only_of.as_ref().is_none_or(|only| belongs_to(cwd, only));
    if let Some((file, _)) = by_id(session_files(&place.dir), argument, of_project) {
        return SessionMatch::Here(file);
    }
    match by_id(all_session_files(paths, dir), argument, |_| true) {
        Some((file, cwd)) => SessionMatch::Elsewhere { file, cwd },
        None => SessionMatch::None,
    }
}

/// The file of the project's session with exactly this id; of several the one that was written last. Blocks.
pub(crate) fn find_session_by_id(paths: &Paths, cwd: &Path, dir: Option<&Path>, id: &str) -> Option<PathBuf> {
    let place = SessionsLocation::new(paths, cwd, dir);
    let of_project = |cwd: &str| place.only_of.as_ref().is_none_or(|only| belongs_to(cwd, only));
    let has_id = |file: &SessionFile| {
        read_named_beginning(&file.path).is_some_and(|header| header.id == id && of_project(&header.cwd))
    };
    newest_first(session_files(&place.dir)).into_iter().find(has_id).map(|file| file.path)
}

/// The file of the session with exactly this id, of whichever project, and its working directory; of several the one that
/// was written last. Blocks.
#[cfg(feature = "acp")]
pub(crate) fn find_session_anywhere(paths: &Paths, dir: Option<&Path>, id: &str) -> Option<(PathBuf, PathBuf)> {
    newest_first(all_session_files(paths, dir)).into_iter().find_map(|file| {
        let header = read_named_beginning(&file.path).filter(|header| header.id == id)?;
        Some((file.path, header.cwd.into()))
    })
}

/// The newest session with this id, else the newest whose id starts so, and its working directory.
fn by_id(files: Vec<SessionFile>, id: &str, wanted: impl Fn(&str) -> bool) -> Option<(PathBuf, String)> {
    let mut starts_so = None;
    for file in newest_first(files) {
        let Some(header) = read_named_beginning(&file.path).filter(|header| wanted(&header.cwd)) else { continue };
        if header.id == id {
            return Some((file.path, header.cwd));
        }
        if starts_so.is_none() && header.id.starts_with(id) {
            starts_so = Some((file.path, header.cwd));
        }
    }
    starts_so
}
