//! Logins to servers, as they are kept: `mcp-auth.json` in the configuration directory, by the address of the server. Only the
//! user can read it; processes that renew a login take turns.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use pi_ai::{Clock, remember_secret};
use pi_coding_agent::auth_storage::LockedFile;
use pi_coding_agent::host::{FileKind, json_file};
use rmcp::transport::auth::{AuthError, CredentialRefreshGuard, CredentialStore, StoredCredentials};
use serde_json::{Map, Value};

/// The file, in the configuration directory.
const FILE: &str = "mcp-auth.json";
const MODE: u32 = 0o600;

/// The login to one server.
#[derive(Clone)]
pub(crate) struct LoginStore {
    file: PathBuf,
    /// A login is good for the address that gave it, whatever a project calls that.
    url: String,
    clock: Arc<dyn Clock>,
    /// Whether this process holds the lock, for a renewal.
    is_renewing: Arc<AtomicBool>,
}

impl LoginStore {
    /// The login to the server at an address. `clock` tells the age of locks that others hold.
    pub(crate) fn new(agent_dir: &Path, url: &str, clock: &Arc<dyn Clock>) -> Self {
        let clock = Arc::clone(clock);
        Self { file: agent_dir.join(FILE), url: url.to_owned(), clock, is_renewing: Arc::default() }
    }

    /// The stored login; `None` for none, and for one that cannot be read.
    pub(crate) fn get(&self) -> Result<Option<StoredCredentials>, String> {
        let logins = json_file::read_object(&self.file, FileKind::Credentials).map_err(|error| error.to_string())?;
        let login = logins.and_then(|mut logins| logins.shift_remove(&self.url));
        let login: Option<StoredCredentials> = login.and_then(|login| serde_json::from_value(login).ok());
        login.iter().for_each(remember);
        Ok(login)
    }

    /// Forgets the login; whether there was one.
    pub(crate) async fn remove(&self) -> Result<bool, String> {
        if !self.file.exists() {
            return Ok(false);
        }
        self.change(|logins| logins.shift_remove(&self.url).is_some()).await
    }

    async fn put(&self, login: &StoredCredentials) -> Result<(), String> {
        remember(login);
        let login = serde_json::to_value(login).map_err(|error| error.to_string())?;
        self.change(|logins| drop(logins.insert(self.url.clone(), login))).await
    }

    async fn change<R>(&self, change: impl FnOnce(&mut Map<String, Value>) -> R) -> Result<R, String> {
        let _lock = if self.is_renewing.load(Ordering::Acquire) { None } else { Some(self.lock().await?) };
        let sentence = |error: pi_coding_agent::host::Error| error.to_string();
        let logins = json_file::read_object(&self.file, FileKind::Credentials).map_err(sentence)?;
        let mut logins = logins.unwrap_or_default();
        let outcome = change(&mut logins);
        json_file::write_object(&self.file, &logins, FileKind::Credentials, Some(MODE)).map_err(sentence)?;
        Ok(outcome)
    }

    async fn lock(&self) -> Result<LockedFile, String> {
        LockedFile::acquire_long(self.file.clone(), &self.clock).await.map_err(|error| error.to_string())
    }
}

/// Keeps the tokens of a login out of logs and errors.
fn remember(login: &StoredCredentials) {
    let Ok(Value::Object(login)) = serde_json::to_value(login) else { return };
    for token in ["access_token", "refresh_token", "id_token"] {
        if let Some(token) = login.get("token_response").and_then(|tokens| tokens.get(token)?.as_str()) {
            remember_secret(token);
        }
    }
}

/// The lock for a renewal, until it is dropped.
struct Renewing {
    _lock: LockedFile,
    is_renewing: Arc<AtomicBool>,
}

impl Drop for Renewing {
    fn drop(&mut self) {
        self.is_renewing.store(false, Ordering::Release);
    }
}

#[async_trait]
impl CredentialStore for LoginStore {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        self.get().map_err(AuthError::CredentialStoreError)
    }

    async fn save(&self, login: StoredCredentials) -> Result<(), AuthError> {
        self.put(&login).await.map_err(AuthError::CredentialStoreError)
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.remove().await.map(drop).map_err(AuthError::CredentialStoreError)
    }

    /// A refresh token is often good for one renewal only: two programs that used the same would lose the login.
    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        let lock = self.lock().await.map_err(AuthError::CredentialStoreError)?;
        self.is_renewing.store(true, Ordering::Release);
        Ok(Some(CredentialRefreshGuard::new(Renewing { _lock: lock, is_renewing: Arc::clone(&self.is_renewing) })))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use serde_json::json;

    use super::*;

    fn login(token: &str) -> StoredCredentials {
        let tokens = json!({"access_token": token, "token_type": "bearer", "refresh_token": "r"});
        let login = json!({"client_id": "c", "token_response": tokens, "granted_scopes": ["read"]});
        serde_json::from_value(login).unwrap()
    }

    #[tokio::test]
    async fn logins_are_kept_by_address_and_for_the_user_alone() {
        let dir = tempfile::tempdir().unwrap();
        let store = |url| LoginStore::new(dir.path(), url, &pi_ai::system_clock());
        let (one, two) = (store("https://one/"), store("https://two/"));
        assert!(one.get().unwrap().is_none());
        assert_eq!(one.remove().await, Ok(false));
        one.save(login("a")).await.unwrap();
        two.save(login("b")).await.unwrap();
        {
            let _renewing = one.acquire_refresh_guard().await.unwrap();
            one.save(login("c")).await.unwrap();
        }
        let file = dir.path().join(FILE);
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let stored = json_file::read_object(&file, FileKind::Credentials).unwrap().unwrap();
        assert_eq!(stored["https://one/"]["token_response"]["access_token"], "c");
        assert_eq!((one.remove().await, one.remove().await), (Ok(true), Ok(false)));
        assert!(two.get().unwrap().is_some());
        std::fs::write(&file, "{").unwrap();
        assert!(two.get().is_err() && two.save(login("d")).await.is_err());
    }
}
