//! One writer per session file: an advisory lock of the operating system on the file itself, held as long as the
//! file is open for writing. It cannot go stale, and readers take none.
//!
//! On Unix the lock belongs to the open file, so a second session of the same process is refused like one of
//! another process.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use super::private::private_file;
use crate::error::Error;
use crate::host::open_regular_for_appending;

/// A file may be replaced (by a migration) between opening and locking it; then it is opened again.
const ATTEMPTS: usize = 5;

/// Opens an existing session file for appending and locks it.
pub(super) fn open_locked(path: &Path) -> Result<File, Error> {
    let failed = |source| Error::SessionOpen { path: path.to_owned(), source };
    for _ in 0..ATTEMPTS {
        let file = open_regular_for_appending(path).map_err(failed)?;
        lock(path, &file)?;
        if is_current(path, &file) {
            return Ok(file);
        }
    }
    Err(Error::SessionLocked { path: path.to_owned(), pid: None })
}

/// Creates a session file that must not exist yet, and locks it.
pub(super) fn create_locked(path: &Path) -> Result<File, Error> {
    let failed = |source| Error::SessionWrite { path: path.to_owned(), source };
    let file = private_file().read(true).append(true).create_new(true).open(path).map_err(failed)?;
    lock(path, &file)?;
    Ok(file)
}

/// A program that is being started holds copies of all open files for a moment, so a lock that was given back may seem
/// held for as long as that takes.
const PATIENCE: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_millis(2);

/// Locks an open file.
pub(super) fn lock(path: &Path, file: &File) -> Result<(), Error> {
    let mut waited = Duration::ZERO;
    loop {
        match try_lock(path, file) {
            // Nobody starts programs for another process, so that one really has the file open.
            Err(Error::SessionLocked { pid, .. })
                if waited < PATIENCE && pid.is_none_or(|pid| pid == std::process::id()) =>
            {
                std::thread::sleep(PAUSE);
                waited += PAUSE;
            }
            done => return done,
        }
    }
}

fn try_lock(path: &Path, file: &File) -> Result<(), Error> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(Error::SessionLocked { path: path.to_owned(), pid: holder(file) }),
        // Some network file systems know no locks; working without one beats not working.
        Err(TryLockError::Error(error)) if is_unsupported(&error) => Ok(()),
        Err(TryLockError::Error(source)) => Err(Error::SessionOpen { path: path.to_owned(), source }),
    }
}

/// Whether an error of locking means that the file system knows no locks.
pub(crate) fn is_unsupported(error: &io::Error) -> bool {
    error.kind() == ErrorKind::Unsupported || error.raw_os_error() == Some(rustix::io::Errno::NOLCK.raw_os_error())
}

#[cfg(unix)]
fn is_current(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), path.metadata()) {
        (Ok(opened), Ok(named)) => opened.dev() == named.dev() && opened.ino() == named.ino(),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_current(_path: &Path, _file: &File) -> bool {
    true
}

/// The process that holds the lock, as Linux lists it.
#[cfg(target_os = "linux")]
fn holder(file: &File) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let metadata = file.metadata().ok()?;
    let (major, minor) = (rustix::fs::major(metadata.dev()), rustix::fs::minor(metadata.dev()));
    let place = format!("{major:02x}:{minor:02x}:{}", metadata.ino());
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    // For example `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`.
    let fields = locks.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let holds = |fields: &Vec<&str>| fields.get(1) == Some(&"FLOCK") && fields.get(5) == Some(&place.as_str());
    fields.into_iter().find(holds)?.get(4)?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
fn holder(_file: &File) -> Option<u32> {
    None
}
