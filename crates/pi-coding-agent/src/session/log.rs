//! The append-only writer of a session file.
//!
//! Each entry is one `write` of one line that ends in a newline. A line that could not be written whole is taken
//! back at once and goes out again, in one piece, with the next append, so a failure neither loses an entry nor glues
//! two. Bytes of other programs are never taken back: the log knows where its own bytes begin and end. Whether the file
//! is still where it was is asked here; what follows from that is in `rescue/`. All calls block; appends are small.

use std::fs::File;
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use super::identity::FileId;
use crate::session::Error;

/// What the log needs of a file that is open for appending. Tests put a failing disk behind it.
pub trait LogFile: std::fmt::Debug + Send {
    /// Appends some of `bytes`.
    ///
    /// # Errors
    /// Whatever the system reports; then nothing of `bytes` counts as written by this call.
    fn write(&mut self, bytes: &[u8]) -> io::Result<Written>;

    /// Takes back the bytes from offset `start` to offset `end`, if the file ends there; returns whether it did. Where
    /// another program has appended something behind them, nothing is taken back.
    ///
    /// # Errors
    /// Whatever the system reports; then the file is unchanged.
    fn take_back(&mut self, start: u64, end: u64) -> io::Result<bool>;

    /// Which file this is, so that the log can tell whether its path still names it; `None` for what has no path.
    fn id(&self) -> Option<FileId> {
        None
    }

    /// A job that waits until everything written so far is on the disk. It needs no access to the log.
    ///
    /// # Errors
    /// Whatever the system reports.
    fn sync_job(&self) -> io::Result<Box<dyn FnOnce() -> io::Result<()> + Send>>;
}

/// Makes a finished turn durable. Blocks for as long as the disk takes; run it where blocking is allowed.
pub(crate) type SyncJob = Box<dyn FnOnce() -> Result<(), Error> + Send>;

/// What one write did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// So many bytes were taken.
    pub bytes: usize,
    /// Where they end in the file: its length right after the write, in bytes.
    pub end: u64,
}

impl LogFile for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<Written> {
        let bytes = Write::write(self, bytes)?;
        // The system has appended them, wherever the end was, and left the position behind them.
        Ok(Written { bytes, end: self.stream_position()? })
    }

    fn take_back(&mut self, start: u64, end: u64) -> io::Result<bool> {
        let ends_there = self.metadata()?.len() == end;
        if ends_there {
            self.set_len(start)?;
        }
        Ok(ends_there)
    }

    fn id(&self) -> Option<FileId> {
        FileId::of(&self.metadata().ok()?)
    }

    fn sync_job(&self) -> io::Result<Box<dyn FnOnce() -> io::Result<()> + Send>> {
        let file = self.try_clone()?;
        Ok(Box::new(move || file.sync_data()))
    }
}

/// Appends lines to a session file.
#[derive(Debug)]
pub struct SessionLog {
    path: PathBuf,
    file: Box<dyn LogFile>,
    id: Option<FileId>,
    /// Lines that no write has accepted yet.
    pending: Vec<u8>,
    /// Where the file ended when this log wrote last, or where it began.
    end: u64,
    /// The bytes before `end`, no more than [`MARK`] of them.
    mark: Vec<u8>,
    /// Whether every append waits for the disk.
    every_entry: bool,
    /// Whether the file ends without a newline, so that the next line must bring one in front.
    unterminated: bool,
    /// Whether the directory entry of a new file still has to reach the disk.
    new: bool,
    /// Whether something was written since the last sync.
    unsynced: bool,
    /// Why nothing can be written for now: the file is lost, and no other one could be made.
    held: Option<(ErrorKind, String)>,
}

/// So many bytes at the end of a file tell whether it is still what was written.
pub(super) const MARK: usize = 64;

/// What became of the file of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is where it was, as long as it was.
    InPlace,
    /// It is where it was, and so many bytes long, which is more than was written.
    Grown(u64),
    /// It is not what this log writes to any more.
    Lost(Loss),
}

