//! Who is told about the session's events.

use std::sync::{Arc, Mutex, Weak};

use futures::future::BoxFuture;

use super::callbacks::Callback;
use super::{AgentSession, SessionEvent, lock};

/// Called for every event, in the order of subscription; the run waits for the returned future.
#[doc(alias = "AgentSessionEventListener")]
pub type SessionListener = dyn Fn(SessionEvent) -> BoxFuture<'static, ()> + Send + Sync;

/// The listeners of a session.
#[derive(Default)]
pub(crate) struct Listeners(Arc<Mutex<List>>);

#[derive(Default)]
struct List {
    /// With the numbers of their subscriptions.
    listeners: Vec<(u64, ListenerKind)>,
    next: u64,
    /// Whether the session has ended and its extensions are ending.
    is_retired: bool,
}

#[derive(Clone)]
enum ListenerKind {
    /// The run waits for it.
    Awaited(Arc<SessionListener>),
    /// It has a queue of its own.
    Callback(Arc<Callback>),
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
            let mut list = lock(&list);
            let Some(at) = list.listeners.iter().position(|(number, _)| *number == self.number) else { return };
            if let (_, ListenerKind::Callback(callback)) = list.listeners.remove(at) {
                callback.close();
            }
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
        self.0.listeners.add(ListenerKind::Awaited(listener))
    }
}

impl Listeners {
    pub(super) fn add_callback(&self, callback: Callback) -> Subscription {
        self.add(ListenerKind::Callback(Arc::new(callback)))
    }

    fn add(&self, listener: ListenerKind) -> Subscription {
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
            list.listeners.iter().map(|(_, listener)| listener.clone()).collect()
        };
        for listener in listeners {
            match listener {
                ListenerKind::Awaited(listener) => listener(event.clone()).await,
                ListenerKind::Callback(callback) => callback.emit(&event),
            }
        }
    }

    /// Waits until the callbacks have heard everything that was emitted so far.
    pub(super) async fn callbacks_caught_up(&self) {
        let listeners: Vec<_> = lock(&self.0).listeners.iter().map(|(_, listener)| listener.clone()).collect();
        for listener in listeners {
            if let ListenerKind::Callback(callback) = listener {
                callback.caught_up().await;
            }
        }
    }
}
