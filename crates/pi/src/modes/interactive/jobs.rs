//! What goes on beside the loop, and what is done in it when that is over.

use std::future::Future;
use std::pin::Pin;

use futures::StreamExt;
use futures::stream::FuturesUnordered;

use super::app::{App, Then};

/// Work under way.
#[derive(Default)]
pub(super) struct Jobs {
    running: FuturesUnordered<Pin<Box<dyn Future<Output = Then>>>>,
}

impl Jobs {
    /// Lets `work` go on, and hands its outcome to `then`.
    pub(super) fn spawn<T: 'static>(
        &mut self,
        work: impl Future<Output = T> + 'static,
        then: impl FnOnce(&mut App, T) + 'static,
    ) {
        self.running.push(Box::pin(async move {
            let outcome = work.await;
            let then: Then = Box::new(move |app| then(app, outcome));
            then
        }));
    }

    /// Waits for the next that is over; for ever when there is none.
    pub(super) async fn next(&mut self) -> Then {
        match self.running.next().await {
            Some(then) => then,
            None => std::future::pending().await,
        }
    }
}

impl std::fmt::Debug for Jobs {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Jobs").field("running", &self.running.len()).finish()
    }
}

/// What a task returned, without what is about the task.
pub(super) fn flat<T, E: std::fmt::Display>(result: Result<Result<T, E>, tokio::task::JoinError>) -> Result<T, String> {
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}
