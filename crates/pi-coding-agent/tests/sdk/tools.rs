//! What a program can choose about the built-in tools of its session.

use std::sync::Arc;

use pi_ai::scripted::{self, ScriptedProvider};
use pi_ai::{ApiRegistry, Message};
use pi_coding_agent::agent_session::PromptOptions;
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session};
use pi_coding_agent::tools::{ToolOptions, ToolPolicy};
use serde_json::json;

#[tokio::test]
async fn a_session_can_be_confined_to_a_directory() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let call = |id: &str, name: &str, arguments| scripted::message([scripted::tool_call(id, name, arguments)]);
    let provider = ScriptedProvider::playing([
        call("a", "write", json!({"path": "inside.txt", "content": "x"})),
        call("b", "write", json!({"path": "../outside.txt", "content": "x"})),
        call("c", "bash", json!({"command": "touch ../outside.txt"})),
        scripted::message([scripted::text("done")]),
    ]);
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(provider.clone()));
    let policy = ToolPolicy::confined_to(&root);
    let options = CreateAgentSessionOptions {
        apis: Arc::new(apis),
        configure_tools: Arc::new(move |options| ToolOptions { policy: policy.clone(), ..options }),
        ..CreateAgentSessionOptions::in_memory(&root, provider.model(), "key")
    };
    let session = create_agent_session(options).unwrap().session;
    session.prompt("go", PromptOptions::default()).await.unwrap();
    let messages = session.messages();
    let failed: Vec<bool> = messages
        .iter()
        .filter_map(|message| match &**message {
            Message::ToolResult(result) => Some(result.is_error),
            _ => None,
        })
        .collect();
    assert_eq!(failed, [false, true, true]);
    assert!(root.join("inside.txt").exists() && !root.join("../outside.txt").exists());
}
