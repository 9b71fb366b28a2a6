//! The append-only writer of a session file.
//!
//! Each entry is one `write` of one line that ends in a newline. A line that could not be written whole is taken
//! back and goes out again, in one piece, with the next append, so a failure neither loses an entry nor glues two.
//! All calls block; appends are small.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// What the log needs of a file that is open for appending. Tests put a failing disk behind it.
pub trait LogFile: std::fmt::Debug + Send {
    /// Appends some of `bytes` and says how many.
    ///
    /// # Errors
    /// Whatever the system reports; then nothing of `bytes` counts as written by this call.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Takes back the last `bytes` of the file.
    ///
    /// # Errors
    /// Whatever the system reports; then the file is unchanged.
    fn take_back(&mut self, bytes: u64) -> io::Result<()>;

    /// A job that waits until everything written so far is on the disk. It needs no access to the log.
    ///
    /// # Errors
    /// Whatever the system reports.
    fn sync_job(&self) -> io::Result<Box<dyn FnOnce() -> io::Result<()> + Send>>;
}

/// Makes a finished turn durable. Blocks for as long as the disk takes; run it where blocking is allowed.
pub type SyncJob = Box<dyn FnOnce() -> Result<(), Error> + Send>;

impl LogFile for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Write::write(self, bytes)
    }

    fn take_back(&mut self, bytes: u64) -> io::Result<()> {
        let length = self.metadata()?.len();
        self.set_len(length.saturating_sub(bytes))
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
    /// Lines that no write has accepted yet.
    pending: Vec<u8>,
    /// Bytes at the end of the file that belong to a write that failed half-way.
    torn: u64,
    /// Length of the file in bytes.
    end: u64,
    /// Whether every append waits for the disk.
    every_entry: bool,
    /// Whether the file ends without a newline, so that the next line must bring one in front.
    unterminated: bool,
    /// Whether the directory entry of a new file still has to reach the disk.
    new: bool,
    /// Whether something was written since the last sync.
    unsynced: bool,
}

impl SessionLog {
    /// A log at the end of a file that ends in a newline or is empty.
    pub fn new(path: impl Into<PathBuf>, file: Box<dyn LogFile>) -> Self {
        Self {
            path: path.into(),
            file,
            pending: Vec::new(),
            torn: 0,
            end: 0,
            every_entry: false,
            unterminated: false,
            new: false,
            unsynced: false,
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

    /// A log of a file that was just made.
    #[must_use]
    pub fn newly_created(mut self) -> Self {
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
    /// [`Error::SessionWrite`]; the line is then kept and written with the next call.
    pub fn append(&mut self, line: &str) -> Result<(), Error> {
        self.pending.extend_from_slice(line.as_bytes());
        self.pending.push(b'\n');
        self.write_pending().map_err(|source| self.failed(source))?;
        if self.every_entry { self.sync() } else { Ok(()) }
    }

    /// Length of the file in bytes. Right after an append that succeeded, the line ends one byte before it.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Has every append wait for the disk from now on, or no more.
    pub fn sync_every_entry(&mut self, every_entry: bool) {
        self.every_entry = every_entry;
    }

    /// Waits until everything appended so far is on the disk; writes what an earlier append could not.
    ///
    /// # Errors
    /// [`Error::SessionWrite`].
    pub fn sync(&mut self) -> Result<(), Error> {
        self.sync_job().map_or(Ok(()), |job| job())
    }

    /// The same as a job for another thread; `None` when everything is on the disk already.
    pub fn sync_job(&mut self) -> Option<SyncJob> {
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
            synced.map_err(|source| Error::SessionWrite { path, source })
        }))
    }

    /// Whether some entry is not in the file yet.
    pub fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::SessionWrite { path: self.path.clone(), source }
    }

    fn write_pending(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.remove_torn();
        if self.unterminated {
            self.pending.insert(0, b'\n');
        }
        let written = self.write_whole();
        match written {
            Ok(()) => {
                self.pending.clear();
                self.unterminated = false;
                self.unsynced = true;
            }
            Err(_) if self.unterminated => {
                self.pending.remove(0);
            }
            Err(_) => {}
        }
        written
    }

    /// Takes back a half-written line. Where that fails, too, the half stays behind on a line of its own.
    fn remove_torn(&mut self) {
        if self.torn > 0 {
            match self.file.take_back(self.torn) {
                Ok(()) => self.end -= self.torn,
                Err(_) => self.unterminated = true,
            }
            self.torn = 0;
        }
    }

    fn write_whole(&mut self) -> io::Result<()> {
        let mut rest = self.pending.as_slice();
        while !rest.is_empty() {
            match self.file.write(rest) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => {
                    self.torn += written as u64;
                    self.end += written as u64;
                    rest = &rest[written..];
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.torn = 0;
        Ok(())
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
