//! How a session comes to be: new, in memory, from a file, from the most recent file.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::beginning::{file_name, header_line, header_of, new_header, prepare_directory};
use super::begun::Begun;
use super::claim::Claim;
use super::durability::Durability;
use super::header::{CURRENT_VERSION, SessionHeader, check_session_id};
use super::list::Place;
use super::lock::open_locked;
use super::log::SessionLog;
use super::manager::{LoadReport, NewSession, SessionHost, SessionManager, Storage};
use super::read::{Content, load, read_header};
use super::read_only::ReadOnly;
use super::recent::most_recent;
use super::record::StoredEntry;
use super::repair::{rewrite, set_torn_aside};
use super::rescue::read_mark;
use super::scan::{LineProblem, Tail};
use super::store::EntryStore;
use super::tail::find_tail;
use crate::host::open_regular;
use crate::paths::absolute;
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
        let claim = Claim::id(&Place::new(&host.paths, &cwd, options.dir.as_deref()), &header.id)?;
        if let Some(id) = &options.id
            && Self::find_id(&host.paths, &cwd, options.dir.as_deref(), id).is_some()
        {
            return Err(Error::Exists { id: id.clone() });
        }
        let file = dir.join(file_name(&header));
        Ok(Self::fresh(host, header, cwd, dir, Storage::Deferred { file, due: false, _claim: claim }))
    }

    /// Opens the session of `cwd` with exactly this id, as by [`Self::open`], or starts it. However many do so at a time, one
    /// gets it. `dir` replaces the default directory.
    ///
    /// # Errors
    /// Those of [`Self::open`] and [`Self::create`].
    pub fn open_or_create(host: SessionHost, cwd: &Path, dir: Option<&Path>, id: &str) -> Result<Self, Error> {
        check_session_id(id)?;
        let find = || Self::find_id(&host.paths, cwd, dir, id);
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
        Self::fresh(host, header, cwd, PathBuf::new(), Storage::Memory)
    }

    /// A session in memory of entries that somebody has, one JSON text each; those that cannot be read are left out. Its
    /// leaf is the last one.
    pub fn in_memory_of(host: SessionHost, cwd: &Path, lines: impl IntoIterator<Item = String>) -> Self {
        let mut session = Self::in_memory(host, cwd);
        for line in lines {
            if let Ok(entry) = StoredEntry::index(line.into()) {
                session.leaf = Some(Arc::from(entry.id()));
                session.store.push(&entry, None);
            }
        }
        session
    }

    /// Starts another session of the same kind in the same place: same working directory, same session directory, in
    /// memory or in a file as this one. The host must be done with this one's entries.
    ///
    /// # Errors
    /// Those of [`Self::create`].
    pub fn successor(&self, parent_session: Option<PathBuf>) -> Result<Self, Error> {
        self.another(&NewSession { parent_session, ..NewSession::default() })
    }

    fn another(&self, options: &NewSession) -> Result<Self, Error> {
        let mut other = if self.is_persisted() {
            let dir = options.dir.clone().or_else(|| Some(self.dir.clone()));
            Self::create(self.host.clone(), &self.cwd, &NewSession { dir, ..options.clone() })?
        } else {
            let header = new_header(&self.host, &self.cwd, options)?;
            Self::fresh(self.host.clone(), header, self.cwd.clone(), PathBuf::new(), Storage::Memory)
        };
        other.durability = self.durability;
        Ok(other)
    }

    /// Becomes a new session in the same place, and returns its file, which does not exist yet. The old one is closed;
    /// what it was told is in its file.
    ///
    /// # Errors
    /// Those of [`Self::create`], and [`Error::Write`] when the old one cannot be written out; nothing changes then.
    pub fn new_session(&mut self, options: &NewSession) -> Result<Option<PathBuf>, Error> {
        self.sync()?;
        *self = self.another(options)?;
        Ok(self.session_file().map(Path::to_owned))
    }

    /// Becomes the session in another file, as by [`Self::open`]. The working directory stays.
    ///
    /// # Errors
    /// Those of [`Self::open`], and [`Error::Write`] when the old one cannot be written out; nothing changes then.
    pub fn set_session_file(&mut self, file: &Path) -> Result<(), Error> {
        self.sync()?;
        let (durability, cwd) = (self.durability, self.cwd.clone());
        *self = Self::open(self.host.clone(), file, Some(&cwd))?;
        self.set_durability(durability);
        Ok(())
    }

    /// Opens the session in `file`. A file that does not exist, is empty, or holds a torn header alone becomes a new session, with what can be
    /// read of that header. The session's
    /// working directory is `cwd` if given, else the one that the file names, else the one of the run.
    ///
    /// A torn last line is moved to `<file>.torn-<n>`; an older format is rewritten. See [`Self::load_report`]. A file that
    /// cannot be understood as a whole is opened for reading only: see [`Self::read_only`].
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
                return Ok(Self::fresh(host, header, cwd, dir, Storage::Deferred { file, due: false, _claim: claim }));
            }
        }
        let mut handle = open_locked(&file)?;
        let mut report = LoadReport::default();
        let header = match read_header(&file) {
            Some(header) if header.version() > CURRENT_VERSION => {
                let reason = ReadOnly::NewerVersion(header.version());
                return Self::look_into(host, header, &file, handle, cwd, reason);
            }
            Some(header) if header.version() == CURRENT_VERSION => header,
            _ => match load(&file, &handle, host.ids.as_ref())? {
                Content::Begun(begun) => return Self::fill_begun(host, &begun, &file, handle, cwd),
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
                    return Self::look_into(host, header, &file, handle, cwd, ReadOnly::NoHeader);
                }
            },
        };
        let mut session = Self::resume(host, header, &file, handle, cwd)?;
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
                Self::look_into(host, header, &file, handle, cwd, reason)
            }
            None => match load(&file, &handle, host.ids.as_ref())? {
                Content::Headless(header) => Self::look_into(host, header, &file, handle, cwd, ReadOnly::NoHeader),
                Content::Begun(begun) => {
                    Self::look_into(host, begun.header(&file), &file, handle, cwd, ReadOnly::Asked)
                }
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
        let place = Place::new(&host.paths, cwd, dir);
        match most_recent(&place.dir, place.only_of.as_deref()) {
            Some(file) => Self::open(host, &file, Some(cwd)),
            None => Self::create(host, cwd, &NewSession { dir: Some(place.dir), ..NewSession::default() }),
        }
    }

    pub(super) fn fresh(
        host: SessionHost,
        header: SessionHeader,
        cwd: PathBuf,
        dir: PathBuf,
        storage: Storage,
    ) -> Self {
        let (store, report) = (EntryStore::in_memory(), LoadReport::default());
        Self {
            host,
            header,
            cwd,
            dir,
            storage,
            store,
            leaf: None,
            durability: Durability::default(),
            report,
            resumed: false,
            notices: Vec::new(),
            shared: false,
        }
    }

    /// A session of the current version in a file that this process may write to.
    pub(super) fn resume(
        host: SessionHost,
        header: SessionHeader,
        file: &Path,
        handle: File,
        cwd: Option<&Path>,
    ) -> Result<Self, Error> {
        let (length, tail) = measure(file, &handle)?;
        let mut report = LoadReport::default();
        let mut end = length;
        if let Tail::Torn { offset, .. } = tail {
            report.torn_tail = Some(set_torn_aside(file, &handle, offset)?);
            end = offset;
        }
        let reader = handle.try_clone().map_err(|source| Error::Open { path: file.to_owned(), source })?;
        let mark = read_mark(&reader, end).map_err(|source| Error::Open { path: file.to_owned(), source })?;
        let log = log_at_end(file, handle, tail, end).marked(mark);
        let mut session = Self::at_end(host, header, file, reader, end, cwd, Storage::File(log))?;
        session.report = report;
        session.report_torn(tail, length)?;
        Ok(session)
    }

    /// A session that is not written to.
    fn look_into(
        host: SessionHost,
        header: SessionHeader,
        file: &Path,
        handle: File,
        cwd: Option<&Path>,
        reason: ReadOnly,
    ) -> Result<Self, Error> {
        let (length, tail) = measure(file, &handle)?;
        let end = if let Tail::Torn { offset, .. } = tail { offset } else { length };
        let storage = Storage::ReadOnly { file: file.to_owned(), reason };
        let mut session = Self::at_end(host, header, file, handle, end, cwd, storage)?;
        session.report_torn(tail, length)?;
        Ok(session)
    }

    /// The leaf is the last entry of the file.
    fn at_end(
        host: SessionHost,
        header: SessionHeader,
        file: &Path,
        reader: File,
        end: u64,
        cwd: Option<&Path>,
        storage: Storage,
    ) -> Result<Self, Error> {
        let named = Some(Path::new(&header.cwd)).filter(|cwd| !cwd.as_os_str().is_empty());
        let cwd = absolute(host.paths.cwd(), cwd.or(named).unwrap_or(host.paths.cwd()));
        let mut session = Self::fresh(host, header, cwd, directory_of(file), storage);
        session.store = EntryStore::open(file, reader, end)?;
        session.leaf = session.store.last_id()?.map(Into::into);
        session.resumed = true;
        Ok(session)
    }

    /// A torn end is a damaged line like others.
    fn report_torn(&mut self, tail: Tail, length: u64) -> Result<(), Error> {
        let Tail::Torn { offset, glued } = tail else { return Ok(()) };
        let whole_lines = self.store.index()?.lines();
        let line = if glued { whole_lines } else { whole_lines + 1 };
        let reason = format!("the line is torn ({} bytes)", length - offset);
        self.report.problems.push(LineProblem { line, reason });
        Ok(())
    }

    /// A file without any entry gets its header at once. A torn one is set aside; what it tells is kept.
    fn fill_begun(
        host: SessionHost,
        begun: &Begun,
        file: &Path,
        handle: File,
        cwd: Option<&Path>,
    ) -> Result<Self, Error> {
        let failed = |source| Error::Open { path: file.to_owned(), source };
        let torn = !begun.rubble.is_empty();
        let torn_tail = torn.then(|| set_torn_aside(file, &handle, begun.offset)).transpose()?;
        let known = begun.header(file);
        let named = Some(Path::new(&known.cwd)).filter(|cwd| !cwd.as_os_str().is_empty());
        let cwd = absolute(host.paths.cwd(), cwd.or(named).unwrap_or(host.paths.cwd()));
        let options = NewSession {
            id: Some(known.id).filter(|id| !id.is_empty()),
            parent_session: known.parent_session.map(PathBuf::from),
            ..NewSession::default()
        };
        let mut header = new_header(&host, &cwd, &options)?;
        if !known.timestamp.is_empty() {
            header.timestamp = known.timestamp;
        }
        let reader = handle.try_clone().map_err(failed)?;
        let (end, tail) = measure(file, &handle)?;
        let mut log = log_at_end(file, handle, tail, end);
        log.append(&header_line(&header)?)?;
        let end = log.end();
        let mut session = Self::at_end(host, header, file, reader, end, Some(&cwd), Storage::File(log))?;
        session.report.torn_tail = torn_tail;
        Ok(session)
    }
}

/// The length of a file in bytes, and how it ends.
fn measure(file: &Path, handle: &File) -> Result<(u64, Tail), Error> {
    let measured = handle.metadata().and_then(|metadata| {
        let length = metadata.len();
        find_tail(handle, length).map(|tail| (length, tail))
    });
    measured.map_err(|source| Error::Open { path: file.to_owned(), source })
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

fn directory_of(file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).to_owned()
}

fn log_at_end(file: &Path, handle: File, tail: Tail, end: u64) -> SessionLog {
    let log = SessionLog::new(file, Box::new(handle)).at(end);
    match tail {
        Tail::Clean | Tail::Torn { glued: false, .. } => log,
        Tail::Unterminated | Tail::Torn { glued: true, .. } => log.unterminated(),
    }
}
