//! Putting a session together, for programs that embed pi and for the `pi` program itself.
//!
//! Model and thinking level are chosen as the user would expect: what was asked for, else what the session used, else
//! the defaults. Nothing is printed; what a user should know comes back in the result.

use std::path::Path;
use std::sync::Arc;

use pi_agent_core::{Agent, AgentOptions, AgentState, Hooks, Tool};
use pi_ai::transport::HttpTransport;
use pi_ai::{ApiRegistry, Clock, Message, Model, StreamOptions, ThinkingLevel};
use serde_json::Map;
use time::{Date, UtcOffset};
use typed_builder::TypedBuilder;

use crate::agent_session::{
    AgentSession, Furnishing, Parts, RequestHeaders, Start, StartingChoice, TrustDecision, stream_fn,
};
use crate::auth_storage::AuthStorage;
use crate::block_images::block_images;
use crate::env::Env;
use crate::error::Error;
use crate::ids::RandomIds;
use crate::messages::convert_to_llm;
use crate::models::{ModelRegistry, ScopedModel};
use crate::paths::Paths;
use crate::prompt::{PromptResources, local_date};
use crate::session::{SessionHost, SessionManager};
use crate::settings::SettingsManager;
use crate::tools::ToolOptions;

/// What a session is made of. Everything with a default may be left out.
#[derive(TypedBuilder)]
pub struct CreateAgentSessionOptions {
    /// Where the conversation is kept; its working directory is the session's.
    pub session_manager: SessionManager,
    /// Settings in force.
    pub settings: Arc<SettingsManager>,
    /// Models and their keys.
    pub models: Arc<ModelRegistry>,
    /// Context files, skills, templates, prompt texts.
    pub resources: PromptResources,
    /// Today, where the user is; the system prompt names it.
    pub date: Date,
    /// The process environment.
    #[builder(default)]
    pub env: Env,
    /// The model; absent: the session's, else the default.
    #[builder(default)]
    pub model: Option<Arc<Model>>,
    /// The thinking level; absent: the session's, else the default. Clamped to what the model supports.
    #[builder(default)]
    pub thinking_level: Option<ThinkingLevel>,
    /// The models to choose from, see [`AgentSession::cycle_model`]; empty: all with a key. A new session for which no
    /// model is named starts with the default if that is among them, else with the first.
    #[builder(default)]
    pub scoped_models: Vec<ScopedModel>,
    /// Which tools the model may use.
    #[builder(default)]
    pub tools: ToolSelection,
    /// Last change to how and where the built-in tools work; they come with what the settings say. For example
    /// `Arc::new(|options| options.on(&machine))` lets them work on another machine.
    #[builder(default = Arc::new(|options| options))]
    pub configure_tools: Arc<dyn Fn(ToolOptions) -> ToolOptions + Send + Sync>,
    /// Tools besides the built-in ones.
    #[builder(default)]
    pub custom_tools: Vec<Arc<dyn Tool>>,
    /// Asked when the session goes to another working directory: whether the project there is trusted, so that its skills,
    /// templates and prompt files are read. By default it is not.
    #[builder(default = Arc::new(|_: &Path| false))]
    pub trusts: Arc<TrustDecision>,
    /// Wire formats.
    #[builder(default = Arc::new(ApiRegistry::builtin()))]
    pub apis: Arc<ApiRegistry>,
    /// Replaces the network: cassettes, tests.
    #[builder(default)]
    pub http: Option<Arc<dyn HttpTransport>>,
    /// Source of time.
    #[builder(default = pi_ai::system_clock())]
    pub clock: Arc<dyn Clock>,
    /// Told in one sentence about what goes wrong without stopping the session.
    #[builder(default = Arc::new(|_: &str| {}))]
    pub warn: Arc<dyn Fn(&str) + Send + Sync>,
}

impl std::fmt::Debug for CreateAgentSessionOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CreateAgentSessionOptions").field("tools", &self.tools).finish_non_exhaustive()
    }
}

impl CreateAgentSessionOptions {
    /// A session in `cwd` with this model and its key that reads no configuration and keeps nothing: default settings,
    /// no context files, skills or templates, today in UTC. Its tools do work on files.
    pub fn in_memory(cwd: &Path, model: Arc<Model>, api_key: &str) -> Self {
        let env = Env::process();
        let clock = pi_ai::system_clock();
        let auth = AuthStorage::in_memory(Map::new(), env.clone());
        auth.set_runtime_key(&model.provider, api_key);
        let models = ModelRegistry::new(Arc::new(auth), Arc::new(vec![Arc::clone(&model)]), None);
        // A process without a current directory cannot resolve a relative path; an absolute one needs none.
        let paths = Paths::new(env.clone(), std::env::current_dir().unwrap_or_default());
        let host = SessionHost { paths, clock: Arc::clone(&clock), ids: RandomIds::shared() };
        let session_manager = SessionManager::in_memory(host, cwd);
        let resources = PromptResources::none(session_manager.cwd());
        Self::builder()
            .session_manager(session_manager)
            .settings(Arc::new(SettingsManager::in_memory(Map::new(), env.clone())))
            .models(Arc::new(models))
            .resources(resources)
            .date(local_date(&*clock, UtcOffset::UTC))
            .env(env)
            .model(Some(model))
            .build()
    }
}

