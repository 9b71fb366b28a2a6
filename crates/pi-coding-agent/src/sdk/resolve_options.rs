//! What a session cannot do without, made from the user's configuration where a program does not bring it along.
//!
//! Everything here reads small files. What cannot be read is told and left out; only a session that cannot be kept is an
//! error.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::Clock;
use time::{Date, UtcOffset};

use super::CreateAgentSessionOptions;
use crate::agent_session::TrustDecision;
use crate::config::auth_storage::AuthStorage;
use crate::config::models::{CatalogModels, ModelRegistry};
use crate::config::settings::SettingsManager;
use crate::config::trust::is_project_trusted;
use crate::host::env::Env;
use crate::host::ids::{Ids, RandomIds};
use crate::host::paths::{PROJECT_DIR, Paths, absolute};
use crate::resources::prompt::{ListedResources, PromptResources, ResourcePlaces, local_date};
use crate::sdk::Error;
use crate::session::{NewSession, SessionHost, SessionManager};

type Warn = Arc<dyn Fn(&str) + Send + Sync>;

/// The parts of a session, given or made.
pub(super) struct ResolvedOptions {
    pub(super) manager: SessionManager,
    pub(super) settings: Arc<SettingsManager>,
    pub(super) models: Arc<ModelRegistry>,
    pub(super) resources: PromptResources,
    pub(super) date: Date,
    pub(super) trusts: Arc<TrustDecision>,
}

impl ResolvedOptions {
    /// Takes out of the options what is given, and makes the rest.
    ///
    /// # Errors
    /// Those of [`SessionManager::create`].
    pub(super) fn of(options: &mut CreateAgentSessionOptions) -> Result<Self, Error> {
        let paths = paths(options);
        let cwd = cwd(options, &paths);
        let settings = options.settings.take().unwrap_or_else(|| load_settings(options, &paths, &cwd));
        let manager = match options.session_manager.take() {
            Some(manager) => manager,
            None => new_session(options, &paths, &cwd, &settings)?,
        };
        let models = options.models.take().unwrap_or_else(|| load_models(options, &paths));
        let trusts = options.trusts.take().unwrap_or_else(|| stored_decisions(options, &paths, &settings));
        let resources = resources(options, &paths, manager.cwd(), &settings);
        let date = options.date.unwrap_or_else(|| today(&*options.clock));
        Ok(Self { manager, settings, models, resources, date, trusts })
    }
}

/// Reads the settings, unless they are there already, and leaves them in the options.
pub(super) fn settle_settings(options: &mut CreateAgentSessionOptions) -> Arc<SettingsManager> {
    let paths = paths(options);
    let cwd = cwd(options, &paths);
    let settings = options.settings.take().unwrap_or_else(|| load_settings(options, &paths, &cwd));
    Arc::clone(options.settings.insert(settings))
}

/// Takes the resources out of the options, or names them as the options say.
pub(super) fn settle_resources(options: &mut CreateAgentSessionOptions) -> PromptResources {
    let paths = paths(options);
    let cwd = cwd(options, &paths);
    let settings = settle_settings(options);
    resources(options, &paths, &cwd, &settings)
}

/// The session's directory.
fn cwd(options: &CreateAgentSessionOptions, paths: &Paths) -> PathBuf {
    match (&options.session_manager, &options.cwd) {
        (Some(manager), _) => manager.cwd().to_owned(),
        (None, Some(cwd)) => absolute(paths.cwd(), cwd),
        (None, None) => paths.cwd().to_owned(),
    }
}

/// Where the user's configuration is.
fn paths(options: &CreateAgentSessionOptions) -> Paths {
    let paths = match &options.session_manager {
        Some(manager) => manager.paths().clone(),
        None => process_paths(options.env.clone()),
    };
    match &options.agent_dir {
        Some(dir) => paths.with_agent_dir(dir),
        None => paths,
    }
}

fn load_settings(options: &CreateAgentSessionOptions, paths: &Paths, cwd: &Path) -> Arc<SettingsManager> {
    let settings = SettingsManager::load(paths, cwd, false, Arc::clone(&options.clock));
    if is_trusted(options.project_trusted, paths, &settings, cwd, &options.warn) {
        settings.set_project_trusted(true);
    }
    for problem in settings.drain_problems() {
        (options.warn)(&format!("({} settings) {}", problem.scope.as_str(), problem.message));
    }
    Arc::new(settings)
}

/// Decisions that cannot be read are no.
fn is_trusted(approval: Option<bool>, paths: &Paths, settings: &SettingsManager, cwd: &Path, warn: &Warn) -> bool {
    is_project_trusted(approval, paths, settings, cwd).unwrap_or_else(|error| {
        warn(&format!("{error}. The project is not trusted."));
        false
    })
}

