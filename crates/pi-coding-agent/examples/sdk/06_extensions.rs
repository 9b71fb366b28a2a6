//! A session with an extension of the program's own: it hears of events, blocks a call, adds a command and a tool.
//!
//! `cargo run -p pi-coding-agent --example 06_extensions`
#![allow(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::sync::Arc;

use futures::FutureExt;
use pi_agent_core::{AgentEvent, FnTool, ToolOutput};
use pi_ai::scripted::{self, ScriptedProvider};
use pi_ai::{ApiRegistry, Message, ToolDefinition, UserContent};
use pi_coding_agent::agent_session::{ExtensionBindings, PromptOptions, SessionEvent};
use pi_coding_agent::extension::events::{AgentEndEvent, SessionStartEvent, ToolCallEvent, ToolCallOutcome};
use pi_coding_agent::extension::{
    Command, Extension, LoadOptions, Mode, SendUserMessageOptions, ToolRegistration, extension_fn, load_extensions,
};
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session};
use serde_json::json;

/// What the extension brings.
fn guide() -> Arc<dyn Extension> {
    extension_fn("guide", |pi| async move {
        pi.on(|event: SessionStartEvent, _ctx| async move {
            println!("extension: the session begins ({:?})", event.reason);
            Ok(())
        });
        pi.on(|call: ToolCallEvent, _ctx| async move {
            let is_shell = call.tool_name == "bash";
            Ok(if is_shell { ToolCallOutcome::block("No shell today.") } else { ToolCallOutcome::allow() })
        });
        pi.on(|event: AgentEndEvent, _ctx| async move {
            println!("extension: a run of {} messages has ended", event.messages.len());
            Ok(())
        });
        let definition = ToolDefinition {
            name: "weather".to_owned(),
            description: "Tells the weather.".to_owned(),
            parameters: json!({"type": "object", "properties": {}}),
        };
        let weather = FnTool::new(definition, |_call| async { Ok(ToolOutput::text("sunny")) });
        pi.register_tool(ToolRegistration::new(weather).prompt_snippet("Tell the weather"));
        let api = pi.clone();
        pi.register_command(Command::new("ask", move |what, _ctx| {
            let text = UserContent::Text(format!("Tell me about {what}."));
            let asked = api.send_user_message(text, SendUserMessageOptions::default());
            async move { Ok(asked?) }
        }));
        Ok(())
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // The model plays a script; for a real one take it from `pi_ai::get_model`.
    let provider = ScriptedProvider::playing([
        scripted::tool_use([
            scripted::tool_call("1", "bash", json!({"command": "date"})),
            scripted::tool_call("2", "weather", json!({})),
        ]),
        scripted::message([scripted::text("The weather is sunny; the time I may not know.")]),
        scripted::message([scripted::text("Whales are mammals.")]),
    ]);
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(provider.clone()));

    let extensions = load_extensions(&[guide()], LoadOptions::default()).await;
    for error in &extensions.errors {
        println!("{error}");
    }
    let options = CreateAgentSessionOptions {
        extensions,
        apis: Arc::new(apis),
        ..CreateAgentSessionOptions::in_memory(&std::env::temp_dir(), provider.model(), "key")
    };
    let session = create_agent_session(options)?.session;
    session.subscribe(Arc::new(|event| {
        match &event {
            SessionEvent::Agent(AgentEvent::MessageEnd { message }) => print(message),
            SessionEvent::ExtensionError(error) => println!("{}: {}", error.extension_path, error.error),
            _ => {}
        }
        async {}.boxed()
    }));

    session.bind_extensions(ExtensionBindings::without_user(Mode::Print)).await;
    session.prompt("Time and weather, please.", PromptOptions::default()).await?;
    session.prompt("/ask whales", PromptOptions::default()).await?;
    // The command has only begun that run.
    session.wait_for_background().await;
    session.dispose().await;
    Ok(())
}

fn print(message: &Message) {
    match message {
        Message::User(user) => println!("user: {}", user.content.to_text()),
        Message::ToolResult(result) => {
            let text = result.content.first().and_then(|block| block.as_text()).unwrap_or_default();
            println!("{}: {text}", result.tool_name);
        }
        Message::Assistant(answer) if !answer.text().is_empty() => println!("model: {}", answer.text()),
        _ => {}
    }
}
