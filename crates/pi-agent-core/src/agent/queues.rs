//! The queues of an agent: filling, looking, clearing, and how much is taken at once.

use std::sync::Arc;

use futures::FutureExt;
use pi_ai::Message;

use super::{Agent, lock};
use crate::loop_config::MessageSource;
use crate::queue::{MessageQueue, QueueMode, QueuedMessages};
use crate::run::{GiveBack, Queue};

/// Both queues.
#[derive(Default)]
pub(super) struct Queues {
    pub(super) steering: MessageQueue,
    pub(super) follow_ups: MessageQueue,
}

impl Queues {
    /// A message is announced; it may be one of these.
    pub(super) fn delivered(&mut self, message: &Arc<Message>) {
        self.steering.delivered(message);
        self.follow_ups.delivered(message);
    }

    /// No run is in progress any more.
    pub(super) fn end_run(&mut self) {
        self.steering.end_run();
        self.follow_ups.end_run();
    }

    fn get(&mut self, queue: Queue) -> &mut MessageQueue {
        match queue {
            Queue::Steering => &mut self.steering,
            Queue::FollowUps => &mut self.follow_ups,
        }
    }
}

impl Agent {
    /// Queues a message for the next turn of a run.
    pub fn steer(&self, message: impl Into<Message>) {
        lock(&self.0.queues).steering.push(Arc::new(message.into()));
    }

    /// Queues a message for when the run would stop.
    pub fn follow_up(&self, message: impl Into<Message>) {
        lock(&self.0.queues).follow_ups.push(Arc::new(message.into()));
    }

    /// What waits for the next turn, oldest first.
    pub fn queued_steering(&self) -> Vec<Arc<Message>> {
        lock(&self.0.queues).steering.messages()
    }

    /// What waits for when the run would stop, oldest first.
    pub fn queued_follow_ups(&self) -> Vec<Arc<Message>> {
        lock(&self.0.queues).follow_ups.messages()
    }

    /// What waits in both queues, and what the run has taken out of them and not delivered: a message is delivered when
    /// its `message_start` is emitted.
    pub fn undelivered(&self) -> QueuedMessages {
        let queues = lock(&self.0.queues);
        QueuedMessages { steering: queues.steering.undelivered(), follow_ups: queues.follow_ups.undelivered() }
    }

    /// How many messages wait in both queues.
    pub fn queued_count(&self) -> usize {
        let queues = lock(&self.0.queues);
        queues.steering.len() + queues.follow_ups.len()
    }

    /// Whether messages wait in either queue.
    pub fn has_queued_messages(&self) -> bool {
        self.queued_count() > 0
    }

    /// Empties the steering queue.
    pub fn clear_steering(&self) {
        lock(&self.0.queues).steering.clear();
    }

    /// Empties the follow-up queue.
    pub fn clear_follow_ups(&self) {
        lock(&self.0.queues).follow_ups.clear();
    }

    /// Empties both queues.
    pub fn clear_queues(&self) {
        let mut queues = lock(&self.0.queues);
        queues.steering.clear();
        queues.follow_ups.clear();
    }

    /// Empties both queues and returns what was in them. What the run has taken already is delivered.
    pub fn take_queues(&self) -> QueuedMessages {
        let mut queues = lock(&self.0.queues);
        QueuedMessages { steering: queues.steering.take_all(), follow_ups: queues.follow_ups.take_all() }
    }

    /// How much of the steering queue a turn takes.
    pub fn steering_mode(&self) -> QueueMode {
        lock(&self.0.queues).steering.mode
    }

    /// How much of the follow-up queue a stop takes.
    pub fn follow_up_mode(&self) -> QueueMode {
        lock(&self.0.queues).follow_ups.mode
    }

    /// Changes how much of the steering queue a turn takes, from the next drain on.
    pub fn set_steering_mode(&self, mode: QueueMode) {
        lock(&self.0.queues).steering.mode = mode;
    }

    /// Changes how much of the follow-up queue a stop takes, from the next drain on.
    pub fn set_follow_up_mode(&self, mode: QueueMode) {
        lock(&self.0.queues).follow_ups.mode = mode;
    }

    /// Takes messages to run as prompts, steering first, and says where they came from.
    pub(super) fn take_queued(&self) -> Option<(Vec<Arc<Message>>, Queue)> {
        let mut queues = lock(&self.0.queues);
        [Queue::Steering, Queue::FollowUps].into_iter().find_map(|queue| {
            let messages = queues.get(queue).drain();
            (!messages.is_empty()).then_some((messages, queue))
        })
    }
}

/// A queue as the loop sees it.
pub(super) fn source(agent: &Agent, queue: Queue) -> Arc<MessageSource> {
    let agent = agent.clone();
    Arc::new(move || std::future::ready(Ok(lock(&agent.0.queues).get(queue).drain())).boxed())
}

/// Puts messages that were taken and never delivered back to where they were.
pub(super) fn give_back(agent: &Agent) -> GiveBack {
    let agent = agent.clone();
    Box::new(move |queue, messages| lock(&agent.0.queues).get(queue).put_back(messages))
}
