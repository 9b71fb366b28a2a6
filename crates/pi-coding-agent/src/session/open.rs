//! How a session comes to be: new, in memory, from a file, from the most recent file.

use std::fs;
use std::path::{Path, PathBuf};

use super::header::{CURRENT_VERSION, SessionHeader, check_session_id};
use super::index::EntryIndex;
use super::lock::open_locked;
use super::log::SessionLog;
use super::manager::{LoadReport, NewSession, SessionHost, SessionManager, Storage};
use super::read::{Content, LoadedSession, load};
use super::recent::most_recent;
use super::repair::{rewrite, set_torn_aside};
use super::scan::Tail;
use crate::error::Error;
use crate::iso_time::to_iso;
use crate::paths::absolute;

impl SessionManager {
    /// Starts a session of `cwd` that will be kept in a file.
    ///
    /// # Errors
    /// [`Error::InvalidSessionId`]; [`Error::SessionDirectory`] when the directory cannot be made or written to.
    pub fn create(host: SessionHost, cwd: &Path, options: &NewSession) -> Result<Self, Error> {
        let cwd = absolute(host.paths.cwd(), cwd);
        let dir = match &options.dir {
            Some(dir) => absolute(host.paths.cwd(), dir),
            None => host.paths.default_session_dir(&cwd),
        };
        let header = new_header(&host, &cwd, options)?;
        prepare_directory(&dir)?;
        let file = dir.join(file_name(&header));
        Ok(Self::fresh(host, header, cwd, dir, Storage::Deferred { file, due: false }))
    }

    /// Starts a session that is never written anywhere.
    pub fn in_memory(host: SessionHost, cwd: &Path) -> Self {
        let cwd = absolute(host.paths.cwd(), cwd);
        let id = host.ids.session_id(host.clock.now_ms());
        let header = header_of(&host, &cwd, id, None);
        Self::fresh(host, header, cwd, PathBuf::new(), Storage::Memory)
    }

    /// Starts another session of the same kind in the same place: same working directory, same session directory, in
    /// memory or in a file as this one. The host must be done with this one's entries.
    ///
    /// # Errors
    /// Those of [`Self::create`].
    pub fn successor(&self, parent_session: Option<PathBuf>) -> Result<Self, Error> {
        if !self.is_persisted() {
            return Ok(Self::in_memory(self.host.clone(), &self.cwd));
        }
        let options = NewSession { dir: Some(self.dir.clone()), id: None, parent_session };
        Self::create(self.host.clone(), &self.cwd, &options)
    }

    /// Opens the session in `file`. A file that does not exist, or is empty, becomes a new session. The session's
    /// working directory is `cwd` if given, else the one that the file names, else the one of the run.
    ///
    /// A torn last line is moved to `<file>.torn-<n>`; an older format is rewritten. See [`Self::load_report`].
    ///
    /// # Errors
    /// [`Error::SessionInvalid`] for a file of another kind, which is left untouched; [`Error::SessionLocked`] when
    /// somebody else has it open; [`Error::SessionOpen`], [`Error::SessionDirectory`] and [`Error::SessionWrite`].
    pub fn open(host: SessionHost, file: &Path, cwd: Option<&Path>) -> Result<Self, Error> {
        let file = absolute(host.paths.cwd(), file);
        let dir = file.parent().unwrap_or(Path::new("")).to_owned();
        if !file.exists() {
            prepare_directory(&dir)?;
            let cwd = absolute(host.paths.cwd(), cwd.unwrap_or(host.paths.cwd()));
            let header = new_header(&host, &cwd, &NewSession::default())?;
            return Ok(Self::fresh(host, header, cwd, dir, Storage::Deferred { file, due: false }));
        }
        let handle = open_locked(&file)?;
        match load(&file, &handle, host.ids.as_ref())? {
            Content::Session(session) => Self::resume(host, *session, &file, handle, cwd),
            Content::Empty(tail) => Self::fill_empty(host, tail, &file, handle, cwd),
        }
    }

    /// Opens the session that was used last in `cwd`, or starts one. `dir` replaces the default directory; then only
    /// sessions of `cwd` count.
    ///
    /// # Errors
    /// Those of [`Self::open`] and [`Self::create`].
    pub fn continue_recent(host: SessionHost, cwd: &Path, dir: Option<&Path>) -> Result<Self, Error> {
        let cwd = absolute(host.paths.cwd(), cwd);
        let default = host.paths.default_session_dir(&cwd);
        let dir = dir.map_or_else(|| default.clone(), |dir| absolute(host.paths.cwd(), dir));
        let only_of = (dir != default).then_some(cwd.as_path());
        match most_recent(&dir, only_of) {
            Some(file) => Self::open(host, &file, Some(&cwd)),
            None => Self::create(host, &cwd, &NewSession { dir: Some(dir), ..NewSession::default() }),
        }
    }

