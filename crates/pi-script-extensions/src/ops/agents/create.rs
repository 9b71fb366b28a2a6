//! Making a session beside the own one.
//!
//! What a script leaves out is what the session has that the extension serves: directory, configuration, models with those
//! of extensions, their keys and wire formats. Settings are read anew, so that neither changes those of the other. No
//! extensions are loaded, for the one that runs would be among them.

use std::path::PathBuf;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::{ApiRegistry, Model, ThinkingLevel};
use pi_script::{Callback, OpError, Permission};
use serde::Deserialize;
use serde_json::json;

use super::super::resources::ResourceOverrides;
use super::super::sessions::{hand_over, session_host};
use super::super::{Ops, RUNTIME, ai};
use super::watch;
use crate::contexts::Entry;
use crate::errors::{failed, to_handler};
use crate::host::{ScriptHost, number};
use crate::link::Link;
use crate::state::Holding;
use crate::tool::{CallEnd, ToolDescription, script_tool};
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::extension::{
    Extension, ExtensionApi, ExtensionContext, ExtensionError, HandlerError, LoadOptions, LoadReport, ToolRegistration,
    extension_fn, load_extensions,
};
use pi_coding_agent::models::{ModelChoice, ModelRegistry, ScopedModel};
use pi_coding_agent::prompt::{ResourcePlaces, Scope, SourceInfo, SourceOrigin};
use pi_coding_agent::sdk::{CreateAgentSessionOptions, ToolSelection, create_agent_session_async};
use pi_coding_agent::session::SessionManager;
use pi_coding_agent::settings::SettingsManager;
use pi_coding_agent::tools::BuiltinTool;

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.spawned("agents.create", |host, _, mut args| async move {
        let wanted = args.parse::<AgentRequest>(0)?;
        let (owner, api) = host.contexts.serving().ok_or_else(|| {
            OpError::new("createAgentSession needs a session: call it from a handler, a tool or a command")
        })?;
        let own = api.context().session().map_err(failed)?;
        let held = wanted.session_manager.map(|number| host.state.sessions.get(number).ok_or_else(gone)).transpose()?;
        let options = options(&host, &own, wanted).await?;
        let manager = match &held {
            Some(held) => Some(hand_over(held, &host)?),
            None if host.permit(Permission::Files).is_err() => Some(in_memory(&host, &options)),
            None => None,
        };
        let options = CreateAgentSessionOptions { session_manager: manager, ..options };
        let created = create_agent_session_async(options).await.map_err(failed)?;
        let session = created.session;
        if let Some(held) = held {
            Holding::take_over(&held, &session);
        }
        let (context, gone) = host.contexts.add(Entry::Session(context(&session)));
        let beside = host.state.agents.add(session, owner);
        watch(&host, owner, &api);
        let (fallback, errors) = (created.model_fallback_message, &created.extension_errors);
        let errors: Vec<_> = errors.iter().map(|error| json!({"path": error.path, "error": error.error})).collect();
        Ok(json!({"errors": errors, "number": beside, "context": context, "gone": gone, "fallback": fallback}).into())
    });
}

fn gone() -> OpError {
    OpError::new("There is no such session")
}

/// What scripts' handlers and tools are given for a session.
fn context(session: &AgentSession) -> ExtensionContext {
    ExtensionContext::new(Arc::clone(session.extensions().runner().runtime()))
}

/// Who may not write files keeps the conversation in memory.
fn in_memory(host: &ScriptHost, options: &CreateAgentSessionOptions) -> SessionManager {
    SessionManager::in_memory(session_host(host), options.cwd.as_deref().unwrap_or(&host.options.cwd))
}

/// A model and its level, as scripts write them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ScriptScope {
    model: Model,
    #[serde(default)]
    thinking_level: Option<ThinkingLevel>,
}

impl ScriptScope {
    pub(super) fn known(self, models: &ModelRegistry) -> ScopedModel {
        ScopedModel { model: known_model(models, self.model), thinking_level: self.thinking_level }
    }
}

/// The registry's own object where it is the same model, so that the choice is as if the user had made it.
pub(super) fn known_model(models: &ModelRegistry, model: Model) -> Arc<Model> {
    let known = models.find(&model.provider, &model.id).filter(|known| **known == model);
    known.unwrap_or_else(|| Arc::new(model))
}

