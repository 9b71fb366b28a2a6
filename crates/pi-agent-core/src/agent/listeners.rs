//! What an event of a run does in the agent: it changes the state, then the listeners receive it, in order.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::Either;
use tokio_util::sync::CancellationToken;

use super::running::RunGuard;
use super::{Agent, lock};
use crate::config::Listener;
use crate::error::RunFailure;
use crate::event::AgentEvent;
use crate::guard::{shielded, shielded_now};
use crate::run::{Emission, EventSink, emitted};

/// Names a listener in the report of its panic.
const WHO: &str = "A listener";

/// Here rather than beside the runs, so that an event goes from the loop straight to its receivers.
impl EventSink for RunGuard {
    fn emit(&self, event: AgentEvent) -> Emission<'_> {
        lock(&self.agent.0.state).apply(&event);
        if let AgentEvent::MessageStart { message } = &event {
            self.agent.0.queues.delivered(message);
        }
        self.agent.0.listeners.emit(event, &self.cancel)
    }
}

/// The listeners in subscription order. Copy-on-write, because events are frequent and changes are rare.
#[derive(Default)]
pub(super) struct Listeners(Mutex<Arc<[Arc<Entry>]>>);

struct Entry {
    subscribed: AtomicBool,
    callback: Callback,
}

enum Callback {
    /// Returns when it is done.
    Now(Box<dyn Fn(&AgentEvent) + Send + Sync>),
    /// Is awaited.
    Later(Arc<Listener>),
}

impl Entry {
    fn is_subscribed(&self) -> bool {
        self.subscribed.load(Ordering::Acquire)
    }

    fn call_now(&self, event: &AgentEvent) -> Option<Result<(), RunFailure>> {
        match &self.callback {
            Callback::Now(look) => Some(shielded_now(WHO, || look(event))),
            Callback::Later(_) => None,
        }
    }

    async fn call(&self, event: &AgentEvent, cancel: &CancellationToken) -> Result<(), RunFailure> {
        match &self.callback {
            Callback::Now(look) => shielded_now(WHO, || look(event)),
            Callback::Later(listener) => shielded(WHO, || listener(event.clone(), cancel.clone())).await,
        }
    }
}

impl Listeners {
    fn add(&self, callback: Callback) -> Arc<Entry> {
        let entry = Arc::new(Entry { subscribed: AtomicBool::new(true), callback });
        let mut all = lock(&self.0);
        *all = all.iter().chain([&entry]).cloned().collect();
        entry
    }

    fn remove(&self, entry: &Arc<Entry>) {
        entry.subscribed.store(false, Ordering::Release);
        let mut all = lock(&self.0);
        *all = all.iter().filter(|other| !Arc::ptr_eq(other, entry)).cloned().collect();
    }

    /// Emits an event to all. Every listener gets every event, also after another one failed; the first failure counts.
    pub(super) fn emit(&self, event: AgentEvent, cancel: &CancellationToken) -> Emission<'static> {
        let all = Arc::clone(&lock(&self.0));
        let mut outcome = Ok(());
        for (index, entry) in all.iter().enumerate().filter(|(_, entry)| entry.is_subscribed()) {
            let Some(called) = entry.call_now(&event) else {
                return Either::Right(emit_rest(Arc::clone(&all), index, event, cancel.clone(), outcome).boxed());
            };
            outcome = outcome.and(called);
        }
        emitted(outcome)
    }
}

async fn emit_rest(
    all: Arc<[Arc<Entry>]>,
    first: usize,
    event: AgentEvent,
    cancel: CancellationToken,
    mut outcome: Result<(), RunFailure>,
) -> Result<(), RunFailure> {
    for entry in all.iter().skip(first).filter(|entry| entry.is_subscribed()) {
        let called = entry.call(&event, &cancel).await;
        outcome = outcome.and(called);
    }
    outcome
}

impl Agent {
    /// Adds a listener, which the run awaits with every event. Dropping the subscription does nothing;
    /// [`Subscription::cancel`] removes the listener.
    ///
    /// A listener must not wait for the run that waits for it: [`Agent::prompt`] from within is an error, but
    /// [`Agent::wait_for_idle`] would never return.
    pub fn subscribe(&self, listener: Arc<Listener>) -> Subscription {
        let entry = self.0.listeners.add(Callback::Later(listener));
        Subscription { agent: self.clone(), entry }
    }

    /// Adds a closure as a listener; see [`Agent::subscribe`].
    pub fn on_event_async<F>(
        &self,
        hear: impl Fn(AgentEvent, CancellationToken) -> F + Send + Sync + 'static,
    ) -> Subscription
    where
        F: Future<Output = Result<(), RunFailure>> + Send + 'static,
    {
        self.subscribe(Arc::new(move |event, cancel| hear(event, cancel).boxed()))
    }

    /// Adds a listener that has finished when it returns. Only a panic of it ends the run. It must not block.
    pub fn on_event(&self, look: impl Fn(&AgentEvent) + Send + Sync + 'static) -> Subscription {
        let entry = self.0.listeners.add(Callback::Now(Box::new(look)));
        Subscription { agent: self.clone(), entry }
    }
}

/// A registered listener.
pub struct Subscription {
    agent: Agent,
    entry: Arc<Entry>,
}

impl Subscription {
    /// Removes the listener; it is not called again.
    pub fn cancel(self) {
        self.agent.0.listeners.remove(&self.entry);
    }
}

impl std::fmt::Debug for Subscription {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subscription").field("agent", &self.agent).finish_non_exhaustive()
    }
}
