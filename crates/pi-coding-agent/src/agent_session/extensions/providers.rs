//! Providers that extensions bring. They are registered in the name of the extensions of this session as they are now, so
//! that they end with these, whoever else shares the registry of models.

use std::sync::Arc;

use pi_ai::thinking::clamp_level;

use crate::agent_session::{Inner, ModelsHandle};
use crate::config::models::ProviderChange;
use crate::events::Error;
use crate::extension::ExtensionRunner;

impl ModelsHandle<'_> {
    /// Adds or takes back a provider of an extension.
    pub(crate) fn change_provider(self, change: ProviderChange) -> Result<(), Error> {
        let runner = self.0.extensions.runner();
        let provider = match &change {
            ProviderChange::Register { provider, .. } | ProviderChange::Unregister { provider, .. } => provider.clone(),
        };
        self.0.models.change_provider(change, runner.runtime().provider_owner(), &self.0.apis)?;
        self.0.follow_model(&[provider]);
        Ok(())
    }
}

impl Inner {
    /// Exchanges the providers of extensions that have ended for those that the new ones noted while they were activated.
    /// What is wrong with these is told when the extensions begin.
    pub(super) fn exchange_providers(&self, old: &ExtensionRunner, new: &ExtensionRunner) {
        let mut providers = self.models.providers_of(old.runtime().provider_owner());
        // The new ones first: other sessions that use the same providers see no gap.
        new.take_up_providers(&self.models, &self.apis);
        self.forget_providers(old);
        providers.extend(self.models.providers_of(new.runtime().provider_owner()));
        self.follow_model(&providers);
    }

    /// The providers of extensions that have ended are gone.
    pub(super) fn forget_providers(&self, old: &ExtensionRunner) {
        self.models.forget_providers(old.runtime().provider_owner(), None);
    }

    /// The model in force follows when what is said of its provider changes. One that is defined nowhere any more stays:
    /// the next call says what is wrong.
    fn follow_model(&self, changed: &[String]) {
        let current = self.agent.with_state(|state| Arc::clone(&state.model));
        if !changed.contains(&current.provider) {
            return;
        }
        let Some(defined) = self.models.find(&current.provider, &current.id) else { return };
        if *defined == *current {
            return;
        }
        let level = self.agent.with_state(|state| state.thinking_level);
        self.agent.set_thinking_level(clamp_level(&defined, level));
        self.agent.set_model(defined);
    }
}
