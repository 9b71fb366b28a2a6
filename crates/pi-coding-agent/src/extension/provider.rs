//! Hands registrations of providers, noted while extensions were activated, to the registry of models.

use std::sync::Arc;

use pi_ai::ApiRegistry;

use super::load::LoadError;
use super::runner::ExtensionRunner;
use crate::config::models::ModelRegistry;
use crate::events::{ExtensionError, HandlerError};

/// Takes up what extensions said of providers while they were activated, and returns what was wrong with it. For programs
/// that choose a model before there is a session; [`create_agent_session`](crate::sdk::create_agent_session) does it by
/// itself.
///
/// What was taken up counts for every session of `models`. It ends with the session of these extensions.
pub fn register_providers(runner: &ExtensionRunner, models: &ModelRegistry, apis: &Arc<ApiRegistry>) -> Vec<LoadError> {
    let runtime = runner.runtime();
    let mut errors = Vec::new();
    for change in runtime.take_provider_changes() {
        let path = change.extension().to_owned();
        if let Err(error) = models.change_provider(change, runtime.provider_owner(), apis) {
            errors.push(LoadError { path, error: error.to_string() });
        }
    }
    errors
}

impl ExtensionRunner {
    /// Takes up what extensions said of providers. What is wrong with it is told when they begin.
    pub(crate) fn take_up_providers(&self, models: &ModelRegistry, apis: &Arc<ApiRegistry>) {
        for LoadError { path, error } in register_providers(self, models, apis) {
            self.runtime().report_early(ExtensionError::new(path, "register_provider", &HandlerError::new(error)));
        }
    }
}
