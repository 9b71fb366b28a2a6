//! Messages that wait for a running agent: steering (next turn) and follow-ups (when the run would stop).

use std::collections::VecDeque;
use std::sync::Arc;

use pi_ai::Message;
use serde::{Deserialize, Serialize};

/// How much of a queue one drain point takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueMode {
    /// Everything that is queued at that moment.
    All,
    /// The oldest message only.
    #[default]
    OneAtATime,
}

/// What waits in the queues of an agent, oldest first.
#[derive(Debug, Clone, Default)]
pub struct QueuedMessages {
    /// For the next turn.
    pub steering: Vec<Arc<Message>>,
    /// For when the run would stop.
    pub follow_ups: Vec<Arc<Message>>,
}

/// One queue. A message is known by its allocation: texts may be equal.
#[derive(Debug, Default)]
pub(crate) struct MessageQueue {
    pub(crate) mode: QueueMode,
    messages: VecDeque<Arc<Message>>,
    /// What a run has taken and not delivered, older than `messages`.
    taken: Vec<Arc<Message>>,
}

impl MessageQueue {
    pub(crate) fn new(mode: QueueMode) -> Self {
        Self { mode, messages: VecDeque::new(), taken: Vec::new() }
    }

    pub(crate) fn push(&mut self, message: Arc<Message>) {
        self.messages.push_back(message);
    }

    pub(crate) fn clear(&mut self) {
        self.messages.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.messages.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Puts other messages in the place of those that wait.
    pub(crate) fn set(&mut self, messages: Vec<Arc<Message>>) {
        self.messages = messages.into();
    }

    /// What is queued, oldest first.
    pub(crate) fn messages(&self) -> Vec<Arc<Message>> {
        self.messages.iter().cloned().collect()
    }

    /// Empties the queue and returns what was in it. What was taken is on its way already.
    pub(crate) fn take_all(&mut self) -> Vec<Arc<Message>> {
        self.messages.drain(..).collect()
    }

    /// What is queued and what was taken and not delivered, oldest first.
    pub(crate) fn undelivered(&self) -> Vec<Arc<Message>> {
        self.taken.iter().chain(&self.messages).cloned().collect()
    }

    /// A message is being delivered, which may have been taken from here.
    pub(crate) fn delivered(&mut self, message: &Arc<Message>) {
        self.taken.retain(|taken| !Arc::ptr_eq(taken, message));
    }

    /// The run is over: what was taken is delivered or put back.
    pub(crate) fn end_run(&mut self) {
        self.taken.clear();
    }

    /// Puts messages, oldest first, before those that wait.
    pub(crate) fn put_back(&mut self, messages: Vec<Arc<Message>>) {
        messages.iter().for_each(|message| self.delivered(message));
        for message in messages.into_iter().rev() {
            self.messages.push_front(message);
        }
    }

    /// Takes what the mode allows.
    pub(crate) fn drain(&mut self) -> Vec<Arc<Message>> {
        let taken: Vec<_> = match self.mode {
            QueueMode::All => self.messages.drain(..).collect(),
            QueueMode::OneAtATime => self.messages.pop_front().into_iter().collect(),
        };
        self.taken.extend_from_slice(&taken);
        taken
    }
}
