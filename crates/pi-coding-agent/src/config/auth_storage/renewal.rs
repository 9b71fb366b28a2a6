//! Renewing a login that has expired: once, however many tasks and processes want to.
//!
//! A renewal voids the old refresh token, so what it yields must not be lost: it runs as a task of its own, which no
//! cancelled caller stops, and its result is kept even where it cannot be written.

use std::sync::Arc;

use pi_ai::auth::oauth::{OAuthContext, OAuthCredentials, OAuthProvider};

use super::credential::{login_entry, remember};
use super::store::Store;
use crate::config::Error;
use crate::host::dir_lock::LongLock;

/// One renewal.
#[derive(Debug)]
pub(super) struct Renewal {
    pub(super) store: Arc<Store>,
    pub(super) provider: Arc<dyn OAuthProvider>,
    pub(super) context: OAuthContext,
    /// One at a time in this process.
    pub(super) turn: Arc<tokio::sync::Mutex<()>>,
}

impl Renewal {
    /// The login as it is valid now; `None` when there is none any more.
    ///
    /// # Errors
    /// [`Error::OAuthRefresh`]; then the stored login is as it was. [`host::Error::FileLocked`](crate::host::Error::FileLocked), [`Error::NotOverwritten`]:
    /// nothing was tried.
    pub(super) async fn run(self) -> Result<Option<OAuthCredentials>, Error> {
        let _turn = self.turn.lock().await;
        // Another task of this process may have been faster.
        if let Some(valid) = self.store.valid_login(self.provider.id()) {
            return Ok(Some(valid));
        }
        let Some(file) = self.store.file() else {
            self.store.reload();
            return self.renew(None).await;
        };
        let lock = self.store.long_lock(file.path()).await?;
        self.store.reload();
        self.store.check_writable()?;
        self.renew(Some(&lock)).await
    }

    async fn renew(&self, lock: Option<&LongLock>) -> Result<Option<OAuthCredentials>, Error> {
        let Some(old) = self.store.login(self.provider.id()) else { return Ok(None) };
        // Another process may have been faster.
        if !old.is_expired(self.store.clock.now_ms()) {
            return Ok(Some(old));
        }
        let asking = self.provider.refresh_token(&old, &self.context);
        let renewed = match lock {
            Some(lock) => lock.hold_during(asking).await,
            None => asking.await,
        };
        match renewed {
            Ok(renewed) => Ok(Some(self.save(lock, &old, renewed))),
            Err(source) => self.after_failure(source),
        }
    }

    /// Somebody who does not heed the lock may have succeeded.
    fn after_failure(&self, source: pi_ai::Error) -> Result<Option<OAuthCredentials>, Error> {
        self.store.reload();
        let provider = self.provider.id();
        let failed = || Error::OAuthRefresh { provider: provider.to_owned(), source };
        self.store.valid_login(provider).map(Some).ok_or_else(failed)
    }

    /// Stores a renewed login and returns the one to use. Who logged in or out meanwhile is not overruled.
    fn save(&self, lock: Option<&LongLock>, old: &OAuthCredentials, renewed: OAuthCredentials) -> OAuthCredentials {
        let provider = self.provider.id();
        remember(&login_entry(&renewed));
        self.store.reload();
        match self.store.login(provider) {
            Some(stored) if stored.refresh == old.refresh => {}
            Some(other) if !other.is_expired(self.store.clock.now_ms()) => return other,
            _ => return renewed,
        }
        if let Err(problem) = self.write(lock, &renewed) {
            self.store.keep_unwritten(provider, &renewed, problem);
        }
        renewed
    }

    fn write(&self, lock: Option<&LongLock>, renewed: &OAuthCredentials) -> Result<(), Error> {
        let (provider, entry) = (self.provider.id(), Some(login_entry(renewed)));
        let is_guarded = self.store.file().is_none_or(|file| lock.is_some_and(|lock| lock.guards(file.path())));
        if is_guarded {
            self.store.check_writable()?;
            self.store.change_locked(provider, entry)
        } else {
            self.store.change(provider, entry)
        }
    }
}
