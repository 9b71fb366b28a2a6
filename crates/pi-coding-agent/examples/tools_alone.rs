//! The built-in tools without a session, an agent or a model: a program calls them itself.
#![allow(clippy::print_stdout, reason = "examples print")]

use std::sync::Arc;

use pi_agent_core::{NestedCalls, Tool, ToolInvocation, ToolUpdates};
use pi_ai::scripted::{self, ScriptedProvider};
use pi_coding_agent::tools::{BuiltinTool, ToolOptions, create_tools};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let tools = create_tools(BuiltinTool::ALL, &ToolOptions::builder().cwd(dir.path()).build());

    call(&tools, "write", json!({"path": "list.txt", "content": "milk\nbread\n"})).await?;
    call(&tools, "edit", json!({"path": "list.txt", "edits": [{"oldText": "bread", "newText": "rye bread"}]})).await?;
    call(&tools, "bash", json!({"command": "echo eggs >> list.txt && wc -l < list.txt"})).await?;
    call(&tools, "read", json!({"path": "list.txt"})).await?;
    call(&tools, "grep", json!({"pattern": "bread"})).await?;
    call(&tools, "find", json!({"pattern": "*.txt"})).await?;
    call(&tools, "ls", json!({})).await?;
    Ok(())
}

/// Calls a tool as a model would, and prints what the model would see.
async fn call(tools: &[Arc<dyn Tool>], name: &str, arguments: Value) -> Result<(), Box<dyn std::error::Error>> {
    let tool = tools.iter().find(|tool| tool.definition().name == name).ok_or("no such tool")?;
    let invocation = ToolInvocation {
        id: "call-1".to_owned(),
        arguments: tool.prepare_arguments(arguments)?,
        cancel: CancellationToken::new(),
        updates: ToolUpdates::ignored(),
        model: ScriptedProvider::playing([scripted::message([])]).model(),
        calls: NestedCalls::none(),
    };
    let output = tool.execute(invocation).await?;
    let text: Vec<&str> = output.content.iter().filter_map(|block| block.as_text()).collect();
    println!("{name}: {}", text.join("\n").trim_end());
    Ok(())
}
