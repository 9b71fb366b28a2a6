//! What has to be known to remove a session: whether a file is one, whether it is in use, what lies beside it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::list::session_lines::read_session;
use super::lock::open_locked;
use crate::session::Error;

/// Whether a file is a session, by its header.
pub fn is_session(file: &Path) -> bool {
    let stop = AtomicBool::new(false);
    let none = |_: &[u8]| std::ops::ControlFlow::Break(());
    read_session(file, &mut Vec::new(), &stop, |_| true, none).is_some()
}

/// Takes the session for oneself, as long as the value lives.
///
/// # Errors
/// [`Error::Locked`] where it is in use, [`Error::Open`].
pub fn claim(file: &Path) -> Result<File, Error> {
    open_locked(file)
}

/// A session's file and those beside it that belong to it alone: `FILE.effects`, `FILE.torn-1` and so on.
pub fn with_companions(file: &Path) -> Vec<PathBuf> {
    let mut files = vec![file.to_owned()];
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let belongs = |other: &str| {
        let rest = other.strip_prefix(&name).and_then(|rest| rest.strip_prefix('.'));
        rest.is_some_and(|rest| rest == "effects" || rest.starts_with("torn-"))
    };
    let beside = file.parent().into_iter().flat_map(fs::read_dir).flatten().flatten();
    files.extend(beside.filter(|entry| entry.file_name().to_str().is_some_and(belongs)).map(|entry| entry.path()));
    files
}
