//! A program with a session of its own, and an extension in TypeScript: the loader is one option, the file another. The
//! model plays a script, so it needs neither key nor network.
#![allow(clippy::print_stdout, reason = "examples print")]

use std::sync::Arc;

use pi_ai::ApiRegistry;
use pi_ai::scripted::{self, ScriptedProvider};
use pi_coding_agent::prelude::*;
use pi_coding_agent::sdk::Extensions;
use pi_script_extensions::Scripts;
use serde_json::json;

/// A tool for the model.
const EXTENSION: &str = r#"
import { Type } from "typebox";

export default (pi) => {
  pi.registerTool({
    name: "shout",
    label: "Shout",
    description: "Says it louder",
    parameters: Type.Object({ text: Type.String() }),
    async execute(_id, { text }) {
      return { content: [{ type: "text", text: text.toUpperCase() + "!" }] };
    },
  });
};
"#;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}", run().await?);
    Ok(())
}

/// Runs the session. Returns what the tool of the extension said.
pub(crate) async fn run() -> Result<String, Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("shout.ts"), EXTENSION)?;
    let provider = ScriptedProvider::playing([
        scripted::tool_use([scripted::tool_call("call-1", "shout", json!({ "text": "hello" }))]),
        scripted::message([scripted::text("Done.")]),
    ]);
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(provider.clone()));

    let options = CreateAgentSessionOptions {
        apis: Arc::new(apis),
        extension_loader: Arc::new(Scripts::default()),
        extensions: Extensions::none().with_file("shout.ts"),
        ..CreateAgentSessionOptions::in_memory(dir.path(), provider.model(), "no-key-needed")
    };
    let created = create_agent_session_async(options).await?;
    if let Some(failed) = created.extension_errors.first() {
        return Err(format!("{}: {}", failed.path, failed.error).into());
    }
    let session = created.session;
    session.prompt("Say hello, loud.", PromptOptions::default()).await?;
    let messages = session.messages();
    let said = messages.iter().find_map(|message| match &**message {
        Message::ToolResult(result) => result.content.first()?.as_text().map(str::to_owned),
        _ => None,
    });
    session.dispose().await;
    said.ok_or_else(|| "the tool was not called".into())
}
