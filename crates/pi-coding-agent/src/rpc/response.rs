//! Responses: one line per command.

use std::fmt::Display;

use serde::Serialize;
use serde_json::Value;

use crate::wire::put;

/// The envelope, in the key order that clients know.
#[derive(Serialize)]
struct Envelope<'a, T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// Which command a response answers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Address {
    pub(crate) id: Option<Value>,
    pub(crate) command: Option<String>,
}

impl Address {
    /// The line of a success with data.
    pub(crate) fn data(&self, data: impl Serialize) -> Vec<u8> {
        self.line(true, Some(data), None)
    }

    /// The line of a success with data that is JSON already, or of a failure.
    pub(crate) fn raw(&self, data: Result<Vec<u8>, String>) -> Vec<u8> {
        match data {
            Ok(data) => {
                let mut line = self.success();
                line.truncate(line.len() - b"}\n".len());
                line.extend_from_slice(br#","data":"#);
                line.extend_from_slice(&data);
                line.extend_from_slice(b"}\n");
                line
            }
            Err(error) => self.failure(&error),
        }
    }

    /// Does something that cannot fail, and the line of its success.
    pub(crate) fn after(&self, act: impl FnOnce()) -> Vec<u8> {
        act();
        self.success()
    }

    /// The line of a success without data.
    pub(crate) fn success(&self) -> Vec<u8> {
        self.line(true, None::<()>, None)
    }

    /// The line of what came out, a success without data or an error.
    pub(crate) fn done(&self, result: Result<(), impl Display>) -> Vec<u8> {
        match result {
            Ok(()) => self.success(),
            Err(error) => self.failure(&error.to_string()),
        }
    }

    /// The line of what came out, data or an error.
    pub(crate) fn outcome(&self, result: Result<impl Serialize, impl Display>) -> Vec<u8> {
        match result {
            Ok(data) => self.data(data),
            Err(error) => self.failure(&error.to_string()),
        }
    }

    /// The line of a failure.
    pub(crate) fn failure(&self, error: &str) -> Vec<u8> {
        self.line(false, None::<()>, Some(&pi_ai::without_known_secrets(error)))
    }

    fn line(&self, success: bool, data: Option<impl Serialize>, error: Option<&str>) -> Vec<u8> {
        let (id, command) = (self.id.as_ref(), self.command.as_deref());
        let mut line = Vec::new();
        put(&mut line, &Envelope { id, kind: "response", command, success, data, error });
        line.push(b'\n');
        line
    }
}

/// An object with one field.
pub(crate) struct Named<T>(&'static str, T);

impl<T> Named<T> {
    pub(crate) fn new(name: &'static str, value: T) -> Self {
        Self(name, value)
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(self.0, &self.1)?;
        map.end()
    }
}
