//! The settings that a command works with, and whether the project's are among them.

use std::io::IsTerminal;
use std::sync::Arc;

use super::Failure;
use super::args::FetchArgs;
use crate::cli::console::diagnostics::complain;
use crate::cli::console::interrupt::on_interrupt;
use crate::cli::process_env;
use pi_coding_agent::packages::{InstallScripts, PackageManager, PackageOptions};
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::SessionHost;
use pi_coding_agent::settings::SettingsManager;
use pi_coding_agent::trust::{is_project_trusted, trust_subjects};

/// Where a command works.
#[derive(Debug)]
pub(super) struct CommandScope {
    pub(super) host: SessionHost,
    pub(super) settings: Arc<SettingsManager>,
}

impl CommandScope {
    /// The directory of this process. `approval` is what was said for this command.
    pub(super) fn open(approval: Option<bool>) -> Result<Self, Failure> {
        let host = process_env::of_process().map_err(|error| Failure::Said(format!("Error: {error}")))?;
        let paths = &host.paths;
        let settings = Arc::new(SettingsManager::load(paths, paths.cwd(), false, Arc::clone(&host.clock)));
        // A project with nothing that needs trust is the user's to write to.
        let is_empty = trust_subjects(paths.cwd(), paths.env().home().as_deref()).is_empty();
        let trusted = match approval.or(is_empty.then_some(true)) {
            Some(trusted) => trusted,
            None => is_project_trusted(None, paths, &settings, paths.cwd()).unwrap_or_else(|error| {
                complain(&format!(
                    "Warning: {error}. The project is not trusted; --approve trusts it for this command"
                ));
                false
            }),
        };
        settings.set_project_trusted(trusted);
        settings.drain_problems().iter().for_each(|problem| complain(&format!("Warning: {problem}")));
        Ok(Self { host, settings })
    }

    /// The directories.
    pub(super) fn paths(&self) -> &Paths {
        &self.host.paths
    }

    /// Whether the network must not be used.
    pub(super) fn is_offline(&self, fetch: Option<FetchArgs>) -> bool {
        self.paths().env().is_offline() || fetch.is_some_and(|fetch| fetch.offline)
    }

    /// A manager that ends what it does when the user interrupts it.
    pub(super) fn manager(&self, fetch: Option<FetchArgs>) -> PackageManager {
        let options = PackageOptions {
            scripts: match fetch.is_some_and(|fetch| fetch.allow_scripts) {
                true => InstallScripts::Run,
                false => InstallScripts::Ignore,
            },
            offline: self.is_offline(fetch),
            may_ask: std::io::stdin().is_terminal(),
            cancel: on_interrupt(),
            ..PackageOptions::default()
        };
        PackageManager::new(Arc::clone(&self.settings), self.paths().clone(), options)
    }
}
