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

/// One queue.
#[derive(Debug, Default)]
pub(crate) struct MessageQueue {
    pub(crate) mode: QueueMode,
    messages: VecDeque<Arc<Message>>,
}

impl MessageQueue {
    pub(crate) fn new(mode: QueueMode) -> Self {
        Self { mode, messages: VecDeque::new() }
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

    /// What is queued, oldest first.
    pub(crate) fn messages(&self) -> Vec<Arc<Message>> {
        self.messages.iter().cloned().collect()
    }

    /// Puts messages, oldest first, before those that wait.
    pub(crate) fn put_back(&mut self, messages: Vec<Arc<Message>>) {
        for message in messages.into_iter().rev() {
            self.messages.push_front(message);
        }
    }

    /// Takes what the mode allows.
    pub(crate) fn drain(&mut self) -> Vec<Arc<Message>> {
        match self.mode {
            QueueMode::All => self.messages.drain(..).collect(),
            QueueMode::OneAtATime => self.messages.pop_front().into_iter().collect(),
        }
    }
}
