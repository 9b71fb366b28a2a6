//! Writes the repaired copy of a session and, beside it, what could not be used. The session itself is only read.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde_json::value::{RawValue, to_raw_value};
use tempfile::NamedTempFile;

use super::lost_header::make_header;
use super::plan::{Change, Plan};
use super::segments::Piece;
use super::source::Source;
use super::survey::{Header, Sorted, Survey, sort};
use crate::host;
use crate::host::ids::Ids;
use crate::host::json_file::temporary_file;
use crate::session::Error;
use crate::session::header::CURRENT_VERSION;
use crate::session::log::sync_directory;
use crate::session::raw_object::RawObject;
use crate::session::record::without_lone_surrogates;

/// What is written at once, in bytes.
const BUFFER: usize = 1 << 18;

/// A repaired copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// The new session file.
    pub path: PathBuf,
    /// What could not be used, with line numbers; `None` when there was nothing of the kind.
    pub rejected: Option<PathBuf>,
    /// Number of entries in the new file.
    pub entries: usize,
    /// How many of them are not as they were, byte for byte.
    pub changed: usize,
    /// Number of pieces that were set aside.
    pub set_aside: usize,
}

/// Writes a repaired copy of a session: to `target`, which must not exist, or beside the session as
/// `<name>.repaired.jsonl` (`.repaired-2.jsonl`, …). What cannot be used goes to `<target>.rejected`. The new file is
/// there whole or not at all; the session is only read. Blocks.
///
/// # Errors
/// [`host::Error::NoSuchFile`](crate::host::Error::NoSuchFile), [`Error::Open`]; [`Error::NothingToRepair`] when there is nothing to save;
/// [`Error::RepairTargetExists`]; [`host::Error::FileWrite`](crate::host::Error::FileWrite).
pub fn repair(path: &Path, target: Option<&Path>, ids: &dyn Ids) -> Result<Repaired, Error> {
    if let Some(target) = target {
        refuse_existing(target)?;
    }
    let source = Source::open(path, ids)?;
    let survey = Survey::of(&source)?;
    if survey.nodes.is_empty() && survey.header.is_none() {
        return Err(Error::NothingToRepair { path: path.to_owned() });
    }
    let plan = Plan::of(&survey, ids);
    let shown = target.unwrap_or(path);
    let failed = |source| host::Error::FileWrite { path: shown.to_owned(), source };
    let dir = shown.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut output = Output::new(dir).map_err(failed)?;
    let header = match &survey.header {
        Some(header) => current_header(header).map_err(failed)?,
        None => make_header(&source, &survey, ids)?.into_bytes(),
    };
    let mut writer =
        Writer { survey: &survey, plan: &plan, place: 0, has_header: false, time: None, output: &mut output };
    writer.write_header(&header).map_err(failed)?;
    let mut result = Ok(());
    source.each(&mut |piece| {
        result = writer.write(&piece);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    result.map_err(failed)?;
    output.commit(path, target)
}

/// The header's line, with the current version where it names an older one.
fn current_header(header: &Header) -> io::Result<Vec<u8>> {
    if header.header.version() >= CURRENT_VERSION {
        return Ok(header.bytes.clone());
    }
    let text = String::from_utf8_lossy(&header.bytes);
    let mut object = RawObject::parse(&text).or_else(|_| RawObject::parse(&without_lone_surrogates(&text)))?;
    object.set("version", raw(&CURRENT_VERSION)?);
    Ok(object.to_json()?.into_bytes())
}

fn refuse_existing(target: &Path) -> Result<(), Error> {
    let taken = [target.to_owned(), rejected_name(target)].into_iter().find(|path| path.symlink_metadata().is_ok());
    taken.map_or(Ok(()), |path| Err(Error::RepairTargetExists { path }))
}

fn rejected_name(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".rejected");
    name.into()
}

/// Goes through the pieces a second time.
struct Writer<'a> {
    survey: &'a Survey,
    plan: &'a Plan,
    /// Number of entries passed.
    place: usize,
    has_header: bool,
    /// Of the last entry that has one.
    time: Option<String>,
    output: &'a mut Output,
}

