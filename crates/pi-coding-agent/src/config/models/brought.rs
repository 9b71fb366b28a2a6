//! Providers that extensions bring: who said what, and what follows from that for models, keys, wire formats and logins.
//!
//! A registry may serve many sessions, and the same extension may speak in each of them. So every word has an owner, the
//! extensions of one session at one time. All sessions of the registry see what was said; an owner takes back only its
//! own words, and those of the others then count again. `brought_config` checks a registration and lays it over
//! `models.json`.

use std::sync::Arc;

use pi_ai::auth::oauth::{OAuthProvider, OAuthRegistry};
use pi_ai::{Api, ApiRegistry};

use super::brought_config::{check, overlay};
use super::displaced::{Displaced, Named, NamedLogin, Table};
use super::models_json::ModelsConfig;
use super::provider::{ProviderChange, ProviderOwner, ProviderRegistration};
use super::registry::{ModelRegistry, lock};
use crate::error::{Error, ExtensionCallError};

/// Everything that extensions said, in order, one entry per owner and provider.
#[derive(Debug, Default)]
pub(super) struct Brought {
    layers: Vec<Layer>,
    apis: Displaced<ApiRegistry>,
    logins: Displaced<OAuthRegistry>,
}

#[derive(Debug)]
struct Layer {
    owner: ProviderOwner,
    provider: String,
    registration: ProviderRegistration,
}

impl Brought {
    /// Lays everything over what `models.json` says.
    pub(super) fn overlay(&self, config: &mut ModelsConfig) {
        for layer in &self.layers {
            overlay(config, &layer.provider, &layer.registration);
        }
    }

    fn put(&mut self, owner: &ProviderOwner, provider: &str, registration: ProviderRegistration) {
        match self.layers.iter_mut().find(|layer| layer.owner == *owner && layer.provider == provider) {
            Some(layer) => layer.registration = registration,
            None => self.layers.push(Layer { owner: owner.clone(), provider: provider.to_owned(), registration }),
        }
    }

    /// What an owner said of a provider, with what is added now.
    fn combined(&self, owner: &ProviderOwner, provider: &str, new: &ProviderRegistration) -> ProviderRegistration {
        let before = self.layers.iter().find(|layer| layer.owner == *owner && layer.provider == provider);
        before.map_or_else(|| new.clone(), |layer| new.clone().over(&layer.registration))
    }

    /// The providers that an owner spoke of.
    fn providers_of(&self, owner: &ProviderOwner) -> Vec<String> {
        self.layers.iter().filter(|layer| layer.owner == *owner).map(|layer| layer.provider.clone()).collect()
    }

    /// Forgets the words of an owner, about one provider or about all.
    fn forget(&mut self, owner: &ProviderOwner, provider: Option<&str>) {
        let is_meant = |other: &ProviderOwner, name: &str| other == owner && provider.is_none_or(|asked| asked == name);
        self.layers.retain(|layer| !is_meant(&layer.owner, &layer.provider));
        self.apis.give_back(is_meant);
        self.logins.give_back(is_meant);
    }
}

impl ModelRegistry {
    /// Adds, changes or takes back a provider of an extension. What is said of a provider once more changes only what is
    /// named; taking back one that the owner never spoke of does nothing.
    ///
    /// # Errors
    /// [`ExtensionCallError::Provider`] when what is said of it does not hold together; nothing has changed then.
    pub fn change_provider(
        &self,
        change: ProviderChange,
        owner: &ProviderOwner,
        apis: &Arc<ApiRegistry>,
    ) -> Result<(), Error> {
        match change {
            ProviderChange::Register { provider, registration, .. } => {
                self.register_provider(&provider, *registration, owner, apis)
            }
            ProviderChange::Unregister { provider, .. } => {
                self.forget_providers(owner, Some(&provider));
                Ok(())
            }
        }
    }

    fn register_provider(
        &self,
        provider: &str,
        new: ProviderRegistration,
        owner: &ProviderOwner,
        apis: &Arc<ApiRegistry>,
    ) -> Result<(), Error> {
        let mut brought = lock(&self.brought);
        let registration = brought.combined(owner, provider, &new);
        check(provider, &registration).map_err(|reason| Error::Extension(ExtensionCallError::Provider { reason }))?;
        if let (Some(stream), Some(api)) = (new.stream, registration.api.clone()) {
            let stream: Arc<dyn Api> = Arc::new(Named { name: api, inner: stream });
            brought.apis.take(owner, provider, apis, stream);
        }
        if let Some(login) = new.oauth {
            let login: Arc<dyn OAuthProvider> = Arc::new(NamedLogin { id: provider.to_owned(), inner: login });
            brought.logins.take(owner, provider, self.auth.oauth_providers(), login);
        }
        brought.put(owner, provider, registration);
        drop(brought);
        self.rebuild();
        Ok(())
    }

    /// Takes back what an owner said of one provider, or of all. What it had replaced returns, and `models.json` is read
    /// again.
    pub(crate) fn forget_providers(&self, owner: &ProviderOwner, provider: Option<&str>) {
        let known = self.providers_of(owner);
        if known.iter().any(|known| provider.is_none_or(|asked| asked == known)) {
            lock(&self.brought).forget(owner, provider);
            self.refresh();
        }
    }

    /// The providers that an owner spoke of.
    pub(crate) fn providers_of(&self, owner: &ProviderOwner) -> Vec<String> {
        lock(&self.brought).providers_of(owner)
    }
}

impl Table for ApiRegistry {
    type Item = dyn Api;

    fn key(item: &dyn Api) -> &str {
        item.name()
    }

    fn find(&self, key: &str) -> Option<Arc<dyn Api>> {
        self.get(key)
    }

    fn put(&self, item: Arc<dyn Api>) {
        self.register(item);
    }

    fn remove(&self, key: &str) {
        self.unregister(key);
    }
}

impl Table for OAuthRegistry {
    type Item = dyn OAuthProvider;

    fn key(item: &dyn OAuthProvider) -> &str {
        item.id()
    }

    fn find(&self, key: &str) -> Option<Arc<dyn OAuthProvider>> {
        self.get(key)
    }

    fn put(&self, item: Arc<dyn OAuthProvider>) {
        self.register(item);
    }

    fn remove(&self, key: &str) {
        self.unregister(key);
    }
}
