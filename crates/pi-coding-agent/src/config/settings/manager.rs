//! Loads, merges and saves settings.
//!
//! The user's settings and the project's are two files (more, where the working directory is below the root of its
//! repository); the project's win, objects are merged at every depth. A
//! setter changes memory first and the file right after: the file is read again under a lock and only the keys that
//! were set are replaced, so what others wrote and what this version does not know survives. A file that cannot be
//! read is reported and never written. Calls that touch a file block briefly.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use pi_ai::Clock;
use pi_guard::Unpoisoned;
use serde_json::{Map, Value};

use super::ancestors::OuterProject;
use super::check::check;
use super::keys::Keys;
use super::migrate::migrate;
use super::object::{lookup, merged};
use super::scope::{SettingsProblem, SettingsScope};
use super::sections::{
    ExtensionSettings, InterfaceSettings, ModelSettings, NetworkSettings, ResourceSettings, SessionSettings,
    TelemetrySettings, ToolSettings,
};
use super::state::{Scope, SettingsState, file};
use super::table::DEFAULT_PROJECT_TRUST;
use super::values::ProjectTrust;
use crate::config::Error;
use crate::config::storage::Storage;
#[cfg(doc)]
use crate::host;
use crate::host::env::Env;
use crate::host::paths::{Paths, project_settings_file};

/// The settings of a run. Shared; all methods take `&self`.
#[derive(Debug)]
pub struct SettingsManager {
    env: Env,
    state: Mutex<SettingsState>,
}

impl SettingsManager {
    /// Reads the settings of the user and, if it is trusted, of the project in `cwd`. Problems are collected, see
    /// [`Self::drain_problems`].
    pub fn load(paths: &Paths, cwd: &Path, trusted: bool, clock: Arc<dyn Clock>) -> Self {
        let mut state = SettingsState { trusted, home: paths.env().home(), ..SettingsState::default() };
        state.global.storage = Some(file(paths.settings_file(), Arc::clone(&clock)));
        state.project.storage = Some(file(project_settings_file(cwd), clock));
        state.reload();
        Self { env: paths.env().clone(), state: Mutex::new(state) }
    }

    /// Settings that are kept nowhere.
    pub fn in_memory(mut values: Map<String, Value>, env: Env) -> Self {
        migrate(&mut values);
        let mut state = SettingsState { trusted: true, ..SettingsState::default() };
        state.global.values = values;
        state.merge();
        Self { env, state: Mutex::new(state) }
    }

    /// Settings in storages of the program's own: the user's, and the project's where there are any. They count both until
    /// [`Self::set_project_trusted`] says otherwise, and are read at once; problems are collected, see
    /// [`Self::drain_problems`].
    pub fn from_storage(global: Arc<dyn Storage>, project: Option<Arc<dyn Storage>>, env: Env) -> Self {
        let mut state = SettingsState { trusted: true, home: env.home(), ..SettingsState::default() };
        state.global.storage = Some(global);
        state.project.storage = project;
        state.reload();
        Self { env, state: Mutex::new(state) }
    }

    /// Reads both files again. Settings of a file that has become unreadable stay as they were.
    pub fn reload(&self) {
        self.state().reload();
    }

    /// Whether the project's settings count and may be written.
    pub fn is_project_trusted(&self) -> bool {
        self.state().trusted
    }

    /// Decides about the project's settings, and reads them if they count now.
    pub fn set_project_trusted(&self, trusted: bool) {
        let mut state = self.state();
        state.trusted = trusted;
        state.reload_scope(SettingsScope::Project);
        state.merge();
    }

    /// What to do about a project that nobody decided about; only the user's own setting counts.
    pub fn default_project_trust(&self) -> ProjectTrust {
        self.keys().get(&DEFAULT_PROJECT_TRUST)
    }

    /// Keeps in mind that the user wants no project to be trusted in this run, whether it has something to trust or not.
    pub fn refuse_projects(&self) {
        self.state().refuses_projects = true;
    }

    /// Whether the user wants no project to be trusted in this run.
    pub(crate) fn refuses_projects(&self) -> bool {
        self.state().refuses_projects
    }

    /// Goes to another working directory: the settings of the project there count from now on, if it is trusted, instead
    /// of those of the project that is left. Those that are not in a file of a project stay as they are.
    pub fn move_to(&self, cwd: &Path, trusted: bool) {
        let mut state = self.state();
        let path = project_settings_file(cwd);
        let Some(current) = state.project.file() else { return };
        if current.path() == path && state.trusted == trusted {
            return;
        }
        let moved = current.at(path);
        state.project = Scope { storage: Some(Arc::new(moved)), ..Scope::default() };
        state.trusted = trusted;
        state.reload_scope(SettingsScope::Project);
        state.merge();
    }

    /// The file of one scope; `None` for settings that are kept elsewhere.
    pub fn file(&self, scope: SettingsScope) -> Option<PathBuf> {
        self.state().scope(scope).file().map(|file| file.path().to_owned())
    }