impl Writer<'_> {
    fn write_header(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.keep(String::from_utf8_lossy(bytes).as_bytes())
    }

    fn write(&mut self, piece: &Piece<'_>) -> io::Result<()> {
        match sort(piece, self.has_header) {
            Sorted::Unusable(_, reason) => self.output.reject(piece, &reason),
            Sorted::Header(_) => {
                self.has_header = true;
                self.keep_bytes(piece)
            }
            Sorted::Entry(fields) => {
                let place = self.place;
                self.place += 1;
                if self.plan.is_copy(place) {
                    return self.output.reject(piece, "an exact copy of an entry before it");
                }
                let time = fields.timestamp.is_none().then(|| self.known_time());
                self.time = fields.timestamp.or(self.time.take());
                let change = self.plan.change(self.survey, place);
                self.keep_bytes(piece)?;
                self.output.entries += 1;
                self.write_entry(piece, fields.kind.is_none(), time, &change)
            }
        }
    }

    /// Bytes that are no text are set aside, since they are replaced in the line.
    fn keep_bytes(&mut self, piece: &Piece<'_>) -> io::Result<()> {
        match std::str::from_utf8(&piece.bytes) {
            Ok(_) => Ok(()),
            Err(_) => self.output.reject(piece, "invalid UTF-8: the line is kept with replacement characters"),
        }
    }

    fn known_time(&self) -> String {
        let header = || self.survey.header.as_ref().map(|header| header.header.timestamp.clone());
        self.time.clone().or_else(header).or_else(|| self.survey.first_timestamp.clone()).unwrap_or_default()
    }

    fn write_entry(
        &mut self,
        piece: &Piece<'_>,
        untyped: bool,
        time: Option<String>,
        change: &Change,
    ) -> io::Result<()> {
        let text = String::from_utf8_lossy(&piece.bytes);
        if !untyped && time.is_none() && *change == Change::default() {
            self.output.changed += usize::from(matches!(text, std::borrow::Cow::Owned(_)));
            return self.output.keep(text.as_bytes());
        }
        self.output.changed += 1;
        let mut object = RawObject::parse(&text).or_else(|_| RawObject::parse(&without_lone_surrogates(&text)))?;
        if untyped {
            object.set("type", raw("message")?);
        }
        if let Some(time) = time {
            object.set("timestamp", raw(&time)?);
        }
        if let Some(id) = &change.id {
            object.set("id", raw(id.as_ref())?);
        }
        if let Some(parent) = &change.parent {
            object.set("parentId", raw(&parent.as_deref())?);
        }
        if let Some((key, id)) = &change.reference {
            object.set(key, raw(id.as_ref())?);
        }
        self.output.keep(object.to_json()?.as_bytes())
    }
}

fn raw<T: serde::Serialize + ?Sized>(value: &T) -> serde_json::Result<Box<RawValue>> {
    to_raw_value(value)
}

/// Two files that nobody sees yet.
struct Output {
    kept: BufWriter<NamedTempFile>,
    rejected: BufWriter<NamedTempFile>,
    entries: usize,
    changed: usize,
    set_aside: usize,
}

impl Output {
    fn new(dir: &Path) -> io::Result<Self> {
        let file = || Ok::<_, io::Error>(BufWriter::with_capacity(BUFFER, temporary_file(dir, Some(0o600))?));
        Ok(Self { kept: file()?, rejected: file()?, entries: 0, changed: 0, set_aside: 0 })
    }

    fn keep(&mut self, line: &[u8]) -> io::Result<()> {
        self.kept.write_all(line)?;
        self.kept.write_all(b"\n")
    }

    fn reject(&mut self, piece: &Piece<'_>, reason: &str) -> io::Result<()> {
        self.set_aside += 1;
        let place = piece.place;
        writeln!(self.rejected, "# line {}, bytes {} to {}: {reason}", place.line, place.start, place.end)?;
        self.rejected.write_all(&piece.bytes)?;
        self.rejected.write_all(b"\n")
    }

    /// Gives both files their names, the session's last.
    fn commit(self, path: &Path, target: Option<&Path>) -> Result<Repaired, Error> {
        let name = target.map_or_else(|| default_name(path), Path::to_owned);
        let failed = |source| host::Error::FileWrite { path: name.clone(), source };
        let kept = finish(self.kept).map_err(failed)?;
        let rejected = finish(self.rejected).map_err(failed)?;
        let set_aside = (self.set_aside > 0).then(|| rejected_name(&name));
        if let Some(beside) = &set_aside {
            persist(rejected, beside)?;
        }
        persist(kept, &name)?;
        sync_directory(&name).map_err(failed)?;
        let (entries, changed) = (self.entries, self.changed);
        Ok(Repaired { path: name, rejected: set_aside, entries, changed, set_aside: self.set_aside })
    }
}

/// Everything is on the disk, readable for the owner only.
fn finish(buffer: BufWriter<NamedTempFile>) -> io::Result<NamedTempFile> {
    let file = buffer.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_data()?;
    Ok(file)
}

fn persist(file: NamedTempFile, name: &Path) -> Result<(), Error> {
    match file.persist_noclobber(name) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {
            Err(Error::RepairTargetExists { path: name.to_owned() })
        }
        Err(error) => Err(host::Error::FileWrite { path: name.to_owned(), source: error.error }.into()),
    }
}

/// The first free one of `<name>.repaired.jsonl` beside the session, `<name>.repaired-2.jsonl` and so on.
fn default_name(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = |attempt: usize| match attempt {
        1 => path.with_file_name(format!("{stem}.repaired.jsonl")),
        _ => path.with_file_name(format!("{stem}.repaired-{attempt}.jsonl")),
    };
    (1..).map(name).find(|name| refuse_existing(name).is_ok()).unwrap_or_else(|| name(1))
}
