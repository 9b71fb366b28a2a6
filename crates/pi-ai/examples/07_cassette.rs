//! Provider traffic in a file: recorded once, played again without network or key. `cargo run --example 07_cassette`
//! plays the cassette of the repository's tour; with an argument, that file.
#![allow(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::sync::Arc;

use pi_ai::transport::cassette::Replayer;
use pi_ai::{ApiRegistry, Context, Model, StreamOptions, ToolDefinition, UserMessage};
use serde_json::{Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/cassettes/tour.jsonl");
    let path = std::env::args().nth(1).unwrap_or_else(|| tour.to_owned());
    let first: Value =
        serde_json::from_str(std::fs::read_to_string(&path)?.lines().next().ok_or("an empty cassette")?)?;
    let recorded = &first["request"]["body"];

    // A request must have the shape of the recorded one: model, roles, names of tools. Its words may differ.
    let model = Model {
        id: recorded["model"].as_str().unwrap_or_default().into(),
        api: "anthropic-messages".into(),
        provider: "anthropic".into(),
        base_url: "https://api.anthropic.com".into(),
        max_tokens: 1000,
        ..Model::default()
    };
    let mut context =
        Context::default().with_system_prompt("Be brief.").with_message(UserMessage::text("Show me around.", 0));
    for tool in recorded["tools"].as_array().into_iter().flatten() {
        let name = tool["name"].as_str().unwrap_or_default().into();
        context = context.with_tool(ToolDefinition { name, description: String::new(), parameters: json!({}) });
    }

    let options = StreamOptions {
        http: Some(Arc::new(Replayer::open(path.as_ref())?)),
        api_key: Some("not needed".into()),
        ..StreamOptions::default()
    };
    let answer = ApiRegistry::builtin().stream(Arc::new(model), context, options)?.result().await;
    println!("{}", answer.error_message.as_deref().unwrap_or(&answer.text()));
    for call in answer.tool_calls() {
        println!("calls {} {}", call.name, call.arguments);
    }
    Ok(())
}
