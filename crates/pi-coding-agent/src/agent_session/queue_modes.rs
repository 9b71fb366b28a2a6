//! How much of a queue one drain point takes: in force at the next one, and remembered as the user's setting.

use pi_agent_core::QueueMode;

use super::AgentSession;

impl AgentSession {
    /// How much of the steering queue a turn takes.
    pub fn steering_mode(&self) -> QueueMode {
        self.0.agent.steering_mode()
    }

    /// How much of the follow-up queue a stop takes.
    pub fn follow_up_mode(&self) -> QueueMode {
        self.0.agent.follow_up_mode()
    }

    /// Changes how much of the steering queue a turn takes, from the next one on. Settings that cannot be written are
    /// warned about; the mode is in force all the same.
    pub fn set_steering_mode(&self, mode: QueueMode) {
        self.0.agent.set_steering_mode(mode);
        self.warn_about(self.0.settings.set_steering_mode(mode));
    }

    /// Changes how much of the follow-up queue a stop takes; else as [`AgentSession::set_steering_mode`].
    pub fn set_follow_up_mode(&self, mode: QueueMode) {
        self.0.agent.set_follow_up_mode(mode);
        self.warn_about(self.0.settings.set_follow_up_mode(mode));
    }
}
