//! One writer per session file: an advisory lock of the operating system on the file itself, held as long as the
//! file is open for writing. It cannot go stale, and readers take none. A session that has no file yet is claimed: see
//! `claim.rs`.
//!
//! On Unix the lock belongs to the open file, so a second session of the same process is refused like one of
//! another process.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use super::private::private_file;
use crate::host::open_regular_for_appending;
use crate::session::{Error, SessionIdError};

/// A file may be replaced (by a migration) between opening and locking it; then it is opened again.
const ATTEMPTS: usize = 5;

/// Opens an existing session file for appending and locks it.
pub(super) fn open_locked(path: &Path) -> Result<File, Error> {
    let failed = |source| Error::Open { path: path.to_owned(), source };
    for _ in 0..ATTEMPTS {
        let file = open_regular_for_appending(path).map_err(failed)?;
        lock(path, &file)?;
        if is_current(path, &file) {
            return Ok(file);
        }
    }
    Err(Error::Locked { path: path.to_owned(), pid: None })
}

/// Creates a session file that must not exist yet, and locks it.
pub(super) fn create_locked(path: &Path) -> Result<File, Error> {
    let failed = |source| Error::Write { path: path.to_owned(), source };
    let file = private_file().read(true).append(true).create_new(true).open(path).map_err(failed)?;
    lock(path, &file)?;
    Ok(file)
}

/// A program that is being started holds copies of all open files for a moment, so what was given back may seem held for as
/// long as that takes.
const TIME_TO_START: Duration = Duration::from_millis(100);
/// A program that is just ending gets so long.
const TIME_TO_END: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// Locks an open file.
pub(super) fn lock(path: &Path, file: &File) -> Result<(), Error> {
    unless_copied(|| try_lock(path, file))
}

/// Tries again for a moment when what is wanted seems to be held by this process. Blocks.
pub(super) fn unless_copied<T>(attempt: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
    // Nobody starts programs for another process, so that one really has it.
    insist(TIME_TO_START, |pid| pid.is_none_or(is_this_process), attempt)
}

/// Opens a session, and tries again for up to two seconds when another process has it: that may be just ending. Blocks.
pub fn patiently<T>(attempt: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
    insist(TIME_TO_END, |pid| !pid.is_some_and(is_this_process), attempt)
}

fn is_this_process(pid: u32) -> bool {
    pid == std::process::id()
}

/// Tries again, in growing pauses, as long as somebody worth waiting for has what is wanted.
fn insist<T>(
    most: Duration,
    is_worth_it: impl Fn(Option<u32>) -> bool,
    mut attempt: impl FnMut() -> Result<T, Error>,
) -> Result<T, Error> {
    let (mut waited, mut pause) = (Duration::ZERO, PAUSE);
    loop {
        match attempt() {
            Err(Error::Locked { pid, .. } | Error::Id(SessionIdError::InUse { pid, .. }))
                if waited < most && is_worth_it(pid) =>
            {
                std::thread::sleep(pause);
                waited += pause;
                pause = (pause * 2).min(LONGEST_PAUSE).min(most - waited.min(most) + PAUSE);
            }
            done => return done,
        }
    }
}

/// Locks an open file, if nobody has it locked.
pub(super) fn try_lock(path: &Path, file: &File) -> Result<(), Error> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(Error::Locked { path: path.to_owned(), pid: holder(file) }),
        // Some network file systems know no locks; working without one beats not working.
        Err(TryLockError::Error(error)) if is_unsupported(&error) => Ok(()),
        Err(TryLockError::Error(source)) => Err(Error::Open { path: path.to_owned(), source }),
    }
}

/// Whether an error of locking means that the file system knows no locks.
pub(crate) fn is_unsupported(error: &io::Error) -> bool {
    error.kind() == ErrorKind::Unsupported || error.raw_os_error() == Some(rustix::io::Errno::NOLCK.raw_os_error())
}

/// Whether the open file is still the one at this path.
#[cfg(unix)]
pub(super) fn is_current(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), path.metadata()) {
        (Ok(opened), Ok(named)) => opened.dev() == named.dev() && opened.ino() == named.ino(),
        _ => false,
    }
}

#[cfg(not(unix))]
pub(super) fn is_current(_path: &Path, _file: &File) -> bool {
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
