//! Which tools the model has: some of the built-in ones, and one of the program.
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use std::sync::Arc;

use pi_agent_core::{FnTool, Tool, ToolError, ToolOutput};
use pi_ai::ToolDefinition;
use pi_coding_agent::sdk::{CreateAgentSessionOptions, ToolSelection, create_agent_session_async};
use serde_json::json;
use support::{Offline, ask, calls, print_events, says};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let offline = Offline::answering([calls("count_lines", json!({"path": "notes.txt"})), says("It has two lines.")])?;
    offline.write("notes.txt", "milk\nbread\n")?;

    let definition = ToolDefinition {
        name: "count_lines".to_owned(),
        description: "Counts the lines of a file.".to_owned(),
        parameters: json!({"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}}),
    };
    let home = offline.home.path().to_owned();
    let count: Arc<dyn Tool> = Arc::new(FnTool::new(definition, move |call| {
        let file = home.join(call.arguments["path"].as_str().unwrap_or_default());
        async move {
            let text = tokio::fs::read_to_string(file).await.map_err(|error| ToolError::new(error.to_string()))?;
            Ok(ToolOutput::text(text.lines().count().to_string()))
        }
    }));
    let options = |tools| {
        let options = CreateAgentSessionOptions::builder().cwd(offline.home.path()).tools(tools);
        let options = options.env(offline.env()).apis(offline.apis()).models(offline.models());
        options.custom_tools(vec![Arc::clone(&count)]).build()
    };

    for (what, tools) in [
        ("by default", ToolSelection::default()),
        ("to read", ToolSelection::read_only()),
        ("only own", ToolSelection::custom_only()),
        ("named", ToolSelection::only(["grep", "count_lines"])),
        ("without bash", ToolSelection::default().without(["bash"])),
    ] {
        let session = create_agent_session_async(options(tools)).await?.session;
        println!("{what}: {:?}", session.tools().active());
        session.dispose().await;
    }

    let session = create_agent_session_async(options(ToolSelection::default())).await?.session;
    print_events(&session);
    ask(&session, "How long is the list?").await?;
    session.dispose().await;
    Ok(())
}
