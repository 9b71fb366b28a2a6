//! Line 1 of a session file.

use serde::{Deserialize, Serialize};

use pi_ai::Extra;

use crate::session::{Error, SessionIdError};

/// Longer ids would leave no room in a file name, of 255 bytes, for the time and for what stands beside a session.
pub(crate) const LONGEST_SESSION_ID: usize = 200;

/// The version that this program writes.
pub(crate) const CURRENT_VERSION: u64 = 3;

/// Who, when and where: the first line of a session file. It is no part of the tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "session", rename_all = "camelCase", from = "Line")]
pub struct SessionHeader {
    /// Format version; absent in version 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Session id.
    pub id: String,
    /// When the session was started, ISO 8601.
    pub timestamp: String,
    /// Absolute working directory; empty when the file names none.
    pub cwd: String,
    /// Absolute path of the session file that this one was forked from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_session: Option<String>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A line that says that it is a header: the tag of a struct is written but not looked at when it is read.
#[derive(Deserialize)]
#[serde(tag = "type")]
enum Line {
    #[serde(rename = "session")]
    Header(Fields),
}

/// The fields of a [`SessionHeader`] as they are read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fields {
    #[serde(default)]
    version: Option<u64>,
    id: String,
    #[serde(default)]
    timestamp: String,
    #[serde(default, deserialize_with = "text_or_empty")]
    cwd: String,
    #[serde(default)]
    parent_session: Option<String>,
    #[serde(flatten)]
    extra: Extra,
}

impl From<Line> for SessionHeader {
    fn from(Line::Header(fields): Line) -> Self {
        let Fields { version, id, timestamp, cwd, parent_session, extra } = fields;
        Self { version, id, timestamp, cwd, parent_session, extra }
    }
}

impl SessionHeader {
    /// The format version; a file that names none is of version 1.
    pub fn version(&self) -> u64 {
        self.version.unwrap_or(1)
    }
}

/// Checks an id that a user gave: it becomes part of a file name.
///
/// # Errors
/// [`Error::Id`].
pub(crate) fn check_session_id(id: &str) -> Result<(), Error> {
    if id.len() > LONGEST_SESSION_ID {
        return Err(SessionIdError::TooLong { length: id.len() }.into());
    }
    let ends_well = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let bytes = id.as_bytes();
    let valid = ends_well(bytes.first().copied()) && ends_well(bytes.last().copied()) && id.bytes().all(legal);
    if valid { Ok(()) } else { Err(SessionIdError::Invalid.into()) }
}

fn text_or_empty<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(value.as_str().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_headers_are_headers() {
        let read = |line: &str| serde_json::from_str::<SessionHeader>(line);
        let line = r#"{"type":"session","version":3,"id":"a","timestamp":"t","cwd":"/c","more":1}"#;
        assert_eq!(serde_json::to_string(&read(line).unwrap()).unwrap(), line);
        assert_eq!(read(r#"{"type":"session","id":"a","cwd":7}"#).unwrap().cwd, "");
        for other in [r#"{"type":"message","id":"a"}"#, r#"{"id":"a"}"#, r#"{"type":"session"}"#] {
            assert!(read(other).is_err(), "{other}");
        }
    }

    #[test]
    fn ids_are_checked() {
        for id in ["a", "my-own-id-1", "0199c8a1-aaaa-7000", "a.b_c"] {
            assert!(check_session_id(id).is_ok(), "{id}");
        }
        for id in ["", "-a", "a-", ".a", "..", "a/b", "a\\b", "a b", "a\nb", "a\0b", "ä", "_"] {
            assert!(check_session_id(id).is_err(), "{id}");
        }
        assert!(check_session_id(&"a".repeat(200)).is_ok());
        let refused = check_session_id(&"a".repeat(201)).unwrap_err().to_string();
        assert_eq!(refused, "Session id must have at most 200 characters; this one has 201. Choose a shorter one");
    }
}
