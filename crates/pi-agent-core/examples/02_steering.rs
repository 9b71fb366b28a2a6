//! An agent that is spoken to while it works: steering, follow-ups, and an abort that keeps what was said.
#![allow(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::sync::Arc;

use pi_agent_core::{Agent, AgentEvent, AgentOptions, AgentState, FnTool, Tool, ToolOutput, ToolSet, api_stream_fn};
use pi_ai::scripted::{self, ScriptedProvider};
use pi_ai::{ApiRegistry, AssistantMessageEvent, Message, ToolDefinition, UserMessage};
use serde_json::json;

/// A tool that the agent uses; while it runs, the user thinks of something.
fn build() -> FnTool {
    let definition = ToolDefinition {
        name: "build".into(),
        description: "Builds the project.".into(),
        parameters: json!({ "type": "object", "properties": {} }),
    };
    FnTool::new(definition, |_call| async { Ok(ToolOutput::text("built")) })
}

fn agent(script: &ScriptedProvider) -> Agent {
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(script.clone()));
    let tools = ToolSet::new([Arc::new(build()) as Arc<dyn Tool>]);
    let state = AgentState { model: script.model(), tools, ..AgentState::default() };
    Agent::new(AgentOptions::builder().stream(api_stream_fn(Arc::new(apis))).initial_state(state).build())
}

fn print_transcript(agent: &Agent) {
    for message in agent.state().messages {
        match &*message {
            Message::User(user) => println!("user: {}", user.content.to_text()),
            Message::Assistant(answer) => println!("model ({}): {}", answer.stop_reason.as_str(), answer.text()),
            other => println!("{}", other.role()),
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let script = ScriptedProvider::playing([
        scripted::tool_use([scripted::tool_call("1", "build", json!({}))]),
        scripted::message([scripted::text("Built, without the tests.")]),
        scripted::message([scripted::text("Summary: it is built.")]),
        scripted::message([scripted::text("A very long story that nobody will hear to its end.")]),
    ]);
    let agent = agent(&script);

    // Any task with a handle can do this while a run is in progress.
    let user = agent.clone();
    agent.on_event(move |event| match event {
        AgentEvent::ToolExecutionStart { .. } => {
            user.follow_up(UserMessage::text("Sum it up.", 0));
            user.steer(UserMessage::text("Leave out the tests.", 0));
        }
        AgentEvent::MessageUpdate { event: AssistantMessageEvent::TextDelta { delta, .. } }
            if delta.contains("very") =>
        {
            user.abort();
        }
        _ => {}
    });
    agent.prompt("Build it.").await?;
    agent.prompt("Tell me a story.").await?;

    print_transcript(&agent);
    Ok(())
}
