//! The steps of opening: from a header and an open file to a session.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::create::{header_line, new_header};
use super::empty_file::EmptyFile;
use super::entries::Entries;
use super::header::SessionHeader;
use super::log::SessionLog;
use super::manager::{LoadReport, NewSession, SessionHost, SessionManager};
use super::read_only::ReadOnly;
use super::repair::set_torn_aside;
use super::rescue::read_mark;
use super::scan::{LineProblem, Tail};
use super::storage::{SessionStorage, Target};
use super::store::EntryStore;
use super::tail::find_tail;
use crate::host::paths::absolute;
use crate::session::Error;

/// A session without entries.
pub(super) fn fresh(
    host: SessionHost,
    header: SessionHeader,
    cwd: PathBuf,
    dir: PathBuf,
    target: Target,
) -> SessionManager {
    let storage = SessionStorage::new(dir, target);
    let (entries, report) = (Entries::none(), LoadReport::default());
    SessionManager { host, header, cwd, entries, storage, report, resumed: false }
}

/// A session of the current version in a file that this process may write to.
pub(super) fn resume(
    host: SessionHost,
    header: SessionHeader,
    file: &Path,
    handle: File,
    cwd: Option<&Path>,
) -> Result<SessionManager, Error> {
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
    let mut session = at_end(host, header, file, reader, end, cwd, Target::File(log))?;
    session.report = report;
    report_torn(&mut session, tail, length)?;
    Ok(session)
}

/// A session that is not written to.
pub(super) fn look_into(
    host: SessionHost,
    header: SessionHeader,
    file: &Path,
    handle: File,
    cwd: Option<&Path>,
    reason: ReadOnly,
) -> Result<SessionManager, Error> {
    let (length, tail) = measure(file, &handle)?;
    let end = if let Tail::Torn { offset, .. } = tail { offset } else { length };
    let target = Target::ReadOnly { file: file.to_owned(), reason };
    let mut session = at_end(host, header, file, handle, end, cwd, target)?;
    report_torn(&mut session, tail, length)?;
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
    target: Target,
) -> Result<SessionManager, Error> {
    let named = Some(Path::new(&header.cwd)).filter(|cwd| !cwd.as_os_str().is_empty());
    let cwd = absolute(host.paths.cwd(), cwd.or(named).unwrap_or(host.paths.cwd()));
    let mut session = fresh(host, header, cwd, directory_of(file), target);
    session.entries = Entries::of(EntryStore::open(file, reader, end)?)?;
    session.resumed = true;
    Ok(session)
}

/// A torn end is a damaged line like others.
fn report_torn(session: &mut SessionManager, tail: Tail, length: u64) -> Result<(), Error> {
    let Tail::Torn { offset, glued } = tail else { return Ok(()) };
    let whole_lines = session.entries.store().index()?.lines();
    let line = if glued { whole_lines } else { whole_lines + 1 };
    let reason = format!("the line is torn ({} bytes)", length - offset);
    session.report.problems.push(LineProblem { line, reason });
    Ok(())
}

/// A file without any entry gets its header at once. A torn one is set aside; what it tells is kept.
pub(super) fn fill_begun(
    host: SessionHost,
    begun: &EmptyFile,
    file: &Path,
    handle: File,
    cwd: Option<&Path>,
) -> Result<SessionManager, Error> {
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
    let mut session = at_end(host, header, file, reader, end, Some(&cwd), Target::File(log))?;
    session.report.torn_tail = torn_tail;
    Ok(session)
}

/// The length of a file in bytes, and how it ends.
fn measure(file: &Path, handle: &File) -> Result<(u64, Tail), Error> {
    let measured = handle.metadata().and_then(|metadata| {
        let length = metadata.len();
        find_tail(handle, length).map(|tail| (length, tail))
    });
    measured.map_err(|source| Error::Open { path: file.to_owned(), source })
}

pub(super) fn directory_of(file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).to_owned()
}

fn log_at_end(file: &Path, handle: File, tail: Tail, end: u64) -> SessionLog {
    let log = SessionLog::new(file, Box::new(handle)).at(end);
    match tail {
        Tail::Clean | Tail::Torn { glued: false, .. } => log,
        Tail::Unterminated | Tail::Torn { glued: true, .. } => log.unterminated(),
    }
}
