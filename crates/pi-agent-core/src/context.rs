//! What a run works on: system prompt, transcript and tools.

use std::sync::Arc;

use pi_ai::{Context, Message};

use crate::tool_set::ToolSet;

/// What a run works on. Cloning copies references, not messages.
#[derive(Debug, Clone, Default)]
pub struct AgentContext {
    /// Instructions for the model; empty means none.
    pub system_prompt: Arc<str>,
    /// The transcript, oldest first. Messages of unknown roles may be among it.
    pub messages: Vec<Arc<Message>>,
    /// The tools that the model may call.
    pub tools: ToolSet,
}

impl AgentContext {
    /// The input of a model call, with `messages` instead of the transcript.
    pub(crate) fn for_model(&self, messages: Vec<Arc<Message>>) -> Context {
        Context {
            system_prompt: (!self.system_prompt.is_empty()).then(|| Arc::clone(&self.system_prompt)),
            messages,
            tools: self.tools.definitions(),
        }
    }
}