/// Which tools the model may use, by name.
#[derive(Debug, Clone, Default)]
pub struct ToolSelection {
    /// Exactly these, also such as are not active by default.
    pub allow: Option<Vec<String>>,
    /// Never these.
    pub exclude: Vec<String>,
    /// No built-in ones.
    pub no_builtin: bool,
}

/// A session and what the user should know about how it came to be.
#[derive(Debug)]
pub struct CreateAgentSessionResult {
    /// The session.
    pub session: AgentSession,
    /// Said when the session's own model could not be used.
    pub model_fallback_message: Option<String>,
    /// Names of the selection that no tool has.
    pub unknown_tools: Vec<String>,
}

/// Creates a session, new or continued.
///
/// # Errors
/// When the session cannot be read, or the choice of model and level cannot be recorded in it.
pub fn create_agent_session(options: CreateAgentSessionOptions) -> Result<CreateAgentSessionResult, Error> {
    let mut manager = options.session_manager;
    let context = manager.build_session_context()?;
    if !context.unreadable.is_empty() {
        let entries = context.unreadable.join(", ");
        (options.warn)(&format!("Damaged entries of the session are left out of the context: {entries}"));
    }
    let choice = StartingChoice::new(options.model, options.thinking_level, options.scoped_models);
    let start = choice.start(&mut manager, &context, &options.models, &options.settings)?;
    let Start { model, thinking_level, note: fallback } = start;
    let furnishing = Furnishing {
        settings: Arc::clone(&options.settings),
        agent_dir: manager.paths().agent_dir().to_owned(),
        date: options.date,
        selection: options.tools,
        configure_tools: options.configure_tools,
        custom_tools: options.custom_tools,
        origin: (manager.cwd().to_owned(), options.resources.places().trusted),
        trusts: options.trusts,
        warn: Arc::clone(&options.warn),
    };
    let (workspace, unknown_tools) = furnishing.furnish(manager.cwd(), options.resources);
    let initial_state = AgentState {
        system_prompt: Arc::clone(&workspace.system_prompt),
        model,
        thinking_level,
        tools: workspace.tools.clone(),
        messages: context.messages,
        ..AgentState::default()
    };
    let headers = RequestHeaders::new(&options.env, &options.settings);
    let (models, settings) = (Arc::clone(&options.models), Arc::clone(&options.settings));
    let stream =
        stream_fn(Arc::clone(&options.apis), models, settings, headers, options.http, Arc::clone(&options.warn));
    let agent = Agent::new(
        AgentOptions::builder()
            .stream(Arc::clone(&stream))
            .initial_state(initial_state)
            .hooks(hooks(&options.settings))
            .steering_mode(options.settings.steering_mode())
            .follow_up_mode(options.settings.follow_up_mode())
            .stream_options(stream_options(&options.settings, &manager))
            .clock(Arc::clone(&options.clock))
            .build(),
    );
    let session = AgentSession::new(Parts {
        agent,
        stream,
        apis: options.apis,
        manager,
        settings: options.settings,
        models: options.models,
        furnishing,
        workspace,
        choice,
        clock: options.clock,
        warn: options.warn,
    });
    Ok(CreateAgentSessionResult { session, model_fallback_message: fallback, unknown_tools })
}

fn hooks(settings: &Arc<SettingsManager>) -> Hooks {
    let settings = Arc::clone(settings);
    let convert = move |messages: &[Arc<Message>]| {
        let messages = convert_to_llm(messages);
        Ok(if settings.images().block_images { block_images(messages) } else { messages })
    };
    Hooks::default().with_convert_to_llm(convert)
}

/// What every request says of the session.
fn stream_options(settings: &SettingsManager, manager: &SessionManager) -> StreamOptions {
    StreamOptions {
        session_id: Some(manager.session_id().to_owned()),
        thinking_budgets: settings.thinking_budgets(),
        ..StreamOptions::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_in_memory_reads_no_configuration() {
        let dir = tempfile::tempdir().unwrap();
        for (file, text) in [("AGENTS.md", "from the project"), ("SYSTEM.md", "x"), (".pi/settings.json", "{oops")] {
            std::fs::create_dir_all(dir.path().join(".pi")).unwrap();
            std::fs::write(dir.path().join(file), text).unwrap();
        }
        let model = pi_ai::get_model("anthropic", "claude-sonnet-4-5").unwrap();
        let options = CreateAgentSessionOptions::in_memory(dir.path(), Arc::clone(&model), "key");
        let created = create_agent_session(options).unwrap();
        let session = created.session;
        assert_eq!((session.session_file(), session.model()), (None, Arc::clone(&model)));
        assert_eq!(created.model_fallback_message, None);
        assert!(session.models().has_configured_auth(&model));
        assert!(session.settings().drain_problems().is_empty());
        let prompt = session.system_prompt();
        assert!(prompt.contains(&*dir.path().to_string_lossy()), "{prompt}");
        assert!(!prompt.contains("from the project"), "{prompt}");
    }
}