fn new_session(
    options: &CreateAgentSessionOptions,
    paths: &Paths,
    cwd: &Path,
    settings: &SettingsManager,
) -> Result<SessionManager, Error> {
    let host = random_host(options, paths);
    let new = NewSession { dir: settings.sessions().dir(), ..NewSession::default() };
    let mut manager = SessionManager::create(host, cwd, &new)?;
    manager.set_durability(settings.sessions().durability());
    Ok(manager)
}

/// The surroundings of the session that these options make.
pub(super) fn session_host(options: &CreateAgentSessionOptions) -> SessionHost {
    match &options.session_manager {
        Some(manager) => manager.host(),
        None => random_host(options, &paths(options)),
    }
}

// Here and not beside the type: what knows only sessions takes its clock and ids from a caller.
impl SessionHost {
    /// The surroundings of a program that brings none: directories as the environment says, the system's clock, random ids.
    pub fn new(env: Env) -> Self {
        Self { paths: process_paths(env), clock: clock(), ids: ids() }
    }
}

/// The directories of this process.
fn process_paths(env: Env) -> Paths {
    // A process without a current directory cannot resolve a relative path; an absolute one needs none.
    Paths::new(env, std::env::current_dir().unwrap_or_default())
}

/// The clock of programs that bring none.
#[expect(clippy::disallowed_methods, reason = "the default of an option")]
pub(super) fn clock() -> Arc<dyn Clock> {
    pi_ai::system_clock()
}

/// The environment of programs that bring none.
#[expect(clippy::disallowed_methods, reason = "the default of an option")]
pub(super) fn env() -> Env {
    Env::process()
}

/// The ids of programs that bring none.
#[expect(clippy::disallowed_methods, reason = "the default of an option")]
pub(super) fn ids() -> Arc<dyn Ids> {
    RandomIds::shared()
}

fn random_host(options: &CreateAgentSessionOptions, paths: &Paths) -> SessionHost {
    SessionHost { paths: paths.clone(), clock: Arc::clone(&options.clock), ids: ids() }
}

fn load_models(options: &CreateAgentSessionOptions, paths: &Paths) -> Arc<ModelRegistry> {
    let auth = options.auth.clone().unwrap_or_else(|| {
        Arc::new(AuthStorage::new(paths.auth_file(), options.env.clone(), Arc::clone(&options.clock)))
    });
    let models = ModelRegistry::new(auth, Arc::new(CatalogModels), Some(paths.models_file()));
    models.error().into_iter().for_each(|problem| (options.warn)(&problem));
    Arc::new(models)
}

/// What the user decided about other projects. The decision about the first one says nothing about them.
fn stored_decisions(
    options: &CreateAgentSessionOptions,
    paths: &Paths,
    settings: &Arc<SettingsManager>,
) -> Arc<TrustDecision> {
    let (paths, settings, warn) = (paths.clone(), Arc::clone(settings), Arc::clone(&options.warn));
    Arc::new(move |cwd| is_trusted(None, &paths, &settings, cwd, &warn))
}

fn resources(
    options: &mut CreateAgentSessionOptions,
    paths: &Paths,
    cwd: &Path,
    settings: &SettingsManager,
) -> PromptResources {
    let given = options.resources.take();
    let resources = given.unwrap_or_else(|| {
        let places = ResourcePlaces {
            agent_dir: paths.agent_dir().to_owned(),
            home: paths.env().home(),
            cwd: cwd.to_owned(),
            project_dir: cwd.join(PROJECT_DIR),
            trusted: options.project_trusted.unwrap_or_else(|| settings.is_project_trusted()),
        };
        let files = std::mem::take(&mut options.resource_options);
        let resources = PromptResources::new(places, files).with_listed(ListedResources::of_settings(settings));
        // Instructions that the user takes for granted must not be missing in silence.
        let diagnostics = [&resources.prompt_files().diagnostics, &resources.context_files().diagnostics];
        diagnostics.into_iter().flatten().for_each(|diagnostic| (options.warn)(&diagnostic.to_string()));
        resources
    });
    match (options.system_prompt.take(), std::mem::take(&mut options.append_system_prompt)) {
        (None, append) if append.is_empty() => resources,
        (custom, append) => resources.with_texts(custom, append),
    }
}

/// The system tells the offset only while there is one thread; then it is UTC.
fn today(clock: &dyn Clock) -> Date {
    local_date(clock, UtcOffset::current_local_offset().unwrap_or(UtcOffset::UTC))
}