/// What a script asks for. Functions are numbers.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct AgentRequest {
    cwd: Option<PathBuf>,
    agent_dir: Option<PathBuf>,
    model: Option<Model>,
    thinking_level: Option<ThinkingLevel>,
    scoped_models: Vec<ScriptScope>,
    tools: Option<Vec<String>>,
    exclude_tools: Vec<String>,
    no_tools: Option<NoTools>,
    custom_tools: Vec<CustomTool>,
    session_manager: Option<u32>,
    model_registry: Option<u32>,
    auth_storage: Option<u32>,
    settings_manager: Option<u32>,
    resources: Option<ResourceOverrides>,
    factories: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum NoTools {
    All,
    Builtin,
}

impl AgentRequest {
    fn has_own(&self, name: &str) -> bool {
        self.custom_tools.iter().any(|tool| tool.said.name() == name)
    }

    /// The tools by name. Built-in ones that reach further than the script may are not there.
    ///
    /// # Errors
    /// When the script names one of these.
    fn selection(&self, host: &ScriptHost) -> Result<ToolSelection, OpError> {
        let mut selection = ToolSelection {
            allow: self.tools.clone().or_else(|| (self.no_tools == Some(NoTools::All)).then(Vec::new)),
            exclude: self.exclude_tools.clone(),
            no_builtin: self.no_tools == Some(NoTools::Builtin),
            changes: Vec::new(),
        };
        for tool in BuiltinTool::ALL {
            let needed = if *tool == BuiltinTool::Bash { Permission::Programs } else { Permission::Files };
            let Err(refused) = host.permit(needed) else { continue };
            let name = tool.name().to_owned();
            if self.has_own(&name) {
                continue;
            }
            if self.tools.iter().flatten().any(|wanted| *wanted == name) {
                return Err(refused);
            }
            selection.exclude.push(name);
        }
        Ok(selection)
    }
}

async fn options(
    host: &Arc<ScriptHost>,
    own: &AgentSession,
    wanted: AgentRequest,
) -> Result<CreateAgentSessionOptions, OpError> {
    let tools = wanted.selection(host)?;
    let keys = Keys::of(host, own, &wanted)?;
    let known = keys.models.as_ref().unwrap_or(own.models().registry());
    let model = wanted.model.map(|model| known_model(known, model));
    if let Some(model) = &model {
        ai::permit_call(host, model, &Default::default()).await?;
    }
    if wanted.cwd.is_some() || wanted.agent_dir.is_some() {
        host.permit(Permission::Files)?;
    }
    let (own_cwd, paths) = own.store().read(|manager| (manager.cwd().to_owned(), manager.paths().clone()));
    let cwd = wanted.cwd.map_or_else(|| own_cwd.clone(), |cwd| own_cwd.join(cwd));
    let project_trusted = (cwd == own_cwd).then(|| own.resources().places().trusted);
    let scoped_models = wanted.scoped_models.into_iter().map(|scoped| scoped.known(known)).collect();
    let warned = Arc::downgrade(host);
    let runtime = host.runtime()?.clone();
    let warn = move |problem: &str| {
        let Some(host) = warned.upgrade() else { return };
        let error = ExtensionError::new(RUNTIME, "agent_session", &HandlerError::new(problem));
        runtime.spawn(async move { host.report(error).await });
    };
    let agent_dir = wanted.agent_dir.unwrap_or_else(|| host.options.agent_dir.clone());
    let trusted = project_trusted.unwrap_or_default();
    let paths = paths.with_agent_dir(agent_dir.clone());
    let resources = wanted.resources.map(|given| given.resources(ResourcePlaces::of(&paths, &cwd, trusted)));
    let surroundings = own.surroundings();
    let options = CreateAgentSessionOptions::builder()
        .cwd(cwd)
        .agent_dir(agent_dir)
        .env(paths.env().clone())
        .model_opt(model.map(ModelChoice::from))
        .thinking_level_opt(wanted.thinking_level)
        .scoped_models(scoped_models)
        .tools(tools)
        .extensions(extensions(host, wanted.custom_tools, wanted.factories).await)
        .apis(keys.apis)
        .http_opt(surroundings.http)
        .clock(surroundings.clock)
        .date(surroundings.date)
        .warn(Arc::new(warn))
        .build();
    let Keys { models, auth, settings, .. } = keys;
    Ok(CreateAgentSessionOptions { models, auth, settings, resources, project_trusted, ..options })
}

