//! Which extension draws what of the conversation.

use std::sync::Arc;

use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::extension::{EntryRenderer, LoadedExtension, MessageRenderer};

use super::super::transformed::Transformers;
use super::custom_call::Renderer;

/// The renderers of a session's extensions, as they are when they are asked for.
#[derive(Debug, Default)]
pub(in crate::modes::interactive) struct Renderers(Option<AgentSession>);

impl Renderers {
    pub(in crate::modes::interactive) fn of(session: &AgentSession) -> Self {
        Self(Some(session.clone()))
    }

    /// Who draws the calls of a tool.
    pub(super) fn of_tool(&self, name: &str) -> Option<Renderer> {
        let (draw, is_boxed) = self.0.as_ref()?.tools().renderer(name)?;
        Some(Renderer { draw, is_boxed })
    }

    /// Who draws messages of a type: the first extension that can.
    pub(super) fn of_message(&self, custom_type: &str) -> Option<Arc<MessageRenderer>> {
        self.extensions().iter().find_map(|extension| extension.message_renderer(custom_type))
    }

    /// Who draws entries of a type: the first extension that can.
    pub(in crate::modes::interactive) fn of_entry(&self, custom_type: &str) -> Option<Arc<EntryRenderer>> {
        self.extensions().iter().find_map(|extension| extension.entry_renderer(custom_type))
    }

    /// Who transforms Markdown; nothing where nobody does.
    pub(super) fn transformers(&self) -> Option<Transformers> {
        let extensions = self.extensions();
        let of = |extension: &Arc<LoadedExtension>| {
            let name = extension.name().to_owned();
            extension.markdown_transformers().into_iter().map(move |transform| (name.clone(), transform))
        };
        let all: Vec<_> = extensions.iter().flat_map(of).collect();
        (!all.is_empty()).then(|| Arc::new(all))
    }

    fn extensions(&self) -> Vec<Arc<LoadedExtension>> {
        let runner = self.0.as_ref().map(|session| session.extensions().runner());
        runner.map(|runner| runner.extensions().to_vec()).unwrap_or_default()
    }
}
