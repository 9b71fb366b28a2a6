//! From a parsed command line to a running session. The order matters: what comes first wins, and nothing is read that
//! the command does not need.
//!
//! # Layout
//! This file is the order of things. `sessions`, `resume` and `missing_cwd` choose the session file, `session` opens it and
//! makes the session; `model_choice`, `scope` and `listing` are about models, `input` and `attach` about the first
//! prompt, `resources`, `packages` and `fetching` about what is loaded, `project_trust` says whether a project's parts
//! count. `extensions` loads what the program brings and what lies in files (`script_files`), with `unknown_flags` and
//! `help`. `network` opens cassettes, `limits` and `tools` read their options, `servers` adds those of MCP, `codemode` the tool
//! for scripts, `migrations` takes
//! over what older versions left, `left_out` and `output` are what is said at the end. `editor` serves an editor, which
//! begins its own sessions; `listen` is about clients of a socket. `foundation` is all this for commands without a session.

mod attach;
mod codemode;
mod editor;
pub(super) mod extensions;
mod fetching;
mod foundation;
mod gate;
mod help;
mod input;
mod left_out;
mod limits;
mod listen;
pub(super) mod listing;
mod migrations;
mod missing_cwd;
mod model_choice;
pub(super) mod network;
mod output;
mod packages;
mod project_trust;
mod resources;
mod resume;
pub(super) mod scope;
pub(super) mod script_files;
mod servers;
mod session;
pub(super) mod sessions;
mod tools;
mod trust_questions;
mod unknown_flags;
mod wait_for_session;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use pi_ai::{ApiRegistry, Clock};
use time::UtcOffset;

use self::extensions::RunExtensions;
use self::fetching::Fetching;
pub(super) use self::foundation::Foundation;
pub(super) use self::help::help_of_extensions;
use self::network::Network;
use self::project_trust::trusts;
use self::session::Opened;
use crate::cli::console::diagnostics::{Diagnostics, complain};
use crate::cli::grammar::mode::Mode;
use crate::cli::grammar::scan::CommandLine;
use crate::cli::process_env;
use crate::modes::{
    AnswerSchema, Asker, EventFormat, InitialPrompts, InteractiveOptions, Notices, ReplacementWatcher, RunTrust,
    run_interactive, run_json, run_listening, run_plain, run_print, run_rpc,
};
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::extension::Extension;
use pi_coding_agent::gate::{GateMode, PermissionGate};
use pi_coding_agent::ids::Ids;
use pi_coding_agent::models::{CatalogModels, ModelRegistry};
use pi_coding_agent::paths::Paths;
use pi_coding_agent::prompt::PackageResources;
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
struct Startup {
    line: CommandLine,
    paths: Paths,
    settings: Arc<SettingsManager>,
    models: Arc<ModelRegistry>,
    extensions: RunExtensions,
    /// What asks before calls.
    gate: PermissionGate,
    /// Notices what clients of a socket show no more.
    watcher: ReplacementWatcher,
    /// Whether the servers of MCP are among the extensions.
    has_servers: bool,
    /// What the packages bring that `--extension` names.
    packages_of_run: Vec<PackageResources>,
    /// Whether an extension or the user has decided about the project's trust: then nobody needs a warning.
    trust_was_decided: bool,
    /// What was decided about projects in this run.
    trust: RunTrust,
    /// Whether this run was told, or there is nothing in the project that needs trust.
    needs_no_trust: bool,
    fetching: Fetching,
    /// Wire formats; extensions may bring some.
    apis: Arc<ApiRegistry>,
    /// The real one: for files and logins.
    clock: Arc<dyn Clock>,
    /// Ids that never come again; those of a replay are those of its network.
    ids: Arc<dyn Ids>,
    offset: UtcOffset,
    diagnostics: Diagnostics,
    /// What a session that is shown on a screen says there.
    notices: Notices,
    /// Asks the user, in the mode that talks with one.
    asker: Option<Asker>,
}

