//! A session in memory whose model plays a script, and the events that it emits.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_ai::scripted::{self, ScriptedOptions, ScriptedProvider, ScriptedStep};
use pi_ai::{ApiRegistry, AssistantMessage, Model, StopReason};
use pi_coding_agent::agent_session::{AgentSession, PromptOptions, SessionEvent};
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::env::Env;
use pi_coding_agent::ids::RandomIds;
use pi_coding_agent::models::ModelRegistry;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::prompt::{PromptResources, ResourceOptions, ResourcePlaces};
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session};
use pi_coding_agent::session::{NewSession, SessionHost, SessionManager};
use pi_coding_agent::settings::SettingsManager;
use serde_json::{Map, Value, json};
use tokio::sync::watch;

/// A session with everything that a test wants to look at.
pub(crate) struct Stage {
    pub(crate) session: AgentSession,
    pub(crate) provider: ScriptedProvider,
    events: Arc<Mutex<Vec<String>>>,
    answers: Arc<Mutex<VecDeque<AssistantMessage>>>,
    /// What the summarising model was asked.
    summary_requests: Arc<Mutex<Vec<String>>>,
    /// Closed while summaries are held back.
    gate: watch::Sender<bool>,
}

impl Stage {
    /// A session with these settings and this model.
    pub(crate) fn new(settings: Value, model: Model) -> Self {
        Self::with_models(settings, vec![model])
    }

    /// The first model is the session's, all have a key.
    pub(crate) fn with_models(settings: Value, models: Vec<Model>) -> Self {
        Self::with_options(settings, models, |options| options)
    }

    /// A session of `cwd` in a file, with the context files there and no model asked for: the first is the default.
    pub(crate) fn in_files(cwd: &Path, models: Vec<Model>) -> Self {
        let provider = ScriptedProvider::new(ScriptedOptions { models: models.clone(), ..ScriptedOptions::default() });
        let model = provider.model();
        let settings =
            json!({"defaultProvider": model.provider, "defaultModel": model.id, "retry": {"baseDelayMs": 60}});
        let manager = SessionManager::create(host(cwd), cwd, &NewSession::default()).unwrap();
        let places = ResourcePlaces {
            agent_dir: manager.paths().agent_dir().to_owned(),
            home: None,
            cwd: cwd.to_owned(),
            project_dir: cwd.join(".pi"),
            trusted: true,
        };
        let resources = PromptResources::new(places, ResourceOptions::default());
        Self::with_options(settings, models, |options| CreateAgentSessionOptions {
            session_manager: Some(manager),
            resources: Some(resources),
            model: None,
            ..options
        })
    }

    /// The same with a last change to how the session is made.
    pub(crate) fn with_options(
        settings: Value,
        models: Vec<Model>,
        change: impl FnOnce(CreateAgentSessionOptions) -> CreateAgentSessionOptions,
    ) -> Self {
        let provider = ScriptedProvider::new(ScriptedOptions { models, ..ScriptedOptions::default() });
        let model = provider.model();
        let apis = ApiRegistry::empty();
        apis.register(Arc::new(provider.clone()));
        let env = Env::fixed([("HOME", "/nowhere")]);
        let Value::Object(settings) = settings else { panic!("settings are an object") };
        let auth = AuthStorage::in_memory(Map::new(), env.clone(), pi_ai::system_clock());
        auth.set_runtime_key(&model.provider, "key");
        let registry = ModelRegistry::new(Arc::new(auth), Arc::new(provider.models().to_vec()), None);
        let options = CreateAgentSessionOptions {
            settings: Some(Arc::new(SettingsManager::in_memory(settings, env.clone()))),
            models: Some(Arc::new(registry)),
            apis: Arc::new(apis),
            env,
            ..CreateAgentSessionOptions::in_memory(std::env::temp_dir().as_path(), model, "key")
        };
        let session = create_agent_session(change(options)).unwrap().session;
        let stage = Self {
            session,
            provider,
            events: Arc::default(),
            answers: Arc::default(),
            summary_requests: Arc::default(),
            gate: watch::Sender::new(true),
        };
        stage.listen();
        stage
    }

    fn listen(&self) {
        let events = Arc::clone(&self.events);
        self.session.subscribe(Arc::new(move |event| {
            events.lock().unwrap().extend(outline(&event));
            async {}.boxed()
        }));
    }

    /// What the model says next. Whoever asks without tools wants a summary and is answered apart from that.
    pub(crate) fn script(&self, answers: impl IntoIterator<Item = AssistantMessage>) {
        self.answers.lock().unwrap().extend(answers);
        let step = |_| {
            let (answers, requests) = (Arc::clone(&self.answers), Arc::clone(&self.summary_requests));
            let mut gate = self.gate.subscribe();
            ScriptedStep::from_async(move |call| async move {
                if call.context.tools.is_empty() {
                    requests.lock().unwrap().push(serde_json::to_string(&call.context.messages).unwrap());
                    gate.wait_for(|open| *open).await.unwrap();
                    return Ok(says("SUMMARY"));
                }
                answers.lock().unwrap().pop_front().ok_or_else(|| "the script has ended".to_owned())
            })
        };
        self.provider.set_steps((0..20).map(step));
    }

