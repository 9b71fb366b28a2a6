//! Sessions that scripts run beside the one that their extension serves.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use tokio::runtime::Handle;

use super::numbered::Numbered;
use pi_coding_agent::agent_session::{AgentSession, Subscription};

/// A session beside the one that the extension serves.
#[derive(Debug)]
pub(crate) struct Beside {
    pub(crate) session: AgentSession,
    /// The activation for which it was made.
    pub(crate) owner: u32,
    pub(crate) listening: Mutex<Option<Subscription>>,
}

/// Those of one extension.
#[derive(Debug, Default)]
pub(crate) struct Agents {
    pub(crate) running: Numbered<Arc<Beside>>,
    /// The activations whose end is listened for.
    pub(crate) watched: Mutex<HashSet<u32>>,
}

impl Agents {
    pub(crate) fn get(&self, number: u32) -> Option<Arc<Beside>> {
        self.running.get(number)
    }

    /// Keeps a session until its owner ends.
    pub(crate) fn add(&self, session: AgentSession, owner: u32) -> u32 {
        self.running.add(Arc::new(Beside { session, owner, listening: Mutex::default() }))
    }

    /// Takes out those of an activation.
    pub(crate) fn take(&self, is_meant: impl Fn(u32) -> bool) -> Vec<Arc<Beside>> {
        self.running.extract(|beside| is_meant(beside.owner))
    }

    /// Nobody can ask for them any more: all end, without being waited for.
    pub(crate) fn abandon(&self, runtime: Option<&Handle>) {
        for beside in self.take(|_| true) {
            beside.session.request_abort();
            if let Some(runtime) = runtime {
                runtime.spawn(async move { beside.session.dispose().await });
            }
        }
    }
}
