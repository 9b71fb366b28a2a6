//! Prompt templates: files that become prompts when the user calls them with a slash.
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use pi_coding_agent::agent_session::PromptOptions;
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session_async};
use support::{Offline, ask, print_events, says};

const TEMPLATE: &str = "---\ndescription: Explains something\n---\nExplain $1 to ${2:-a child}, in one sentence.";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let offline = Offline::answering(["It points.", "It owns.", "You typed a slash."].map(says))?;
    offline.write(".pi/agent/prompts/explain.md", TEMPLATE)?;
    let options = CreateAgentSessionOptions::builder().cwd(offline.home.path());
    let options = options.env(offline.env()).apis(offline.apis()).models(offline.models());
    let session = create_agent_session_async(options.build()).await?.session;
    for command in session.resources().commands() {
        println!("/{}: {}", command.name, command.description.unwrap_or_default());
    }
    print_events(&session);
    ask(&session, "/explain pointers").await?;
    ask(&session, "/explain \"owned boxes\" 'a pirate'").await?;
    // As it is:
    session.prompt("/explain nothing", PromptOptions { expand: false, ..PromptOptions::default() }).await?;
    session.dispose().await;
    Ok(())
}
