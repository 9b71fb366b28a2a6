//! A session in files whose model plays a script, extensions made of closures, and a log that they write.

use std::path::Path;
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use pi_agent_core::{AgentEvent, FnTool, ToolInvocation, ToolOutput};
use pi_ai::scripted::{self, ScriptedOptions, ScriptedProvider};
use pi_ai::{ApiRegistry, AssistantMessage, Message, ToolDefinition};
use pi_coding_agent::agent_session::{AgentSession, PromptOptions, SessionEvent};
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::env::Env;
use pi_coding_agent::extension::{
    Extension, ExtensionApi, HandlerError, LoadOptions, ToolRegistration, extension_fn, load_extensions,
};
use pi_coding_agent::ids::RandomIds;
use pi_coding_agent::models::ModelRegistry;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::prompt::{PromptResources, ResourceOptions, ResourcePlaces};
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session};
use pi_coding_agent::session::{NewSession, SessionHost, SessionManager};
use pi_coding_agent::settings::SettingsManager;
use serde_json::{Map, json};

/// What happened, one line each. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn say(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    /// What was said since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// A session with everything that a test wants to look at.
pub(crate) struct Stage {
    pub(crate) session: AgentSession,
    pub(crate) provider: ScriptedProvider,
    /// Errors of extensions, as listeners are told, and sentences for the user.
    pub(crate) errors: Log,
    /// Ends of messages, as listeners are told: role and text.
    pub(crate) told: Log,
    pub(crate) dir: tempfile::TempDir,
}

/// The handle of an extension, for tests that act as it does.
#[derive(Clone, Default)]
pub(crate) struct Handle(Arc<Mutex<Option<ExtensionApi>>>);

impl Handle {
    /// An extension that hands itself over, and whatever else `activate` does.
    pub(crate) fn extension(&self, activate: impl Fn(&ExtensionApi) + Send + Sync + 'static) -> Arc<dyn Extension> {
        let own = self.clone();
        extension("ext", move |pi| {
            *own.0.lock().unwrap() = Some(pi.clone());
            activate(pi);
        })
    }

    /// What the extension was given when it was activated last.
    pub(crate) fn api(&self) -> ExtensionApi {
        self.0.lock().unwrap().clone().unwrap()
    }
}

/// An extension of a closure that does not wait for anything.
pub(crate) fn extension(name: &str, activate: impl Fn(&ExtensionApi) + Send + Sync + 'static) -> Arc<dyn Extension> {
    extension_fn(name, move |pi| {
        activate(&pi);
        async { Ok::<_, HandlerError>(()) }
    })
}

/// A session with these extensions.
pub(crate) async fn stage(extensions: &[Arc<dyn Extension>]) -> Stage {
    stage_with(extensions, LoadOptions::default(), |options| options).await
}

/// The same with a last change to how the session is made.
pub(crate) async fn stage_with(
    extensions: &[Arc<dyn Extension>],
    load: LoadOptions,
    change: impl FnOnce(CreateAgentSessionOptions) -> CreateAgentSessionOptions,
) -> Stage {
    let dir = tempfile::tempdir().unwrap();
    let cwd = dir.path().canonicalize().unwrap();
    let models = [scripted::model("one"), pi_ai::Model { reasoning: true, ..scripted::model("two") }];
    let provider = ScriptedProvider::new(ScriptedOptions { models: models.to_vec(), ..ScriptedOptions::default() });
    let apis = ApiRegistry::builtin();
    apis.register(Arc::new(provider.clone()));
    let env = Env::fixed([("HOME", cwd.to_str().unwrap()), ("CORP_KEY", "from-env")]);
    let auth = AuthStorage::in_memory(Map::new(), env.clone(), pi_ai::system_clock());
    auth.set_runtime_key("faux", "key");
    let errors = Log::default();
    let warn = errors.clone();
    let settings = json!({"defaultProvider": "faux", "defaultModel": "one", "retry": {"enabled": false}});
    let settings = SettingsManager::in_memory(settings.as_object().unwrap().clone(), env.clone());
    let options = CreateAgentSessionOptions {
        session_manager: Some(SessionManager::create(host(&cwd), &cwd, &NewSession::default()).unwrap()),
        settings: Some(Arc::new(settings)),
        models: Some(Arc::new(ModelRegistry::new(Arc::new(auth), Arc::new(provider.models().to_vec()), None))),
        resources: Some(PromptResources::new(places(&cwd), ResourceOptions::default())),
        apis: Arc::new(apis),
        env,
        model: None,
        extensions: load_extensions(extensions, load).await.into(),
        warn: Arc::new(move |text| warn.say(text)),
        ..CreateAgentSessionOptions::in_memory(&cwd, provider.model(), "key")
    };
    let created = create_agent_session(change(options)).unwrap();
    created.extension_errors.iter().for_each(|error| errors.say(error.to_string()));
    let stage = Stage { session: created.session, provider, errors, told: Log::default(), dir };
    stage.listen();
    stage
}