async fn start(line: CommandLine, extensions: Vec<Arc<dyn Extension>>, offset: UtcOffset) -> u8 {
    let mut start = match Startup::new(line, extensions, offset) {
        Ok(start) => start,
        Err(message) => {
            complain(&format!("Error: {message}"));
            return 1;
        }
    };
    start.find_asker();
    let cwd = start.paths.cwd().to_owned();
    if let Err(code) = start.fetch_packages(&cwd).await {
        return code;
    }
    if start.line.args.list_models {
        start.load_extensions(&cwd).await;
        // What else is wrong does not keep anybody from a list of models.
        start.diagnostics.soften();
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

impl Startup {
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
        Self::with_keys(line, extensions, UtcOffset::UTC, |paths, _, clock| {
            AuthStorage::in_memory(serde_json::Map::new(), paths.env().clone(), clock)
        })
    }

    fn with_keys(
        line: CommandLine,
        extensions: Vec<Arc<dyn Extension>>,
        offset: UtcOffset,
        keys: impl FnOnce(&Paths, &Arc<SettingsManager>, Arc<dyn Clock>) -> AuthStorage,
    ) -> Result<Self, String> {
        let host = process_env::of_process()?;
        let SessionHost { paths, clock, ids } = host.clone();
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
        let extensions = RunExtensions::new(extensions, script_files::maker(&settings, &host, &clock));
        let extensions = extensions.within(settings.extensions().limits().handler);
        let apis = Arc::new(ApiRegistry::builtin());
        let trust = RunTrust::new(line.approval);
        let (packages_of_run, fetching) = (Vec::new(), Fetching::default());
        let gate = PermissionGate::new(GateMode::Never, paths.clone(), Arc::clone(&clock));
        Ok(Self {
            line,
            paths,
            settings,
            models,
            extensions,
            gate,
            watcher: ReplacementWatcher::default(),
            has_servers: false,
            packages_of_run,
            trust_was_decided: false,
            trust,
            needs_no_trust: false,
            fetching,
            apis,
            clock,
            ids,
            offset,
            diagnostics,
            notices: Notices::default(),
            asker: None,
        })
    }

    /// `None` when something prevented the start; it has been said.
    async fn go(&mut self) -> Option<u8> {
        let mode = self.settle(Mode::choose(&self.line.args))?;
        let format = self.settle(Mode::event_format(&self.line.args, self.paths.env()))?;
        if !format.level.is_current() {
            self.settings.apply_overrides(&serde_json::Map::from_iter([("rememberModel".to_owned(), true.into())]));
        }
        if let Some(protocol) = mode.protocol().filter(|_| !self.line.files.is_empty()) {
            return self.fail(format!("@file arguments are not supported in {protocol} mode"));
        }
        if self.line.args.listen && mode != Mode::Rpc {
            return self.fail("--listen is for --mode rpc: pi attach --start begins such a session and shows it");
        }
        let schema = self.answer_schema(mode);
        let schema = self.settle(schema)?;
        let limits = limits::limits(&self.line.args, self.settings.sessions().limits(), mode.protocol().is_some());
        let limits = self.settle(limits)?;
        let asks = self.settle(gate::option(&self.line.args))?;
        self.gate.set_mode(asks);
        let watching = self.is_watched();
        let host =
            SessionHost { paths: self.paths.clone(), clock: Arc::clone(&self.clock), ids: Arc::clone(&self.ids) };
        let network = network::open(&self.line.args, &self.settings, &host, watching, self.offset);
        let network = self.settle(network)?;
        if mode == Mode::Acp {
            return editor::serve_editor(self, &network, limits).await;
        }
        // Before anything is loaded: a script may make a session before there is one.
        self.extensions.make_by(script_files::maker(&self.settings, &self.host(&network), &self.clock));
        let manager = match self.settle_session(&network).await? {
            Ok(manager) => manager,
            Err(code) => return Some(code),
        };
        let resources = self.load_extensions(manager.cwd()).await;
        self.report_untrusted(manager.cwd());
        self.report_missing();
        let session = self.create_session(manager, &network, resources, limits, mode)?;
        let prompts = match mode {
            Mode::Rpc | Mode::Acp => InitialPrompts::default(),
            Mode::Print | Mode::Json | Mode::Interactive | Mode::Plain => self.prompts(&session).await?,
        };
        self.report_refused(&session, &prompts);
        self.report_unknown_flags();
        if !self.diagnostics.report() {
            return None;
        }
        // From here on the mode acts on signals.
        self.fetching = Fetching::default();
        let result = self.run_mode(mode, session, prompts, schema, format).await;
        if let Some(left_over) = network.left_over() {
            complain(&format!("Warning: {left_over}"));
        }
        Some(result.unwrap_or_else(|error| {
            complain(&format!("Error: {error}"));
            1
        }))
    }

    /// The session's file, its directory's settings and trust; or the exit code, where a question ended the start.
    async fn settle_session(&mut self, network: &Network) -> Option<Result<SessionManager, u8>> {
        let manager = match self.open_session(network).await? {
            Opened::Session(manager) => *manager,
            Opened::Declined => return Some(Err(0)),
            Opened::Ended(code) => return Some(Err(code)),
        };
        let is_elsewhere = match self.follow(&manager).await {
            Ok(is_elsewhere) => is_elsewhere,
            Err(code) => return Some(Err(code)),
        };
        match self.ask_user(manager.cwd()).await {
            Err(code) => return Some(Err(code)),
            Ok(is_trusted_now) if is_elsewhere || is_trusted_now => {
                if let Err(code) = self.install_packages().await {
                    return Some(Err(code));
                }
            }
            Ok(_) => {}
        }
        Some(Ok(manager))
    }

    async fn run_mode(
        &mut self,
        mode: Mode,
        session: AgentSession,
        prompts: InitialPrompts,
        schema: Option<AnswerSchema>,
        format: EventFormat,
    ) -> io::Result<u8> {
        match mode {
            // An editor begins its own sessions; it does not come this far.
            Mode::Rpc | Mode::Acp => match listen::options(self, format) {
                Some(options) => run_listening(session, options).await,
                None => run_rpc(session, format).await,
            },
            Mode::Json => run_json(session, prompts, schema.as_ref(), format).await,
            Mode::Print => run_print(session, prompts, self.print_options(schema)).await,
            Mode::Plain => run_plain(session, prompts).await,
            Mode::Interactive => {
                let typed = self.asker.take().map(Asker::into_typed).unwrap_or_default();
                let options = InteractiveOptions { typed, prompts, ..listen::screen_options(self) };
                run_interactive(session, options).await
            }
        }
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
}
