//! What extensions read of the screen: a copy, so that nobody waits for the loop.

use std::sync::{Arc, Mutex, MutexGuard};

use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::extension::{ActionKeys, FooterFacts, WindowSize};
use pi_coding_agent::theme::Theme;
use pi_guard::Unpoisoned;

/// The copy. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(in crate::modes::interactive) struct Mirror(Arc<Mutex<Copied>>);

#[derive(Debug, Default)]
pub(in crate::modes::interactive) struct Copied {
    pub(in crate::modes::interactive) window: WindowSize,
    pub(in crate::modes::interactive) is_expanded: bool,
    pub(in crate::modes::interactive) footer: FooterFacts,
    pub(in crate::modes::interactive) keys: Vec<ActionKeys>,
    /// What is in the editor.
    pub(in crate::modes::interactive) text: String,
    /// The revision of the editor for that.
    pub(in crate::modes::interactive) revision: Option<u64>,
    pub(in crate::modes::interactive) theme: Option<Theme>,
    /// The version of the look for that.
    pub(in crate::modes::interactive) look: Option<u64>,
    pub(in crate::modes::interactive) session: Option<AgentSession>,
}

impl Mirror {
    pub(in crate::modes::interactive) fn read(&self) -> MutexGuard<'_, Copied> {
        self.0.lock().unpoisoned()
    }

    /// An extension has replaced the text: who asks at once gets that.
    pub(in crate::modes::interactive) fn set_text(&self, text: &str) {
        let mut copied = self.read();
        text.clone_into(&mut copied.text);
        copied.revision = None;
    }
}
