//! Events of the session on their way to the loop: in order, pieces of one text merged, nobody waits.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use pi_agent_core::AgentEvent;
use pi_ai::AssistantMessageEvent;
use pi_coding_agent::agent_session::{AgentSession, SessionEvent, Subscription};
use pi_guard::Unpoisoned;
use tokio::sync::Notify;

/// Where events wait.
#[derive(Debug, Default, Clone)]
pub(super) struct Mailbox(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    events: Mutex<VecDeque<SessionEvent>>,
    arrived: Notify,
}

impl Mailbox {
    /// Takes what a session says from now on.
    pub(super) fn follow(&self, session: &AgentSession) -> Subscription {
        let mailbox = self.clone();
        session.subscribe(Arc::new(move |event| {
            mailbox.put(event);
            Box::pin(std::future::ready(()))
        }))
    }

    /// Waits until there is something.
    pub(super) async fn arrived(&self) {
        self.0.arrived.notified().await;
    }

    /// Takes all there is.
    pub(super) fn take(&self) -> VecDeque<SessionEvent> {
        std::mem::take(&mut *self.0.events.lock().unpoisoned())
    }

    /// Gives back what was taken and is still to be shown, before all that has come since.
    pub(super) fn return_all(&self, events: Vec<SessionEvent>) {
        if events.is_empty() {
            return;
        }
        let mut waiting = self.0.events.lock().unpoisoned();
        events.into_iter().rev().for_each(|event| waiting.push_front(event));
        drop(waiting);
        self.0.arrived.notify_one();
    }

    fn put(&self, event: SessionEvent) {
        let mut events = self.0.events.lock().unpoisoned();
        let unmerged = match events.back_mut() {
            Some(last) => merge(last, event),
            None => Some(event),
        };
        events.extend(unmerged);
        drop(events);
        self.0.arrived.notify_one();
    }
}

/// Adds an event to the one before it where both are pieces of the same; gives it back otherwise.
fn merge(last: &mut SessionEvent, event: SessionEvent) -> Option<SessionEvent> {
    use AgentEvent::{MessageUpdate, ToolExecutionUpdate};
    use AssistantMessageEvent::{TextDelta, ThinkingDelta, ToolCallDelta};
    match (&mut *last, event) {
        (SessionEvent::Agent(MessageUpdate { event: before }), SessionEvent::Agent(MessageUpdate { event: after })) => {
            let pieces = match (before, &after) {
                (TextDelta { content_index: a, delta, .. }, TextDelta { content_index: b, delta: more, .. })
                | (
                    ThinkingDelta { content_index: a, delta, .. },
                    ThinkingDelta { content_index: b, delta: more, .. },
                )
                | (
                    ToolCallDelta { content_index: a, delta, .. },
                    ToolCallDelta { content_index: b, delta: more, .. },
                ) if a == b => Some((delta, more)),
                _ => None,
            };
            match pieces {
                Some((delta, more)) => {
                    delta.push_str(more);
                    None
                }
                None => Some(SessionEvent::Agent(MessageUpdate { event: after })),
            }
        }
        (
            SessionEvent::Agent(ToolExecutionUpdate { tool_call_id: a, partial_result: before, .. }),
            SessionEvent::Agent(ToolExecutionUpdate { tool_call_id: b, partial_result: after, .. }),
        ) if *a == b => {
            // Results so far are whole: the newest says it all.
            *before = after;
            None
        }
        (_, event) => Some(event),
    }
}
