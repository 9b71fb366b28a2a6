//! Instructions in files: those of the user, those on the way to the project, and none at all.
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use pi_coding_agent::prompt::ResourceOptions;
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session_async};
use support::Offline;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let offline = Offline::answering(Vec::<pi_ai::AssistantMessage>::new())?;
    offline.write(".pi/agent/AGENTS.md", "Answer in short sentences.")?;
    offline.write("work/AGENTS.md", "Use British spelling.")?;
    offline.write("work/app/CLAUDE.md", "Run `make test` before you say that you are done.")?;
    let options = || {
        let options = CreateAgentSessionOptions::builder().cwd(offline.home.path().join("work/app"));
        options.env(offline.env()).apis(offline.apis()).models(offline.models())
    };

    let session = create_agent_session_async(options().build()).await?.session;
    for file in &session.resources().context_files().items {
        let name = file.path.strip_prefix(offline.home.path())?.display();
        println!("{name}: {}", file.content);
    }
    println!("the model is told: {}", session.system_prompt().contains("British spelling"));
    session.dispose().await;

    let none = ResourceOptions { no_context_files: true, ..ResourceOptions::default() };
    let session = create_agent_session_async(options().resource_options(none).build()).await?.session;
    println!("without: {}", session.system_prompt().contains("British spelling"));
    session.dispose().await;
    Ok(())
}
