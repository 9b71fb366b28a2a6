//! Messages between a queue and the transcript. A run that ends before it delivered them gives them back.

use std::collections::VecDeque;
use std::sync::Arc;

use pi_ai::Message;

use super::Run;
use crate::error::RunFailure;
use crate::guard::{shielded, unless_cancelled};

/// A queue of messages for a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Queue {
    /// For the next turn.
    Steering,
    /// For when the run would stop.
    FollowUps,
}

/// Takes back messages, oldest first, that were taken and not delivered.
pub(crate) type GiveBack = Box<dyn Fn(Queue, Vec<Arc<Message>>) + Send + Sync>;

/// Messages that are about to be delivered.
#[derive(Default)]
pub(crate) struct PendingMessages {
    messages: VecDeque<Arc<Message>>,
    origin: Option<Queue>,
    give_back: Option<GiveBack>,
}

impl PendingMessages {
    pub(super) fn returning(give_back: GiveBack) -> Self {
        Self { messages: VecDeque::new(), origin: None, give_back: Some(give_back) }
    }

    pub(super) fn put(&mut self, messages: Vec<Arc<Message>>, origin: Option<Queue>) {
        self.messages = messages.into();
        self.origin = origin;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    pub(super) fn first(&self) -> Option<Arc<Message>> {
        self.messages.front().cloned()
    }

    pub(super) fn drop_first(&mut self) {
        self.messages.pop_front();
    }
}

impl Drop for PendingMessages {
    fn drop(&mut self) {
        if let (false, Some(queue), Some(give_back)) = (self.messages.is_empty(), self.origin, &self.give_back) {
            give_back(queue, self.messages.drain(..).collect());
        }
    }
}

impl Run<'_> {
    /// Takes what a queue has to give. After an abort everything stays where it is.
    pub(super) async fn poll(&mut self, queue: Queue) -> Result<(), RunFailure> {
        let source = match queue {
            Queue::Steering => &self.config.steering,
            Queue::FollowUps => &self.config.follow_ups,
        };
        let Some(source) = source.as_ref().filter(|_| !self.config.cancel.is_cancelled()) else { return Ok(()) };
        let take = shielded("A source of queued messages", || source());
        if let Some(messages) = unless_cancelled(&self.config.cancel, take).await {
            self.waiting.put(messages?, Some(queue));
        }
        Ok(())
    }
}
