//! One entry of `auth.json`.

use std::collections::BTreeMap;

use pi_ai::auth::oauth::OAuthCredentials;
use pi_ai::{is_secret_name, remember_secret};
use serde_json::{Map, Value};

const TYPE: &str = "type";
const API_KEY: &str = "api_key";
const OAUTH: &str = "oauth";
const KEYRING: &str = "keyring";

/// A credential, as far as this version understands it.
pub(super) enum Credential {
    /// A configuration value that yields a key, and variables of its own.
    ApiKey { key: String, env: BTreeMap<String, String> },
    /// A login.
    OAuth(OAuthCredentials),
    /// A key in the system's keyring. Not known to the reference, which takes the provider for one without a key.
    Keyring,
    /// Another program's.
    Unknown,
}

impl Credential {
    pub(super) fn read(value: &Value) -> Self {
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        match text(TYPE) {
            Some(API_KEY) => Self::ApiKey {
                key: text("key").unwrap_or_default().to_owned(),
                env: value.get("env").and_then(|env| serde_json::from_value(env.clone()).ok()).unwrap_or_default(),
            },
            Some(KEYRING) => Self::Keyring,
            Some(OAUTH) => login(value).map_or(Self::Unknown, Self::OAuth),
            _ => Self::Unknown,
        }
    }
}

/// Remembers the secrets of an entry, also of one that this version does not understand.
pub(super) fn remember(entry: &Value) {
    let Value::Object(fields) = entry else { return };
    for (name, value) in fields {
        let is_login = matches!(name.as_str(), "access" | "refresh");
        match value {
            // A reference to a variable or a command is none itself.
            Value::String(text) if (is_login || is_secret_name(name)) && !text.starts_with(['$', '!']) => {
                remember_secret(text);
            }
            Value::Object(_) => remember(value),
            _ => {}
        }
    }
}

/// The entry of an API key.
pub(super) fn api_key_entry(key: &str) -> Value {
    serde_json::json!({TYPE: API_KEY, "key": key})
}

/// The entry of a key in the system's keyring.
pub(super) fn keyring_entry() -> Value {
    serde_json::json!({TYPE: KEYRING})
}

/// The entry of a login.
pub(super) fn login_entry(login: &OAuthCredentials) -> Value {
    let mut entry = Map::from_iter([(TYPE.to_owned(), OAUTH.into())]);
    if let Ok(Value::Object(fields)) = serde_json::to_value(login) {
        entry.extend(fields);
    }
    Value::Object(entry)
}

fn login(value: &Value) -> Option<OAuthCredentials> {
    let mut login: OAuthCredentials = serde_json::from_value(value.clone()).ok()?;
    login.extra.shift_remove(TYPE);
    Some(login)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_login_is_written_as_it_was_read() {
        let stored =
            json!({"type": "oauth", "refresh": "r", "access": "a", "expires": 5, "accountId": "x", "n": {"m": 1}});
        let Credential::OAuth(login) = Credential::read(&stored) else { panic!("not a login") };
        assert_eq!(login_entry(&login).to_string(), stored.to_string());
        assert!(!login.extra.contains_key("type"));
        let odd = json!({"type": "oauth", "refresh": 5});
        assert!(matches!(Credential::read(&odd), Credential::Unknown), "what cannot be read is not used");
    }
}
