//! Which session file of a directory was used last.

use std::path::{Path, PathBuf};

use super::list::files::{belongs_to, newest_first, session_files};
use super::read::read_header;

/// The session file with the newest modification time; among equals the last by name. With `cwd` only sessions of
/// that directory count. A directory that cannot be read holds none. Blocks; files are only looked into until one
/// fits.
pub(super) fn most_recent(dir: &Path, cwd: Option<&Path>) -> Option<PathBuf> {
    let mut files = newest_first(session_files(dir)).into_iter().map(|file| file.path);
    files.find(|path| is_session_of(path, cwd))
}

fn is_session_of(path: &Path, cwd: Option<&Path>) -> bool {
    read_header(path).is_some_and(|header| cwd.is_none_or(|cwd| belongs_to(&header.cwd, cwd)))
}
