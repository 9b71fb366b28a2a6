//! Which extension draws what of the conversation.

use std::sync::Arc;

use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::extension::MessageRenderer;

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

    /// Who draws messages of a type.
    pub(super) fn of_message(&self, custom_type: &str) -> Option<Arc<MessageRenderer>> {
        self.0.as_ref()?.extensions().runner().message_renderer(custom_type)
    }
}
