//! The lock that guards small configuration files: a directory `<file>.lock`, as other programs that share these
//! files take it.
//!
//! A [`DirLock`] is held for the moment of one read-change-write; taking it may block the thread for up to 200 ms. A
//! [`LongLock`] is held while a request is under way and shows by its time stamp that it is. One left behind by a crash
//! counts as stale by its age, one of this program's as soon as the program is dead (`owner`).

mod owner;

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pi_ai::Clock;
use pi_guard::Unpoisoned;

use crate::host::Error;
use owner::{Owner, remove_if_dead};

const ATTEMPTS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(20);
const STALE_AFTER_MS: i64 = 10_000;

/// Longer than any renewal takes.
const LONG_PATIENCE: Duration = Duration::from_secs(45);
const LONG_PAUSE: Duration = Duration::from_millis(100);
const LONG_STALE_AFTER_MS: i64 = 30_000;
/// Well below both ages at which others take a lock for stale.
const HEARTBEAT: Duration = Duration::from_secs(4);

/// A held lock; dropping it releases it.
#[derive(Debug)]
pub(crate) struct DirLock {
    dir: PathBuf,
    /// Goes after the directory.
    _owner: Option<Owner>,
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
                Ok(()) => return Ok(Self { _owner: Owner::of_new(&dir), dir }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    remove_if_dead(&dir);
                    remove_if_stale(&dir, clock, STALE_AFTER_MS);
                }
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

/// A lock that is held for as long as somebody waits; dropping it releases it.
#[derive(Debug)]
pub(crate) struct LongLock {
    dir: PathBuf,
    clock: Arc<dyn Clock>,
    /// The time stamp of the directory as this lock has set it. Another one means that another has taken the lock.
    stamp: Mutex<Option<SystemTime>>,
    owner: Mutex<Option<Owner>>,
}

impl LongLock {
    /// Takes the lock of the file behind `file`, whose directory must exist. Waits up to 45 s.
    ///
    /// # Errors
    /// [`Error::FileLocked`] when another process keeps it, [`Error::FileWrite`] when it cannot be made at all.
    pub(crate) async fn acquire(file: &Path, clock: &Arc<dyn Clock>) -> Result<Self, Error> {
        let dir = lock_path(&real_path(file));
        let begin = tokio::time::Instant::now();
        loop {
            match fs::create_dir(&dir) {
                Ok(()) => {
                    let (stamp, owner) = (Mutex::new(modified(&dir)), Mutex::new(Owner::of_new(&dir)));
                    return Ok(Self { dir, clock: Arc::clone(clock), stamp, owner });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    remove_if_dead(&dir);
                    remove_if_stale(&dir, clock.as_ref(), LONG_STALE_AFTER_MS);
                }
                Err(source) => return Err(Error::FileWrite { path: dir, source }),
            }
            if begin.elapsed() >= LONG_PATIENCE {
                return Err(Error::FileLocked { path: file.to_owned(), lock: dir });
            }
            tokio::time::sleep(LONG_PAUSE).await;
        }
    }

    /// Waits for something and keeps the lock fresh meanwhile.
    pub(crate) async fn hold_during<T>(&self, something: impl Future<Output = T>) -> T {
        let mut something = std::pin::pin!(something);
        loop {
            match tokio::time::timeout(HEARTBEAT, &mut something).await {
                Ok(result) => return result,
                Err(_) => self.touch(),
            }
        }
    }

    /// Whether this lock still excludes others from changing `file`.
    pub(crate) fn guards(&self, file: &Path) -> bool {
        lock_path(&in_real_dir(file)) == self.dir && self.is_held()
    }

    fn is_held(&self) -> bool {
        let stamp = *self.stamp.lock().unpoisoned();
        stamp.is_some() && modified(&self.dir) == stamp
    }