/// Models, their wire formats and keys, and settings. What is absent is read from the configuration.
struct Keys {
    apis: Arc<ApiRegistry>,
    models: Option<Arc<ModelRegistry>>,
    auth: Option<Arc<AuthStorage>>,
    settings: Option<Arc<SettingsManager>>,
}

impl Keys {
    /// Those that a script gives; models and keys are else those of its session.
    ///
    /// # Errors
    /// When one is not there, or the script may call only the models of its session.
    fn of(host: &ScriptHost, own: &AgentSession, wanted: &AgentRequest) -> Result<Self, OpError> {
        let gone = || OpError::new("What createAgentSession was given is not there any more");
        let state = &host.state;
        let models = wanted.model_registry.map(|number| state.registries.get(number).ok_or_else(gone)).transpose()?;
        let auth = wanted.auth_storage.map(|number| state.auth.get(number).ok_or_else(gone)).transpose()?;
        let settings = wanted.settings_manager.map(|number| state.settings.get(number).ok_or_else(gone)).transpose()?;
        let is_foreign = match &models {
            Some(models) => !Arc::ptr_eq(models, own.models().registry()),
            None => auth.as_ref().is_some_and(|auth| !Arc::ptr_eq(auth, own.models().registry().auth())),
        };
        if is_foreign {
            host.permit(Permission::Network)?;
        }
        // Providers of a registry of the script's own may have brought formats.
        let own_apis = own.surroundings().apis;
        let apis = if is_foreign { Arc::new(own_apis.merged(host.apis())) } else { own_apis };
        // Keys of the session need its models: they belong to providers of extensions, too.
        let models = models.or_else(|| (!is_foreign).then(|| Arc::clone(own.models().registry())));
        Ok(Self { apis, models, auth, settings })
    }
}

/// A tool of the script for this session alone.
#[derive(Deserialize)]
struct CustomTool {
    said: ToolDescription,
    execute: u32,
    prepare: Option<u32>,
}

/// One extension per tool, so that each is listed as the program's own, and those that the script has as functions.
async fn extensions(host: &Arc<ScriptHost>, tools: Vec<CustomTool>, factories: Vec<u32>) -> LoadReport {
    let one = |tool: CustomTool| -> Arc<dyn Extension> {
        let CustomTool { said, execute, prepare } = tool;
        let (name, (prompt_snippet, prompt_guidelines)) = (format!("<sdk:{}>", said.name()), said.for_prompt());
        let (link, updates) = (Link::to(host), Arc::clone(&host.state.updates));
        let tool = script_tool(said, link, Callback(execute), prepare.map(Callback), updates, CallEnd::Answered);
        let tool = ToolRegistration { prompt_snippet, prompt_guidelines, ..ToolRegistration::new(tool) };
        Arc::new(OwnTool { name, tool })
    };
    let inline = factories.into_iter().zip(1..).map(|(factory, place)| inline(host, Callback(factory), place));
    let all: Vec<_> = tools.into_iter().map(one).chain(inline).collect();
    load_extensions(&all, LoadOptions::default()).await
}

/// An extension that is a function of the script.
fn inline(host: &Arc<ScriptHost>, factory: Callback, place: u32) -> Arc<dyn Extension> {
    let (host, link) = (Arc::downgrade(host), Link::to(host));
    extension_fn(format!("<inline:{place}>"), move |api| {
        let (host, link) = (host.clone(), link.clone());
        async move {
            let Some(host) = host.upgrade() else { return Ok(()) };
            let (context, gone) = host.contexts.add(Entry::Activation(api));
            let args = vec![number(context), json!(gone).into()];
            link.ask(factory, args).await.map(drop).map_err(to_handler)
        }
    })
}

struct OwnTool {
    name: String,
    tool: ToolRegistration,
}

impl Extension for OwnTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn source_info(&self) -> SourceInfo {
        let (scope, origin) = (Scope::Temporary, SourceOrigin::TopLevel);
        SourceInfo { path: self.name.clone(), source: "sdk".to_owned(), scope, origin, base_dir: None }
    }

    fn activate(&self, pi: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>> {
        pi.register_tool(self.tool.clone());
        futures::future::ready(Ok(())).boxed()
    }
}
