//! One writer per file: mutations of the same file run one after the other, in the order of the calls.
//!
//! The queue is process-wide, so that parallel tool calls, sessions and extensions share it. `bash` does not
//! take part. Nothing here reads or writes a file.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use futures::FutureExt;
use pi_agent_core::ToolError;
use tokio::sync::OwnedMutexGuard;
use tokio::task::unconstrained;
use tokio_util::sync::CancellationToken;

use super::operations::OperationError;

static QUEUE: LazyLock<FileMutationQueue> = LazyLock::new(FileMutationQueue::default);

/// Runs `work` when every earlier mutation of the file at `path` is over, and keeps later ones waiting.
///
/// `work` runs as a task of its own: a caller that goes away does not let the next mutation in before the step
/// under way is over. The token that `work` is given fires when `cancel` does or when the caller goes away;
/// test it between steps.
///
/// # Errors
/// When the file's real path cannot be determined for another reason than that it does not exist, when `cancel`
/// fires before the turn has come, or when `work` panicked.
pub async fn with_file_mutation_queue<T, F>(
    path: &Path,
    cancel: &CancellationToken,
    work: impl FnOnce(CancellationToken) -> F + Send + 'static,
) -> Result<T, OperationError>
where
    T: Send + 'static,
    F: Future<Output = T> + Send,
{
    let turn = tokio::select! {
        biased;
        turn = QUEUE.turn(path) => turn?,
        // The same text as everywhere else for an abort.
        () = cancel.cancelled() => return Err(OperationError::new(ToolError::aborted().to_string())),
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

type Lock = tokio::sync::Mutex<()>;

#[derive(Debug, Default)]
struct FileMutationQueue {
    /// Held while a caller looks up its key and queues: queueing order equals call order.
    registration: Lock,
    locks: Mutex<HashMap<PathBuf, Weak<Lock>>>,
}

impl FileMutationQueue {
    /// Waits for the caller's turn; it lasts until the guard is dropped.
    async fn turn(&self, path: &Path) -> Result<OwnedMutexGuard<()>, OperationError> {
        let registration = self.registration.lock().await;
        let key = real_path(path).await?;
        let mut turn = Box::pin(self.lock_of(key).lock_owned());
        // The lock is first come, first served, and a future queues when it is first polled; unconstrained,
        // because a task that used up its budget would not get as far.
        let first = unconstrained(turn.as_mut()).now_or_never();
        drop(registration);
        match first {
            Some(guard) => Ok(guard),
            None => Ok(turn.await),
        }
    }

    fn lock_of(&self, key: PathBuf) -> Arc<Lock> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = locks.get(&key).and_then(Weak::upgrade) {
            return lock;
        }
        locks.retain(|_, lock| lock.strong_count() > 0);
        let lock = Arc::new(Lock::default());
        locks.insert(key, Arc::downgrade(&lock));
        lock
    }
}

/// The key of a file: its real path, or the given one when it does not exist yet.
async fn real_path(path: &Path) -> Result<PathBuf, OperationError> {
    match tokio::fs::canonicalize(path).await {
        Ok(real) => Ok(real),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(path.to_owned()),
        Err(e) => Err(OperationError::from_io(&e, "realpath", Some(path))),
    }
}
