//! One writer per file: mutations of the same file run one after the other, in the order of the calls.
//!
//! The queue is process-wide, so that parallel tool calls, sessions and extensions share it. `bash` does not
//! take part. Nothing here reads or writes a file.

use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, Weak};

use futures::FutureExt;
use pi_guard::Unpoisoned;
use tokio::sync::OwnedMutexGuard;
use tokio::task::unconstrained;
use tokio_util::sync::CancellationToken;

use super::local_files::LocalFiles;
use super::operations::{OperationError, OperationResult, PathOperations};

static QUEUE: LazyLock<FileMutationQueue> = LazyLock::new(FileMutationQueue::default);

/// Runs `work` when every earlier mutation of the file at `path` of this machine is over, and keeps later ones waiting.
///
/// `work` runs as a task of its own: a caller that goes away does not let the next mutation in before the step
/// under way is over. The token that `work` is given fires when `cancel` does or when the caller goes away;
/// test it between steps.
///
/// # Errors
/// When the file's real path cannot be determined, when `cancel` fires before the turn has come, or when `work`
/// panicked.
pub async fn with_file_mutation_queue<T, F>(
    path: &Path,
    cancel: &CancellationToken,
    work: impl FnOnce(CancellationToken) -> F + Send + 'static,
) -> Result<T, OperationError>
where
    T: Send + 'static,
    F: Future<Output = T> + Send,
{
    let files = LocalFiles::shared();
    in_turn(OperationsId::of(&files), files.real_path(path), cancel, work).await
}

/// Where a look-up of real paths happens. Tools that share their operations are in one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct OperationsId(usize);

impl OperationsId {
    pub(crate) fn of<T: ?Sized>(operations: &Arc<T>) -> Self {
        Self(Arc::as_ptr(operations).addr())
    }
}

/// [`with_file_mutation_queue`] for a file anywhere; `key` looks up its real path at that place.
pub(crate) async fn in_turn<T, F>(
    place: OperationsId,
    key: OperationResult<'_, PathBuf>,
    cancel: &CancellationToken,
    work: impl FnOnce(CancellationToken) -> F + Send + 'static,
) -> Result<T, OperationError>
where
    T: Send + 'static,
    F: Future<Output = T> + Send,
{
    let turn = tokio::select! {
        biased;
        turn = QUEUE.turn(place, key) => turn?,
        () = cancel.cancelled() => return Err(OperationError::aborted()),
    };
    let token = cancel.child_token();
    let _abandoned = token.clone().drop_guard();
    let task = tokio::spawn(async move {
        let result = work(token).await;
        drop(turn);
        result
    });
    task.await.map_err(|e| OperationError::new(format!("The file operation did not finish: {e}")))
}

#[derive(Debug, Default)]
struct FileMutationQueue {
    /// Held while a caller looks up its key and queues: queueing order equals call order. One per place, so that a host
    /// that does not answer holds up nobody else.
    registrations: Locks<OperationsId>,
    files: Locks<PathBuf>,
}

impl FileMutationQueue {
    /// Waits for the caller's turn; it lasts until the guard is dropped.
    async fn turn(
        &self,
        place: OperationsId,
        key: OperationResult<'_, PathBuf>,
    ) -> Result<OwnedMutexGuard<()>, OperationError> {
        let registration = self.registrations.get(place).lock_owned().await;
        let mut turn = Box::pin(self.files.get(key.await?).lock_owned());
        // The lock is first come, first served, and a future queues when it is first polled; unconstrained,
        // because a task that used up its budget would not get as far.
        let first = unconstrained(turn.as_mut()).now_or_never();
        drop(registration);
        match first {
            Some(guard) => Ok(guard),
            None => Ok(turn.await),
        }
    }
}

type Lock = tokio::sync::Mutex<()>;

/// Locks by name; one exists as long as somebody holds it or waits for it.
#[derive(Debug)]
struct Locks<K>(Mutex<HashMap<K, Weak<Lock>>>);

impl<K> Default for Locks<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash> Locks<K> {
    fn get(&self, key: K) -> Arc<Lock> {
        let mut locks = self.0.lock().unpoisoned();
        if let Some(lock) = locks.get(&key).and_then(Weak::upgrade) {
            return lock;
        }
        locks.retain(|_, lock| lock.strong_count() > 0);
        let lock = Arc::new(Lock::default());
        locks.insert(key, Arc::downgrade(&lock));
        lock
    }
}
