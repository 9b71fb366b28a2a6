//! Sessions that are made of other ones: a copy of a whole file for another directory, and one branch on its own.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::claim::Claim;
use super::create::{file_name, header_line, new_header, prepare_directory};
use super::effect_journal::copy_effects;
use super::entries::Entries;
use super::entry::{LabelEntry, SessionEntry};
use super::find::find_session_by_id;
use super::header::{CURRENT_VERSION, SessionHeader};
use super::index::Label;
use super::kind::Kind;
use super::list::SessionsLocation;
use super::lock::lock;
use super::log::sync_directory;
use super::manager::{NewSession, SessionHost, SessionManager};
use super::opening::resume;
use super::raw_object::RawObject;
use super::read::{Content, load, read_header};
use super::record::StoredEntry;
use super::repair::pieces_text;
use super::salvage::fragments;
use super::scan::Tail;
use super::tail::find_tail;
use crate::host::paths::absolute;
use crate::host::{self, open_regular};
use crate::session::Error;

impl SessionManager {
    /// Starts a session of `cwd` with all entries of another one, of all its branches, byte for byte. The source is only
    /// read; whoever has it open can go on. Older versions are migrated in the copy.
    ///
    /// # Errors
    /// [`Error::ForkSource`] when there is nothing to copy; those of [`Self::create`]; [`Error::Write`] when the
    /// copy cannot be finished, of which nothing is left then.
    pub fn fork_from(host: SessionHost, source: &Path, cwd: &Path, options: &NewSession) -> Result<Self, Error> {
        let source = absolute(host.paths.cwd(), source);
        let cwd = absolute(host.paths.cwd(), cwd);
        let dir = match &options.dir {
            Some(dir) => absolute(host.paths.cwd(), dir),
            None => host.paths.default_session_dir(&cwd),
        };
        let (body, version) = Body::of(&source, &host)?;
        let options = NewSession { parent_session: Some(source.clone()), ..options.clone() };
        let header = SessionHeader { version: Some(version), ..new_header(&host, &cwd, &options)? };
        prepare_directory(&dir)?;
        let _claim = Claim::id(&SessionsLocation::new(&host.paths, &cwd, options.dir.as_deref()), &header.id)?;
        if let Some(id) = &options.id
            && find_session_by_id(&host.paths, &cwd, options.dir.as_deref(), id).is_some()
        {
            return Err(Error::Exists { id: id.clone() });
        }
        let file = dir.join(file_name(&header));
        let handle = write_fork(&file, &header, body)?;
        copy_effects(&source, &file);
        resume(host, header, &file, handle, Some(&cwd))
    }

    /// Becomes a new session that holds nothing but the branch that ends in `leaf`, with its labels. Returns its file;
    /// `None` for a session in memory. The old session is closed; its file stays as it is.
    ///
    /// # Errors
    /// [`Error::EntryNotFound`]; those of [`Self::create`] and of appending. Nothing changes then.
    pub fn create_branched_session(&mut self, leaf: &str) -> Result<Option<PathBuf>, Error> {
        let path = self.entries.branch_of(leaf)?;
        if path.is_empty() {
            return Err(Error::EntryNotFound { id: leaf.to_owned() });
        }
        self.sync()?;
        let parent_session = self.session_file().filter(|_| self.storage.is_persisted()).map(Path::to_owned);
        let mut other = self.successor(parent_session)?;
        let mut has_messages = false;
        for entry in without_labels(path)? {
            has_messages |= Kind::of(entry.kind()) == Kind::Message;
            other.append().stored(&entry)?;
        }
        for (target, label) in labels_in_order(&self.entries)? {
            if other.entries.slot(target)?.is_some() {
                append_label_as_it_was(&mut other, target, label)?;
            }
        }
        if has_messages {
            other.needs_file();
        }
        other.materialise()?;
        if self.resumed && self.leaf_id() == Some(leaf) {
            other.resumed = true;
            if let (Some(from), Some(to)) = (self.session_file(), other.session_file()) {
                copy_effects(from, to);
            }
        }
        *self = other;
        Ok(self.session_file().map(Path::to_owned))
    }
}

fn labels_in_order(entries: &Entries) -> Result<Vec<(&str, &Label)>, Error> {
    let mut labels: Vec<_> = entries.store().index()?.notes().labels().collect();
    labels.sort_by_key(|(_, label)| label.number);
    Ok(labels)
}

fn append_label_as_it_was(session: &mut SessionManager, target: &str, label: &Label) -> Result<(), Error> {
    let entry = SessionEntry::Label(LabelEntry {
        id: session.append().next_id(),
        parent_id: session.leaf_id().map(ToOwned::to_owned),
        timestamp: label.timestamp.clone(),
        target_id: target.to_owned(),
        label: Some(label.text.clone()),
        extra: pi_ai::Extra::new(),
    });
    session.append().stored(&StoredEntry::write(&entry)?).map(drop)
}

