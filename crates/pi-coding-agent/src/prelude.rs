//! What most programs that embed pi import: `use pi_coding_agent::prelude::*;`. Nothing lives here, and what only some
//! programs need stays in its module.

pub use pi_agent_core::{AgentEvent, FnTool, Tool, ToolError, ToolOutput};
pub use pi_ai::{AssistantMessageEvent, ContentBlock, Message, Model, ThinkingLevel, ToolDefinition, get_model};

pub use crate::agent_session::{AgentSession, PromptOptions, SessionEvent};
pub use crate::config::auth_storage::AuthStorage;
pub use crate::config::models::ModelRegistry;
pub use crate::config::settings::SettingsManager;
pub use crate::sdk::Error;
pub use crate::sdk::{
    CreateAgentSessionOptions, Extensions, ToolSelection, create_agent_session, create_agent_session_async,
};
pub use crate::session::SessionManager;
