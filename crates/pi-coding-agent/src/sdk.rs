//! Putting a session together, for programs that embed pi and for the `pi` program itself.
//!
//! Model and thinking level are chosen as the user would expect: what was asked for, else what the session used, else
//! the defaults. Nothing is printed; what a user should know comes back in the result.

use std::path::Path;
use std::sync::Arc;

use pi_agent_core::{Agent, AgentOptions, AgentState, Hooks, Tool, ToolSet};
use pi_ai::transport::HttpTransport;
use pi_ai::{ApiRegistry, Clock, Message, Model, StreamOptions, ThinkingLevel};
use serde_json::Map;
use time::{Date, UtcOffset};
use typed_builder::TypedBuilder;

use crate::agent_session::{AgentSession, Parts, RequestHeaders, Start, StartingChoice, record_start, stream_fn};
use crate::auth_storage::AuthStorage;
use crate::block_images::block_images;
use crate::env::Env;
use crate::error::Error;
use crate::ids::RandomIds;
use crate::messages::convert_to_llm;
use crate::models::{ModelRegistry, ScopedModel};
use crate::paths::Paths;
use crate::prompt::{PromptResources, SystemPrompt, ToolPrompt, local_date};
use crate::session::{SessionHost, SessionManager};
use crate::settings::SettingsManager;
use crate::tools::{BuiltinTool, ToolOptions};

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
    let is_new = context.messages.is_empty();
    let choice = StartingChoice::new(options.model, options.thinking_level, options.scoped_models);
    let earlier = (!is_new).then_some(&context);
    let Start { model, thinking_level, note: fallback } = choice.resolve(&options.models, &options.settings, earlier);
    if is_new {
        record_start(&mut manager, &model, thinking_level)?;
    } else if context.thinking_level.is_none() {
        manager.append_thinking_level_change(thinking_level.as_str())?;
    }
    let tool_options = (options.configure_tools)(tool_options(&options.settings, &manager));
    let (tools, unknown_tools) = select_tools(&options.tools, options.custom_tools, &tool_options);
    let system_prompt = system_prompt(&options.resources, &tools, options.date, &manager);
    let initial_state = AgentState {
        system_prompt: system_prompt.into(),
        model,
        thinking_level,
        tools: ToolSet::new(tools),
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
        resources: options.resources,
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

/// How the built-in tools work by the settings.
fn tool_options(settings: &SettingsManager, manager: &SessionManager) -> ToolOptions {
    ToolOptions {
        auto_resize_images: settings.images().auto_resize,
        shell_path: settings.shell_path().map(Into::into),
        shell_command_prefix: settings.shell_command_prefix(),
        agent_bin_dir: Some(manager.paths().agent_dir().join("bin")),
        command_env: vec![("PI_CODING_AGENT".into(), "true".into())],
        ..ToolOptions::builder().cwd(manager.cwd()).build()
    }
}

/// The tools in order, and names that no tool has.
fn select_tools(
    selection: &ToolSelection,
    custom: Vec<Arc<dyn Tool>>,
    options: &ToolOptions,
) -> (Vec<Arc<dyn Tool>>, Vec<String>) {
    let allowed = |name: &str| match &selection.allow {
        Some(names) => names.iter().any(|allowed| allowed == name),
        None => true,
    };
    let builtin = match (&selection.allow, selection.no_builtin) {
        (Some(_), _) => BuiltinTool::ALL,
        (None, true) => &[],
        (None, false) => BuiltinTool::CODING,
    };
    let known: Vec<&str> = BuiltinTool::ALL.iter().map(|tool| tool.name()).collect();
    let is_known =
        |name: &String| known.contains(&name.as_str()) || custom.iter().any(|tool| tool.definition().name == **name);
    let named = selection.allow.iter().flatten().chain(&selection.exclude);
    let unknown = named.filter(|name| !is_known(name)).cloned().collect();
    // A tool of the program's own takes the place of a built-in one of the same name.
    let replaced: Vec<String> = custom.iter().map(|tool| tool.definition().name.clone()).collect();
    let builtin = builtin.iter().filter(|tool| !replaced.iter().any(|name| name == tool.name()));
    let all = builtin.map(|tool| tool.create(options)).chain(custom);
    let excluded = |name: &str| selection.exclude.iter().any(|excluded| excluded == name);
    let chosen = all.filter(|tool| {
        let name = &tool.definition().name;
        allowed(name) && !excluded(name)
    });
    let mut chosen: Vec<Arc<dyn Tool>> = chosen.collect();
    // Who lists tools also orders them.
    chosen.sort_by_key(|tool| selection.allow.iter().flatten().position(|name| *name == tool.definition().name));
    (chosen, unknown)
}

fn system_prompt(resources: &PromptResources, tools: &[Arc<dyn Tool>], date: Date, manager: &SessionManager) -> String {
    let tool_prompts: Vec<ToolPrompt> = tools.iter().map(|tool| tool_prompt(&tool.definition().name)).collect();
    let files = resources.prompt_files();
    SystemPrompt {
        custom: files.custom.as_deref(),
        append: &files.append,
        tools: &tool_prompts,
        context_files: &resources.context_files().items,
        skills: &resources.skills().items,
        docs: None,
        date,
        cwd: manager.cwd(),
    }
    .build()
}

fn tool_prompt(name: &str) -> ToolPrompt {
    let info = BuiltinTool::from_name(name).ok().map(BuiltinTool::info);
    ToolPrompt {
        name: name.to_owned(),
        snippet: info.map(|info| info.snippet.to_owned()),
        guidelines: info
            .map(|info| info.guidelines.iter().map(|line| (*line).to_owned()).collect())
            .unwrap_or_default(),
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