    /// The environment that paths in settings are expanded with.
    pub(crate) fn env(&self) -> &Env {
        &self.env
    }

    /// Lays values over the settings for this run. They are never written.
    pub fn apply_overrides(&self, overrides: &Map<String, Value>) {
        let mut state = self.state();
        state.overrides = merged(&state.overrides, overrides);
        state.merge();
    }

    /// What was wrong so far; each problem is returned once.
    pub fn drain_problems(&self) -> Vec<SettingsProblem> {
        std::mem::take(&mut self.state().problems)
    }

    /// A copy of one scope's own settings.
    pub fn scope(&self, scope: SettingsScope) -> Map<String, Value> {
        self.state().scope(scope).values.clone()
    }

    /// Takes these for the settings of one scope, which is kept in memory.
    pub fn replace(&self, scope: SettingsScope, mut values: Map<String, Value>) {
        migrate(&mut values);
        let mut state = self.state();
        let problems = check(&values).into_iter().map(|message| SettingsProblem { scope, message });
        state.problems.extend(problems);
        let kept = state.scope_mut(scope);
        kept.unsaved.clear();
        kept.values = values;
        state.merge();
    }

    /// A value as it is in force, by its key, unread.
    pub fn in_force(&self, key: &str) -> Option<Value> {
        self.state().effective.get(key).cloned()
    }

    /// Sets a key (one name, or two for a nested key) in one scope; `None` removes it.
    ///
    /// # Errors
    /// [`Error::ProjectNotTrusted`], and then nothing is changed. Otherwise the value is in force even if it could
    /// not be saved: [`Error::NotOverwritten`], [`host::Error::FileLocked`](crate::host::Error::FileLocked), [`host::Error::FileWrite`](crate::host::Error::FileWrite) and its kin.
    pub fn set(&self, scope: SettingsScope, path: &[&str], value: Option<Value>) -> Result<(), Error> {
        self.set_all(scope, [(path, value)])
    }

    /// Sets several keys of one scope at once.
    ///
    /// # Errors
    /// Those of [`Self::set`].
    pub fn set_all<'a>(
        &self,
        scope: SettingsScope,
        changes: impl IntoIterator<Item = (&'a [&'a str], Option<Value>)>,
    ) -> Result<(), Error> {
        let mut state = self.state();
        if scope == SettingsScope::Project && !state.trusted {
            return Err(Error::ProjectNotTrusted);
        }
        for (path, value) in changes {
            state.scope_mut(scope).change(path, value);
        }
        state.merge();
        state.scope_mut(scope).save()
    }

    /// Tries again to save what an earlier setter could not.
    ///
    /// # Errors
    /// Those of saving, see [`Self::set`].
    pub fn flush(&self) -> Result<(), Error> {
        let mut state = self.state();
        state.global.save()?;
        state.project.save()
    }

    /// Models to start with and to choose from.
    pub fn models(&self) -> ModelSettings<'_> {
        ModelSettings(self.keys())
    }

    /// How providers are reached, and the limits of a request.
    pub fn network(&self) -> NetworkSettings<'_> {
        NetworkSettings(self.keys())
    }

    /// Tools, the shell that runs commands, images.
    pub fn tools(&self) -> ToolSettings<'_> {
        ToolSettings(self.keys())
    }

    /// Packages, and the paths of extensions, skills, prompt templates and themes.
    pub fn resources(&self) -> ResourceSettings<'_> {
        ResourceSettings(self.keys())
    }

    /// Where sessions are kept, their limits, and their queues.
    pub fn sessions(&self) -> SessionSettings<'_> {
        SessionSettings(self.keys())
    }

    /// What extensions may use up and may do.
    pub fn extensions(&self) -> ExtensionSettings<'_> {
        ExtensionSettings(self.keys())
    }

    /// What is told about the use of the program.
    pub fn telemetry(&self) -> TelemetrySettings<'_> {
        TelemetrySettings(self.keys())
    }

    /// What the terminal shows, and how its keys work.
    pub fn interface(&self) -> InterfaceSettings<'_> {
        InterfaceSettings(self.keys())
    }

    /// A value as it is in force, or of one scope alone; `None` where there is none.
    pub(super) fn with_value<T>(
        &self,
        scope: Option<SettingsScope>,
        path: impl IntoIterator<Item = &'static str>,
        read: impl FnOnce(Option<&Value>) -> T,
    ) -> T {
        let state = self.state();
        let values = scope.map_or(&state.effective, |scope| &state.scope(scope).values);
        read(lookup(values, path))
    }

    /// The project's directories above the working directory that count, the nearest first.
    pub(super) fn outer_projects(&self) -> Vec<OuterProject> {
        self.state().outer.clone()
    }

    pub(super) fn keys(&self) -> Keys<'_> {
        Keys(self)
    }

    /// A poisoned lock only means that a caller panicked; the settings are still consistent.
    fn state(&self) -> MutexGuard<'_, SettingsState> {
        self.state.lock().unpoisoned()
    }
}
