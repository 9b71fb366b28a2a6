//! What waits in the queues, and how much of a queue one drain point takes. That is in force at the next one, and
//! remembered as the user's setting.

use pi_agent_core::QueueMode;

use super::{AgentSession, QueuedTexts, SessionEvent};

impl AgentSession {
    /// The texts that wait.
    pub fn queued_texts(&self) -> QueuedTexts {
        self.0.prompting.queued()
    }

    /// Takes everything that waits out of the queues, announces that, and returns the texts: an editor may offer them
    /// again.
    #[doc(alias = "clearAllQueues")]
    pub async fn clear_queue(&self) -> QueuedTexts {
        self.0.agent.clear_queues();
        let cleared = self.0.prompting.clear();
        let empty = SessionEvent::QueueUpdate { steering: Vec::new(), follow_up: Vec::new() };
        self.0.listeners.emit(empty).await;
        cleared
    }

    /// How much of the steering queue a turn takes.
    pub fn steering_mode(&self) -> QueueMode {
        self.0.agent.steering().mode()
    }

    /// How much of the follow-up queue a stop takes.
    pub fn follow_up_mode(&self) -> QueueMode {
        self.0.agent.follow_ups().mode()
    }

    /// Changes how much of the steering queue a turn takes, from the next one on. Settings that cannot be written are
    /// warned about; the mode is in force all the same.
    pub fn set_steering_mode(&self, mode: QueueMode) {
        self.0.agent.steering().set_mode(mode);
        self.warn_about(self.0.settings.sessions().set_steering_mode(mode));
    }

    /// Changes how much of the follow-up queue a stop takes; else as [`AgentSession::set_steering_mode`].
    pub fn set_follow_up_mode(&self, mode: QueueMode) {
        self.0.agent.follow_ups().set_mode(mode);
        self.warn_about(self.0.settings.sessions().set_follow_up_mode(mode));
    }
}
