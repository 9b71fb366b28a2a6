//! The first request: which protocol is spoken, and what the two sides can do.

use std::sync::Arc;

use agent_client_protocol_schema::ProtocolVersion;
use agent_client_protocol_schema::v1::{
    AgentCapabilities, Error, Implementation, InitializeRequest, InitializeResponse, McpCapabilities,
    PromptCapabilities, SessionAdditionalDirectoriesCapabilities, SessionCapabilities, SessionCloseCapabilities,
    SessionDeleteCapabilities, SessionListCapabilities, SessionResumeCapabilities,
};

use serde_json::Value;

use super::agent::{Agent, Answer};
use super::client::Client;
use super::sign_in;

/// The parameters with a version that can be read: any number is answered.
pub(super) fn with_known_version(mut params: Value) -> Value {
    if let Some(version) = params.get_mut("protocolVersion").filter(|version| version.is_number())
        && version.as_u64().is_none_or(|version| version > u16::MAX.into())
    {
        *version = Value::from(1);
    }
    params
}

/// Answers with version 1, whatever the client prefers: it decides whether it goes on.
pub(super) fn initialize(agent: &Arc<Agent>, request: &InitializeRequest) -> Result<Answer, Error> {
    agent.set_client(Client::new(&request.client_capabilities));
    let info = Implementation::new("pi", &agent.options().version).title("pi");
    let response =
        InitializeResponse::new(ProtocolVersion::V1).agent_capabilities(capabilities(agent)).agent_info(info);
    Answer::of(&response.auth_methods(sign_in::methods(agent)))
}

fn capabilities(agent: &Agent) -> AgentCapabilities {
    let sessions = SessionCapabilities::new()
        .list(SessionListCapabilities::new())
        .resume(SessionResumeCapabilities::new())
        .close(SessionCloseCapabilities::new())
        .delete(SessionDeleteCapabilities::new())
        .additional_directories(SessionAdditionalDirectoriesCapabilities::new());
    AgentCapabilities::new()
        .load_session(true)
        .mcp_capabilities(McpCapabilities::new().http(agent.options().tool_servers.is_some()))
        .prompt_capabilities(PromptCapabilities::new().image(true).embedded_context(true))
        .session_capabilities(sessions)
        .auth(sign_in::capabilities())
}