/// Leaves labels out of a branch; what followed one follows what is before it.
fn without_labels(path: Vec<StoredEntry>) -> Result<Vec<StoredEntry>, Error> {
    let mut kept: Vec<StoredEntry> = Vec::with_capacity(path.len());
    for entry in path {
        if Kind::of(entry.kind()) == Kind::Label {
            continue;
        }
        let parent = kept.last().map(StoredEntry::id);
        let entry = if entry.parent_id() == parent { entry } else { behind(&entry, parent)? };
        kept.push(entry);
    }
    Ok(kept)
}

/// The entry with another parent and otherwise byte for byte the same values.
fn behind(entry: &StoredEntry, parent: Option<&str>) -> Result<StoredEntry, Error> {
    let failed = |source| host::Error::Serialize { what: "a session entry", source };
    // What cannot be read cannot be changed either; it stays as it is.
    let Ok(mut object) = RawObject::parse(entry.raw()) else { return Ok(entry.clone()) };
    object.set("parentId", serde_json::value::to_raw_value(&parent).map_err(failed)?);
    let line = object.to_json().map_err(failed)?;
    Ok(StoredEntry::index(line.into()).unwrap_or_else(|_| entry.clone()))
}

/// What a fork takes over.
enum Body {
    /// This part of the file, which may lack a newline at its end.
    Part { file: File, start: u64, end: u64, unterminated: bool },
    /// Lines of a file that had to be changed, the header not among them.
    Lines(Vec<u8>),
}

impl Body {
    /// The entries of a session file, and the version that they are in.
    fn of(source: &Path, host: &SessionHost) -> Result<(Self, u64), Error> {
        let nothing = |what| Error::ForkSource { path: source.to_owned(), what };
        let failed = |error| Error::Open { path: source.to_owned(), source: error };
        let file = open_regular(source).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => nothing("file is empty or invalid"),
            _ => failed(error),
        })?;
        match read_header(source) {
            Some(header) if header.version() >= CURRENT_VERSION => {
                let part = Self::behind_header(file.try_clone().map_err(failed)?).map_err(failed)?;
                if let Some(part) = part {
                    return Ok((part, header.version()));
                }
            }
            _ => {}
        }
        (&file).rewind().map_err(failed)?;
        match load(source, &file, host.ids.as_ref()) {
            Ok(Content::Session(session)) => {
                let lines = match &session.migrated {
                    Some(migrated) => pieces_text(migrated.pieces.iter().skip(1)),
                    None => session.entries.iter().flat_map(|entry| [entry.raw().as_bytes(), b"\n"].concat()).collect(),
                };
                Ok((Self::Lines(lines), session.header.version()))
            }
            Ok(Content::Begun(_)) => Ok((Self::Lines(Vec::new()), CURRENT_VERSION)),
            Ok(Content::Headless(_)) => Err(nothing("has no header")),
            Err(error @ Error::Open { .. }) => Err(error),
            Err(_) => Err(nothing("file is empty or invalid")),
        }
    }

    /// Everything behind the header; `None` when the header is not alone on the first line.
    fn behind_header(mut file: File) -> io::Result<Option<Self>> {
        let mut first = Vec::new();
        BufReader::new(&file).read_until(b'\n', &mut first)?;
        let line = fragments(first.strip_suffix(b"\n").unwrap_or(&first));
        if !matches!(&line[..], [only] if only.is_object()) {
            return Ok(None);
        }
        let length = file.metadata()?.len();
        let (end, unterminated) = match find_tail(&file, length)? {
            Tail::Clean => (length, false),
            Tail::Unterminated => (length, true),
            Tail::Torn { offset, glued } => (offset, glued),
        };
        let start = (first.len() as u64).min(end);
        file.seek(SeekFrom::Start(start))?;
        Ok(Some(Self::Part { file, start, end, unterminated: unterminated && start < end }))
    }

    fn write_to(self, target: &mut File) -> io::Result<()> {
        match self {
            Self::Lines(lines) => target.write_all(&lines),
            Self::Part { file, start, end, unterminated } => {
                io::copy(&mut io::Read::take(file, end - start), target)?;
                if unterminated { target.write_all(b"\n") } else { Ok(()) }
            }
        }
    }
}

/// Writes the file of a fork. It gets its name when it is complete, and is locked before anybody can see it.
fn write_fork(path: &Path, header: &SessionHeader, body: Body) -> Result<File, Error> {
    let failed = |source| Error::Write { path: path.to_owned(), source };
    let dir = path.parent().unwrap_or(Path::new("."));
    let line = header_line(header)? + "\n";
    let mut builder = tempfile::Builder::new();
    let mut temporary = builder.prefix(".tmp-").append(true).tempfile_in(dir).map_err(failed)?;
    lock(path, temporary.as_file())?;
    let filled = temporary.write_all(line.as_bytes()).and_then(|()| body.write_to(temporary.as_file_mut()));
    filled.and_then(|()| temporary.as_file().sync_data()).map_err(failed)?;
    let file = temporary.persist_noclobber(path).map_err(|error| failed(error.error))?;
    sync_directory(path).map_err(failed)?;
    Ok(file)
}
