//! Where keys come from: for this run, from `auth.json`, from the environment.
#![allow(clippy::disallowed_methods, reason = "a program makes clock, ids and environment")]
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use std::sync::Arc;

use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::env::Env;
use pi_coding_agent::models::{CatalogModels, ModelRegistry};
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session_async};
use support::Offline;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let offline = Offline::answering(Vec::<pi_ai::AssistantMessage>::new())?;
    let home = offline.home.path().to_string_lossy().into_owned();
    offline.write(".pi/agent/auth.json", r#"{"openai": {"type": "api_key", "key": "from-the-file"}}"#)?;
    let env = Env::fixed([("HOME", home.as_str()), ("GEMINI_API_KEY", "from-the-environment")]);

    let file = offline.home.path().join(".pi/agent/auth.json");
    let auth = Arc::new(AuthStorage::new(file, env.clone(), pi_ai::system_clock()));
    // For this run alone; nothing of it is stored. Your own vault would be asked here.
    auth.set_runtime_key("anthropic", "from-the-program");
    let models = Arc::new(ModelRegistry::new(auth, Arc::new(CatalogModels), None));

    for provider in ["anthropic", "openai", "google", "mistral"] {
        let model = pi_ai::get_models(provider).remove(0);
        let key = models.request_auth(&model).await?.api_key;
        println!("{provider}: {}", key.as_ref().map_or("no key", |key| &**key));
    }
    let options = CreateAgentSessionOptions::builder().cwd(&home).env(env).models(models).build();
    let created = create_agent_session_async(options).await?;
    println!("the session begins with a model of {}", created.session.model().provider);
    created.session.dispose().await;

    let nobody = CreateAgentSessionOptions::builder().cwd(&home).agent_dir(offline.home.path().join("empty"));
    let nobody = nobody.env(Env::fixed([("HOME", home.as_str())])).settings(Arc::new(settings())).build();
    let nobody = CreateAgentSessionOptions { session_manager: Some(support::in_memory(&offline)), ..nobody };
    let session = create_agent_session_async(nobody).await?.session;
    let refused = support::ask(&session, "Hello?").await.err().map(|error| error.to_string()).unwrap_or_default();
    println!("without any key: {}", refused.lines().next().unwrap_or_default());
    Ok(())
}

fn settings() -> pi_coding_agent::settings::SettingsManager {
    pi_coding_agent::settings::SettingsManager::in_memory(serde_json::Map::new(), Env::fixed([("HOME", "/")]))
}
