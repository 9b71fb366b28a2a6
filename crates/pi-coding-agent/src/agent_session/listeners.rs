//! Who is told about the session's events.

use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;

use super::{SessionEvent, lock};

/// Called for every event, in the order of subscription; the run waits for the returned future.
pub type SessionListener = dyn Fn(SessionEvent) -> BoxFuture<'static, ()> + Send + Sync;

/// The listeners of a session.
#[derive(Default)]
pub(crate) struct Listeners(Mutex<Vec<Arc<SessionListener>>>);

impl Listeners {
    pub(super) fn add(&self, listener: Arc<SessionListener>) {
        lock(&self.0).push(listener);
    }

    pub(super) fn clear(&self) {
        lock(&self.0).clear();
    }

    /// Tells everybody, one after the other.
    pub(super) async fn emit(&self, event: SessionEvent) {
        let listeners = lock(&self.0).clone();
        for listener in listeners {
            listener(event.clone()).await;
        }
    }
}
