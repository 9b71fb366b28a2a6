//! The tools on another machine: over SSH, or in a container.
//!
//! `cargo run -p pi-coding-agent --features ssh,container --example other_machine -- ssh me@host /srv/app`
//! `cargo run -p pi-coding-agent --features ssh,container --example other_machine -- in /srv/app docker exec -i web`
#![allow(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::sync::Arc;

use pi_agent_core::{NestedCalls, ToolInvocation, ToolUpdates};
use pi_coding_agent::tools::{
    ContainerOptions, ContainerShell, RemoteMachine, SshOptions, SshShell, ToolOptions, create_tool,
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (machine, cwd) = match words[..] {
        ["ssh", destination, cwd] => {
            let options = SshOptions::builder().destination(destination).build();
            (RemoteMachine::new(SshShell::new(options)?), cwd)
        }
        ["in", cwd, ref command @ ..] => {
            let options = ContainerOptions::builder().command(command.iter().copied()).build();
            (RemoteMachine::new(ContainerShell::new(options)), cwd)
        }
        // Without arguments a shell of this machine plays the container.
        _ => (RemoteMachine::new(ContainerShell::new(ContainerOptions::builder().command(["env"]).build())), "/"),
    };

    // Asking for the home directory also tells whether the machine can be reached, before a model tries.
    let home = machine.home().await?;
    println!("`~` is {}", home.display());

    // Every tool works over there; an agent gets the same options.
    let options = ToolOptions::builder().cwd(cwd).home(home).build().on(&Arc::new(machine));
    for (tool, arguments) in [("bash", json!({"command": "uname -n; pwd"})), ("ls", json!({"limit": 5}))] {
        let call = ToolInvocation {
            id: "call-1".to_owned(),
            arguments,
            cancel: CancellationToken::new(),
            updates: ToolUpdates::ignored(),
            model: Arc::default(),
            calls: NestedCalls::none(),
        };
        let output = create_tool(tool, &options)?.execute(call).await?;
        println!("{tool}: {}", output.content[0].as_text().unwrap_or_default());
    }
    Ok(())
}
