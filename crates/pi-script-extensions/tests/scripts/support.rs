//! A session in a directory of its own with extensions made of pieces of TypeScript.

use std::sync::{Arc, Mutex};

use futures::FutureExt;
use pi_ai::scripted::{self, ScriptedOptions, ScriptedProvider};
use pi_ai::{ApiRegistry, AssistantMessage, Message};
use pi_coding_agent::agent_session::{AgentSession, PromptOptions, SessionEvent};
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::env::Env;
use pi_coding_agent::extension::{LoadOptions, load_extensions};
use pi_coding_agent::models::ModelRegistry;
use pi_coding_agent::prompt::{Scope, SourceInfo, SourceOrigin};
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session};
use pi_coding_agent::session::{SessionHost, SessionManager};
use pi_coding_agent::settings::SettingsManager;
use pi_script_extensions::{ScriptExtension, ScriptOptions};
use serde_json::{Map, Value, json};

/// A session with one extension.
pub(crate) struct Stage {
    pub(crate) session: AgentSession,
    pub(crate) provider: ScriptedProvider,
    pub(crate) models: Arc<ModelRegistry>,
    /// What went wrong, as listeners are told.
    pub(crate) errors: Arc<Mutex<Vec<String>>>,
    /// The session's directory.
    pub(crate) dir: tempfile::TempDir,
}

/// An extension of these imports whose command `run` notes what `body` makes of `pi` and `ctx`.
pub(crate) fn command(imports: &str, body: &str) -> String {
    format!(
        "{imports}
export default function (pi) {{
  const body = async (pi: any, ctx: any) => {{ {body} }};
  pi.registerCommand('run', {{ handler: async (_args, ctx) => {{
    let said;
    try {{ said = await body(pi, ctx); }} catch (error) {{ said = 'threw ' + error.message; }}
    pi.appendEntry('said', said === undefined ? 'undefined' : said);
  }} }});
}}"
    )
}

/// What a piece of TypeScript comes to; it is the body of a function of `pi` and `ctx`.
pub(crate) async fn run(imports: &str, body: &str) -> Value {
    let stage = stage(&command(imports, body)).await;
    stage.run().await
}

/// A session with the extension of this source. `DIR` in it is the session's directory.
pub(crate) async fn stage(source: &str) -> Stage {
    stage_granting(source, pi_script::Permissions::default()).await
}

/// The same, where the extension may do this much on the machine.
pub(crate) async fn stage_granting(source: &str, permissions: pi_script::Permissions) -> Stage {
    stage_with(source, permissions, SessionHost::new(Env::process())).await
}

/// The same, where the session has these clock and ids.
pub(crate) async fn stage_with(source: &str, permissions: pi_script::Permissions, host: SessionHost) -> Stage {
    let dir = tempfile::tempdir().unwrap();
    let cwd = dir.path().canonicalize().unwrap();
    let file = cwd.join("extension.ts");
    std::fs::write(&file, source.replace("'DIR", &format!("'{}", cwd.display()))).unwrap();
    let options = ScriptOptions {
        agent_dir: cwd.join("agent"),
        cwd: cwd.clone(),
        permissions,
        parse_command_line: Some(|words| json!({ "messages": words, "unknownFlags": [["foo", "bar"]] })),
        ..ScriptOptions::new(SessionHost::new(Env::process()))
    };
    let extension = ScriptExtension::new(&file, source_info(), options);
    let provider =
        ScriptedProvider::new(ScriptedOptions { models: vec![scripted::model("one")], ..ScriptedOptions::default() });
    let apis = ApiRegistry::builtin();
    apis.register(Arc::new(provider.clone()));
    let env = Env::fixed([("HOME", cwd.to_str().unwrap()), ("CORP_KEY", "from-env")]);
    let auth = AuthStorage::in_memory(Map::new(), env.clone(), pi_ai::system_clock());
    auth.set_runtime_key("faux", "key");
    let settings = json!({"defaultProvider": "faux", "defaultModel": "one", "retry": {"enabled": false}});
    let settings = SettingsManager::in_memory(settings.as_object().unwrap().clone(), env.clone());
    let models = Arc::new(ModelRegistry::new(Arc::new(auth), Arc::new(provider.models().to_vec()), None));
    let options = CreateAgentSessionOptions {
        settings: Some(Arc::new(settings)),
        models: Some(Arc::clone(&models)),
        apis: Arc::new(apis),
        env,
        extensions: load_extensions(&[extension], LoadOptions::default()).await.into(),
        session_manager: Some(SessionManager::in_memory(host, &cwd)),
        ..CreateAgentSessionOptions::in_memory(&cwd, provider.model(), "key")
    };
    let created = create_agent_session(options).unwrap();
    let errors: Arc<Mutex<Vec<String>>> = Arc::default();
    errors.lock().unwrap().extend(created.extension_errors.iter().map(ToString::to_string));
    let stage = Stage { session: created.session, provider, models, errors, dir };
    stage.listen();
    stage
}

