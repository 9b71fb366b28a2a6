//! Providers that extensions bring. They are registered in the name of the extensions of this session as they are now, so
//! that they end with these, whoever else shares the registry of models.

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
        self.0.place.models().change_provider(change, runner.runtime().provider_owner(), &self.0.surroundings.apis)?;
        follow_model(self.0, &[provider]);
        Ok(())
    }
}

/// Exchanges the providers of extensions that have ended for those that the new ones noted while they were activated.
/// What is wrong with these is told when the extensions begin.
pub(super) fn exchange_providers(session: &Inner, old: &ExtensionRunner, new: &ExtensionRunner) {
    let mut providers = session.place.models().providers_of(old.runtime().provider_owner());
    // The new ones first: other sessions that use the same providers see no gap.
    new.take_up_providers(session.place.models(), &session.surroundings.apis);
    forget_providers(session, old);
    providers.extend(session.place.models().providers_of(new.runtime().provider_owner()));
    follow_model(session, &providers);
}

/// The providers of extensions that have ended are gone.
pub(super) fn forget_providers(session: &Inner, old: &ExtensionRunner) {
    session.place.models().forget_providers(old.runtime().provider_owner(), None);
}

/// The model in force follows when what is said of its provider changes. One that is defined nowhere any more stays:
/// the next call says what is wrong.
fn follow_model(session: &Inner, changed: &[String]) {
    let current = session.run.model();
    if !changed.contains(&current.provider) {
        return;
    }
    let Some(defined) = session.place.models().find(&current.provider, &current.id) else { return };
    if *defined == *current {
        return;
    }
    let level = session.run.thinking_level();
    session.run.agent().set_thinking_level(clamp_level(&defined, level));
    session.run.agent().set_model(defined);
}