/// How a session file was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// No file has its name.
    Gone,
    /// Another file has its name.
    Replaced,
    /// It is shorter than what was written, or holds something else.
    Overwritten,
}

impl SessionLog {
    /// A log at the end of a file that ends in a newline or is empty.
    pub fn new(path: impl Into<PathBuf>, file: Box<dyn LogFile>) -> Self {
        Self {
            path: path.into(),
            id: file.id(),
            file,
            pending: Vec::new(),
            end: 0,
            mark: Vec::new(),
            every_entry: false,
            unterminated: false,
            new: false,
            unsynced: false,
            held: None,
        }
    }

    /// A log at the end of a file that has no final newline.
    #[must_use]
    pub fn unterminated(mut self) -> Self {
        self.unterminated = true;
        self
    }

    /// A log at the end of a file of so many bytes.
    #[must_use]
    pub fn at(mut self, end: u64) -> Self {
        self.end = end;
        self
    }

    /// The last bytes of the file, no more than [`MARK`], by which it is known again when it has grown.
    #[must_use]
    pub(super) fn marked(mut self, mark: Vec<u8>) -> Self {
        self.mark = mark;
        self
    }

    /// A log of a file that was just made.
    #[must_use]
    pub(crate) fn newly_created(mut self) -> Self {
        self.new = true;
        self
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends lines in one write. `line` may hold several, separated but not ended by newlines.
    ///
    /// # Errors
    /// [`Error::Write`]; the line is then kept and written with the next call.
    pub fn append(&mut self, line: &str) -> Result<(), Error> {
        self.pending.extend_from_slice(line.as_bytes());
        self.pending.push(b'\n');
        self.flush()?;
        if self.every_entry { self.sync() } else { Ok(()) }
    }

    /// Writes what an earlier append could not.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        self.write_pending().map_err(|source| self.failed(source))
    }

    /// Where the file ended when something was written last, in bytes. Right after an append that succeeded, the line ends
    /// one byte before it.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The bytes before [`Self::end`], no more than [`MARK`].
    pub(super) fn mark(&self) -> &[u8] {
        &self.mark
    }

    /// Has every append wait for the disk from now on, or no more.
    pub(crate) fn sync_every_entry(&mut self, every_entry: bool) {
        self.every_entry = every_entry;
    }