    fn touch(&self) {
        if !self.is_held() {
            return;
        }
        let now = UNIX_EPOCH + Duration::from_millis(u64::try_from(self.clock.now_ms()).unwrap_or_default());
        // A system that does not let directories be touched has to do with the age at which a lock is stale.
        let touched = File::open(&self.dir).and_then(|dir| dir.set_modified(now));
        if touched.is_ok() {
            *self.stamp.lock().unpoisoned() = modified(&self.dir);
            if let Some(owner) = &mut *self.owner.lock().unpoisoned() {
                owner.note(&self.dir);
            }
        }
    }
}

impl Drop for LongLock {
    fn drop(&mut self) {
        if self.is_held() {
            // As above.
            let _ = fs::remove_dir(&self.dir);
        }
    }
}

/// The file behind links, where there is one: programs that renew logins lock that.
fn real_path(file: &Path) -> PathBuf {
    fs::canonicalize(file).unwrap_or_else(|_| in_real_dir(file))
}

/// The file, links in its directory's path followed, but not the file's own.
fn in_real_dir(file: &Path) -> PathBuf {
    let dir = file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (fs::canonicalize(dir), file.file_name()) {
        (Ok(dir), Some(name)) => dir.join(name),
        _ => file.to_owned(),
    }
}

fn modified(dir: &Path) -> Option<SystemTime> {
    fs::metadata(dir).and_then(|metadata| metadata.modified()).ok()
}

/// The directory that is the lock of a file.
pub(crate) fn lock_path(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

fn remove_if_stale(dir: &Path, clock: &dyn Clock, stale_after_ms: i64) {
    let age = modified(dir).and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let Some(since_epoch) = age else { return };
    let modified_ms = i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX);
    if clock.now_ms().saturating_sub(modified_ms) > stale_after_ms {
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

    #[test]
    fn a_lock_of_a_dead_program_is_taken_at_once_and_one_of_others_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("auth.json");
        let names = || fs::read_dir(dir.path()).unwrap().count();
        let dead = DirLock::acquire(&file, &SystemClock).unwrap();
        assert_eq!(names(), 2);
        // What a kill leaves: the directory, and the file that nobody holds any more.
        let (lock, owner) = (lock_path(&file), dir.path().join("auth.json.lock.owner"));
        let left = fs::read(&owner).unwrap();
        std::mem::forget(dead);
        assert!(matches!(DirLock::acquire(&file, &SystemClock), Err(Error::FileLocked { .. })), "it lives");
        fs::remove_file(&owner).unwrap();
        fs::write(&owner, left).unwrap();
        drop(DirLock::acquire(&file, &SystemClock).unwrap());
        assert_eq!(names(), 0);
        // Another program's directory in the place of the one that was left: only its age counts.
        fs::create_dir(&lock).unwrap();
        fs::write(&owner, "1 2 3 4").unwrap();
        assert!(matches!(DirLock::acquire(&file, &SystemClock), Err(Error::FileLocked { .. })));
        assert!(lock.exists());
    }

    #[tokio::test(start_paused = true)]
    async fn a_long_lock_stays_fresh_while_something_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("auth.json");
        fs::write(&file, "{}").unwrap();
        let later = |seconds: i64| -> Arc<dyn Clock> { Arc::new(FixedClock(SystemClock.now_ms() + seconds * 1000)) };
        let lock = LongLock::acquire(&file, &later(20)).await.unwrap();
        lock.hold_during(tokio::time::sleep(Duration::from_secs(9))).await;
        assert!(lock.guards(&file));
        // 25 s later it would have been stale without its heartbeat.
        let refused = DirLock::acquire(&file, later(25).as_ref()).unwrap_err();
        assert!(matches!(refused, Error::FileLocked { .. }), "{refused}");
        let refused = LongLock::acquire(&file, &later(45)).await.unwrap_err();
        assert!(matches!(refused, Error::FileLocked { .. }), "{refused}");
        drop(lock);
        assert!(!lock_path(&file).exists());
    }

    #[tokio::test(start_paused = true)]
    async fn a_long_lock_that_was_taken_away_is_not_released_twice() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("auth.json");
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let lost = LongLock::acquire(&file, &clock).await.unwrap();
        let later: Arc<dyn Clock> = Arc::new(FixedClock(SystemClock.now_ms() + LONG_STALE_AFTER_MS + 5000));
        let taken = LongLock::acquire(&file, &later).await.unwrap();
        taken.touch();
        assert!(!lost.guards(&file) && taken.guards(&file));
        drop(lost);
        assert!(taken.guards(&file), "the other's lock stands");
    }
}