fn source_info() -> SourceInfo {
    SourceInfo {
        path: "extension.ts".to_owned(),
        source: "cli".to_owned(),
        scope: Scope::Temporary,
        origin: SourceOrigin::TopLevel,
        base_dir: None,
    }
}

impl Stage {
    fn listen(&self) {
        let errors = Arc::clone(&self.errors);
        self.session.subscribe(Arc::new(move |event| {
            if let SessionEvent::ExtensionError(error) = event {
                errors.lock().unwrap().push(format!("{}: {}", error.event, error.error));
            }
            async {}.boxed()
        }));
    }

    /// Runs the command, and returns what it came to.
    pub(crate) async fn run(&self) -> Value {
        let errors = self.errors.lock().unwrap().clone();
        assert!(errors.is_empty(), "the extension could not be loaded: {errors:?}");
        self.prompt("/run").await;
        let errors = self.errors.lock().unwrap().clone();
        self.said().unwrap_or_else(|| panic!("the command said nothing: {errors:?}"))
    }

    /// What the command noted last.
    pub(crate) fn said(&self) -> Option<Value> {
        let manager = self.session.store().read(|manager| {
            let entries: Vec<_> = manager.entries().iter().map(Result::unwrap).collect();
            entries.iter().rev().map(|entry| entry.raw().to_owned()).find(|raw| raw.contains("\"said\""))
        });
        let entry: Value = serde_json::from_str(&manager?).unwrap();
        Some(entry["data"].clone())
    }

    pub(crate) async fn prompt(&self, text: &str) {
        self.session.prompt(text, PromptOptions::default()).await.unwrap();
    }

    /// What the model says next.
    pub(crate) fn script(&self, answers: impl IntoIterator<Item = AssistantMessage>) {
        self.provider.set_steps(answers);
    }

    /// The last message of the conversation.
    pub(crate) fn last(&self) -> Value {
        self.session.messages().last().map(|message: &Arc<Message>| serde_json::to_value(message).unwrap()).unwrap()
    }
}

/// What each of these comes to, one after the other, as lines.
pub(crate) async fn lines_of(imports: &str, cases: &[&str]) -> String {
    let list: Vec<String> = cases.iter().map(|case| format!("() => {case}")).collect();
    let body = format!(
        "const said = [];
        const shown = (value) => JSON.stringify(value === undefined ? 'undefined' : value);
        for (const work of [{}]) try {{ said.push(shown(await work())) }} catch (error) {{ said.push('threw ' + error.message) }}
        return said",
        list.join(",\n")
    );
    let stage = stage(&command(imports, &body)).await;
    let said = stage.run().await;
    let said = said.as_array().unwrap_or_else(|| panic!("{said}"));
    let dir = stage.dir.path().canonicalize().unwrap();
    let lines = cases.iter().zip(said).map(|(case, said)| format!("{case}\n  => {}", said.as_str().unwrap()));
    lines.collect::<Vec<_>>().join("\n").replace(dir.to_str().unwrap(), "DIR")
}
