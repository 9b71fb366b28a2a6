//! Skills: instructions in files that the model reads when it needs them, or the user calls with `/skill:name`.
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use pi_coding_agent::prompt::parse_skill_block;
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session_async};
use support::{Offline, ask, says};

const REVIEW: &str =
    "---\nname: review\ndescription: Reviews a change. Use it before every commit.\n---\nLook for missing tests.\n";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let offline = Offline::answering([says("Two tests are missing.")])?;
    offline.write(".pi/agent/skills/review/SKILL.md", REVIEW)?;
    let options = CreateAgentSessionOptions::builder().cwd(offline.home.path());
    let options = options.env(offline.env()).apis(offline.apis()).models(offline.models());
    let session = create_agent_session_async(options.build()).await?.session;

    for skill in &session.resources().skills().items {
        println!("skill {}: {}", skill.name, skill.description);
    }
    println!("in the system prompt: {}", session.system_prompt().contains("Use it before every commit"));
    ask(&session, "/skill:review the last change").await?;

    // What the model got: the skill, then what the user wrote behind it.
    let said = session.tree().fork_messages().await?.remove(0).text;
    let block = parse_skill_block(&said).ok_or("no skill was called")?;
    println!("{} says: {}", block.name, block.content.lines().last().unwrap_or_default());
    println!("the user says: {}", block.user_message.as_deref().unwrap_or_default());
    println!("model: {}", session.last_assistant_text().unwrap_or_default());
    session.dispose().await;
    Ok(())
}
