//! Providers registered by extensions, layered over `models.json`.
//!
//! A registry may serve many sessions, and the same extension may register the same provider in each of them. So every
//! registration has an owner: the extensions of one session at one time. All sessions of the registry see all
//! registrations; an owner takes back only its own, and those of the others then count again. `provider_overlay` checks a
//! registration and lays it over `models.json`; `table_overrides` does the same for wire formats and logins.

use std::sync::Arc;

use pi_ai::auth::oauth::{OAuthProvider, OAuthRegistry};
use pi_ai::{Api, ApiRegistry};
use pi_guard::lock;

use super::models_json::ModelsConfig;
use super::provider::{ProviderChange, ProviderOwner, ProviderRegistration};
use super::provider_overlay::{check, overlay};
use super::registry::ModelRegistry;
use super::table_overrides::{Named, NamedLogin, Table, TableOverrides};
use crate::config::Error;

/// All registrations in order, one per owner and provider.
#[derive(Debug, Default)]
pub(super) struct ProviderLayers {
    layers: Vec<Layer>,
    apis: TableOverrides<ApiRegistry>,
    logins: TableOverrides<OAuthRegistry>,
}

#[derive(Debug)]
struct Layer {
    owner: ProviderOwner,
    provider: String,
    registration: ProviderRegistration,
}

impl ProviderLayers {
    /// Lays all registrations over `models.json`.
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

    /// An owner's registration of a provider, with the new fields over the old ones.
    fn combined(&self, owner: &ProviderOwner, provider: &str, new: &ProviderRegistration) -> ProviderRegistration {
        let before = self.layers.iter().find(|layer| layer.owner == *owner && layer.provider == provider);
        before.map_or_else(|| new.clone(), |layer| new.clone().over(&layer.registration))
    }

    /// The providers that an owner has registered.
    fn providers_of(&self, owner: &ProviderOwner) -> Vec<String> {
        self.layers.iter().filter(|layer| layer.owner == *owner).map(|layer| layer.provider.clone()).collect()
    }

    /// Forgets the registrations of an owner, of one provider or of all.
    fn forget(&mut self, owner: &ProviderOwner, provider: Option<&str>) {
        let is_meant = |other: &ProviderOwner, name: &str| other == owner && provider.is_none_or(|asked| asked == name);
        self.layers.retain(|layer| !is_meant(&layer.owner, &layer.provider));
        self.apis.give_back(is_meant);
        self.logins.give_back(is_meant);
    }
}

impl ModelRegistry {
    /// Registers, changes or takes back a provider of an extension. A second registration changes only the fields that it
    /// sets; taking back a provider that the owner never registered does nothing.
    ///
    /// # Errors
    /// [`Error::Provider`] when the registration is inconsistent; nothing has changed then.
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
        let mut layers = lock(&self.provider_layers);
        let registration = layers.combined(owner, provider, &new);
        check(provider, &registration).map_err(|reason| Error::Provider { reason })?;
        if let (Some(stream), Some(api)) = (new.stream, registration.api.clone()) {
            let stream: Arc<dyn Api> = Arc::new(Named { name: api, inner: stream });
            layers.apis.take(owner, provider, apis, stream);
        }
        if let Some(login) = new.oauth {
            let login: Arc<dyn OAuthProvider> = Arc::new(NamedLogin { id: provider.to_owned(), inner: login });
            layers.logins.take(owner, provider, self.auth.oauth_providers(), login);
        }
        layers.put(owner, provider, registration);
        drop(layers);
        self.rebuild();
        Ok(())
    }

    /// Takes back an owner's registrations of one provider, or of all. What they had replaced returns, and `models.json`
    /// is read again.
    pub(crate) fn forget_providers(&self, owner: &ProviderOwner, provider: Option<&str>) {
        let known = self.providers_of(owner);
        if known.iter().any(|known| provider.is_none_or(|asked| asked == known)) {
            lock(&self.provider_layers).forget(owner, provider);
            self.refresh();
        }
    }

    /// The providers that an owner has registered.
    pub(crate) fn providers_of(&self, owner: &ProviderOwner) -> Vec<String> {
        lock(&self.provider_layers).providers_of(owner)
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
