//! The models that a run knows: the built-in ones and those of the user's `models.json`.
//!
//! Nothing is read or parsed before it is asked for, and then only for the provider in question where one is named.

use std::collections::HashMap;
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use pi_ai::auth::oauth::{OAuthCredentials, OAuthProvider};
use pi_ai::{Model, get_model, get_models, get_providers, provider_behind};
use pi_guard::lock;

use super::merge::{ProviderModels, merge};
use super::models_json::{ModelsConfig, ProviderConfig, load};
use super::pattern::same;
use super::provider_layers::ProviderLayers;
use crate::config::Error;
use crate::config::auth_storage::AuthStorage;
use crate::config::config_value::ConfigValue;

/// Where built-in models come from.
pub trait ModelSource: Debug + Send + Sync {
    /// Provider ids in order.
    fn providers(&self) -> Vec<String>;

    /// The models of a provider in order; none for an unknown one.
    fn models(&self, provider: &str) -> Vec<Arc<Model>>;

    /// One model by exact provider and id.
    fn find(&self, provider: &str, id: &str) -> Option<Arc<Model>> {
        self.models(provider).into_iter().find(|model| model.id == id)
    }
}

/// The catalogue that ships with the program.
#[derive(Debug, Clone, Copy, Default)]
pub struct CatalogModels;

impl ModelSource for CatalogModels {
    fn providers(&self) -> Vec<String> {
        get_providers().map(str::to_owned).collect()
    }

    fn models(&self, provider: &str) -> Vec<Arc<Model>> {
        get_models(provider)
    }

    fn find(&self, provider: &str, id: &str) -> Option<Arc<Model>> {
        get_model(provider, id)
    }
}

/// A fixed list, in the order of its providers' first models.
impl ModelSource for Vec<Arc<Model>> {
    fn providers(&self) -> Vec<String> {
        let mut providers: Vec<String> = Vec::new();
        for model in self {
            if !providers.contains(&model.provider) {
                providers.push(model.provider.clone());
            }
        }
        providers
    }

    fn models(&self, provider: &str) -> Vec<Arc<Model>> {
        self.iter().filter(|model| model.provider == provider).cloned().collect()
    }
}

/// All models, and what requests to them need. Shared; all methods take `&self`.
#[derive(Debug)]
pub struct ModelRegistry {
    pub(super) auth: Arc<AuthStorage>,
    builtin: Arc<dyn ModelSource>,
    /// `models.json`; `None` where there is no such file.
    file: Option<PathBuf>,
    state: Mutex<Option<Arc<Loaded>>>,
    /// What extensions added.
    pub(super) provider_layers: Mutex<ProviderLayers>,
}

/// What was read, until the next [`ModelRegistry::refresh`].
#[derive(Debug)]
pub(super) struct Loaded {
    builtin_names: Vec<String>,
    /// `models.json` as it was read, and what is wrong with it.
    read: Arc<(ModelsConfig, Option<String>)>,
    /// The same with what extensions added.
    config: ModelsConfig,
    merged: Mutex<HashMap<String, Arc<ProviderModels>>>,
    /// The same as logins may use them, with the login they were made for.
    accounts: Mutex<HashMap<String, (OAuthCredentials, Arc<ProviderModels>)>>,
}

impl ModelRegistry {
    /// A registry of built-in models and those in `file`, usually [`crate::paths::Paths::models_file`]. Reads
    /// nothing yet.
    pub fn new(auth: Arc<AuthStorage>, builtin: Arc<dyn ModelSource>, file: Option<PathBuf>) -> Self {
        Self { auth, builtin, file, state: Mutex::default(), provider_layers: Mutex::default() }
    }

    /// Credentials of the providers.
    pub fn auth(&self) -> &Arc<AuthStorage> {
        &self.auth
    }

    /// Forgets what was read; `models.json` is read again when something is asked.
    pub fn refresh(&self) {
        *lock(&self.state) = None;
    }

    /// Takes up what extensions added or took back; `models.json` is not read again.
    pub(super) fn rebuild(&self) {
        let mut state = lock(&self.state);
        if let Some(loaded) = state.take() {
            *state = Some(Arc::new(self.lay_over(loaded.builtin_names.clone(), Arc::clone(&loaded.read))));
        }
    }

    /// What is wrong with `models.json`; then none of it counts.
    pub fn error(&self) -> Option<String> {
        self.loaded().read.1.clone()
    }

    /// All provider ids: built-in ones, then own ones.
    pub fn providers(&self) -> Vec<String> {
        self.loaded().provider_names().map(str::to_owned).collect()
    }

    /// All models: the built-in ones with what replaces them, then the added ones.
    pub fn all(&self) -> Vec<Arc<Model>> {
        self.models_where(|_| true)
    }

    /// The models for which a key can be expected.
    pub fn available(&self) -> Vec<Arc<Model>> {
        self.models_where(|provider| self.has_auth(provider))
    }

    /// The id of a provider that a user, a file or a client names, case regardless; newer names of built-in providers count.
    pub fn provider_named(&self, name: &str) -> Option<String> {
        let providers = self.providers();
        let known = |name: &str| providers.iter().find(|provider| same(provider, name)).cloned();
        known(name).or_else(|| known(provider_behind(&name.to_lowercase())?))
    }

    /// The models of one provider.
    pub fn models_of(&self, provider: &str) -> Vec<Arc<Model>> {
        let loaded = self.loaded();
        self.provider(&loaded, loaded.known_as(provider)).iter().cloned().collect()
    }

