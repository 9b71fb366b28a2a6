//! What commands about models and keys begin with: settings, credentials, models and extensions, without a session.

use std::sync::Arc;

use time::UtcOffset;

use super::Startup;
use crate::cli::grammar::scan::CommandLine;
use pi_coding_agent::extension::Extension;
use pi_coding_agent::models::ModelRegistry;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::settings::SettingsManager;

/// Everything up to the session.
pub(in crate::cli) struct Foundation(Startup);

impl Foundation {
    /// What a run with these options would work with in this directory.
    ///
    /// # Errors
    /// A sentence, when there is no current directory.
    pub(in crate::cli) fn new(line: CommandLine, extensions: Vec<Arc<dyn Extension>>) -> Result<Self, String> {
        Startup::new(line, extensions, UtcOffset::UTC).map(Self)
    }

    /// Loads extensions, which may bring providers. What is wrong with one is a warning: it is of no use here, and the rest
    /// is. Nothing is fetched.
    pub(in crate::cli) async fn load_extensions(&mut self) {
        let cwd = self.0.paths.cwd().to_owned();
        // Nobody is asked, so nobody ends it.
        let _ = self.0.ask_trust(&cwd).await;
        self.0.load_extensions(&cwd).await;
        self.0.diagnostics.soften();
        self.0.diagnostics.report();
    }

    pub(in crate::cli) fn paths(&self) -> &Paths {
        &self.0.paths
    }

    pub(in crate::cli) fn settings(&self) -> &SettingsManager {
        &self.0.settings
    }

    pub(in crate::cli) fn models(&self) -> &Arc<ModelRegistry> {
        &self.0.models
    }
}
