//! Takes a session file from elsewhere in among the user's sessions: checked first, copied byte for byte, never over
//! another one.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::export::Error;
use crate::host::ids::SequentialIds;
use crate::host::json_file::temporary_file;
use crate::host::{self, open_regular};
use crate::session::{self, is_only_begun, load_session};

/// Session files end like this; others are not found.
const EXTENSION: &str = "jsonl";

/// Where an imported session goes, and where it will run.
#[derive(Debug, Clone, Copy)]
pub struct ImportTarget<'a> {
    /// The session directory.
    pub dir: &'a Path,
    /// The working directory of the run, offered when the session's own is gone.
    pub cwd: &'a Path,
    /// The working directory to open the session with; absent: the one that the file names, which must exist then.
    pub cwd_override: Option<&'a Path>,
}

/// Copies the session in `source` (absolute) into a session directory and returns the new file. The copy has the name
/// of the source; where that is taken, `-2`, `-3`, … is added. A file that is in the directory already is not copied.
///
/// # Errors
/// [`host::Error::NoSuchFile`](crate::host::Error::NoSuchFile); [`session::Error::Open`](crate::session::Error::Open) and [`session::Error::Invalid`](crate::session::Error::Invalid) for what is no session;
/// [`session::Error::MissingCwd`](crate::session::Error::MissingCwd); [`Error::Import`](crate::export::Error::Import) when it cannot be copied. Nothing is
/// left behind then.
pub fn import_jsonl(source: &Path, target: ImportTarget<'_>) -> Result<PathBuf, Error> {
    if !source.exists() {
        return Err(host::Error::NoSuchFile { path: source.to_owned() }.into());
    }
    check(source, target)?;
    let copied = copy_into(source, target.dir);
    copied.map_err(|error| Error::Import { path: source.to_owned(), dir: target.dir.to_owned(), source: error })
}

fn check(source: &Path, target: ImportTarget<'_>) -> Result<(), Error> {
    if is_only_begun(source) {
        return Err(session::Error::Invalid {
            path: source.to_owned(),
            reason: "nothing was said in it yet".to_owned(),
        }
        .into());
    }
    // Only the header counts; ids that old entries get here are stored nowhere.
    let session = load_session(source, &SequentialIds::default())?;
    let named = Path::new(&session.header.cwd);
    if target.cwd_override.is_none() && !named.as_os_str().is_empty() && !named.is_dir() {
        return Err(session::Error::MissingCwd {
            session_file: source.to_owned(),
            session_cwd: named.to_owned(),
            fallback_cwd: target.cwd.to_owned(),
        }
        .into());
    }
    Ok(())
}

fn copy_into(source: &Path, dir: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(dir)?;
    let original = fs::canonicalize(source)?;
    if original.parent() == Some(fs::canonicalize(dir)?.as_path()) {
        return Ok(source.to_owned());
    }
    // What was said is nobody else's business, whatever the mode of the source.
    let mut copy = temporary_file(dir, Some(0o600))?;
    io::copy(&mut open_regular(source)?, &mut copy)?;
    copy.as_file().sync_data()?;
    let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    for attempt in 1_usize.. {
        let path = dir.join(numbered(&stem, attempt));
        match copy.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => copy = error.file,
            Err(error) => return Err(error.error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

fn numbered(stem: &str, attempt: usize) -> String {
    match attempt {
        1 => format!("{stem}.{EXTENSION}"),
        _ => format!("{stem}-{attempt}.{EXTENSION}"),
    }
}