    /// Waits until everything appended so far is on the disk; writes what an earlier append could not.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn sync(&mut self) -> Result<(), Error> {
        self.sync_job().map_or(Ok(()), |job| job())
    }

    /// The same as a job for another thread; `None` when everything is on the disk already.
    pub(crate) fn sync_job(&mut self) -> Option<SyncJob> {
        let path = self.path.clone();
        let job =
            self.write_pending().and_then(|()| if self.unsynced { self.file.sync_job().map(Some) } else { Ok(None) });
        let new = std::mem::take(&mut self.new);
        self.unsynced = false;
        let job: Box<dyn FnOnce() -> io::Result<()> + Send> = match job {
            Ok(None) => return None,
            Ok(Some(job)) => job,
            Err(error) => Box::new(move || Err(error)),
        };
        Some(Box::new(move || {
            let synced = job().and_then(|()| if new { sync_directory(&path) } else { Ok(()) });
            synced.map_err(|source| Error::Write { path, source })
        }))
    }

    /// Whether some entry is not in the file yet.
    pub fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Whether something was written since the last sync.
    pub(super) fn is_unsynced(&self) -> bool {
        self.unsynced
    }

    /// What became of the file since something was written last. Costs one look at its name.
    pub(super) fn standing(&self) -> Standing {
        let Some(id) = self.id else { return Standing::InPlace };
        let named = match std::fs::metadata(&self.path) {
            Ok(named) => named,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Standing::Lost(Loss::Gone);
            }
            // Nothing can be told, and the open file may be as good as ever.
            Err(_) => return Standing::InPlace,
        };
        if FileId::of(&named) != Some(id) {
            return Standing::Lost(Loss::Replaced);
        }
        match named.len() {
            length if length > self.end => Standing::Grown(length),
            length if length < self.end => Standing::Lost(Loss::Overwritten),
            _ => Standing::InPlace,
        }
    }

    /// Goes on at the end of a file that has grown, of which the last bytes are `mark`.
    pub(super) fn go_on_at(&mut self, end: u64, mark: Vec<u8>) {
        self.unterminated = !mark.ends_with(b"\n");
        self.end = end;
        self.mark = mark;
    }

    /// Keeps all lines in memory until [`Self::release`]: the file is lost, and appends fail with this error.
    pub(super) fn hold(&mut self, error: &io::Error) {
        self.held = Some((error.kind(), error.to_string()));
    }

    /// Writes to the file again.
    pub(super) fn release(&mut self) {
        self.held = None;
    }

    /// The lines that no write has accepted yet, each with its newline. They are this log's business no more.
    pub(super) fn take_pending(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.pending)
    }

    /// Writes these lines with the next append or [`Self::flush`].
    pub(super) fn set_pending(&mut self, lines: Vec<u8>) {
        self.pending = lines;
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Write { path: self.path.clone(), source }
    }

    fn write_pending(&mut self) -> io::Result<()> {
        if let Some((kind, text)) = &self.held {
            return Err(io::Error::new(*kind, text.clone()));
        }
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut lines = std::mem::take(&mut self.pending);
        let newline = self.unterminated;
        if newline {
            lines.insert(0, b'\n');
        }
        let written = self.write_whole(&lines);
        match written {
            Ok(()) => {
                self.unterminated = false;
                self.unsynced = true;
                self.mark = lines[lines.len().saturating_sub(MARK)..].to_vec();
                lines.clear();
            }
            Err(_) if newline => drop(lines.remove(0)),
            Err(_) => {}
        }
        self.pending = lines;
        written
    }

    /// Writes all of `lines` in one piece, or takes back what it wrote.
    fn write_whole(&mut self, lines: &[u8]) -> io::Result<()> {
        let mut begun = None;
        let mut rest = lines;
        while !rest.is_empty() {
            match self.file.write(rest) {
                Ok(Written { bytes: 0, .. }) => return Err(self.give_up(begun, ErrorKind::WriteZero.into())),
                Ok(Written { bytes, end }) => {
                    let start = end.saturating_sub(bytes as u64);
                    let (first, until) = begun.unwrap_or((start, start));
                    if start != until {
                        let error = io::Error::other("another program wrote to it in the middle of a line");
                        let error = self.give_up(Some((start, end)), error);
                        self.unterminated = true;
                        return Err(error);
                    }
                    begun = Some((first, end));
                    rest = rest.get(bytes..).unwrap_or_default();
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.give_up(begun, error)),
            }
        }
        let (start, end) = begun.unwrap_or((self.end, self.end));
        // Where the file was cut meanwhile, its end is not the right one: the next look at the file finds that out.
        self.end = if start < self.end { self.end + lines.len() as u64 } else { end };
        Ok(())
    }

    /// Half a line, from an offset to another one, is taken back at once. Where something of another program stands behind
    /// it, or the system does not let it, it stays, and what follows has a line of its own. Returns the error.
    fn give_up(&mut self, begun: Option<(u64, u64)>, error: io::Error) -> io::Error {
        if let Some((start, end)) = begun
            && !self.file.take_back(start, end).unwrap_or(false)
        {
            self.unterminated = true;
            self.end = end;
            self.mark.clear();
        }
        error
    }
}

/// Makes a new name durable.
#[cfg(unix)]
pub(super) fn sync_directory(file: &Path) -> io::Result<()> {
    match file.parent() {
        Some(dir) => File::open(dir)?.sync_all(),
        None => Ok(()),
    }
}

/// Other systems have no such call.
#[cfg(not(unix))]
pub(super) fn sync_directory(_file: &Path) -> io::Result<()> {
    Ok(())
}
