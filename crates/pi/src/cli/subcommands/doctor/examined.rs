//! What is looked at: the configuration as a run in this directory would have it, read without writing anything.

use std::path::Path;
use std::sync::Arc;

use pi_ai::Clock;
use serde_json::{Map, Value};

use crate::cli::process_env;
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::env::Env;
use pi_coding_agent::host::FileKind;
use pi_coding_agent::host::json_file::read_object;
use pi_coding_agent::models::{CatalogModels, ModelRegistry};
use pi_coding_agent::paths::Paths;
use pi_coding_agent::prompt::{ListedResources, PromptResources, ResourceOptions, ResourcePlaces};
use pi_coding_agent::settings::{SettingsManager, SettingsProblem};
use pi_coding_agent::trust::{is_project_trusted, stored_decision, trust_subjects};
use pi_coding_agent::{config, host};

/// The configuration of a run in this directory.
pub(in crate::cli) struct Examined {
    pub(in crate::cli) paths: Paths,
    pub(in crate::cli) clock: Arc<dyn Clock>,
    pub(in crate::cli) settings: SettingsManager,
    pub(super) settings_problems: Vec<SettingsProblem>,
    /// `auth.json` as it is.
    pub(in crate::cli) stored_keys: Result<Map<String, Value>, host::Error>,
    pub(in crate::cli) models: ModelRegistry,
    pub(super) trust: Trust,
    pub(super) resources: PromptResources,
}

/// Whether the project counts.
pub(in crate::cli) struct Trust {
    /// What needs it.
    pub(super) subjects: Vec<std::path::PathBuf>,
    pub(super) trusted: bool,
    /// What is stored about it or a directory above.
    pub(super) stored: Option<bool>,
    /// Why stored decisions cannot be read.
    pub(super) problem: Option<config::Error>,
}

impl Examined {
    /// What this process would work with.
    ///
    /// # Errors
    /// A sentence, when there is no current directory.
    pub(in crate::cli) fn of_process() -> Result<Self, String> {
        process_env::of_process().map(|host| Self::new(host.paths, host.clock))
    }

    fn new(paths: Paths, clock: Arc<dyn Clock>) -> Self {
        let settings = SettingsManager::load(&paths, paths.cwd(), false, Arc::clone(&clock));
        let trust = Trust::of(&paths, &settings);
        if trust.trusted {
            settings.set_project_trusted(true);
        }
        let settings_problems = settings.drain_problems();
        let stored_keys = read_object(&paths.auth_file(), FileKind::Credentials).map(Option::unwrap_or_default);
        // In memory: a storage over the file would make one where there is none.
        let stored = stored_keys.as_ref().map(Clone::clone).unwrap_or_default();
        let auth = Arc::new(AuthStorage::in_memory(stored, paths.env().clone(), Arc::clone(&clock)));
        let models = ModelRegistry::new(auth, Arc::new(CatalogModels), Some(paths.models_file()));
        let resources =
            PromptResources::new(ResourcePlaces::of(&paths, paths.cwd(), trust.trusted), ResourceOptions::default())
                .with_listed(ListedResources::of_settings(&settings));
        Self { paths, clock, settings, settings_problems, stored_keys, models, trust, resources }
    }

    pub(super) fn env(&self) -> &Env {
        self.paths.env()
    }

    /// A path as people see it.
    pub(super) fn shown(&self, path: &Path) -> String {
        let home = self.env().home();
        match home.as_deref().and_then(|home| path.strip_prefix(home).ok()) {
            Some(rest) if !rest.as_os_str().is_empty() => format!("~/{}", rest.display()),
            _ => path.display().to_string(),
        }
    }
}

impl Trust {
    fn of(paths: &Paths, settings: &SettingsManager) -> Self {
        let subjects = trust_subjects(paths.cwd(), paths.env().home().as_deref());
        let stored = stored_decision(&paths.trust_file(), paths.cwd());
        let trusted = is_project_trusted(None, paths, settings, paths.cwd()).unwrap_or(false);
        let (stored, problem) = match stored {
            Ok(stored) => (stored, None),
            Err(error) => (None, Some(error)),
        };
        Self { subjects, trusted, stored, problem }
    }
}
