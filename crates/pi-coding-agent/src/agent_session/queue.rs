//! The queued texts, and how many of them one drain point takes. A changed mode applies from the next drain point and
//! is stored as the user's setting. Changes to single messages are in `queue_change`.
//!
//! The queues are those of the agent: a message waits there and nowhere else, until its `message_start` is emitted. What
//! people see of them are the texts of the user's messages; messages of extensions wait there, too.

use std::sync::{Arc, Mutex};

use pi_agent_core::{Agent, QueueMode, QueuedMessages};
use pi_ai::Message;
use serde::{Deserialize, Serialize};

use super::{Inner, SessionEvent, StreamingBehavior, lock};

/// Texts that wait, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueuedTexts {
    /// For the next turn.
    pub steering: Vec<String>,
    /// For the end of the run.
    pub follow_up: Vec<String>,
}

impl QueuedTexts {
    fn of(messages: &QueuedMessages) -> Self {
        let texts = |messages: &[Arc<Message>]| messages.iter().filter_map(|message| text_of_user(message)).collect();
        Self { steering: texts(&messages.steering), follow_up: texts(&messages.follow_ups) }
    }

    fn update(&self) -> SessionEvent {
        SessionEvent::QueueUpdate { steering: self.steering.clone(), follow_up: self.follow_up.clone() }
    }
}

fn text_of_user(message: &Message) -> Option<String> {
    match message {
        Message::User(user) => Some(user.content.to_text()),
        _ => None,
    }
}

/// The queues of the agent, as people see them.
pub(crate) struct PromptQueue {
    pub(super) agent: Agent,
    /// What was announced last. Locked while the queues change, so that every change is announced once.
    told: Mutex<QueuedTexts>,
}

impl PromptQueue {
    pub(super) fn new(agent: Agent) -> Self {
        Self { agent, told: Mutex::default() }
    }

    /// The texts that wait.
    pub(super) fn texts(&self) -> QueuedTexts {
        let (steering, follow_ups) = (self.agent.steering().undelivered(), self.agent.follow_ups().undelivered());
        QueuedTexts::of(&QueuedMessages { steering, follow_ups })
    }

    /// How many texts wait.
    pub(super) fn count(&self) -> usize {
        let texts = self.texts();
        texts.steering.len() + texts.follow_up.len()
    }

    /// Queues a message; returns the event to announce.
    pub(super) fn push(&self, behavior: StreamingBehavior, message: &Arc<Message>) -> SessionEvent {
        let mut told = lock(&self.told);
        self.agent.change_queues(|queues| match behavior {
            StreamingBehavior::Steer => queues.steering.push(Arc::clone(message)),
            StreamingBehavior::FollowUp => queues.follow_ups.push(Arc::clone(message)),
        });
        *told = self.texts();
        told.update()
    }

    /// Does something to the queues; returns the event to announce if it changed what waits.
    pub(super) fn update(&self, change: impl FnOnce(&mut QueuedMessages)) -> Option<SessionEvent> {
        let mut told = lock(&self.told);
        self.agent.change_queues(change);
        self.changed(&mut told)
    }

    /// A message of the user is being delivered: the event to announce if it was waiting.
    pub(super) fn delivered(&self) -> Option<SessionEvent> {
        self.changed(&mut lock(&self.told))
    }

    /// The event to announce if the waiting texts differ from those announced last.
    fn changed(&self, told: &mut QueuedTexts) -> Option<SessionEvent> {
        let texts = self.texts();
        (*told != texts).then(|| {
            *told = texts;
            told.update()
        })
    }

    /// Empties the queues; returns the texts that were in them, and the event to announce. What the run is about to
    /// deliver is neither.
    pub(super) fn take_all(&self) -> (QueuedTexts, SessionEvent) {
        let mut told = lock(&self.told);
        let taken = QueuedTexts::of(&self.agent.take_queues());
        *told = self.texts();
        (taken, told.update())
    }
}

/// Messages that wait: [`AgentSession::queue`](super::AgentSession::queue).
#[derive(Debug, Clone, Copy)]
pub struct QueueHandle<'a>(pub(super) &'a Arc<Inner>);

impl QueueHandle<'_> {
    /// The texts that wait.
    pub fn texts(self) -> QueuedTexts {
        self.0.run.queue().texts()
    }

    /// Texts that wait for the next turn.
    #[doc(alias = "getSteeringMessages")]
    pub fn steering(self) -> Vec<String> {
        self.texts().steering
    }

    /// Texts that wait for the end of the run.
    #[doc(alias = "getFollowUpMessages")]
    pub fn follow_ups(self) -> Vec<String> {
        self.texts().follow_up
    }

    /// Number of queued texts.
    #[doc(alias = "pendingMessageCount")]
    pub fn count(self) -> usize {
        self.0.run.queue().count()
    }

    /// Takes everything that waits out of the queues, announces that, and returns the texts: an editor may offer them
    /// again.
    #[doc(alias = "clearAllQueues")]
    pub async fn clear(self) -> QueuedTexts {
        let (cleared, update) = self.0.run.queue().take_all();
        self.0.listeners.emit(update).await;
        cleared
    }

    /// How much of the steering queue a turn takes.
    pub fn steering_mode(self) -> QueueMode {
        self.0.run.agent().steering().mode()
    }

    /// How much of the follow-up queue a stop takes.
    pub fn follow_up_mode(self) -> QueueMode {
        self.0.run.agent().follow_ups().mode()
    }

    /// Changes how much of the steering queue a turn takes, from the next one on. A setting that cannot be
    /// written is a warning; the mode applies all the same.
    pub fn set_steering_mode(self, mode: QueueMode) {
        self.0.run.agent().steering().set_mode(mode);
        self.0.store.warn_about(self.0.place.settings().sessions().set_steering_mode(mode));
    }

    /// Changes how much of the follow-up queue a stop takes; else as [`Self::set_steering_mode`].
    pub fn set_follow_up_mode(self, mode: QueueMode) {
        self.0.run.agent().follow_ups().set_mode(mode);
        self.0.store.warn_about(self.0.place.settings().sessions().set_follow_up_mode(mode));
    }
}
