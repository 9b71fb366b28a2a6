//! One process at a time installs in a directory. The lock belongs to the open file, so that none is left behind by a
//! program that was killed.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::Duration;

use super::package_dirs::io;
use super::programs::Programs;
use crate::resources::PackageError;
use crate::session::is_lock_unsupported;

/// The file that is locked. It stays.
pub(super) const LOCK: &str = ".lock";
const PAUSE: Duration = Duration::from_millis(50);

/// A held lock; dropping it releases it.
#[derive(Debug)]
pub(super) struct InstallLock {
    _file: File,
}

impl InstallLock {
    /// Takes the lock of a directory of packages, which must exist. Waits for whoever has it, as long as for a program.
    ///
    /// # Errors
    /// [`PackageError::Busy`], [`PackageError::Cancelled`], [`PackageError::Io`].
    pub(super) async fn acquire(root: &Path, programs: &Programs) -> Result<Self, PackageError> {
        let path = root.join(LOCK);
        let file =
            OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(io("open", &path))?;
        let begin = tokio::time::Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) => {}
                // Working without a lock beats not working.
                Err(TryLockError::Error(error)) if is_lock_unsupported(&error) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(error)) => return Err(io("lock", &path)(error)),
            }
            if begin.elapsed() >= programs.timeout {
                let seconds = programs.timeout.as_secs();
                return Err(PackageError::Busy { root: root.to_owned(), seconds });
            }
            tokio::select! {
                () = programs.cancel.cancelled() => return Err(PackageError::Cancelled),
                () = tokio::time::sleep(PAUSE) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_util::sync::CancellationToken;

    #[tokio::test(start_paused = true)]
    async fn it_is_waited_for_and_not_for_ever() {
        let root = tempfile::tempdir().unwrap();
        let programs = Programs { timeout: Duration::from_secs(60), cancel: CancellationToken::new(), may_ask: false };
        let held = InstallLock::acquire(root.path(), &programs).await.unwrap();
        let waiting = InstallLock::acquire(root.path(), &programs);
        let release = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            drop(held);
        };
        let (next, ()) = tokio::join!(waiting, release);
        let next = next.unwrap();
        let refused = InstallLock::acquire(root.path(), &programs).await.unwrap_err();
        assert!(matches!(refused, PackageError::Busy { seconds: 60, .. }), "{refused}");
        programs.cancel.cancel();
        let cancelled = InstallLock::acquire(root.path(), &programs).await.unwrap_err();
        assert!(cancelled.is_cancelled(), "{cancelled}");
        drop(next);
    }
}
