//! Logins with a subscription: made, used, renewed and ended.

use std::sync::Arc;
use std::time::Duration;

use pi_ai::auth::oauth::{OAuthCallbacks, OAuthContext, OAuthCredentials, OAuthRegistry};
use tokio_util::sync::CancellationToken;

use super::AuthStorage;
use super::credential::{login_entry, remember};
use super::renewal::Renewal;
use crate::config::Error;
use crate::config::storage::FileStorage;
use crate::host::secret::Secret;

impl AuthStorage {
    /// The providers that users can log in to.
    pub fn oauth_providers(&self) -> &Arc<OAuthRegistry> {
        &self.providers
    }

    /// Logs in to a provider and stores the login in the place of what was stored for it.
    ///
    /// # Errors
    /// [`Error::Login`] when the provider is unknown or the login fails or is cancelled; nothing is changed then.
    /// Those of [`Self::set_api_key`].
    pub async fn login(
        &self,
        provider: &str,
        callbacks: &dyn OAuthCallbacks,
        cancel: &CancellationToken,
    ) -> Result<(), Error> {
        let unknown = || pi_ai::Error::Login(pi_ai::LoginError::UnknownProvider { provider: provider.to_owned() });
        let oauth = self.providers.get(provider).ok_or_else(unknown).map_err(Error::Login)?;
        // Not after the user has gone through all of it.
        self.store.check_writable()?;
        let context = OAuthContext { cancel: cancel.clone(), ..self.context.clone() };
        let login = oauth.login(callbacks, &context).await.map_err(Error::Login)?;
        self.save_login(provider, &login).await
    }

    /// Stores a login; unlike other changes, it waits for a renewal that is under way.
    async fn save_login(&self, provider: &str, login: &OAuthCredentials) -> Result<(), Error> {
        remember(&login_entry(login));
        let lock = match self.store.file() {
            Some(file) => Some(self.store.long_lock(file.path()).await?),
            None => None,
        };
        let entry = Some(login_entry(login));
        let is_guarded = |file: &FileStorage| lock.as_ref().is_some_and(|lock| lock.guards(file.path()));
        if self.store.file().is_none_or(is_guarded) {
            self.store.change_locked(provider, entry)
        } else {
            self.store.change(provider, entry)
        }
    }

    /// Ends a login, or forgets a stored key: the provider's entry is removed.
    ///
    /// # Errors
    /// Those of [`Self::set_api_key`].
    pub fn logout(&self, provider: &str) -> Result<(), Error> {
        self.remove(provider)
    }

    /// Whether the stored credential of a provider is a login.
    pub fn is_oauth(&self, provider: &str) -> bool {
        self.oauth_login(provider).is_some()
    }

    /// The stored login of a provider, expired or not.
    pub fn oauth_login(&self, provider: &str) -> Option<OAuthCredentials> {
        self.store.login(provider)
    }

    /// Waits until no login is being renewed, so that a program can end without losing one.
    pub async fn settle(&self, limit: Duration) {
        // After that the renewal has to look after itself.
        let _ = tokio::time::timeout(limit, self.renewing.lock()).await;
    }

    /// The key that a login yields.
    pub(super) async fn login_key(&self, provider: &str, login: OAuthCredentials) -> Result<Option<Secret>, Error> {
        let Some(oauth) = self.providers.get(provider) else { return Ok(None) };
        if !login.is_expired(self.store.clock.now_ms()) {
            return Ok(Some(Secret::remembered(oauth.api_key(&login))));
        }
        let renewal = Renewal {
            store: Arc::clone(&self.store),
            provider: Arc::clone(&oauth),
            context: self.context.clone(),
            turn: Arc::clone(&self.renewing),
        };
        // A task ends early only with its runtime.
        let cancelled = |_| Error::Login(pi_ai::Error::Login(pi_ai::LoginError::Cancelled));
        let login = tokio::spawn(renewal.run()).await.map_err(cancelled)??;
        // Who logged out meanwhile may have a key in the environment.
        Ok(login.map_or_else(|| self.env_key(provider), |login| Some(Secret::remembered(oauth.api_key(&login)))))
    }
}
