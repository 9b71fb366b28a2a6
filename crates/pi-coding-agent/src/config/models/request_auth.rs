//! Key, headers and variables of one request, resolved when it is made.

use std::collections::BTreeMap;
use std::fmt;

use pi_ai::{Model, is_secret_name, remember_secret};

use super::merge::model_headers;
use super::registry::{Loaded, ModelRegistry};
use crate::config::Error;
use crate::config::config_value::Resolver;
use crate::host::secret::Secret;

/// What a request needs to be let in. `Debug` shows names only.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RequestAuth {
    /// The key; `None` where there is none, which is the wire format's to report.
    pub api_key: Option<String>,
    /// Headers of model and provider.
    pub headers: BTreeMap<String, String>,
    /// Variables that come before the environment.
    pub env: BTreeMap<String, String>,
}

impl fmt::Debug for RequestAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestAuth")
            .field("api_key", &self.api_key.as_ref().map(|_| "…"))
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("env", &self.env.keys().collect::<Vec<_>>())
            .finish()
    }
}

impl ModelRegistry {
    /// Resolves what a request to `model` needs. Runs the commands that keys and headers name, up to 10 s each;
    /// dropping the future stops them.
    ///
    /// # Errors
    /// [`Error::ConfigValue`] for anything that cannot be resolved, [`Error::MissingKey`] where a bearer header is
    /// asked for and there is no key, [`Error::OAuthRefresh`] where a login cannot be renewed.
    pub async fn request_auth(&self, model: &Model) -> Result<RequestAuth, Error> {
        let loaded = self.loaded();
        let env = self.auth.provider_env(&model.provider);
        let resolver = Resolver { own: &env, env: self.auth.env(), commands: None };
        let api_key = self.key(&loaded, &model.provider, &resolver).await?;
        let mut headers = resolve_headers(&loaded, model, &resolver).await?;
        if loaded.config_of(&model.provider).is_some_and(|config| config.auth_header) {
            let missing = || Error::MissingKey { provider: model.provider.clone() };
            let key = api_key.as_ref().ok_or_else(missing)?;
            headers.insert("Authorization".to_owned(), format!("Bearer {}", key.expose()));
        }
        // The login that the key is of. What the user wrote about headers wins.
        let key = api_key.as_ref().map(Secret::expose);
        if let Some((oauth, login)) = self.account(&model.provider).filter(|(o, login)| Some(&*o.api_key(login)) == key)
        {
            for (name, value) in oauth.headers(&login) {
                if !headers.keys().any(|known| known.eq_ignore_ascii_case(&name)) {
                    headers.insert(name, value);
                }
            }
        }
        for (name, value) in &headers {
            remember_header(name, value);
        }
        let api_key = api_key.map(|key| key.expose().to_owned());
        api_key.iter().for_each(|key| remember_secret(key));
        Ok(RequestAuth { api_key, headers, env })
    }

    /// The key of a provider, as far as it can be had.
    pub async fn provider_key(&self, provider: &str) -> Option<Secret> {
        self.key_of(provider).await.ok().flatten()
    }

    /// The key of a provider.
    ///
    /// # Errors
    /// [`Error::ConfigValue`], [`Error::OAuthRefresh`] as for [`Self::request_auth`].
    pub async fn key_of(&self, provider: &str) -> Result<Option<Secret>, Error> {
        let env = self.auth.provider_env(provider);
        let resolver = Resolver { own: &env, env: self.auth.env(), commands: None };
        self.key(&self.loaded(), provider, &resolver).await
    }

    /// The stored or given key, else the one in `models.json`. A stored key that does not resolve gives way to the
    /// latter, and is an error only without one.
    async fn key(&self, loaded: &Loaded, provider: &str, resolver: &Resolver<'_>) -> Result<Option<Secret>, Error> {
        let stored = self.auth.api_key(provider).await;
        if let Ok(Some(key)) = stored {
            return Ok(Some(key));
        }
        match loaded.config_of(provider).and_then(|config| config.api_key.as_deref()) {
            Some(value) => {
                let resolved = resolver.resolve(value).await;
                if let (Ok(_), Err(error)) = (&resolved, &stored) {
                    self.auth.note_replaced(provider, error, "the key in models.json".to_owned());
                }
                resolved.map(Some).map_err(|cause| cause.error(format!("API key for provider \"{provider}\"")))
            }
            None => stored,
        }
    }
}

/// A header that carries a credential by its name, however its value was written.
fn remember_header(name: &str, value: &str) {
    if is_secret_name(name) {
        // Without the scheme in front, which servers leave out.
        let bare = value.trim().rsplit(' ').next().unwrap_or_default();
        remember_secret(value);
        remember_secret(bare);
    }
}

async fn resolve_headers(
    loaded: &Loaded,
    model: &Model,
    resolver: &Resolver<'_>,
) -> Result<BTreeMap<String, String>, Error> {
    let mut headers = model.headers.clone().unwrap_or_default();
    let Some(config) = loaded.config_of(&model.provider) else { return Ok(headers) };
    let (provider, id) = (&model.provider, &model.id);
    for (name, value) in &config.headers {
        let what = |cause: crate::config::config_value::Unresolved| {
            cause.error(format!("provider \"{provider}\" header \"{name}\""))
        };
        let value = resolver.resolve(value).await.map_err(what)?;
        headers.insert(name.clone(), value.expose().to_owned());
    }
    for (name, value) in model_headers(config, id) {
        let what = |cause: crate::config::config_value::Unresolved| {
            cause.error(format!("model \"{provider}/{id}\" header \"{name}\""))
        };
        let value = resolver.resolve(value).await.map_err(what)?;
        headers.insert(name.to_owned(), value.expose().to_owned());
    }
    Ok(headers)
}
