//! Closures that hear events beside the run instead of inside it.
//!
//! A callback prints, locks or writes a file, and no run should wait for that at every delta. So its events wait in a
//! queue, and while there are some, one blocking thread of the runtime works them off in order. The run itself waits
//! once: when it is over, for the callbacks to have heard all of it. What lives here is that queue; who is on the list of
//! listeners is the matter of `listeners.rs`.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use pi_agent_core::AgentEvent;
use pi_ai::AssistantMessageEvent;
use pi_guard::caught_now;
use tokio::runtime::Handle;
use tokio::sync::Notify;

use super::listeners::Subscription;
use super::{AgentSession, SessionEvent, lock};

thread_local! {
    /// Whether this thread is inside a callback, which must not wait for itself.
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// A callback and the events that wait for it.
pub(super) struct Callback {
    call: Box<dyn Fn(SessionEvent) + Send + Sync>,
    /// Other events are not even queued.
    wants: fn(&SessionEvent) -> bool,
    queue: Mutex<Queue>,
    emptied: Notify,
}

#[derive(Default)]
struct Queue {
    events: VecDeque<SessionEvent>,
    /// Whether a thread is working them off.
    is_served: bool,
    is_closed: bool,
}

impl Callback {
    pub(super) fn new(wants: fn(&SessionEvent) -> bool, call: impl Fn(SessionEvent) + Send + Sync + 'static) -> Self {
        Self { call: Box::new(call), wants, queue: Mutex::default(), emptied: Notify::new() }
    }

    /// Queues an event, and sees to it that somebody works off the queue.
    pub(super) fn emit(self: &Arc<Self>, event: &SessionEvent) {
        if !(self.wants)(event) {
            return;
        }
        {
            let mut queue = lock(&self.queue);
            if queue.is_closed {
                return;
            }
            queue.events.push_back(event.clone());
            if std::mem::replace(&mut queue.is_served, true) {
                return;
            }
        }
        let callback = Arc::clone(self);
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(move || callback.work_off())),
            // Nothing of the run could be held up that needs a runtime.
            Err(_) => callback.work_off(),
        }
    }

    /// Forgets what waits; an event that is being told already still reaches the callback.
    pub(super) fn close(&self) {
        let mut queue = lock(&self.queue);
        queue.is_closed = true;
        queue.events.clear();
    }

    /// Waits until the callback has heard everything that was told so far. Returns at once inside of a callback.
    pub(super) async fn caught_up(&self) {
        loop {
            let mut emptied = std::pin::pin!(self.emptied.notified());
            emptied.as_mut().enable();
            if IN_CALLBACK.get() || !lock(&self.queue).is_served {
                return;
            }
            emptied.await;
        }
    }

    fn work_off(&self) {
        IN_CALLBACK.set(true);
        while let Some(event) = self.next() {
            // One that panics loses this event alone; the panic hook has named the place.
            let _ = caught_now(|| (self.call)(event));
        }
        IN_CALLBACK.set(false);
        self.emptied.notify_waiters();
    }

    fn next(&self) -> Option<SessionEvent> {
        let mut queue = lock(&self.queue);
        let next = queue.events.pop_front();
        queue.is_served = next.is_some();
        next
    }
}

impl AgentSession {
    /// Calls `look` for every event, in order, on a thread beside the run: it may block, and a slow one never holds up the
    /// run. [`Self::prompt`] returns when it has heard everything. One that panics misses that event alone.
    ///
    /// Like every listener it stays until [`Subscription::unsubscribe`] or [`Self::dispose`]: the subscription need not be
    /// kept. A listener that the run shall wait for is one of [`Self::subscribe`].
    pub fn on_event(&self, look: impl Fn(SessionEvent) + Send + Sync + 'static) -> Subscription {
        self.0.listeners.add_callback(Callback::new(|_| true, look))
    }

    /// Calls `look` for every piece of text that the model writes, thinking not included; otherwise as
    /// [`Self::on_event`]. Of a call that fails and is repeated, what had arrived is heard, too.
    pub fn on_text(&self, look: impl Fn(&str) + Send + Sync + 'static) -> Subscription {
        let hear = move |event: SessionEvent| text_delta(&event).into_iter().for_each(&look);
        self.0.listeners.add_callback(Callback::new(|event| text_delta(event).is_some(), hear))
    }
}

fn text_delta(event: &SessionEvent) -> Option<&str> {
    match event {
        SessionEvent::Agent(AgentEvent::MessageUpdate { event: AssistantMessageEvent::TextDelta { delta, .. } }) => {
            Some(delta)
        }
        _ => None,
    }
}