    /// A model by exact provider and id.
    pub fn find(&self, provider: &str, id: &str) -> Option<Arc<Model>> {
        let loaded = self.loaded();
        let provider = loaded.known_as(provider);
        if loaded.config_of(provider).is_none() {
            // Nothing is laid over this provider: no need to read all of it.
            let model = self.builtin.find(provider, id)?;
            return match self.account(provider) {
                Some((oauth, login)) => oauth.modify_models(vec![model], &login).pop(),
                None => Some(model),
            };
        }
        self.provider(&loaded, provider).iter().find(|model| model.id == id).cloned()
    }

    /// Whether a key can be expected for a model. Runs no command.
    pub fn has_configured_auth(&self, model: &Model) -> bool {
        self.has_auth(&model.provider)
    }

    /// Whether a key can be expected for a provider: stored, given, from the environment or in `models.json`.
    pub fn has_auth(&self, provider: &str) -> bool {
        let loaded = self.loaded();
        let provider = loaded.known_as(provider);
        let key = loaded.config_of(provider).and_then(|config| config.api_key.as_deref());
        key.is_some_and(|key| ConfigValue::parse(key).is_configured(self.auth.env())) || self.auth.has_auth(provider)
    }

    /// The key of a provider as `models.json` has it, unresolved.
    pub fn key_in_file(&self, provider: &str) -> Option<ConfigValue> {
        let loaded = self.loaded();
        loaded.config_of(provider)?.api_key.as_deref().map(ConfigValue::parse)
    }

    /// The name under which people know a provider.
    pub fn display_name(&self, provider: &str) -> String {
        let loaded = self.loaded();
        let configured = loaded.config_of(provider).and_then(|config| config.name.clone());
        let of_login = || self.auth.oauth_providers().get(provider).map(|oauth| oauth.name().to_owned());
        configured.or_else(of_login).unwrap_or_else(|| provider.to_owned())
    }

    /// The models of all providers that pass, parsed only for those.
    fn models_where(&self, pass: impl Fn(&str) -> bool) -> Vec<Arc<Model>> {
        let loaded = self.loaded();
        let providers: Vec<_> =
            loaded.provider_names().filter(|name| pass(name)).map(|name| self.provider(&loaded, name)).collect();
        let builtin = providers.iter().flat_map(|models| &models.builtin);
        let added = providers.iter().flat_map(|models| &models.added);
        builtin.chain(added).cloned().collect()
    }

    /// The models of a provider as the user may use them: a login may have models of its own.
    fn provider(&self, loaded: &Loaded, provider: &str) -> Arc<ProviderModels> {
        let models = self.merged(loaded, provider);
        let Some((oauth, login)) = self.account(provider) else { return models };
        if let Some((_, known)) = lock(&loaded.accounts).get(provider).filter(|(of, _)| *of == login) {
            return Arc::clone(known);
        }
        // Not under the lock: a script may be asked, which may be asking for models itself.
        let modify = |models: &[Arc<Model>]| oauth.modify_models(models.to_vec(), &login);
        let modified = ProviderModels { builtin: modify(&models.builtin), added: modify(&models.added) };
        let modified = Arc::new(modified);
        lock(&loaded.accounts).insert(provider.to_owned(), (login, Arc::clone(&modified)));
        modified
    }

    /// The stored login of a provider, and who knows what to make of it.
    pub(super) fn account(&self, provider: &str) -> Option<(Arc<dyn OAuthProvider>, OAuthCredentials)> {
        let oauth = self.auth.oauth_providers().get(provider)?;
        Some((oauth, self.auth.oauth_login(provider)?))
    }

    fn merged(&self, loaded: &Loaded, provider: &str) -> Arc<ProviderModels> {
        let mut merged = lock(&loaded.merged);
        if let Some(models) = merged.get(provider) {
            return Arc::clone(models);
        }
        let models = Arc::new(merge(provider, self.builtin.models(provider), loaded.config_of(provider)));
        merged.insert(provider.to_owned(), Arc::clone(&models));
        models
    }

    pub(super) fn loaded(&self) -> Arc<Loaded> {
        Arc::clone(lock(&self.state).get_or_insert_with(|| Arc::new(self.load())))
    }

    fn load(&self) -> Loaded {
        let builtin_names = self.builtin.providers();
        let is_builtin = |name: &str| builtin_names.iter().any(|builtin| builtin == name);
        let read = self.file.as_deref().map_or_else(|| Ok(ModelsConfig::default()), |file| load(file, is_builtin));
        let read = match read {
            Ok(config) => (config, None),
            Err(error) => (ModelsConfig::default(), Some(Error::to_string(&error))),
        };
        self.lay_over(builtin_names, Arc::new(read))
    }

    fn lay_over(&self, builtin_names: Vec<String>, read: Arc<(ModelsConfig, Option<String>)>) -> Loaded {
        let mut config = read.0.clone();
        lock(&self.provider_layers).overlay(&mut config);
        Loaded { builtin_names, read, config, merged: Mutex::default(), accounts: Mutex::default() }
    }
}

impl Loaded {
    /// The provider's entry in `models.json`, with what extensions added.
    pub(super) fn config_of(&self, provider: &str) -> Option<&ProviderConfig> {
        self.config.providers.iter().find(|(name, _)| name == provider).map(|(_, config)| config)
    }

    /// The name under which a provider is listed here, which a newer name of a built-in one is not.
    fn known_as<'a>(&'a self, name: &'a str) -> &'a str {
        let behind = provider_behind(name).filter(|_| !self.provider_names().any(|known| known == name));
        behind.unwrap_or(name)
    }

    fn provider_names(&self) -> impl Iterator<Item = &str> {
        let own = self.config.providers.iter().map(|(name, _)| name);
        self.builtin_names.iter().chain(own.filter(|name| !self.builtin_names.contains(name))).map(String::as_str)
    }
}
