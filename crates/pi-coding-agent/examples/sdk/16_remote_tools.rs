//! A session whose tools work on another machine. Here a shell of this machine plays the other one; `ContainerOptions`
//! takes `docker exec -i web`, and `SshShell` a host.
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use std::sync::Arc;

use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session_async};
use pi_coding_agent::tools::{ContainerOptions, ContainerShell, RemoteMachine};
use serde_json::json;
use support::{Offline, ask, calls, print_events, says};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let script = [
        calls("write", json!({"path": "hello.txt", "content": "hello from over there"})),
        calls("bash", json!({"command": "cat hello.txt"})),
        says("Written and read."),
    ];
    let offline = Offline::answering(script)?;
    let shell = ContainerShell::new(ContainerOptions::builder().command(["env"]).build());
    let machine = Arc::new(RemoteMachine::new(shell));

    let options = CreateAgentSessionOptions::builder().cwd(offline.home.path());
    let options = options.env(offline.env()).apis(offline.apis()).models(offline.models());
    let options = options.configure_tools(Arc::new(move |options| options.on(&machine))).build();
    let session = create_agent_session_async(options).await?.session;
    print_events(&session);
    ask(&session, "Say hello over there.").await?;
    println!("over there: {}", std::fs::read_to_string(offline.home.path().join("hello.txt"))?);
    session.dispose().await;
    Ok(())
}
