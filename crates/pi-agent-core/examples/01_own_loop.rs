//! A loop of one's own: a stream of events, a transcript that stays with the program, hooks that decide.
#![allow(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use futures::StreamExt;
use pi_agent_core::{
    AgentContext, AgentEvent, AgentLoopConfig, FnTool, Hooks, Tool, ToolCallVerdict, ToolError, ToolOutput, ToolSet,
    agent_loop, api_stream_fn,
};
use pi_ai::schemars::{self, JsonSchema};
use pi_ai::scripted::{self, ScriptedProvider};
use pi_ai::{ApiRegistry, AssistantMessageEvent};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Look {
    /// The article to look up.
    article: String,
}

/// Looks up the price of an article.
fn price() -> Result<FnTool, pi_ai::Error> {
    FnTool::typed("price", "Looks up the price of an article.", |look: Look, _call| async move {
        match look.article.as_str() {
            "apple" => Ok(ToolOutput::text("0.40")),
            "pear" => Ok(ToolOutput::text("0.50")),
            other => Err(ToolError::new(format!("There is no article named {other}. Try apple or pear."))),
        }
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // The model plays a script; for a real one take it from `pi_ai::get_model`.
    let call = |id: &str, article: &str| scripted::tool_call(id, "price", json!({ "article": article }));
    let provider = ScriptedProvider::playing([
        scripted::tool_use([call("1", "apple"), call("2", "plum"), call("3", "gold")]),
        scripted::message([scripted::text("An apple is 0.40. We have no plums.")]),
        scripted::message([scripted::text("You are welcome.")]),
    ]);
    let apis = ApiRegistry::builtin();
    apis.register(Arc::new(provider.clone()));

    let hooks = Hooks::default().with_before_tool_call(|call| async move {
        let secret = call.arguments["article"] == "gold";
        Ok(if secret { ToolCallVerdict::block("That price is a secret.") } else { ToolCallVerdict::Allow })
    });
    let config =
        AgentLoopConfig::builder().model(provider.model()).stream(api_stream_fn(Arc::new(apis))).hooks(hooks).build();
    let tools = ToolSet::new([Arc::new(price()?) as Arc<dyn Tool>]);
    let mut context = AgentContext { system_prompt: "You work in a shop.".into(), tools, ..AgentContext::default() };

    for prompt in ["What are apples, plums and gold?", "Thank you!"] {
        println!("> {prompt}");
        let mut events = agent_loop(prompt, context.clone(), config.clone());
        while let Some(event) = events.next().await {
            show(&event)?;
        }
        // What the run added is all that has to be kept.
        context.messages.extend(events.result().await);
    }
    println!("{} messages", context.messages.len());
    Ok(())
}

fn show(event: &AgentEvent) -> std::io::Result<()> {
    match event {
        AgentEvent::MessageUpdate { event: AssistantMessageEvent::TextDelta { delta, .. } } => print!("{delta}"),
        AgentEvent::MessageUpdate { event: AssistantMessageEvent::TextEnd { .. } } => println!(),
        AgentEvent::ToolExecutionEnd { tool_call_id, result, is_error, .. } => {
            let text = result.content.first().and_then(|block| block.as_text()).unwrap_or_default();
            println!("call {tool_call_id}{}: {text}", if *is_error { " failed" } else { "" });
        }
        _ => {}
    }
    std::io::stdout().flush()
}