    /// Holds summaries back, or lets them come.
    pub(crate) fn hold_summaries(&self, hold: bool) {
        self.gate.send_replace(!hold);
    }

    /// Waits until a summary was asked for, and returns the request.
    pub(crate) async fn summary_request(&self) -> String {
        loop {
            if let Some(request) = self.summary_requests.lock().unwrap().pop() {
                return request;
            }
            tokio::task::yield_now().await;
        }
    }

    pub(crate) async fn prompt(&self, text: &str) {
        self.session.prompt(text, PromptOptions::default()).await.unwrap();
    }

    /// What happened since the last call, one word per event.
    pub(crate) fn events(&self) -> Vec<String> {
        std::mem::take(&mut *self.events.lock().unwrap())
    }

    /// Types of the session's entries.
    pub(crate) fn entries(&self) -> Vec<String> {
        self.session
            .store()
            .read(|manager| manager.entries().iter().map(Result::unwrap).map(|entry| entry.kind().to_owned()).collect())
    }

    /// Waits until an event that begins like this has come.
    pub(crate) async fn wait_for(&self, start: &str) {
        while !self.events.lock().unwrap().iter().any(|event| event.starts_with(start)) {
            tokio::task::yield_now().await;
        }
    }
}

/// What a session in files needs, with everything below `dir`.
pub(crate) fn host(dir: &Path) -> SessionHost {
    let env = Env::fixed([("HOME", dir.to_str().unwrap())]);
    SessionHost { paths: Paths::new(env, dir), clock: pi_ai::system_clock(), ids: RandomIds::shared() }
}

/// A call of the bash tool.
pub(crate) fn runs(command: &str) -> AssistantMessage {
    scripted::tool_use([scripted::tool_call("call", "bash", json!({"command": command}))])
}

/// Waits for a file that a command makes.
pub(crate) async fn made(file: &Path) {
    while !file.exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A complete answer.
pub(crate) fn says(text: &str) -> AssistantMessage {
    scripted::message([scripted::text(text)])
}

/// A failed answer.
pub(crate) fn fails(text: &str) -> AssistantMessage {
    scripted::failure([], StopReason::Error, text)
}

/// The events that the session itself is responsible for, and answers.
fn outline(event: &SessionEvent) -> Option<String> {
    Some(match event {
        SessionEvent::Agent(AgentEvent::AgentStart) => "start".to_owned(),
        SessionEvent::Agent(AgentEvent::MessageEnd { message }) => {
            let answer = message.as_assistant()?;
            format!("answer {}", answer.error_message.clone().unwrap_or_else(|| answer.text()))
        }
        SessionEvent::Agent(_) => return None,
        SessionEvent::AgentEnd { will_retry, .. } => format!("end {will_retry}"),
        SessionEvent::AutoRetryStart { attempt, max_attempts, delay_ms, .. } => {
            format!("retry {attempt}/{max_attempts} in {delay_ms}")
        }
        SessionEvent::AutoRetryEnd { success, attempt, final_error } => {
            format!("retried {attempt} {success} {}", final_error.as_deref().unwrap_or("-"))
        }
        SessionEvent::SummarizationRetryScheduled { attempt, max_attempts, delay_ms, .. } => {
            format!("summary retry {attempt}/{max_attempts} in {delay_ms}")
        }
        SessionEvent::SummarizationRetryAttemptStart { source, reason } => {
            format!("summary again {source:?} {}", reason.map_or("-".to_owned(), |reason| format!("{reason:?}")))
        }
        SessionEvent::SummarizationRetryFinished => "summary retried".to_owned(),
        SessionEvent::CompactionStart { reason } => format!("compact {reason:?}"),
        SessionEvent::CompactionEnd { result, aborted, will_retry, error_message, .. } => {
            format!("compacted {} {aborted} {will_retry} {}", result.is_some(), error_message.as_deref().unwrap_or("-"))
        }
        // Every run settles: the tests of the program look at that.
        SessionEvent::AgentSettled { .. } | SessionEvent::LimitReached { .. } | SessionEvent::EntryAppended { .. } => {
            return None;
        }
        SessionEvent::QueueUpdate { steering, follow_up } => format!("queue {steering:?} {follow_up:?}"),
        SessionEvent::ThinkingLevelChanged { level } => format!("thinking {}", level.as_str()),
        SessionEvent::ExtensionError(error) => {
            format!("extension {} {}: {}", error.extension_path, error.event, error.error)
        }
        SessionEvent::SessionInfoChanged { name } => format!("name {name:?}"),
    })
}
