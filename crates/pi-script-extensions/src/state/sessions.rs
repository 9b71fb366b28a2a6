//! Sessions that scripts hold, and where these are.

use std::sync::{Arc, Mutex};

use super::lock;
use pi_coding_agent::agent_session::{AgentSession, WeakAgentSession};
use pi_coding_agent::session::SessionManager;

/// A session that a script holds.
pub(crate) type Held = Arc<Mutex<Holding>>;

/// Where a session is that a script holds.
#[derive(Debug)]
pub(crate) enum Holding {
    /// Here.
    Own(Box<SessionManager>),
    /// With the agent that goes on with it, see `agents/`.
    Agent(WeakAgentSession),
    /// With the session that runs, to be read: it alone writes to its file.
    Running(WeakAgentSession),
    /// On its way there, or lost on it.
    Away,
}

impl Holding {
    /// What an agent goes on with.
    pub(crate) fn of(agent: &AgentSession) -> Self {
        Self::Agent(agent.downgrade())
    }

    pub(crate) fn shared(self) -> Held {
        Arc::new(Mutex::new(self))
    }

    /// The agent has it.
    pub(crate) fn take_over(held: &Held, agent: &AgentSession) {
        *lock(held) = Self::of(agent);
    }
}
