//! From a parsed command line to a running session. The order matters: what comes first wins, and nothing is read that
//! the command does not need.

mod foundation;
mod help;
mod left_out;
mod output;
mod packages;
mod project_trust;
mod resources;
mod tools;

use crate::cli::script_files;
use std::sync::Arc;
use std::time::Duration;

use pi_ai::{ApiRegistry, Clock, SystemClock, ThinkingLevel};
use time::UtcOffset;

pub(super) use foundation::Foundation;
pub(super) use help::help_of_extensions;
use project_trust::trusts;

use crate::cli::diagnostics::{Diagnostics, complain};
use crate::cli::extensions::RunExtensions;
use crate::cli::mode::Mode;
use crate::cli::network::Network;
use crate::cli::packages::Fetching;
use crate::cli::scan::{CommandLine, similar_option, unknown_option};
use crate::cli::{limits, listing, migrations, missing_cwd, network, scope, sessions};
use crate::modes::{InitialPrompts, run_json, run_print, run_rpc};
use pi_coding_agent::agent_session::{AgentSession, Limits};
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::env::Env;
use pi_coding_agent::extension::Extension;
use pi_coding_agent::models::{
    CatalogModels, CliModel, ModelRegistry, ResolvedModel, ScopedModel, preferred, resolve_cli_model,
};
use pi_coding_agent::paths::Paths;
use pi_coding_agent::prompt::{PackageResources, PromptResources, local_date};
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session};
use pi_coding_agent::session::{SessionHost, SessionManager};
use pi_coding_agent::settings::SettingsManager;

/// A login that is being renewed when the program ends gets this long to be stored.
const RENEWAL_TIME: Duration = Duration::from_secs(5);

/// Runs what the command line asks for and returns the exit code.
pub(super) fn run(line: CommandLine, extensions: Vec<Arc<dyn Extension>>) -> u8 {
    // Before any thread exists: systems do not tell the offset safely afterwards.
    let offset = UtcOffset::current_local_offset().unwrap_or(UtcOffset::UTC);
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            complain(&format!("Error: cannot start: {error}"));
            return 1;
        }
    };
    let code = runtime.block_on(start(line, extensions, offset));
    // A blocking read that nobody waits for any more must not hold up the end.
    runtime.shutdown_background();
    code
}

/// What every step of the start-up works with.
struct Start {
    line: CommandLine,
    paths: Paths,
    settings: Arc<SettingsManager>,
    models: Arc<ModelRegistry>,
    extensions: RunExtensions,
    /// What the packages bring that `--extension` names.
    packages_of_run: Vec<PackageResources>,
    /// Whether an extension has decided about the project's trust: then nobody needs a warning.
    trust_was_decided: bool,
    /// Whether this run was told, or there is nothing in the project that needs trust.
    needs_no_trust: bool,
    fetching: Fetching,
    /// Wire formats; extensions may bring some.
    apis: Arc<ApiRegistry>,
    clock: Arc<dyn Clock>,
    offset: UtcOffset,
    diagnostics: Diagnostics,
}

async fn start(line: CommandLine, extensions: Vec<Arc<dyn Extension>>, offset: UtcOffset) -> u8 {
    let mut start = match Start::new(line, extensions, offset) {
        Ok(start) => start,
        Err(message) => {
            complain(&format!("Error: {message}"));
            return 1;
        }
    };
    let cwd = start.paths.cwd().to_owned();
    if let Err(code) = start.fetch_packages(&cwd).await {
        return code;
    }
    if start.line.args.list_models {
        start.load_extensions(&cwd).await;
        // What else is wrong does not keep anybody from a list of models.
        start.diagnostics = Diagnostics::default();
        start.report_unknown_flags();
        let code = listing::print_models(&start.models, start.line.model_search.as_deref());
        return if start.diagnostics.report() { code } else { 1 };
    }
    let code = match start.go().await {
        Some(code) => code,
        None => start.fail_in_json(),
    };
    start.models.auth().settle(RENEWAL_TIME).await;
    code
}

