//! Putting a session together, for programs that embed pi and for the `pi` program itself.
//!
//! Model and thinking level are chosen as the user would expect: what was asked for, else what the session used, else
//! the defaults. Nothing is printed; what a user should know comes back in the result.

mod block_images;
mod error;
mod extensions;
pub mod replay;
mod resolve_options;
pub mod runtime;
pub mod session_pool;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_agent_core::{Agent, AgentOptions, AgentState, Hooks, Tool};
use pi_ai::transport::HttpTransport;
use pi_ai::{ApiRegistry, Clock, Message, Model, StreamOptions, ThinkingLevel};
use serde_json::Map;
use time::{Date, UtcOffset};
use typed_builder::TypedBuilder;

use crate::agent_session::{
    self, AgentSession, Limits, RequestHeaders, SessionFacts, SessionParts, StartingChoice, StartingModel,
    TrustDecision, WorkspaceFactory, assemble, extension_tools, stream_fn,
};
use crate::config::auth_storage::AuthStorage;
use crate::config::models::{ModelChoice, ModelRegistry, ScopedModel};
use crate::config::settings::SettingsManager;
use crate::extension::{ExtensionLoader, LoadError, LoadReport, NoLoader, register_providers};
use crate::host::env::Env;
use crate::resources::prompt::{PromptResources, ResourceOptions, local_date};
use crate::sdk::block_images::block_images;
use crate::session::messages::convert_to_llm;
use crate::session::{SessionHost, SessionManager, complaints};
use crate::tools::ToolOptions;
use resolve_options::ResolvedOptions;

pub use crate::tools::{ToolChange, ToolSelection, WrapTool};
pub use error::Error;
pub use extensions::Extensions;

