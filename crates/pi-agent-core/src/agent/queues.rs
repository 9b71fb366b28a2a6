//! The queues of an agent: filling, reading, clearing, changing, holding, and how much one drain takes.

use std::sync::{Arc, Mutex, MutexGuard};

use futures::FutureExt;
use pi_ai::Message;
use tokio::sync::Notify;

use super::{Agent, lock};
use crate::loop_config::MessageSource;
use crate::queue::{MessageQueue, QueueMode, QueuedMessages};
use crate::run::{GiveBack, Queue};

/// Both queues of an agent, behind one lock. Clones share them: the loop of a run holds some.
#[derive(Clone)]
pub(super) struct Queues(Arc<Shared>);

struct Shared {
    both: Mutex<Both>,
    /// Told when what is held may be given out, or is no longer there.
    changed: Notify,
}

struct Both {
    steering: MessageQueue,
    follow_ups: MessageQueue,
    /// How many keep the messages from being given out.
    holds: usize,
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
        let (steering, follow_ups) = (MessageQueue::new(steering), MessageQueue::new(follow_ups));
        let both = Mutex::new(Both { steering, follow_ups, holds: 0 });
        Self(Arc::new(Shared { both, changed: Notify::new() }))
    }

    fn lock(&self) -> MutexGuard<'_, Both> {
        lock(&self.0.both)
    }

    fn push(&self, queue: Queue, message: Message) {
        self.lock().get(queue).push(Arc::new(message));
    }

    fn len(&self) -> usize {
        let both = self.lock();
        both.steering.len() + both.follow_ups.len()
    }

    fn clear(&self) {
        let mut both = self.lock();
        both.steering.clear();
        both.follow_ups.clear();
        drop(both);
        self.0.changed.notify_waiters();
    }

    /// Takes messages to run as prompts, steering first, and says where they came from. What is held is waited for.
    pub(super) async fn take(&self) -> Option<(Vec<Arc<Message>>, Queue)> {
        self.when_free(
            |both| !both.steering.is_empty() || !both.follow_ups.is_empty(),
            |both| {
                [Queue::Steering, Queue::FollowUps].into_iter().find_map(|queue| {
                    let messages = both.get(queue).drain();
                    (!messages.is_empty()).then_some((messages, queue))
                })
            },
        )
        .await
    }

    /// Takes something once it is not held; nothing that waits is never held.
    async fn when_free<T>(&self, waits: impl Fn(&mut Both) -> bool, take: impl Fn(&mut Both) -> T) -> T {
        loop {
            let mut changed = std::pin::pin!(self.0.changed.notified());
            // Whatever changes after the look below is heard of.
            changed.as_mut().enable();
            {
                let mut both = self.lock();
                if both.holds == 0 || !waits(&mut both) {
                    return take(&mut both);
                }
            }
            changed.await;
        }
    }

    /// Changes what waits, in one step.
    fn change<R>(&self, change: impl FnOnce(&mut QueuedMessages) -> R) -> R {
        let mut both = self.lock();
        let (steering, follow_ups) = (both.steering.messages(), both.follow_ups.messages());
        let mut messages = QueuedMessages { steering, follow_ups };
        let outcome = change(&mut messages);
        both.steering.set(messages.steering);
        both.follow_ups.set(messages.follow_ups);
        drop(both);
        self.0.changed.notify_waiters();
        outcome
    }

    fn release(&self) {
        self.lock().holds -= 1;
        self.0.changed.notify_waiters();
    }

    /// A message is announced; it may be one of these.
    pub(super) fn delivered(&self, message: &Arc<Message>) {
        let mut both = self.lock();
        both.steering.delivered(message);
        both.follow_ups.delivered(message);
    }

    /// No run is in progress any more.
    pub(super) fn end_run(&self) {
        let mut both = self.lock();
        both.steering.end_run();
        both.follow_ups.end_run();
    }

    fn take_all(&self) -> QueuedMessages {
        let mut both = self.lock();
        let taken = QueuedMessages { steering: both.steering.take_all(), follow_ups: both.follow_ups.take_all() };
        drop(both);
        self.0.changed.notify_waiters();
        taken
    }

    /// A queue as the loop sees it.
    pub(super) fn source(&self, queue: Queue) -> Arc<MessageSource> {
        let queues = self.clone();
        Arc::new(move || {
            let queues = queues.clone();
            async move {
                let (waits, take) =
                    (|both: &mut Both| !both.get(queue).is_empty(), |both: &mut Both| both.get(queue).drain());
                Ok(queues.when_free(waits, take).await)
            }
            .boxed()
        })
    }

    /// Puts messages that were taken and never delivered back to where they were.
    pub(super) fn give_back(&self) -> GiveBack {
        let queues = self.clone();
        Box::new(move |queue, messages| queues.lock().get(queue).put_back(messages))
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
        self.queues.0.changed.notify_waiters();
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
        apply(self.queues.lock().get(self.queue))
    }
}

/// Keeps queued messages where they are: a run that would take some waits. Dropping it lets them go.
#[must_use = "dropping it lets the messages go"]
pub struct QueueHold(Queues);

impl Drop for QueueHold {
    fn drop(&mut self) {
        self.0.release();
    }
}

impl std::fmt::Debug for QueueHold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueueHold").finish_non_exhaustive()
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

    /// Changes what waits in both queues, in one step: no run takes a message meanwhile. What the run has taken already is
    /// not among the messages. The agent waits for `change`, which must not call it.
    pub fn change_queues<R>(&self, change: impl FnOnce(&mut QueuedMessages) -> R) -> R {
        self.0.queues.change(change)
    }

    /// Keeps what waits from being delivered as long as the returned value lives, so that somebody can look it through. A
    /// run that would take messages waits meanwhile; aborting it works as always. With empty queues nothing waits.
    pub fn hold_queues(&self) -> QueueHold {
        self.0.queues.lock().holds += 1;
        QueueHold(self.0.queues.clone())
    }
}