impl Start {
    /// What a run begins with.
    ///
    /// # Errors
    /// A sentence, when there is no current directory.
    fn new(line: CommandLine, extensions: Vec<Arc<dyn Extension>>, offset: UtcOffset) -> Result<Self, String> {
        let stored = |paths: &Paths, settings: &Arc<SettingsManager>, clock: Arc<dyn Clock>| {
            network::for_logins(AuthStorage::new(paths.auth_file(), paths.env().clone(), clock), settings)
        };
        let mut start = Self::with_keys(line, extensions, offset, stored)?;
        let messages = migrations::run(&start.paths, &start.settings);
        messages.iter().for_each(|message| start.diagnostics.note(message));
        Ok(start)
    }

    /// The same for somebody who only wants to know: no key is read, no file is made.
    fn for_help(line: CommandLine, extensions: Vec<Arc<dyn Extension>>) -> Result<Self, String> {
        Self::with_keys(line, extensions, UtcOffset::UTC, |paths, _, _| {
            AuthStorage::in_memory(serde_json::Map::new(), paths.env().clone())
        })
    }

    fn with_keys(
        line: CommandLine,
        extensions: Vec<Arc<dyn Extension>>,
        offset: UtcOffset,
        keys: impl FnOnce(&Paths, &Arc<SettingsManager>, Arc<dyn Clock>) -> AuthStorage,
    ) -> Result<Self, String> {
        let cwd = std::env::current_dir()
            .map_err(|error| format!("cannot tell the current directory ({error}): change to one that exists"))?;
        let paths = Paths::new(Env::process(), cwd);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let settings = Arc::new(SettingsManager::load(&paths, paths.cwd(), false, Arc::clone(&clock)));
        let auth = Arc::new(keys(&paths, &settings, Arc::clone(&clock)));
        let models = Arc::new(ModelRegistry::new(auth, Arc::new(CatalogModels), Some(paths.models_file())));
        let mut diagnostics = Diagnostics::default();
        if trusts(line.approval, &paths, &settings, paths.cwd(), &mut diagnostics) {
            settings.set_project_trusted(true);
        }
        if line.approval == Some(false) {
            settings.refuse_projects();
        }
        settings.drain_problems().iter().for_each(|problem| diagnostics.warning(problem));
        let extensions = RunExtensions::new(extensions, script_files::maker(&settings, &paths, &clock));
        let extensions = extensions.within(settings.extensions().limits().handler);
        let apis = Arc::new(ApiRegistry::builtin());
        let (packages_of_run, fetching) = (Vec::new(), Fetching::default());
        Ok(Self {
            line,
            paths,
            settings,
            models,
            extensions,
            packages_of_run,
            trust_was_decided: false,
            needs_no_trust: false,
            fetching,
            apis,
            clock,
            offset,
            diagnostics,
        })
    }

    /// `None` when something prevented the start; it has been said.
    async fn go(&mut self) -> Option<u8> {
        let mode = self.settle(Mode::choose(&self.line.args))?;
        let format = self.settle(Mode::event_format(&self.line.args, self.paths.env()))?;
        if !format.level.is_current() {
            self.settings.apply_overrides(&serde_json::Map::from_iter([("rememberModel".to_owned(), true.into())]));
        }
        if mode == Mode::Rpc && !self.line.files.is_empty() {
            return self.fail("@file arguments are not supported in RPC mode");
        }
        let schema = self.answer_schema(mode);
        let schema = self.settle(schema)?;
        let limits = limits::limits(&self.line.args, self.settings.sessions().limits(), mode == Mode::Rpc);
        let limits = self.settle(limits)?;
        let (cwd, watching) = (self.paths.cwd(), self.is_watched());
        let network = network::open(&self.line.args, &self.settings, cwd, watching, self.offset);
        let network = self.settle(network)?;
        let Some(manager) = self.open_session(&network).await? else { return Some(0) };
        if self.follow(&manager).await
            && let Err(code) = self.install_packages().await
        {
            return Some(code);
        }
        let resources = self.load_extensions(manager.cwd()).await;
        self.report_untrusted(manager.cwd());
        self.report_missing();
        let session = self.create_session(manager, &network, resources, limits)?;
        let prompts = match mode {
            Mode::Rpc => InitialPrompts::default(),
            Mode::Print | Mode::Json => self.prompts(&session).await?,
        };
        self.report_refused(&session, &prompts);
        self.report_unknown_flags();
        if !self.diagnostics.report() {
            return None;
        }
        // From here on the mode acts on signals.
        self.fetching = Fetching::default();
        let result = match mode {
            Mode::Rpc => run_rpc(session, format).await,
            Mode::Json => run_json(session, prompts, schema.as_ref(), format).await,
            Mode::Print => run_print(session, prompts, self.print_options(schema)).await,
        };
        if let Some(left_over) = network.left_over() {
            complain(&format!("Warning: {left_over}"));
        }
        Some(result.unwrap_or_else(|error| {
            complain(&format!("Error: {error}"));
            1
        }))
    }

