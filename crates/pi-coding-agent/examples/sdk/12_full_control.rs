//! Nothing is read that the program does not name; every event is seen; a run is steered and stopped.
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use std::sync::Arc;

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_coding_agent::agent_session::{PromptOptions, SessionEvent, StreamingBehavior};
use pi_coding_agent::prompt::PromptResources;
use pi_coding_agent::sdk::{CreateAgentSessionOptions, ToolSelection, create_agent_session};
use pi_coding_agent::settings::SettingsManager;
use pi_coding_agent::tools::{ToolOptions, ToolPolicy};
use serde_json::json;
use support::{Offline, ask, calls, says};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let touch = calls("write", json!({"path": "../outside.txt", "content": "x"}));
    let offline = Offline::answering([touch, says("Then here."), says("word ".repeat(500).trim())])?;
    let settings = json!({"retry": {"enabled": false}, "compaction": {"enabled": false}});
    let settings = SettingsManager::in_memory(settings.as_object().cloned().unwrap_or_default(), offline.env());
    let policy = ToolPolicy::confined_to(offline.home.path());

    let options = CreateAgentSessionOptions::builder()
        .session_manager(support::in_memory(&offline))
        .settings(Arc::new(settings))
        .models(offline.models())
        .apis(offline.apis())
        .resources(PromptResources::none(offline.home.path()))
        .system_prompt("You write files.")
        .env(offline.env())
        .date(time::Date::from_calendar_date(2026, time::Month::January, 1)?)
        .model(offline.provider.model())
        .tools(ToolSelection::only(["write"]))
        .configure_tools(Arc::new(move |options| ToolOptions { policy: policy.clone(), ..options }))
        .build();
    let session = create_agent_session(options)?.session;
    println!("system prompt: {}", session.system_prompt().lines().next().unwrap_or_default());

    let handle = session.clone();
    let subscription = session.subscribe(Arc::new(move |event| {
        let session = handle.clone();
        async move {
            match event {
                SessionEvent::Agent(AgentEvent::ToolExecutionEnd { tool_name, is_error, .. }) => {
                    println!("{tool_name} failed: {is_error}");
                    if let Err(refused) = session.queue().steer("Try another place.", vec![]).await {
                        println!("{refused}");
                    }
                }
                SessionEvent::QueueUpdate { steering, .. } => println!("waiting: {steering:?}"),
                SessionEvent::AgentEnd { messages, .. } => println!("a run of {} messages is over", messages.len()),
                _ => {}
            }
        }
        .boxed()
    }));
    ask(&session, "Write a file.").await?;
    println!("model: {}", session.last_assistant_text().unwrap_or_default());
    subscription.unsubscribe();

    // The run lives in the future of its prompt: to stop it, somebody else has to be polled.
    let follow_up = PromptOptions { streaming_behavior: Some(StreamingBehavior::FollowUp), ..PromptOptions::default() };
    let (run, ()) = tokio::join!(ask(&session, "Go on, say more."), async {
        while !session.is_streaming() {
            tokio::task::yield_now().await;
        }
        let _ = session.prompt("later", follow_up).await;
        println!("queued: {:?}", session.queue().clear().await.follow_up);
        session.abort().await;
    });
    run?;
    println!(
        "stopped: {:?}",
        session.messages().last().and_then(|last| last.as_assistant().map(|answer| answer.stop_reason.clone()))
    );
    session.dispose().await;
    Ok(())
}
