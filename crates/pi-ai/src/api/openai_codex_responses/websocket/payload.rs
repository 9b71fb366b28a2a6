//! What is sent: the request's body as one message, or only what a connection has not seen yet.
//!
//! The server keeps the context of a connection's last response. Whoever continues exactly there names the response and
//! sends the rest of the input; whatever else differs, everything is sent again.

use serde::Serialize;
use serde_json::{Map, Value};

/// The message that asks for a response.
const CREATE: &str = "response.create";
const PREVIOUS: &str = "previous_response_id";

/// A body taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Payload {
    input: Vec<Value>,
    /// Everything but input and previous response.
    rest: Map<String, Value>,
}

/// A response that the next request may continue.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Continuation {
    /// Id of the response.
    response_id: String,
    /// What the server knows: the request, and the response as input items.
    known: Payload,
}

#[derive(Serialize)]
struct Delta<'a> {
    r#type: &'a str,
    previous_response_id: &'a str,
    input: &'a [Value],
    #[serde(flatten)]
    rest: &'a Map<String, Value>,
}

impl Payload {
    /// Takes a body apart; `None` when it has no list of input items.
    pub(super) fn parse(body: &[u8]) -> Option<Self> {
        let mut rest: Map<String, Value> = serde_json::from_slice(body).ok()?;
        let Some(Value::Array(input)) = rest.shift_remove("input") else { return None };
        rest.shift_remove(PREVIOUS);
        Some(Self { input, rest })
    }

    /// How many input items there are.
    pub(super) fn len(&self) -> usize {
        self.input.len()
    }

    /// What can be continued once a response to this has arrived.
    pub(super) fn answered(mut self, response_id: String, items: Vec<Value>) -> Continuation {
        self.input.extend(items);
        Continuation { response_id, known: self }
    }
}

impl Continuation {
    /// The response that is continued.
    pub(super) fn response_id(&self) -> &str {
        &self.response_id
    }

    /// The message that continues here, and the number of its input items; `None` when `next` is no continuation.
    pub(super) fn delta(&self, next: &Payload) -> Option<(String, usize)> {
        let new = next.input.strip_prefix(self.known.input.as_slice())?;
        if self.known.rest != next.rest {
            return None;
        }
        let delta = Delta { r#type: CREATE, previous_response_id: &self.response_id, input: new, rest: &next.rest };
        Some((serde_json::to_string(&delta).ok()?, new.len()))
    }
}

/// The message with a whole body; `None` when that is no JSON object.
pub(super) fn full(body: &[u8]) -> Option<String> {
    let fields = std::str::from_utf8(body).ok()?.trim().strip_prefix('{')?;
    let comma = if fields.trim_start().starts_with('}') { "" } else { "," };
    Some(format!(r#"{{"type":"{CREATE}"{comma}{fields}"#))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn payload(body: &Value) -> Payload {
        Payload::parse(body.to_string().as_bytes()).unwrap()
    }

    fn continuation() -> Continuation {
        payload(&json!({"model": "m", "input": [1, 2], "tools": []})).answered("resp".into(), vec![json!(3)])
    }

    #[test]
    fn only_what_is_new() {
        let next = payload(&json!({"model": "m", "input": [1, 2, 3, 4], "tools": [], "previous_response_id": "old"}));
        let (text, count) = continuation().delta(&next).unwrap();
        assert_eq!(count, 1);
        assert_eq!(
            text,
            r#"{"type":"response.create","previous_response_id":"resp","input":[4],"model":"m","tools":[]}"#
        );
    }

    #[test]
    fn whatever_else_changed_means_everything() {
        for next in [
            json!({"model": "m", "input": [1, 2, 4], "tools": []}),
            json!({"model": "m", "input": [1, 2], "tools": []}),
            json!({"model": "n", "input": [1, 2, 3, 4], "tools": []}),
            json!({"model": "m", "input": [1, 2, 3, 4]}),
            json!({"model": "m", "input": [1, 2, 3, 4], "tools": [], "text": {}}),
        ] {
            assert_eq!(continuation().delta(&payload(&next)), None, "{next}");
        }
    }

    #[test]
    fn a_whole_body() {
        assert_eq!(full(br#"{"model":"m"}"#).unwrap(), r#"{"type":"response.create","model":"m"}"#);
        assert_eq!(full(b"{ }").unwrap(), r#"{"type":"response.create" }"#);
        assert_eq!(full(b"[]"), None);
        assert_eq!(Payload::parse(br#"{"input":"text"}"#), None);
        assert_eq!(Payload::parse(b"[]"), None);
    }
}
