//! Which session file of a directory was used last.

use std::path::{Path, PathBuf};

use super::empty_file::read_beginning;
use super::header::SessionHeader;
use super::list::files::{belongs_to, newest_first, session_files};
use super::read::read_header;

/// The session file with the newest modification time; among equals the last by name. With `cwd` only sessions of
/// that directory count. One without a header is taken only if there is no other. A directory that cannot be read holds
/// none. Blocks; files are only looked into until one fits.
pub(super) fn most_recent(dir: &Path, cwd: Option<&Path>) -> Option<PathBuf> {
    let files: Vec<PathBuf> = newest_first(session_files(dir)).into_iter().map(|file| file.path).collect();
    let wanted = |header: SessionHeader| cwd.is_none_or(|cwd| belongs_to(&header.cwd, cwd));
    let session = files.iter().find(|path| read_header(path).is_some_and(wanted));
    session.or_else(|| files.iter().find(|path| read_beginning(path).is_some_and(wanted))).cloned()
}
