//! A set of keys, and the forms in which sources hand it out.

use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Keys to sign with.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Keys {
    pub(crate) access_key_id: String,
    pub(crate) secret_access_key: String,
    /// Goes along with temporary keys.
    pub(crate) session_token: Option<String>,
    /// Unix time in milliseconds after which the keys are void.
    pub(crate) expires: Option<i64>,
}

impl Keys {
    /// Keys that do not expire by themselves.
    pub(crate) fn new(access_key_id: &str, secret_access_key: &str, session_token: Option<String>) -> Self {
        Self {
            access_key_id: access_key_id.to_owned(),
            secret_access_key: secret_access_key.to_owned(),
            session_token: session_token.filter(|token| !token.is_empty()),
            expires: None,
        }
    }

    /// The JSON of containers and of credential processes; they name the session token differently.
    pub(super) fn from_json(json: &Value) -> Option<Self> {
        let text = |name: &str| json[name].as_str().filter(|text| !text.is_empty());
        let token = text("SessionToken").or_else(|| text("Token")).map(str::to_owned);
        let keys = Self::new(text("AccessKeyId")?, text("SecretAccessKey")?, token);
        Some(Self { expires: text("Expiration").and_then(instant), ..keys })
    }

    /// The XML of the token service, whose values hold no markup.
    pub(super) fn from_xml(xml: &str) -> Option<Self> {
        let token = element(xml, "SessionToken").map(str::to_owned);
        let keys = Self::new(element(xml, "AccessKeyId")?, element(xml, "SecretAccessKey")?, token);
        Some(Self { expires: element(xml, "Expiration").and_then(instant), ..keys })
    }
}

impl std::fmt::Debug for Keys {
    /// Shows no secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keys").field("expires", &self.expires).finish_non_exhaustive()
    }
}

/// The content of the first element of that name.
pub(super) fn element<'a>(xml: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = xml.split_once(&format!("<{name}>"))?;
    rest.split_once('<').map(|(content, _)| content.trim()).filter(|content| !content.is_empty())
}

/// Unix time in milliseconds of a date such as `2026-01-31T12:00:00Z`.
fn instant(text: &str) -> Option<i64> {
    let date = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    i64::try_from(date.unix_timestamp_nanos() / 1_000_000).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_forms_are_read_and_neither_is_shown() {
        let json = json!({
            "AccessKeyId": "id", "SecretAccessKey": "secret", "Token": "token", "Expiration": "1970-01-01T00:00:01Z",
        });
        let keys = Keys::from_json(&json).unwrap();
        assert_eq!((keys.session_token.as_deref(), keys.expires), (Some("token"), Some(1000)));
        let xml = "<R><AccessKeyId>id</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>\
                   <SessionToken>token</SessionToken><Expiration>1970-01-01T00:00:01Z</Expiration></R>";
        assert_eq!(Keys::from_xml(xml), Some(keys.clone()));
        assert!(!format!("{keys:?}").contains("secret"));
        assert_eq!(Keys::from_json(&json!({"AccessKeyId": "id"})), None);
        assert_eq!(Keys::from_xml("<AccessKeyId>id</AccessKeyId>"), None);
    }
}
