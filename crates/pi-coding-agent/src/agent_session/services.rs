//! What code beside a session, such as a script engine, needs of it: a handle that does not keep it, what it was made with.
//! Nothing here changes what the session is doing.

use std::sync::{Arc, Weak};

use pi_ai::transport::HttpTransport;
use pi_ai::{ApiRegistry, Clock};
use time::Date;

use super::{AgentSession, Inner};

/// What a session was made with, for sessions and model calls beside it.
#[derive(Clone)]
pub struct SessionServices {
    /// Wire formats, which may hold connections for the session.
    pub apis: Arc<ApiRegistry>,
    /// What takes the place of the network.
    pub http: Option<Arc<dyn HttpTransport>>,
    /// Source of time.
    pub clock: Arc<dyn Clock>,
    /// Today, where the user is.
    pub date: Date,
}

impl std::fmt::Debug for SessionServices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionServices").field("date", &self.date).finish_non_exhaustive()
    }
}

/// A session that is not kept by whoever holds this. Two are equal when they are of the same session.
#[derive(Debug, Clone)]
pub struct WeakAgentSession(Weak<Inner>);

impl WeakAgentSession {
    /// The session, if somebody still holds it.
    pub fn upgrade(&self) -> Option<AgentSession> {
        self.0.upgrade().map(AgentSession)
    }
}

impl PartialEq for WeakAgentSession {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }
}

impl AgentSession {
    /// A handle that does not keep the session.
    pub fn downgrade(&self) -> WeakAgentSession {
        WeakAgentSession(Arc::downgrade(&self.0))
    }

    /// What the session was made with.
    pub fn surroundings(&self) -> SessionServices {
        self.0.surroundings.clone()
    }
}
