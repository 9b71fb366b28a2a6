//! Who is told about the session's events.

use std::sync::{Arc, Mutex, Weak};

use futures::future::BoxFuture;

use super::{AgentSession, SessionEvent, lock};

/// Called for every event, in the order of subscription; the run waits for the returned future.
pub type SessionListener = dyn Fn(SessionEvent) -> BoxFuture<'static, ()> + Send + Sync;

/// The listeners of a session.
#[derive(Default)]
pub(crate) struct Listeners(Arc<Mutex<List>>);

#[derive(Default)]
struct List {
    /// With the numbers of their subscriptions.
    listeners: Vec<(u64, Arc<SessionListener>)>,
    next: u64,
    /// Whether the session has ended and its extensions are ending.
    is_retired: bool,
}

/// A listener that was added. To let go of this changes nothing: the listener stays as long as the session.
#[derive(Debug, Clone)]
pub struct Subscription {
    list: Weak<Mutex<List>>,
    number: u64,
}

impl Subscription {
    /// Removes the listener; an event that is being told already still reaches it. Once more does nothing.
    pub fn unsubscribe(&self) {
        if let Some(list) = self.list.upgrade() {
            lock(&list).listeners.retain(|(number, _)| *number != self.number);
        }
    }
}

impl std::fmt::Debug for List {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("List").field("listeners", &self.listeners.len()).finish_non_exhaustive()
    }
}

impl AgentSession {
    /// Adds a listener for the session's events; the run waits for it. It stays until
    /// [`Subscription::unsubscribe`] or [`AgentSession::dispose`].
    pub fn subscribe(&self, listener: Arc<SessionListener>) -> Subscription {
        self.0.listeners.add(listener)
    }
}

impl Listeners {
    fn add(&self, listener: Arc<SessionListener>) -> Subscription {
        let mut list = lock(&self.0);
        let number = list.next;
        list.next += 1;
        list.listeners.push((number, listener));
        Subscription { list: Arc::downgrade(&self.0), number }
    }

    pub(super) fn is_empty(&self) -> bool {
        lock(&self.0).listeners.is_empty()
    }

    pub(super) fn clear(&self) {
        lock(&self.0).listeners.clear();
    }

    /// From now on nobody hears of anything but failures of extensions.
    pub(super) fn retire(&self) {
        lock(&self.0).is_retired = true;
    }

    /// Tells everybody, one after the other.
    pub(super) async fn emit(&self, event: SessionEvent) {
        let listeners: Vec<_> = {
            let list = lock(&self.0);
            if list.is_retired && !matches!(event, SessionEvent::ExtensionError(_)) {
                return;
            }
            list.listeners.iter().map(|(_, listener)| Arc::clone(listener)).collect()
        };
        for listener in listeners {
            listener(event.clone()).await;
        }
    }
}