/// What a session is made of. Everything may be left out: then it is what the `pi` program would use, read from the
/// user's configuration.
///
/// Setters of optional parts take the part itself; those whose name ends in `_opt` take an `Option`.
#[derive(TypedBuilder)]
pub struct CreateAgentSessionOptions {
    /// Directory of the session, relative to that of the process, which is the default. A `session_manager` has its own,
    /// which then counts.
    #[builder(default, setter(strip_option, into))]
    pub cwd: Option<PathBuf>,
    /// Directory of the user's configuration; absent: `~/.pi/agent`, or what `PI_CODING_AGENT_DIR` names.
    #[builder(default, setter(strip_option, into))]
    pub agent_dir: Option<PathBuf>,
    /// Where the conversation is kept; its working directory is the session's. Absent: a new session file.
    #[builder(default, setter(strip_option))]
    pub session_manager: Option<SessionManager>,
    /// Settings in force; absent: those in `settings.json` of the user, and of the project if that is trusted.
    #[builder(default, setter(strip_option))]
    pub settings: Option<Arc<SettingsManager>>,
    /// Keys for the models; absent: `auth.json` and the environment. `models` has its own, which then count.
    #[builder(default, setter(strip_option))]
    pub auth: Option<Arc<AuthStorage>>,
    /// Models and their keys; absent: the built-in ones and those of `models.json`.
    #[builder(default, setter(strip_option))]
    pub models: Option<Arc<ModelRegistry>>,
    /// Context files, skills, templates, prompt texts; absent: those of the user and the project, as `resource_options`
    /// says.
    #[builder(default, setter(strip_option))]
    pub resources: Option<PromptResources>,
    /// Which context files, skills and templates are read where `resources` is absent.
    #[builder(default)]
    pub resource_options: ResourceOptions,
    /// Stands in place of the default system prompt and of `SYSTEM.md`. Never the name of a file.
    #[builder(default, setter(strip_option(fallback_suffix = "_opt"), into))]
    pub system_prompt: Option<String>,
    /// Follow the system prompt, in place of `APPEND_SYSTEM.md`. Never names of files.
    #[builder(default)]
    pub append_system_prompt: Vec<String>,
    /// Whether the project's own settings, skills, templates and prompt files count; absent: what the user decided about
    /// it, without a decision not.
    #[builder(default, setter(strip_option))]
    pub project_trusted: Option<bool>,
    /// Today, where the user is; the system prompt names it. Absent: by the clock and the system's time zone, UTC in a
    /// process that has several threads already.
    #[builder(default, setter(strip_option))]
    pub date: Option<Date>,
    /// The process environment.
    #[builder(default = resolve_options::env())]
    pub env: Env,
    /// The model, or its name, for example `"anthropic/claude-sonnet-4-5"`; absent: the session's, else the default.
    #[builder(default, setter(strip_option(fallback_suffix = "_opt"), into))]
    pub model: Option<ModelChoice>,
    /// The thinking level; absent: the session's, else the default. Clamped to what the model supports.
    #[builder(default, setter(strip_option(fallback_suffix = "_opt")))]
    pub thinking_level: Option<ThinkingLevel>,
    /// The models to choose from, see [`ModelsHandle::cycle`](crate::agent_session::ModelsHandle::cycle); empty: all
    /// with a key. A new session for which no model is named starts with the default if that is among them, else with
    /// the first.
    #[builder(default)]
    pub scoped_models: Vec<ScopedModel>,
    /// Which tools the model may use.
    #[builder(default)]
    pub tools: ToolSelection,
    /// Last change to how and where the built-in tools work; they come with what the settings say. For example
    /// `Arc::new(|options| options.on(&machine))` lets them work on another machine.
    #[builder(default = Arc::new(|options| options))]
    pub configure_tools: Arc<dyn Fn(ToolOptions) -> ToolOptions + Send + Sync>,
    /// Tools besides the built-in ones; one of the same name takes the place of a built-in one.
    #[builder(default)]
    pub custom_tools: Vec<Arc<dyn Tool>>,
    /// Last change to every tool, built-in or not, before the model gets it: something that watches, records or replaces
    /// calls. By default tools stay as they are.
    #[builder(default = Arc::new(|tool| tool))]
    pub wrap_tool: Arc<WrapTool>,
    /// Asked when the session goes to another working directory: whether the project there is trusted, so that its skills,
    /// templates and prompt files are read. Absent: what the user decided about it, without a decision it is not.
    #[builder(default, setter(strip_option))]
    pub trusts: Option<Arc<TrustDecision>>,
    /// Extensions: of the program, in files, those that the user has. By default none.
    #[builder(default, setter(into))]
    pub extensions: Extensions,
    /// What makes extensions out of files, such as `pi_script_extensions::Scripts` for TypeScript and JavaScript. Without
    /// one such extensions are not loaded, and the session's `extension_errors` say so.
    #[builder(default = Arc::new(NoLoader))]
    pub extension_loader: Arc<dyn ExtensionLoader>,
    /// Wire formats.
    #[builder(default = Arc::new(ApiRegistry::builtin()))]
    pub apis: Arc<ApiRegistry>,
    /// Replaces the network: cassettes, tests.
    #[builder(default, setter(strip_option(fallback_suffix = "_opt")))]
    pub http: Option<Arc<dyn HttpTransport>>,
    /// How many turns, how much money and time the session may take; absent: what the settings say.
    #[builder(default, setter(strip_option))]
    pub limits: Option<Limits>,
    /// Source of time.
    #[builder(default = resolve_options::clock())]
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

impl Default for CreateAgentSessionOptions {
    /// Everything as the `pi` program would have it, without extensions.
    fn default() -> Self {
        Self::builder().build()
    }
}

impl CreateAgentSessionOptions {
    /// A session in `cwd` with this model and its key that reads no configuration and keeps nothing: default settings,
    /// no context files, skills or templates, today in UTC. Its tools do work on files.
    pub fn in_memory(cwd: &Path, model: impl Into<Arc<Model>>, api_key: &str) -> Self {
        let model: Arc<Model> = model.into();
        let env = resolve_options::env();
        let host = SessionHost::new(env.clone());
        let clock = Arc::clone(&host.clock);
        let auth = AuthStorage::in_memory(Map::new(), env.clone(), Arc::clone(&clock));
        auth.set_runtime_key(&model.provider, api_key);
        let models = ModelRegistry::new(Arc::new(auth), Arc::new(vec![Arc::clone(&model)]), None);
        let session_manager = SessionManager::in_memory(host, cwd);
        let resources = PromptResources::none(session_manager.cwd());
        Self::builder()
            .session_manager(session_manager)
            .settings(Arc::new(SettingsManager::in_memory(Map::new(), env.clone())))
            .models(Arc::new(models))
            .resources(resources)
            .date(local_date(&*clock, UtcOffset::UTC))
            .trusts(Arc::new(|_: &Path| false))
            .env(env)
            .model(model)
            .build()
    }
}

/// A session and what the user should know about how it came to be.
#[derive(Debug)]
pub struct CreateAgentSessionResult {
    /// The session.
    pub session: AgentSession,
    /// Extensions that could not be loaded, or got in the way of others.
    pub extension_errors: Vec<LoadError>,
    /// Said when the session's own model could not be used.
    pub model_fallback_message: Option<String>,
    /// Names of the selection that no tool has.
    pub unknown_tools: Vec<String>,
}

/// Creates a session, new or continued.
///
/// This reads files: configuration where the options do not bring it along, and the end of a session that is continued.
/// That takes a few milliseconds. Where other sessions must not wait so long, call [`create_agent_session_async`].
///
/// # Errors
/// When the session cannot be read, the file of a new one cannot be made, or the choice of model and level cannot be
/// recorded in it; [`config::Error::ModelNotFound`](crate::config::Error::ModelNotFound) when no model has the name that was given;
/// [`ExtensionCallError::NotLoaded`](crate::ExtensionCallError::NotLoaded) when the options ask for extensions, which only
/// [`create_agent_session_async`] can load.
pub fn create_agent_session(mut options: CreateAgentSessionOptions) -> Result<CreateAgentSessionResult, Error> {
    let ResolvedOptions { mut manager, settings, models, resources, date, trusts } = ResolvedOptions::of(&mut options)?;
    let mut extensions = std::mem::take(&mut options.extensions).into_loaded()?;
    let extension_errors = begin_providers(&mut extensions, &models, &options.apis);
    let model = options.model.take().map(|model| models.choose(model)).transpose()?;
    let context = manager.build_session_context()?;
    complaints(&manager, &context).iter().for_each(|complaint| (options.warn)(complaint));
    let choice = StartingChoice::new(model, options.thinking_level, options.scoped_models);
    let start = choice.start(&mut manager, &context, &models, &settings)?;
    let StartingModel { model, thinking_level, note: fallback } = start;
    let furnishing = WorkspaceFactory {
        facts: SessionFacts::default(),
        settings: Arc::clone(&settings),
        agent_dir: manager.paths().agent_dir().to_owned(),
        date,
        selection: options.tools,
        configure_tools: options.configure_tools,
        custom_tools: options.custom_tools,
        wrap_tool: options.wrap_tool,
        origin: (manager.cwd().to_owned(), resources.places().trusted),
        trusts,
        warn: Arc::clone(&options.warn),
    };
    let tools = extension_tools(&extensions.runner);
    let (workspace, unknown_tools) = furnishing.furnish(manager.cwd(), resources, &tools);
    let initial_state = AgentState {
        system_prompt: Arc::clone(&workspace.system_prompt),
        model,
        thinking_level,
        tools: workspace.tools.clone(),
        messages: context.messages,
        ..AgentState::default()
    };
    let headers = RequestHeaders::new(&options.env, &settings);
    let (http, warn) = (options.http, Arc::clone(&options.warn));
    let stream =
        stream_fn(Arc::clone(&options.apis), Arc::clone(&models), Arc::clone(&settings), headers, http.clone(), warn);
    let agent = agent(initial_state, Arc::clone(&stream), &settings, &manager, &options.clock);
    let limits = options.limits.unwrap_or_else(|| settings.sessions().limits());
    let session = assemble(SessionParts {
        agent,
        stream,
        apis: options.apis,
        http,
        manager,
        settings,
        models,
        furnishing,
        workspace,
        choice,
        extensions,
        clock: options.clock,
        limits,
        warn: options.warn,
    });
    Ok(CreateAgentSessionResult { session, extension_errors, model_fallback_message: fallback, unknown_tools })
}

fn agent(
    initial_state: AgentState,
    stream: Arc<pi_agent_core::StreamFn>,
    settings: &Arc<SettingsManager>,
    manager: &SessionManager,
    clock: &Arc<dyn Clock>,
) -> Agent {
    Agent::new(
        AgentOptions::builder()
            .stream(stream)
            .initial_state(initial_state)
            .hooks(hooks(settings))
            .steering_mode(settings.sessions().steering_mode())
            .follow_up_mode(settings.sessions().follow_up_mode())
            .stream_options(stream_options(settings, manager, clock))
            .clock(Arc::clone(clock))
            .build(),
    )
}

/// Takes up the providers of extensions, so that their models can be chosen. Returns what went wrong in loading
/// extensions, and in this.
fn begin_providers(extensions: &mut LoadReport, models: &ModelRegistry, apis: &Arc<ApiRegistry>) -> Vec<LoadError> {
    let mut errors = std::mem::take(&mut extensions.errors);
    errors.extend(register_providers(&extensions.runner, models, apis));
    errors
}

/// The same as [`create_agent_session`] on a thread of its own, for async code that must not be held up. Extensions that
/// are not loaded yet are loaded first.
///
/// # Errors
/// Those of [`create_agent_session`].
#[doc(alias = "createAgentSession")]
pub async fn create_agent_session_async(options: CreateAgentSessionOptions) -> Result<CreateAgentSessionResult, Error> {
    let options = options.load_extensions().await?;
    off_thread(move || create_agent_session(options)).await
}

/// File work that may take long.
pub(crate) async fn off_thread<T: Send + 'static, E: From<agent_session::Error> + Send + 'static>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, E> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|stopped| {
        Err(agent_session::Error::Command { reason: format!("Cannot open the session: {stopped}") }.into())
    })
}

fn hooks(settings: &Arc<SettingsManager>) -> Hooks {
    let settings = Arc::clone(settings);
    let convert = move |messages: &[Arc<Message>]| {
        let messages = convert_to_llm(messages);
        Ok(if settings.tools().images().block_images { block_images(messages) } else { messages })
    };
    Hooks::default().with_convert_to_llm(convert)
}

/// What every request says of the session.
fn stream_options(settings: &SettingsManager, manager: &SessionManager, clock: &Arc<dyn Clock>) -> StreamOptions {
    StreamOptions {
        session_id: Some(manager.session_id().to_owned()),
        thinking_budgets: settings.models().thinking_budgets(),
        clock: Arc::clone(clock),
        ..StreamOptions::default()
    }
}

/// The programs of the page about embedding, so that they are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/embedding.md")]
struct EmbeddingPage;
