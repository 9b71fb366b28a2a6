//! A session whose file is lost while it is open: deleted, moved, replaced or cut by another program, or grown by one.
//!
//! Looked for before each entry, by one look at the file's name. The file that is open can still be read, whatever became of
//! its name, so the session is written anew beside it: byte for byte when all of it is there, else entry by entry
//! (`rebuild.rs`). Nothing that has the name now is touched. `name` says what the new file is called, `notice` what the user
//! is told.

mod name;
mod notice;
mod rebuild;

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use self::name::names;
use self::notice::{Had, grown, lost};
use super::backward::read_exact_at;
use super::durability::Durability;
use super::effect_journal::move_effects;
use super::entries::Entries;
use super::header::SessionHeader;
use super::lock::lock;
use super::log::{Loss, MARK, SessionLog, Standing, sync_directory};
use super::storage::SessionStorage;
use super::store::EntryStore;
use crate::session::Error;

/// How much is copied at a time, in bytes.
const CHUNK: u64 = 1 << 20;

impl SessionStorage {
    /// Makes sure that the next entry goes to a file that can be found again. Where that cannot be, entries are kept in
    /// memory, appending fails with the reason, and the next one tries again.
    pub(super) fn stay_in_place(&mut self, header: &SessionHeader, entries: &mut Entries) {
        let Some(log) = self.log_mut() else { return };
        let result = match log.standing() {
            Standing::InPlace => {
                log.release();
                return;
            }
            Standing::Grown(length) => self.go_on_behind(length, header, entries),
            Standing::Lost(loss) => self.rescue(loss, header, entries),
        };
        if let Some(log) = self.log_mut() {
            match result {
                Ok(()) => log.release(),
                Err(error) => log.hold(&error),
            }
        }
    }

    /// Another program has appended something: that stays, and what follows is behind it.
    fn go_on_behind(&mut self, length: u64, header: &SessionHeader, entries: &mut Entries) -> io::Result<()> {
        let (Some(log), Some((file, _))) = (self.log_mut(), entries.store().opened()) else { return Ok(()) };
        if !is_marked(file, log)? {
            return self.rescue(Loss::Overwritten, header, entries);
        }
        let mark = read_mark(file, length)?;
        log.go_on_at(length, mark);
        let notice = grown(log.path());
        if !self.note_shared() {
            self.notice(notice);
        }
        Ok(())
    }

    /// Writes the session anew and goes on in the new file.
    fn rescue(&mut self, loss: Loss, header: &SessionHeader, entries: &mut Entries) -> io::Result<()> {
        let Some(log) = self.log_mut() else { return Ok(()) };
        let old = log.path().to_owned();
        let mut new = NewFile::beside(&old)?;
        let file = entries.store().opened().map(|(file, _)| file);
        let linked = file.is_some_and(is_linked);
        let had = match file {
            Some(file) if is_whole(file, log) => {
                new.copy(file)?;
                Had::Everything
            }
            None if log.end() == 0 => Had::Everything,
            file => rebuild::write(entries.store(), file, header, &mut new.temporary)?,
        };
        let (path, file) = new.commit(&old, loss)?;
        self.move_into(&path, file, &had, entries)?;
        move_effects(&old, &path);
        self.notice(lost(loss, linked, &old, &path, &had));
        Ok(())
    }

    /// Goes on in a file that was just written.
    fn move_into(&mut self, path: &Path, file: File, had: &Had, entries: &mut Entries) -> io::Result<()> {
        let durability = self.durability();
        let Some(log) = self.log_mut() else { return Ok(()) };
        let end = file.metadata()?.len();
        let reader = file.try_clone()?;
        let mark = read_mark(&reader, end)?;
        let mut new = SessionLog::new(path, Box::new(file)).at(end);
        new.go_on_at(end, mark);
        new.sync_every_entry(durability == Durability::Entry);
        match had {
            Had::Everything => {
                new.set_pending(log.take_pending());
                entries.store_mut().continue_in(path, reader);
            }
            // What was still to be written is in the file now.
            Had::Parts(parts) => {
                let store = EntryStore::open(path, reader, end).map_err(as_io)?;
                let store = store.with_memory_of(entries.store_mut());
                *entries.store_mut() = store;
                entries.set_leaf(parts.leaf.as_deref());
            }
        }
        self.go_on_in(new);
        Ok(())
    }
}

/// A file that nobody sees yet, in a directory that is made if it has gone.
struct NewFile {
    temporary: NamedTempFile,
}

impl NewFile {
    fn beside(old: &Path) -> io::Result<Self> {
        let dir = old.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(dir)?;
        // Readable for the owner only, like all that we make.
        let temporary = tempfile::Builder::new().prefix(".tmp-").append(true).tempfile_in(dir)?;
        lock(old, temporary.as_file()).map_err(as_io)?;
        Ok(Self { temporary })
    }

    /// Takes all of a file over, what other programs have appended to it included.
    fn copy(&mut self, file: &File) -> io::Result<()> {
        let length = file.metadata()?.len();
        let mut buffer = vec![0; usize::try_from(CHUNK.min(length)).unwrap_or_default()];
        let mut at = 0;
        while at < length {
            let part = &mut buffer[..usize::try_from(CHUNK.min(length - at)).unwrap_or_default()];
            read_exact_at(file, part, at)?;
            self.temporary.write_all(part)?;
            at += part.len() as u64;
        }
        Ok(())
    }

    /// Gives the file, which is complete and locked, the first name that is free.
    fn commit(self, old: &Path, loss: Loss) -> io::Result<(PathBuf, File)> {
        let mut temporary = self.temporary;
        temporary.as_file().sync_data()?;
        for path in names(old, loss == Loss::Gone) {
            match temporary.persist_noclobber(&path) {
                Ok(file) => {
                    sync_directory(&path)?;
                    return Ok((path, file));
                }
                Err(error) if error.error.kind() == ErrorKind::AlreadyExists => temporary = error.file,
                Err(error) => return Err(error.error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }
}

/// The last bytes of a file of so many.
pub(super) fn read_mark(file: &File, end: u64) -> io::Result<Vec<u8>> {
    let mut mark = vec![0; usize::try_from(end).unwrap_or(MARK).min(MARK)];
    let start = end.saturating_sub(mark.len() as u64);
    read_exact_at(file, &mut mark, start)?;
    Ok(mark)
}

/// Whether what the log wrote last is where it wrote it.
fn is_marked(file: &File, log: &SessionLog) -> io::Result<bool> {
    let mut found = vec![0; log.mark().len()];
    let start = log.end().saturating_sub(found.len() as u64);
    read_exact_at(file, &mut found, start)?;
    Ok(found == log.mark())
}

/// Whether everything that was written can be read.
fn is_whole(file: &File, log: &SessionLog) -> bool {
    let length = file.metadata().map(|metadata| metadata.len());
    length.is_ok_and(|length| length >= log.end()) && is_marked(file, log).unwrap_or(false)
}

/// Whether an open file has a name somewhere.
#[cfg(unix)]
fn is_linked(file: &File) -> bool {
    std::os::unix::fs::MetadataExt::nlink(&match file.metadata() {
        Ok(metadata) => metadata,
        Err(_) => return false,
    }) > 0
}

/// Whether an open file has a name somewhere.
#[cfg(not(unix))]
fn is_linked(_file: &File) -> bool {
    true
}

fn as_io(error: Error) -> io::Error {
    match error {
        Error::Write { source, .. } | Error::Open { source, .. } => source,
        other => io::Error::other(other.to_string()),
    }
}
