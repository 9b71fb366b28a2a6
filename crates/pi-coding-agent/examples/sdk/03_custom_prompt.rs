//! Another system prompt, and something behind the usual one.
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session_async};
use support::{Offline, ask, print_events, tells};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let lines = |context: &pi_ai::Context| context.system_prompt.as_deref().unwrap_or_default().lines().count();
    let first = |context: &pi_ai::Context| {
        context.system_prompt.as_deref().unwrap_or_default().lines().next().map(str::to_owned)
    };
    let offline = Offline::answering([
        tells(move |context| format!("I was told: {}", first(context).unwrap_or_default())),
        tells(move |context| format!("I was told {} lines", if lines(context) > 5 { "many" } else { "few" })),
    ])?;
    let options = || {
        let options = CreateAgentSessionOptions::builder().cwd(offline.home.path()).env(offline.env());
        options.apis(offline.apis()).models(offline.models())
    };

    // In place of the usual prompt. It is text, never the name of a file.
    let auditor = options().system_prompt("You are a security auditor. Look, but touch nothing.").build();
    let session = create_agent_session_async(auditor).await?.session;
    print_events(&session);
    ask(&session, "Who are you?").await?;
    session.dispose().await;

    // Behind the usual prompt.
    let careful = options().append_system_prompt(vec!["Never delete anything.".to_owned()]).build();
    let session = create_agent_session_async(careful).await?.session;
    print_events(&session);
    ask(&session, "And you?").await?;
    println!("the last rule: {}", session.system_prompt().contains("Never delete anything."));
    session.dispose().await;
    Ok(())
}
