//! Models of one's own, from `models.json` or from code, and changing between them.
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use pi_ai::ThinkingLevel;
use pi_ai::scripted::ScriptedOptions;
use pi_coding_agent::agent_session::CycleDirection;
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session_async};
use support::{Offline, ask, model, print_events, says};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let models = vec![model("quick", false), model("thorough", true)];
    let offline = Offline::with_models(ScriptedOptions::builder().models(models).build())?;
    offline.provider.set_steps([says("Quick.").into(), support::tells(|_| "Let me think. Thorough.".to_owned())]);

    // `house` is a provider that only this user has; it speaks the wire format of the stand-in.
    let house = r#"{"providers": {"house": {"baseUrl": "http://localhost:1", "api": "faux", "apiKey": "k",
        "models": [{"id": "house-1", "name": "The model of the house", "contextWindow": 32000}]}}}"#;
    offline.write(".pi/agent/models.json", house)?;
    let own = CreateAgentSessionOptions::builder().cwd(offline.home.path()).env(offline.env()).build();
    let session = create_agent_session_async(own).await?.session;
    println!("own model: {} ({} tokens)", session.model().name, session.model().context_window);
    session.dispose().await;

    let registry = offline.models();
    let thorough = registry.find("faux", "thorough").ok_or("no such model")?;
    let options = CreateAgentSessionOptions::builder().cwd(offline.home.path()).env(offline.env());
    let options = options.apis(offline.apis()).models(registry).model(offline.provider.model());
    let session = create_agent_session_async(options.build()).await?.session;
    print_events(&session);
    ask(&session, "One?").await?;
    session.models().set(thorough).await?;
    session.thinking().set(ThinkingLevel::High).await;
    println!("now: {} at {}", session.model().id, session.thinking().level().as_str());
    ask(&session, "Two?").await?;
    if let Some(next) = session.models().cycle(CycleDirection::Forward).await {
        println!("and on to: {} at {}", next.model.id, next.thinking_level.as_str());
    }
    session.dispose().await;
    Ok(())
}
