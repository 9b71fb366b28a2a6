//! What keeps a panic in code of others from spreading. No dependencies: every crate of the workspace may use it.
//!
#![doc = include_str!("../README.md")]
//!
//! Locks are poisoned by a panic under them. Nothing here is: whoever calls code of others does it outside of its locks, or
//! leaves what is behind them whole at every step.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{LockResult, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

/// Locks, also after somebody panicked under the lock.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unpoisoned()
}

/// What a lock gives, also after somebody panicked under it.
pub trait Unpoisoned {
    /// What it gives.
    type Value;

    /// The same without the poison.
    fn unpoisoned(self) -> Self::Value;
}

impl<T> Unpoisoned for LockResult<T> {
    type Value = T;

    fn unpoisoned(self) -> T {
        self.unwrap_or_else(PoisonError::into_inner)
    }
}

/// A panic that was caught. The hook of the process has reported it already, with its place.
pub struct Panic(Box<dyn Any + Send>);

impl Panic {
    /// What was said of it.
    pub fn text(&self) -> Option<&str> {
        let text = self.0.downcast_ref::<&str>().copied();
        text.or_else(|| self.0.downcast_ref::<String>().map(String::as_str))
    }
}

impl fmt::Debug for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Panic").field(&self.text()).finish()
    }
}

/// Calls something. What it was working on is dropped when it panics, so no state is seen that it left half done.
///
/// # Errors
/// When it panics.
pub fn caught_now<T>(call: impl FnOnce() -> T) -> Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(call)).map_err(Panic)
}

/// Runs something to its end. A panic before its first await counts, too.
///
/// # Errors
/// When it panics.
pub async fn caught<F: Future>(start: impl FnOnce() -> F) -> Result<F::Output, Panic> {
    let mut work = pin!(async { start().await });
    std::future::poll_fn(|context| match caught_now(|| work.as_mut().poll(context)) {
        Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
        Ok(Poll::Pending) => Poll::Pending,
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::sync::RwLock;

    use super::*;

    #[tokio::test]
    async fn panics_are_values_wherever_they_happen() {
        let text = |result: Result<u8, Panic>| result.map_err(|panic| panic.text().map(str::to_owned));
        let early = caught(|| -> std::future::Ready<u8> { panic!("before {}", "it") });
        assert_eq!(text(early.await), Err(Some("before it".to_owned())));
        let late = caught(|| async {
            tokio::task::yield_now().await;
            std::panic::panic_any(7)
        });
        assert_eq!(text(late.await), Err(None));
        let fine = caught(|| async {
            tokio::task::yield_now().await;
            3
        });
        assert_eq!(text(fine.await), Ok(3));
        assert_eq!(text(caught_now(|| 4)), Ok(4));
    }

    #[test]
    fn locks_outlive_a_panic() {
        let (mutex, both) = (Mutex::new(1), RwLock::new(1));
        let panicked = caught_now(|| {
            let (_held, _written) = (lock(&mutex), both.write().unpoisoned());
            panic!("under the locks");
        });
        assert!(panicked.is_err() && mutex.is_poisoned() && both.is_poisoned());
        *lock(&mutex) += 1;
        assert_eq!((*lock(&mutex), *both.read().unpoisoned()), (2, 1));
    }
}
