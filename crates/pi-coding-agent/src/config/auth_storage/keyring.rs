//! Keys in the keyring of the operating system: `auth.json` then says only that the key is there.

use std::fmt::Debug;

/// A place that keeps secrets, one per provider. Calls may block, for example while the user is asked to unlock it.
pub trait Keyring: Debug + Send + Sync {
    /// The secret of a provider; `None` when there is none.
    ///
    /// # Errors
    /// In words, when the keyring cannot be asked.
    fn get(&self, provider: &str) -> Result<Option<String>, String>;

    /// Stores the secret of a provider.
    ///
    /// # Errors
    /// In words, when it was not stored.
    fn set(&self, provider: &str, secret: &str) -> Result<(), String>;

    /// Forgets the secret of a provider; there need not be one.
    ///
    /// # Errors
    /// In words, when it may still be there.
    fn delete(&self, provider: &str) -> Result<(), String>;
}

/// The keyring of the user's session: Secret Service, Keychain, Credential Manager.
#[cfg(feature = "keyring")]
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemKeyring;

/// Under which name the keyring shows our secrets.
#[cfg(feature = "keyring")]
const SERVICE: &str = "pi-coding-agent";

#[cfg(feature = "keyring")]
impl Keyring for SystemKeyring {
    fn get(&self, provider: &str) -> Result<Option<String>, String> {
        found(entry(provider)?.get_password())
    }

    fn set(&self, provider: &str, secret: &str) -> Result<(), String> {
        entry(provider)?.set_password(secret).map_err(|error| error.to_string())
    }

    fn delete(&self, provider: &str) -> Result<(), String> {
        found(entry(provider)?.delete_credential()).map(drop)
    }
}

#[cfg(feature = "keyring")]
fn entry(provider: &str) -> Result<keyring::Entry, String> {
    keyring::Entry::new(SERVICE, provider).map_err(|error| error.to_string())
}

#[cfg(feature = "keyring")]
fn found<T>(result: keyring::Result<T>) -> Result<Option<T>, String> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(keyring::Error::NoEntry) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}
