//! What a login leaves behind.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// Tokens of one login. `Debug` shows no value.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OAuthCredentials {
    /// Long-lived token that renews the login.
    #[serde(default)]
    pub refresh: String,
    /// Short-lived token that requests carry.
    #[serde(default)]
    pub access: String,
    /// From when on the access token must not be used, in Unix milliseconds.
    #[serde(default, deserialize_with = "milliseconds")]
    pub expires: i64,
    /// What else the provider keeps, for example `accountId` (OpenAI Codex), `enterpriseUrl` and `availableModelIds`
    /// (GitHub Copilot). Unknown fields survive a renewal.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl OAuthCredentials {
    /// Whether the login must be renewed before it is used.
    pub fn is_expired(&self, now_ms: i64) -> bool {
        now_ms >= self.expires
    }

    /// A text of [`Self::extra`]; an empty one counts as absent.
    pub fn extra_text(&self, name: &str) -> Option<&str> {
        self.extra.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
    }
}

impl fmt::Debug for OAuthCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OAuthCredentials")
            .field("expires", &self.expires)
            .field("extra", &self.extra.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// Programs in JavaScript write whole numbers and fractions alike.
fn milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    Ok(Value::deserialize(deserializer)?.as_f64().map_or(0, |number| number as i64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unknown_fields_survive_and_nothing_is_printed() {
        let stored =
            json!({"refresh": "r-secret", "access": "a-secret", "expires": 5, "accountId": "x-secret", "n": 1});
        let credentials: OAuthCredentials = serde_json::from_value(stored.clone()).unwrap();
        assert_eq!(serde_json::to_value(&credentials).unwrap(), stored);
        assert_eq!(credentials.extra_text("accountId"), Some("x-secret"));
        assert_eq!(format!("{credentials:?}"), r#"OAuthCredentials { expires: 5, extra: ["accountId", "n"], .. }"#);
    }

    #[test]
    fn odd_expiries_count_as_past() {
        for (expires, expected) in
            [(json!(1.5e12), 1_500_000_000_000), (json!(7.9), 7), (json!("x"), 0), (json!(null), 0)]
        {
            let credentials: OAuthCredentials = serde_json::from_value(json!({"expires": expires})).unwrap();
            assert_eq!(credentials.expires, expected);
        }
        let credentials = OAuthCredentials { expires: 10, ..OAuthCredentials::default() };
        assert!(!credentials.is_expired(9) && credentials.is_expired(10));
    }
}
