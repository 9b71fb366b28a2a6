//! The lock that guards small configuration files: a directory `<file>.lock`, as other programs that share these
//! files take it.
//!
//! A lock is held for the moment of one read-change-write. One left behind by a crash counts as stale by its age.
//! Taking it may block the thread for up to 200 ms.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use pi_ai::Clock;

use crate::error::Error;

const ATTEMPTS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(20);
const STALE_AFTER_MS: i64 = 10_000;

/// A held lock; dropping it releases it.
#[derive(Debug)]
pub(crate) struct DirLock {
    dir: PathBuf,
}

impl DirLock {
    /// Takes the lock of `file`, whose directory must exist.
    ///
    /// # Errors
    /// [`Error::FileLocked`] when another process keeps it, [`Error::FileWrite`] when it cannot be made at all.
    pub(crate) fn acquire(file: &Path, clock: &dyn Clock) -> Result<Self, Error> {
        let dir = lock_path(file);
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                sleep(PAUSE);
            }
            match fs::create_dir(&dir) {
                Ok(()) => return Ok(Self { dir }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => remove_if_stale(&dir, clock),
                Err(source) => return Err(Error::FileWrite { path: dir, source }),
            }
        }
        Err(Error::FileLocked { path: file.to_owned(), lock: dir })
    }
}

impl Drop for DirLock {
    fn drop(&mut self) {
        // Nothing can be done about a lock that cannot be removed; it goes stale.
        let _ = fs::remove_dir(&self.dir);
    }
}

fn lock_path(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

fn remove_if_stale(dir: &Path, clock: &dyn Clock) {
    let modified = fs::metadata(dir).and_then(|metadata| metadata.modified());
    let age = modified.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let Some(since_epoch) = age else { return };
    let modified_ms = i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX);
    if clock.now_ms().saturating_sub(modified_ms) > STALE_AFTER_MS {
        // Whoever loses the race for a stale lock simply tries again.
        let _ = fs::remove_dir(dir);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pi_ai::{FixedClock, SystemClock};

    #[test]
    fn a_lock_excludes_and_goes_stale() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("settings.json");
        let held = DirLock::acquire(&file, &SystemClock).unwrap();
        let refused = DirLock::acquire(&file, &SystemClock).unwrap_err();
        assert!(
            matches!(&refused, Error::FileLocked { lock, .. } if lock.ends_with("settings.json.lock")),
            "{refused}"
        );
        let later = FixedClock(SystemClock.now_ms() + STALE_AFTER_MS + 5000);
        drop(DirLock::acquire(&file, &later).unwrap());
        drop(held);
        assert!(!lock_path(&file).exists());
    }
}