    /// Ends the start with an error.
    fn fail<T>(&mut self, message: impl std::fmt::Display) -> Option<T> {
        self.diagnostics.error(message);
        self.diagnostics.report();
        None
    }

    fn settle<T, E: std::fmt::Display>(&mut self, result: Result<T, E>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => self.fail(error),
        }
    }

    /// `Some(None)` when the user declined.
    #[allow(clippy::option_option, reason = "the outer one is the way of all steps here")]
    async fn open_session(&mut self, network: &Network) -> Option<Option<SessionManager>> {
        let host = SessionHost { paths: self.paths.clone(), clock: network.clock(&self.clock), ids: network.ids() };
        let missing_cwd = missing_cwd::option(&self.line.args);
        let missing_cwd = self.settle(missing_cwd)?;
        let opened = if sessions::may_wait(&self.line.args) {
            let (args, settings) = (self.line.args.clone(), Arc::clone(&self.settings));
            let opened = tokio::task::spawn_blocking(move || sessions::open(&args, missing_cwd, &host, &settings));
            self.settle(opened.await)?
        } else {
            sessions::open(&self.line.args, missing_cwd, &host, &self.settings)
        };
        let opened = opened.map_err(|error| missing_cwd::with_way_out(&error));
        let Some(mut manager) = self.settle(opened)? else { return Some(None) };
        if let Some(file) = manager.session_file().filter(|file| manager.storage().has_no_file_yet() && file.exists()) {
            // Ids do not come again but in a replay.
            return self.fail(format!(
                "The session of this run is there already: {}. Name another directory with --session-dir, or keep none with --no-session",
                file.display()
            ));
        }
        if let Some(name) = self.line.args.name.clone() {
            if name.trim().is_empty() {
                return self.fail("--name requires a non-empty value");
            }
            let named = manager.append().session_info(&name);
            self.settle(named)?;
        }
        Some(Some(manager))
    }

    fn create_session(
        &mut self,
        manager: SessionManager,
        network: &Network,
        resources: PromptResources,
        limits: Limits,
    ) -> Option<AgentSession> {
        let clock = network.clock(&self.clock);
        let tools = tools::selection(&self.line.args);
        let tools = self.settle(tools)?;
        let thinking = self.thinking();
        let choice = self.model(thinking, network.recorded_model.as_deref())?;
        let scope = self.scope()?;
        self.set_runtime_key(&choice, &scope, &manager, network)?;
        self.report_unreadable(&resources);
        let options = CreateAgentSessionOptions::builder()
            .session_manager(manager)
            .settings(Arc::clone(&self.settings))
            .models(Arc::clone(&self.models))
            .resources(resources)
            .date(local_date(&*clock, network.utc_offset(self.offset)))
            .env(self.paths.env().clone())
            .model_opt(choice.model.map(pi_coding_agent::models::ModelChoice::from))
            .thinking_level_opt(choice.thinking_level)
            .scoped_models(scope)
            .trusts(self.trusts_elsewhere())
            .tools(tools)
            .extensions(self.extensions.take_report())
            .apis(Arc::clone(&self.apis))
            .wrap_tool(network.wrap_tool())
            .http_opt(network.transport.clone())
            .limits(limits)
            .clock(clock)
            .warn(Arc::new(|message: &str| complain(&format!("Warning: {message}"))))
            .build();
        let created = create_agent_session(options);
        let created = self.settle(created)?;
        created.model_fallback_message.iter().for_each(|message| self.diagnostics.warning(message));
        self.report_unknown_tools(&created);
        Some(created.session)
    }

    fn thinking(&mut self) -> Option<ThinkingLevel> {
        let level = self.line.args.thinking_level()?;
        level.map_err(|warning| self.diagnostics.warning(warning)).ok()
    }

    fn model(&mut self, thinking: Option<ThinkingLevel>, recorded: Option<&str>) -> Option<ResolvedModel> {
        if let Some(problem) = self.models.error() {
            self.diagnostics.warning(problem);
        }
        let args = &self.line.args;
        let asked = CliModel { provider: args.provider.as_deref(), model: args.model.as_deref(), thinking };
        let resolved = resolve_cli_model(asked, &self.models);
        let mut choice = self.settle(resolved)?;
        choice.warning.iter().for_each(|warning| self.diagnostics.warning(warning));
        if let (None, Some(recorded)) = (&choice.model, recorded) {
            choice.model = self.models.all().into_iter().find(|model| model.id == recorded);
            if choice.model.is_none() {
                return self.fail(format!(
                    "The cassette was recorded with the model \"{recorded}\", which is not known here. Name one with --model, or add it to models.json"
                ));
            }
        }
        Some(choice)
    }

    fn scope(&mut self) -> Option<Vec<ScopedModel>> {
        let scope = scope::scoped_models(&self.line.args, &self.settings, &self.models);
        let (scope, warnings) = self.settle(scope)?;
        warnings.into_iter().for_each(|warning| self.diagnostics.warning(warning));
        Some(scope)
    }

    /// `--api-key` counts for the model's provider; a replay needs no real key.
    fn set_runtime_key(
        &mut self,
        choice: &ResolvedModel,
        scope: &[ScopedModel],
        manager: &SessionManager,
        network: &Network,
    ) -> Option<()> {
        let args = &self.line.args;
        if args.api_key.as_deref().is_some_and(|key| key.trim().is_empty()) {
            return self.fail("--api-key requires a non-empty value; leave it out to use the configured key");
        }
        let key = args.api_key.clone().or_else(|| network.stand_in_key.map(ToOwned::to_owned));
        let (provider, id) = (self.settings.models().default_provider(), self.settings.models().default_model());
        let of_scope = || preferred(scope, provider.as_deref().zip(id.as_deref())).map(|scoped| &scoped.model);
        // A session that is continued has its own model.
        let is_new = || manager.build_session_context().is_ok_and(|context| context.messages.is_empty());
        let model = choice.model.as_ref().or_else(|| of_scope().filter(|_| key.is_some() && is_new()));
        match (key, model) {
            (Some(key), Some(model)) => self.models.auth().set_runtime_key(&model.provider, &key),
            (Some(_), None) if args.api_key.is_some() => {
                return self
                    .fail("--api-key requires a model to be specified via --model, --provider/--model, or --models");
            }
            _ => {}
        }
        Some(())
    }

    /// Options that nobody knows, with dashes.
    fn unknown_flags(&self) -> Vec<String> {
        self.line.unknown_flags.iter().map(|flag| format!("--{}", flag.name)).collect()
    }

    fn report_unknown_flags(&mut self) {
        let (flags, known) = (self.unknown_flags(), self.extensions.flag_names());
        match flags.as_slice() {
            [] => {}
            [flag] => self.diagnostics.error(unknown_option(flag, &known)),
            flags => {
                let similar = flags.iter().filter_map(|flag| Some((flag, similar_option(flag, &known)?)));
                let hints: String =
                    similar.map(|(flag, name)| format!("\nDid you mean --{name} in place of {flag}?")).collect();
                self.diagnostics.error(format!("Unknown options: {}{hints}", flags.join(", ")));
            }
        }
    }
}
