//! An extension of the program's own: it hears of events, blocks a call, brings a tool and a command.
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use std::sync::Arc;

use futures::FutureExt;
use pi_agent_core::{FnTool, ToolOutput};
use pi_ai::{ToolDefinition, UserContent};
use pi_coding_agent::agent_session::{ExtensionBindings, SessionEvent};
use pi_coding_agent::extension::events::{AgentEndEvent, SessionStartEvent, ToolCallEvent, ToolCallOutcome};
use pi_coding_agent::extension::{
    Command, Extension, HandlerError, Mode, SendUserMessageOptions, ToolRegistration, extension_fn,
};
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session_async};
use serde_json::json;
use support::{Offline, ask, calls, print_events, says};

/// What the extension brings.
fn guide() -> Arc<dyn Extension> {
    extension_fn("guide", |pi| async move {
        pi.on(|event: SessionStartEvent, _ctx| async move {
            println!("guide: the session begins ({:?})", event.reason);
            Ok(())
        });
        pi.on(|call: ToolCallEvent, _ctx| async move {
            let is_shell = call.tool_name == "bash";
            Ok(if is_shell { ToolCallOutcome::block("No shell today.") } else { ToolCallOutcome::allow() })
        });
        pi.on(|event: AgentEndEvent, _ctx| async move {
            println!("guide: a run of {} messages has ended", event.messages.len());
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
        pi.register_command(Command::new("tell", move |about, _ctx| {
            let text = UserContent::Text(format!("Tell me about {about}."));
            let sent = api.send_user_message(text, SendUserMessageOptions::default());
            async move { Ok(sent?) }
        }));
        pi.register_command(Command::new("fail", |_, _ctx| async { Err(HandlerError::new("It is broken.")) }));
        Ok(())
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let offline = Offline::answering([
        calls("bash", json!({"command": "date"})),
        calls("weather", json!({})),
        says("It is sunny; the time I may not know."),
        says("Whales are mammals."),
    ])?;
    // Those in files and those of the user would be named here, too.
    let options = CreateAgentSessionOptions::builder().cwd(offline.home.path()).extensions(guide());
    let options = options.env(offline.env()).apis(offline.apis()).models(offline.models()).build();
    let created = create_agent_session_async(options).await?;
    created.extension_errors.iter().for_each(|error| println!("not loaded: {error}"));
    let session = created.session;
    print_events(&session);
    // Not `on_event`: what is printed shall stand in the order in which it happened.
    session.subscribe(Arc::new(|event| {
        if let SessionEvent::ExtensionError(error) = &event {
            println!("{}: {}", error.extension_path, error.error);
        }
        async {}.boxed()
    }));

    // Who answers the questions of extensions: nobody.
    session.extensions().bind(ExtensionBindings::without_user(Mode::Print)).await;
    ask(&session, "Time and weather, please.").await?;
    ask(&session, "/fail").await?;
    ask(&session, "/tell whales").await?;
    // That command has only begun a run.
    session.extensions().wait_for_background().await;
    session.dispose().await;
    Ok(())
}