    fn fresh(host: SessionHost, header: SessionHeader, cwd: PathBuf, dir: PathBuf, storage: Storage) -> Self {
        let (index, report) = (EntryIndex::default(), LoadReport::default());
        Self { host, header, cwd, dir, storage, index, leaf: None, report }
    }

    fn resume(
        host: SessionHost,
        session: LoadedSession,
        file: &Path,
        handle: fs::File,
        cwd: Option<&Path>,
    ) -> Result<Self, Error> {
        let mut report = LoadReport { problems: session.problems, ..LoadReport::default() };
        if let Tail::Torn { offset, .. } = session.tail {
            report.torn_tail = Some(set_torn_aside(file, &handle, offset)?);
        }
        let log = match &session.migrated {
            Some(migrated) => {
                report.migrated_from = Some(migrated.from);
                SessionLog::new(file, Box::new(rewrite(file, &handle, &migrated.pieces)?))
            }
            None => log_at_end(file, handle, session.tail),
        };
        let named = Some(Path::new(&session.header.cwd)).filter(|cwd| !cwd.as_os_str().is_empty());
        let cwd = absolute(host.paths.cwd(), cwd.or(named).unwrap_or(host.paths.cwd()));
        let dir = file.parent().unwrap_or(Path::new("")).to_owned();
        let leaf = session.entries.last().map(|entry| entry.id().into());
        let index = EntryIndex::new(session.entries);
        let storage = Storage::File(log);
        Ok(Self { host, header: session.header, cwd, dir, storage, index, leaf, report })
    }

    /// A file without any line gets its header at once.
    fn fill_empty(
        host: SessionHost,
        tail: Tail,
        file: &Path,
        handle: fs::File,
        cwd: Option<&Path>,
    ) -> Result<Self, Error> {
        let torn_tail = match tail {
            Tail::Torn { offset, .. } => Some(set_torn_aside(file, &handle, offset)?),
            _ => None,
        };
        let cwd = absolute(host.paths.cwd(), cwd.unwrap_or(host.paths.cwd()));
        let header = new_header(&host, &cwd, &NewSession::default())?;
        let mut log = log_at_end(file, handle, tail);
        log.append(&header_line(&header)?)?;
        let dir = file.parent().unwrap_or(Path::new("")).to_owned();
        let mut manager = Self::fresh(host, header, cwd, dir, Storage::File(log));
        manager.report.torn_tail = torn_tail;
        Ok(manager)
    }
}

fn log_at_end(file: &Path, handle: fs::File, tail: Tail) -> SessionLog {
    let log = SessionLog::new(file, Box::new(handle));
    match tail {
        Tail::Clean | Tail::Torn { glued: false, .. } => log,
        Tail::Unterminated | Tail::Torn { glued: true, .. } => log.unterminated(),
    }
}

/// Makes the directory and finds out early whether files can be made in it.
fn prepare_directory(dir: &Path) -> Result<(), Error> {
    let failed = |source| Error::SessionDirectory { path: dir.to_owned(), source };
    fs::create_dir_all(dir).map_err(failed)?;
    check_writable(dir).map_err(failed)
}

#[cfg(unix)]
fn check_writable(dir: &Path) -> std::io::Result<()> {
    use rustix::fs::{Access, access};
    Ok(access(dir, Access::WRITE_OK | Access::EXEC_OK)?)
}

#[cfg(not(unix))]
fn check_writable(_dir: &Path) -> std::io::Result<()> {
    Ok(())
}

fn new_header(host: &SessionHost, cwd: &Path, options: &NewSession) -> Result<SessionHeader, Error> {
    let id = match &options.id {
        Some(id) => check_session_id(id).map(|()| id.clone())?,
        None => host.ids.session_id(host.clock.now_ms()),
    };
    Ok(header_of(host, cwd, id, options.parent_session.as_deref()))
}

fn header_of(host: &SessionHost, cwd: &Path, id: String, parent: Option<&Path>) -> SessionHeader {
    SessionHeader {
        version: Some(CURRENT_VERSION),
        id,
        timestamp: to_iso(host.clock.now_ms()),
        cwd: cwd.to_string_lossy().into_owned(),
        parent_session: parent.map(|path| path.to_string_lossy().into_owned()),
        extra: pi_ai::Extra::new(),
    }
}

/// `<time>_<id>.jsonl`, the time without characters that some file systems refuse.
fn file_name(header: &SessionHeader) -> String {
    format!("{}_{}.jsonl", header.timestamp.replace([':', '.'], "-"), header.id)
}

pub(super) fn header_line(header: &SessionHeader) -> Result<String, Error> {
    serde_json::to_string(header).map_err(|source| Error::Serialize { what: "a session header", source })
}
