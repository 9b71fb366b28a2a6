//! How a session comes to be: new, in memory, from a file, from the most recent file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::claim::Claim;
use super::create::{file_name, header_of, new_header, prepare_directory};
use super::find::find_session_by_id;
use super::header::{CURRENT_VERSION, check_session_id};
use super::list::SessionsLocation;
use super::lock::open_locked;
use super::manager::{LoadReport, NewSession, SessionHost, SessionManager};
use super::opening::{directory_of, fill_begun, fresh, look_into, resume};
use super::read::{Content, load, read_header};
use super::read_only::ReadOnly;
use super::recent::most_recent;
use super::record::StoredEntry;
use super::repair::{rewrite, set_torn_aside};
use super::scan::Tail;
use super::storage::Target;
use crate::host::open_regular;
use crate::host::paths::absolute;
use crate::session::Error;

impl SessionManager {
    /// Starts a session of `cwd` that will be kept in a file.
    ///
    /// # Errors
    /// [`Error::Id`]; [`Error::Directory`] when the directory cannot be made or written to;
    /// [`Error::Exists`] for an id that another session has.
    pub fn create(host: SessionHost, cwd: &Path, options: &NewSession) -> Result<Self, Error> {
        let cwd = absolute(host.paths.cwd(), cwd);
        let dir = match &options.dir {
            Some(dir) => absolute(host.paths.cwd(), dir),
            None => host.paths.default_session_dir(&cwd),
        };
        let header = new_header(&host, &cwd, options)?;
        prepare_directory(&dir)?;
        let claim = Claim::id(&SessionsLocation::new(&host.paths, &cwd, options.dir.as_deref()), &header.id)?;
        if let Some(id) = &options.id
            && find_session_by_id(&host.paths, &cwd, options.dir.as_deref(), id).is_some()
        {
            return Err(Error::Exists { id: id.clone() });
        }
        let file = dir.join(file_name(&header));
        Ok(fresh(host, header, cwd, dir, Target::Deferred { file, due: false, _claim: claim }))
    }

    /// Opens the session of `cwd` with exactly this id, as by [`Self::open`], or starts it. However many do so at a time, one
    /// gets it. `dir` replaces the default directory.
    ///
    /// # Errors
    /// Those of [`Self::open`] and [`Self::create`].
    pub fn open_or_create(host: SessionHost, cwd: &Path, dir: Option<&Path>, id: &str) -> Result<Self, Error> {
        check_session_id(id)?;
        let find = || find_session_by_id(&host.paths, cwd, dir, id);
        if let Some(file) = find() {
            return Self::open(host, &file, None);
        }
        let new = NewSession { dir: dir.map(Path::to_owned), id: Some(id.to_owned()), parent_session: None };
        match Self::create(host.clone(), cwd, &new) {
            // Somebody else has begun it meanwhile, and may be gone again.
            Err(Error::Exists { .. }) if let Some(file) = find() => Self::open(host, &file, None),
            created => created,
        }
    }

    /// Starts a session that is never written anywhere.
    pub fn in_memory(host: SessionHost, cwd: &Path) -> Self {
        let cwd = absolute(host.paths.cwd(), cwd);
        let id = host.ids.session_id(host.clock.now_ms());
        let header = header_of(&host, &cwd, id, None);
        fresh(host, header, cwd, PathBuf::new(), Target::Memory)
    }

    /// A session in memory of entries that somebody has, one JSON text each; those that cannot be read are left out. Its
    /// leaf is the last one.
    pub fn in_memory_of(host: SessionHost, cwd: &Path, lines: impl IntoIterator<Item = String>) -> Self {
        let mut session = Self::in_memory(host, cwd);
        for line in lines {
            if let Ok(entry) = StoredEntry::index(line.into()) {
                session.entries.push(&entry, None);
            }
        }
        session
    }

    /// Starts another session of the same kind in the same place: same working directory, same session directory, in
    /// memory or in a file as this one. The host must be done with this one's entries.
    ///
    /// # Errors
    /// Those of [`Self::create`].
    pub(crate) fn successor(&self, parent_session: Option<PathBuf>) -> Result<Self, Error> {
        another(self, &NewSession { parent_session, ..NewSession::default() })
    }

    /// Becomes a new session in the same place, and returns its file, which does not exist yet. The old one is closed;
    /// what it was told is in its file.
    ///
    /// # Errors
    /// Those of [`Self::create`], and [`Error::Write`] when the old one cannot be written out; nothing changes then.
    pub fn new_session(&mut self, options: &NewSession) -> Result<Option<PathBuf>, Error> {
        self.sync()?;
        *self = another(self, options)?;
        Ok(self.session_file().map(Path::to_owned))
    }

    /// Becomes the session in another file, as by [`Self::open`]. The working directory stays.
    ///
    /// # Errors
    /// Those of [`Self::open`], and [`Error::Write`] when the old one cannot be written out; nothing changes then.
    pub fn set_session_file(&mut self, file: &Path) -> Result<(), Error> {
        self.sync()?;
        let (durability, cwd) = (self.storage.durability(), self.cwd.clone());
        *self = Self::open(self.host.clone(), file, Some(&cwd))?;
        self.set_durability(durability);
        Ok(())
    }

