//! The queues of an agent: filling, reading, clearing, and how much one drain takes.

use std::sync::{Arc, Mutex};

use futures::FutureExt;
use pi_ai::Message;

use super::{Agent, lock};
use crate::loop_config::MessageSource;
use crate::queue::{MessageQueue, QueueMode, QueuedMessages};
use crate::run::{GiveBack, Queue};

/// Both queues of an agent, behind one lock. Clones share them: the loop of a run holds some.
#[derive(Clone)]
pub(super) struct Queues(Arc<Mutex<Both>>);

struct Both {
    steering: MessageQueue,
    follow_ups: MessageQueue,
}

impl Both {
    fn get(&mut self, queue: Queue) -> &mut MessageQueue {
        match queue {
            Queue::Steering => &mut self.steering,
            Queue::FollowUps => &mut self.follow_ups,
        }
    }
}

impl Queues {
    pub(super) fn new(steering: QueueMode, follow_ups: QueueMode) -> Self {
        let both = Both { steering: MessageQueue::new(steering), follow_ups: MessageQueue::new(follow_ups) };
        Self(Arc::new(Mutex::new(both)))
    }

    fn push(&self, queue: Queue, message: Message) {
        lock(&self.0).get(queue).push(Arc::new(message));
    }

    fn len(&self) -> usize {
        let both = lock(&self.0);
        both.steering.len() + both.follow_ups.len()
    }

    fn clear(&self) {
        let mut both = lock(&self.0);
        both.steering.clear();
        both.follow_ups.clear();
    }

    /// Takes messages to run as prompts, steering first, and says where they came from.
    pub(super) fn take(&self) -> Option<(Vec<Arc<Message>>, Queue)> {
        let mut both = lock(&self.0);
        [Queue::Steering, Queue::FollowUps].into_iter().find_map(|queue| {
            let messages = both.get(queue).drain();
            (!messages.is_empty()).then_some((messages, queue))
        })
    }

    /// A message is announced; it may be one of these.
    pub(super) fn delivered(&self, message: &Arc<Message>) {
        let mut both = lock(&self.0);
        both.steering.delivered(message);
        both.follow_ups.delivered(message);
    }

    /// No run is in progress any more.
    pub(super) fn end_run(&self) {
        let mut both = lock(&self.0);
        both.steering.end_run();
        both.follow_ups.end_run();
    }

    fn take_all(&self) -> QueuedMessages {
        let mut both = lock(&self.0);
        QueuedMessages { steering: both.steering.take_all(), follow_ups: both.follow_ups.take_all() }
    }

    /// A queue as the loop sees it.
    pub(super) fn source(&self, queue: Queue) -> Arc<MessageSource> {
        let queues = self.clone();
        Arc::new(move || std::future::ready(Ok(lock(&queues.0).get(queue).drain())).boxed())
    }

    /// Puts messages that were taken and never delivered back to where they were.
    pub(super) fn give_back(&self) -> GiveBack {
        let queues = self.clone();
        Box::new(move |queue, messages| lock(&queues.0).get(queue).put_back(messages))
    }
}

/// One of the two queues of an agent: [`Agent::steering`] or [`Agent::follow_ups`].
#[derive(Clone, Copy)]
pub struct AgentQueue<'a> {
    queues: &'a Queues,
    queue: Queue,
}

impl AgentQueue<'_> {
    /// The messages that wait, oldest first.
    pub fn messages(self) -> Vec<Arc<Message>> {
        self.with(|queue| queue.messages())
    }

    /// The messages that wait, and those that the run has taken and not delivered, oldest first: a message is delivered
    /// when its `message_start` is emitted.
    pub fn undelivered(self) -> Vec<Arc<Message>> {
        self.with(|queue| queue.undelivered())
    }

    /// How many messages wait.
    pub fn len(self) -> usize {
        self.with(|queue| queue.len())
    }

    /// Whether no message waits.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Empties the queue.
    pub fn clear(self) {
        self.with(MessageQueue::clear);
    }

    /// How much of the queue one drain takes.
    pub fn mode(self) -> QueueMode {
        self.with(|queue| queue.mode)
    }

    /// Changes how much of the queue one drain takes, from the next drain on.
    pub fn set_mode(self, mode: QueueMode) {
        self.with(|queue| queue.mode = mode);
    }

    fn with<R>(self, apply: impl FnOnce(&mut MessageQueue) -> R) -> R {
        apply(lock(&self.queues.0).get(self.queue))
    }
}

impl std::fmt::Debug for AgentQueue<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentQueue").field("len", &self.len()).field("mode", &self.mode()).finish_non_exhaustive()
    }
}

impl Agent {
    /// Queues a message for the next turn of a run.
    pub fn steer(&self, message: impl Into<Message>) {
        self.0.queues.push(Queue::Steering, message.into());
    }

    /// Queues a message for when the run would stop.
    pub fn follow_up(&self, message: impl Into<Message>) {
        self.0.queues.push(Queue::FollowUps, message.into());
    }

    /// The queue that [`Agent::steer`] fills. Each turn of a run drains it.
    pub fn steering(&self) -> AgentQueue<'_> {
        AgentQueue { queues: &self.0.queues, queue: Queue::Steering }
    }

    /// The queue that [`Agent::follow_up`] fills. A run drains it when it would stop.
    pub fn follow_ups(&self) -> AgentQueue<'_> {
        AgentQueue { queues: &self.0.queues, queue: Queue::FollowUps }
    }

    /// How many messages wait in both queues.
    pub fn queued_count(&self) -> usize {
        self.0.queues.len()
    }

    /// Whether messages wait in either queue.
    pub fn has_queued_messages(&self) -> bool {
        self.queued_count() > 0
    }

    /// Empties both queues.
    pub fn clear_queues(&self) {
        self.0.queues.clear();
    }

    /// Empties both queues and returns what was in them. What the run has taken already is delivered.
    pub fn take_queues(&self) -> QueuedMessages {
        self.0.queues.take_all()
    }
}
