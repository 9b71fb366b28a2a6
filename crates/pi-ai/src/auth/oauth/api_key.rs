//! From stored logins to a key, for programs that keep the credentials themselves.

use std::collections::BTreeMap;
use std::fmt;

use super::credentials::OAuthCredentials;
use super::provider::OAuthContext;
use super::registry::OAuthRegistry;
use crate::error::{Error, LoginError};

/// A key, and the login it belongs to. `Debug` shows neither.
#[derive(Clone, PartialEq)]
pub struct OAuthApiKey {
    /// The login; it must be stored, since a renewal voids the old one.
    pub new_credentials: OAuthCredentials,
    /// The key for requests.
    pub api_key: String,
}

impl fmt::Debug for OAuthApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OAuthApiKey").field("new_credentials", &self.new_credentials).finish_non_exhaustive()
    }
}

/// The key of the provider `id` from `logins` (provider id → login); `None` when there is no login. A login that has
/// expired is renewed first.
///
/// # Errors
/// [`LoginError::UnknownProvider`], [`LoginError::Refresh`], [`LoginError::Cancelled`].
pub async fn get_oauth_api_key(
    id: &str,
    logins: &BTreeMap<String, OAuthCredentials>,
    registry: &OAuthRegistry,
    context: &OAuthContext,
) -> Result<Option<OAuthApiKey>, Error> {
    let provider =
        registry.get(id).ok_or_else(|| Error::Login(LoginError::UnknownProvider { provider: id.to_owned() }))?;
    let Some(stored) = logins.get(id) else { return Ok(None) };
    let new_credentials = if stored.is_expired(context.clock.now_ms()) {
        provider.refresh_token(stored, context).await.map_err(|error| refresh_error(id, error))?
    } else {
        stored.clone()
    };
    let api_key = provider.api_key(&new_credentials);
    Ok(Some(OAuthApiKey { new_credentials, api_key }))
}

fn refresh_error(id: &str, error: Error) -> Error {
    match error {
        Error::Login(LoginError::Cancelled) => error,
        error => Error::Login(LoginError::Refresh { provider: id.to_owned(), source: Box::new(error) }),
    }
}