impl Stage {
    /// The same stage in the directory that it plays in.
    pub(crate) fn with_dir(self, dir: tempfile::TempDir) -> Self {
        Self { dir, ..self }
    }

    fn listen(&self) {
        let (errors, told) = (self.errors.clone(), self.told.clone());
        self.session.subscribe(Arc::new(move |event| {
            match event {
                SessionEvent::ExtensionError(error) => {
                    errors.say(format!("{} {}: {}", error.extension_path, error.event, error.error));
                }
                SessionEvent::Agent(AgentEvent::MessageEnd { message }) => told.say(line(&message)),
                _ => {}
            }
            async {}.boxed()
        }));
    }

    /// What the model says next.
    pub(crate) fn script(&self, answers: impl IntoIterator<Item = AssistantMessage>) {
        self.provider.set_steps(answers);
    }

    pub(crate) async fn prompt(&self, text: &str) {
        self.session.prompt(text, PromptOptions::default()).await.unwrap();
    }

    /// The conversation: role and text of each message.
    pub(crate) fn messages(&self) -> Vec<String> {
        self.session.messages().iter().map(|message| line(message)).collect()
    }

    /// The same as the file has it, read anew.
    pub(crate) fn in_file(&self) -> Vec<String> {
        let file = self.session.session_file().unwrap();
        let manager = SessionManager::open_read_only(host(self.dir.path()), &file, None).unwrap();
        manager.build_session_context().unwrap().messages.iter().map(|message| line(message)).collect()
    }
}

/// What a session in files needs, with everything below `dir`.
pub(crate) fn host(dir: &Path) -> SessionHost {
    let env = Env::fixed([("HOME", dir.to_str().unwrap())]);
    SessionHost { paths: Paths::new(env, dir), clock: pi_ai::system_clock(), ids: RandomIds::shared() }
}

fn places(cwd: &Path) -> ResourcePlaces {
    ResourcePlaces {
        agent_dir: cwd.join("agent"),
        home: None,
        cwd: cwd.to_owned(),
        project_dir: cwd.join(".pi"),
        trusted: true,
    }
}

/// Role and text.
pub(crate) fn line(message: &Message) -> String {
    format!("{}: {}", message.role(), text(message))
}

/// The text of a message of any role.
pub(crate) fn text(message: &Message) -> String {
    let value = serde_json::to_value(message).unwrap();
    match &value["content"] {
        serde_json::Value::String(text) => text.clone(),
        content => content
            .as_array()
            .into_iter()
            .flatten()
            .map(|block| block["text"].as_str().or(block["name"].as_str()).unwrap_or("?").to_owned())
            .collect::<Vec<_>>()
            .join("|"),
    }
}

/// A complete answer.
pub(crate) fn says(text: &str) -> AssistantMessage {
    scripted::message([scripted::text(text)])
}

/// An answer that calls the tool `echo` with these words, one call each.
pub(crate) fn calls(words: &[&str]) -> AssistantMessage {
    scripted::tool_use(words.iter().map(|word| scripted::tool_call(*word, "echo", json!({"word": word}))))
}

/// A tool that says its argument again, after one progress report.
pub(crate) fn echo(sequential: bool) -> ToolRegistration {
    named_echo("echo", sequential)
}

/// The same under another name.
pub(crate) fn named_echo(name: &str, sequential: bool) -> ToolRegistration {
    let parameters = json!({"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]});
    let definition = ToolDefinition { name: name.to_owned(), description: "Says it again".to_owned(), parameters };
    let tool = FnTool::new(definition, |call: ToolInvocation| async move {
        let word = call.arguments["word"].as_str().unwrap_or("nothing").to_owned();
        call.updates.send(ToolOutput::text("…"));
        // What a tool reports just before it returns is told behind its result.
        tokio::task::yield_now().await;
        Ok(ToolOutput::text(word).with_details(json!({"seen": call.arguments})))
    });
    ToolRegistration::new(if sequential { tool.sequential() } else { tool }).prompt_snippet("Says it\n  again")
}