    /// Opens the session in `file`. A file that does not exist, is empty, or holds a torn header alone becomes a new session, with what can be
    /// read of that header. The session's
    /// working directory is `cwd` if given, else the one that the file names, else the one of the run.
    ///
    /// A torn last line is moved to `<file>.torn-<n>`; an older format is rewritten. See [`Self::load_report`]. A file that
    /// cannot be understood as a whole is opened for reading only: see
    /// [`SessionStorage::read_only`](super::SessionStorage::read_only).
    ///
    /// # Errors
    /// [`Error::Invalid`] for a file of another kind, which is left untouched; [`Error::Locked`] when
    /// somebody else has it open; [`Error::Open`], [`Error::Directory`] and [`Error::Write`].
    pub fn open(host: SessionHost, file: &Path, cwd: Option<&Path>) -> Result<Self, Error> {
        let file = absolute(host.paths.cwd(), file);
        if is_missing(&file)? {
            let dir = directory_of(&file);
            prepare_directory(&dir)?;
            let claim = Claim::file(&file)?;
            // Whoever had it claimed may have made it.
            if is_missing(&file)? {
                let cwd = absolute(host.paths.cwd(), cwd.unwrap_or(host.paths.cwd()));
                let header = new_header(&host, &cwd, &NewSession::default())?;
                return Ok(fresh(host, header, cwd, dir, Target::Deferred { file, due: false, _claim: claim }));
            }
        }
        let mut handle = open_locked(&file)?;
        let mut report = LoadReport::default();
        let header = match read_header(&file) {
            Some(header) if header.version() > CURRENT_VERSION => {
                let reason = ReadOnly::NewerVersion(header.version());
                return look_into(host, header, &file, handle, cwd, reason);
            }
            Some(header) if header.version() == CURRENT_VERSION => header,
            _ => match load(&file, &handle, host.ids.as_ref())? {
                Content::Begun(begun) => return fill_begun(host, &begun, &file, handle, cwd),
                Content::Session(session) => {
                    if let Some(migrated) = session.migrated {
                        if let Tail::Torn { offset, .. } = session.tail {
                            report.torn_tail = Some(set_torn_aside(&file, &handle, offset)?);
                        }
                        handle = rewrite(&file, &migrated.pieces)?;
                        report.migrated_from = Some(migrated.from);
                    }
                    session.header
                }
                Content::Headless(header) => {
                    return look_into(host, header, &file, handle, cwd, ReadOnly::NoHeader);
                }
            },
        };
        let mut session = resume(host, header, &file, handle, cwd)?;
        if report.migrated_from.is_some() {
            // Damage is still where it was, but for the end of the file.
            session.report = LoadReport { problems: session.report.problems, ..report };
        }
        Ok(session)
    }

    /// Opens the session in `file` for reading: takes no lock, changes nothing, and sees what is there now.
    ///
    /// # Errors
    /// Those of [`Self::open`]; [`Error::Invalid`] for one of an older version.
    pub fn open_read_only(host: SessionHost, file: &Path, cwd: Option<&Path>) -> Result<Self, Error> {
        let file = absolute(host.paths.cwd(), file);
        let handle = open_regular(&file).map_err(|source| Error::Open { path: file.clone(), source })?;
        let refused = |reason: &str| Error::Invalid { path: file.clone(), reason: reason.to_owned() };
        match read_header(&file) {
            Some(header) if header.version() < CURRENT_VERSION => Err(refused("it has an old format version")),
            Some(header) => {
                let reason = match header.version() {
                    CURRENT_VERSION => ReadOnly::Asked,
                    newer => ReadOnly::NewerVersion(newer),
                };
                look_into(host, header, &file, handle, cwd, reason)
            }
            None => match load(&file, &handle, host.ids.as_ref())? {
                Content::Headless(header) => look_into(host, header, &file, handle, cwd, ReadOnly::NoHeader),
                Content::Begun(begun) => look_into(host, begun.header(&file), &file, handle, cwd, ReadOnly::Asked),
                Content::Session(_) => Err(refused("it has no header that can be read")),
            },
        }
    }

    /// Opens the session that was used last in `cwd`, or starts one. `dir` replaces the default directory; then only
    /// sessions of `cwd` count.
    ///
    /// # Errors
    /// Those of [`Self::open`] and [`Self::create`].
    pub fn continue_recent(host: SessionHost, cwd: &Path, dir: Option<&Path>) -> Result<Self, Error> {
        let place = SessionsLocation::new(&host.paths, cwd, dir);
        match most_recent(&place.dir, place.only_of.as_deref()) {
            Some(file) => Self::open(host, &file, Some(cwd)),
            None => Self::create(host, cwd, &NewSession { dir: Some(place.dir), ..NewSession::default() }),
        }
    }
}

fn another(session: &SessionManager, options: &NewSession) -> Result<SessionManager, Error> {
    let mut other = if session.storage.is_persisted() {
        let dir = options.dir.clone().or_else(|| Some(session.storage.dir().to_owned()));
        SessionManager::create(session.host.clone(), &session.cwd, &NewSession { dir, ..options.clone() })?
    } else {
        let header = new_header(&session.host, &session.cwd, options)?;
        fresh(session.host.clone(), header, session.cwd.clone(), PathBuf::new(), Target::Memory)
    };
    other.storage.set_durability(session.storage.durability());
    Ok(other)
}

/// Whether nothing is there, and something can be.
fn is_missing(file: &Path) -> Result<bool, Error> {
    match file.metadata() {
        Ok(_) => Ok(false),
        // The second is a fault of its directory.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(true),
        Err(source) => Err(Error::Open { path: file.to_owned(), source }),
    }
}
