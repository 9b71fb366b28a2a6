//! Registrations of providers by extensions: models, endpoints, keys, wire formats, logins.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use pi_ai::Api;
use pi_ai::auth::oauth::OAuthProvider;
use serde_json::Value;

/// The registration of a provider. Absent fields keep their previous values.
#[derive(Clone, Default)]
pub struct ProviderRegistration {
    /// Name for people.
    pub name: Option<String>,
    /// Endpoint; without models it replaces that of the provider's existing ones.
    pub base_url: Option<String>,
    /// A key, or where to find it: a literal, `$VAR`, `!command`, as in `models.json`.
    pub api_key: Option<String>,
    /// Wire format of the models that name none.
    pub api: Option<String>,
    /// An implementation of the wire format `api`; counts for every model with that format.
    pub stream: Option<Arc<dyn Api>>,
    /// Request headers, with values as in `api_key`.
    pub headers: Option<BTreeMap<String, String>>,
    /// Whether the key is sent as `Authorization: Bearer`.
    pub auth_header: Option<bool>,
    /// Models in the form of `models.json`; they replace all of the provider's.
    pub models: Option<Vec<Value>>,
    /// Logs users in.
    pub oauth: Option<Arc<dyn OAuthProvider>>,
}

impl ProviderRegistration {
    /// These fields, and for absent ones those of the registration before.
    #[must_use]
    pub(crate) fn over(self, before: &Self) -> Self {
        let before = before.clone();
        Self {
            name: self.name.or(before.name),
            base_url: self.base_url.or(before.base_url),
            api_key: self.api_key.or(before.api_key),
            api: self.api.or(before.api),
            stream: self.stream.or(before.stream),
            headers: self.headers.or(before.headers),
            auth_header: self.auth_header.or(before.auth_header),
            models: self.models.or(before.models),
            oauth: self.oauth.or(before.oauth),
        }
    }
}

impl fmt::Debug for ProviderRegistration {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderRegistration")
            .field("name", &self.name)
            .field("base_url", &self.base_url)
            .field("api", &self.api)
            .finish_non_exhaustive()
    }
}

impl ProviderChange {
    /// The extension that made the change.
    pub(crate) fn extension(&self) -> &str {
        match self {
            Self::Register { extension, .. } | Self::Unregister { extension, .. } => extension,
        }
    }
}

/// A change that an extension makes to providers.
#[derive(Debug, Clone)]
pub enum ProviderChange {
    /// Registers one.
    Register {
        /// The provider id.
        provider: String,
        /// Its fields.
        registration: Box<ProviderRegistration>,
        /// Name of the extension.
        extension: String,
    },
    /// Takes one back.
    Unregister {
        /// The provider id.
        provider: String,
        /// Name of the extension.
        extension: String,
    },
}

/// Owner of registrations: the extensions of one session at one time. Clones are the same owner.
#[derive(Debug, Clone, Default)]
pub struct ProviderOwner(Arc<Identity>);

/// Has a size, so that every owner has an address of its own.
#[derive(Debug, Default)]
struct Identity(#[expect(dead_code, reason = "only its address counts")] u8);

impl PartialEq for ProviderOwner {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
