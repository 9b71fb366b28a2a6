//! Settings: of the user and a trusted project, changed for this run, or in memory alone.
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use std::sync::Arc;

use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session_async};
use pi_coding_agent::settings::SettingsManager;
use serde_json::{Map, Value, json};
use support::Offline;

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let offline = Offline::answering(Vec::<pi_ai::AssistantMessage>::new())?;
    offline.write(".pi/agent/settings.json", r#"{"retry": {"maxRetries": 5}, "steeringMode": "all"}"#)?;
    offline.write("project/.pi/settings.json", r#"{"retry": {"maxRetries": 1}}"#)?;
    let options = || {
        let options = CreateAgentSessionOptions::builder().cwd(offline.home.path().join("project"));
        options.env(offline.env()).apis(offline.apis()).models(offline.models())
    };

    for trusted in [false, true] {
        let session = create_agent_session_async(options().project_trusted(trusted).build()).await?.session;
        println!("project trusted: {trusted}, retries: {}", session.settings().retry().max_retries);
        // For this run; no file is written.
        session.settings().apply_overrides(&object(&json!({"retry": {"enabled": false}})));
        println!("retries for this run: {}", session.retry().is_auto());
        // Remembered in the user's file.
        session.compaction().set_auto(false);
        session.dispose().await;
    }
    let file = std::fs::read_to_string(offline.home.path().join(".pi/agent/settings.json"))?;
    println!("the user's file: {}", serde_json::from_str::<Value>(&file)?);

    let settings = SettingsManager::in_memory(object(&json!({"defaultThinkingLevel": "high"})), offline.env());
    let session = create_agent_session_async(options().settings(Arc::new(settings)).build()).await?.session;
    println!("in memory: {:?}", session.settings().models().default_thinking_level());
    session.dispose().await;
    Ok(())
}
