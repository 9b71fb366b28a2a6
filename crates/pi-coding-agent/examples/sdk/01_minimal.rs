//! The shortest program: a session with everything as the user has it, one prompt.
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session_async};
use serde_json::json;
use support::{Offline, ask, calls, print_events, says};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let offline = Offline::answering([calls("bash", json!({"command": "ls"})), says("There is one file: notes.txt.")])?;
    offline.write("notes.txt", "milk\n")?;

    // Without the second line: the user's own models, keys and configuration.
    let options = CreateAgentSessionOptions::builder().cwd(offline.home.path());
    let options = options.env(offline.env()).apis(offline.apis()).models(offline.models());
    let session = create_agent_session_async(options.build()).await?.session;

    print_events(&session);
    ask(&session, "Which files are here?").await?;
    println!("{} messages, kept in a file: {}", session.stats().message_count(), session.session_file().is_some());
    session.dispose().await;
    Ok(())
}
