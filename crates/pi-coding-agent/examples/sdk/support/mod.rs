//! A model that needs neither key nor network, a home of its own, and a listener that prints. A program of yours leaves
//! `apis`, `models` and `env` out: then the user's own models, keys and configuration are used.
#![allow(clippy::disallowed_methods, reason = "a program makes clock, ids and environment")]
#![allow(dead_code, clippy::print_stdout, reason = "shared by examples, of which each uses a part")]

use std::sync::Arc;

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_ai::scripted::{ScriptedOptions, ScriptedProvider, ScriptedStep, message, text, tool_call, tool_use};
use pi_ai::{ApiRegistry, AssistantMessage, Model};
use pi_coding_agent::agent_session::{AgentSession, PromptOptions, SessionEvent};
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::env::Env;
use pi_coding_agent::models::ModelRegistry;
use pi_coding_agent::session::{SessionHost, SessionManager};
use serde_json::{Map, Value};

/// What stands in for the world outside.
pub(crate) struct Offline {
    pub(crate) provider: ScriptedProvider,
    pub(crate) home: tempfile::TempDir,
}

impl Offline {
    /// A world in which the model gives these answers.
    pub(crate) fn answering<S: Into<ScriptedStep>>(answers: impl IntoIterator<Item = S>) -> std::io::Result<Self> {
        let offline = Self::with_models(ScriptedOptions::default())?;
        offline.provider.set_steps(answers);
        Ok(offline)
    }

    /// A world with these models, which say nothing yet.
    pub(crate) fn with_models(options: ScriptedOptions) -> std::io::Result<Self> {
        Ok(Self { provider: ScriptedProvider::new(options), home: tempfile::tempdir()? })
    }

    /// The environment of the process: a home directory without any configuration.
    pub(crate) fn env(&self) -> Env {
        Env::fixed([("HOME", self.home.path().to_string_lossy())])
    }

    /// The wire formats: only the one of the stand-in.
    pub(crate) fn apis(&self) -> Arc<ApiRegistry> {
        let apis = ApiRegistry::empty();
        apis.register(Arc::new(self.provider.clone()));
        Arc::new(apis)
    }

    /// The models, with a key for them.
    pub(crate) fn models(&self) -> Arc<ModelRegistry> {
        let auth = AuthStorage::in_memory(Map::new(), self.env(), pi_ai::system_clock());
        auth.set_runtime_key(&self.provider.model().provider, "no-key-needed");
        Arc::new(ModelRegistry::new(Arc::new(auth), Arc::new(self.provider.models().to_vec()), None))
    }

    /// Writes a file below the home directory.
    pub(crate) fn write(&self, name: &str, content: &str) -> std::io::Result<()> {
        let file = self.home.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap_or(self.home.path()))?;
        std::fs::write(file, content)
    }
}

/// A session that is kept nowhere.
pub(crate) fn in_memory(offline: &Offline) -> SessionManager {
    SessionManager::in_memory(SessionHost::new(offline.env()), offline.home.path())
}

/// An answer.
pub(crate) fn says(words: &str) -> AssistantMessage {
    message([text(words)])
}

/// A call of a tool.
pub(crate) fn calls(tool: &str, arguments: Value) -> AssistantMessage {
    tool_use([tool_call("call-1", tool, arguments)])
}

/// An answer that says what the model was told.
pub(crate) fn tells(what: impl FnOnce(&pi_ai::Context) -> String + Send + 'static) -> ScriptedStep {
    ScriptedStep::new(move |call| Ok(says(&what(&call.context))))
}

/// A model for [`Offline::with_models`].
pub(crate) fn model(id: &str, reasoning: bool) -> Model {
    Model { reasoning, ..pi_ai::scripted::model(id) }
}

/// Prints what is said and which tools are called.
pub(crate) fn print_events(session: &AgentSession) {
    session.subscribe(Arc::new(|event| {
        match event {
            SessionEvent::Agent(AgentEvent::MessageEnd { message }) => match &*message {
                pi_ai::Message::User(user) => println!("user: {}", user.content.to_text()),
                pi_ai::Message::Assistant(answer) if !answer.text().is_empty() => println!("model: {}", answer.text()),
                _ => {}
            },
            SessionEvent::Agent(AgentEvent::ToolExecutionStart { tool_name, args, .. }) => {
                println!("calls {tool_name} with {args}");
            }
            SessionEvent::Agent(AgentEvent::ToolExecutionEnd { tool_name, is_error, .. }) => {
                println!("{tool_name} {}", if is_error { "failed" } else { "is done" });
            }
            _ => {}
        }
        async {}.boxed()
    }));
}

/// Sends a prompt and waits for the end.
pub(crate) async fn ask(session: &AgentSession, text: &str) -> Result<(), pi_coding_agent::agent_session::Error> {
    session.prompt(text, PromptOptions::default()).await
}
