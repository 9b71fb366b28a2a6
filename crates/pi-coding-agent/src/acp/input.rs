//! Lines of standard input as messages of JSON-RPC. Reading happens on a thread of its own: a read that waits for the client
//! must not hold up the end of the program.

use std::io::{self, BufReader, Read};

use agent_client_protocol_schema::v1::Error;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use crate::rpc::{Line, MAX_LINE, next_line};

/// So many messages may wait to be taken; then the client's writes wait.
const MOST_WAITING: usize = 64;

/// A message of the client.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    /// Wants an answer.
    Request { id: Value, method: String, params: Value },
    /// Wants none.
    Notification { method: String, params: Value },
    /// Answers one of our requests.
    Response { id: Value, outcome: Result<Value, Error> },
    /// Is no message; what is wrong with it.
    Invalid { id: Value, error: Error },
}

/// Starts to read. The messages end with the input, or when it cannot be read.
///
/// # Errors
/// When the thread cannot be started.
pub(super) fn read_messages(input: impl Read + Send + 'static) -> io::Result<mpsc::Receiver<Incoming>> {
    let (sender, receiver) = mpsc::channel(MOST_WAITING);
    std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
        let mut input = BufReader::with_capacity(1 << 16, input);
        while let Some(line) = next_line(&mut input, MAX_LINE) {
            let Some(message) = message_of(&line) else { continue };
            if sender.blocking_send(message).is_err() {
                return;
            }
        }
    })?;
    Ok(receiver)
}

/// `None` for a blank line, which says nothing.
fn message_of(line: &Line) -> Option<Incoming> {
    let Line::Whole(line) = line else {
        let reason = format!("the line is longer than {MAX_LINE} bytes and was skipped");
        return Some(invalid(Value::Null, Error::invalid_request(), &reason));
    };
    if line.trim_ascii().is_empty() {
        return None;
    }
    Some(match serde_json::from_slice(line) {
        Ok(Value::Object(message)) => of_object(message),
        Ok(Value::Array(_)) => {
            invalid(Value::Null, Error::invalid_request(), "batches are not taken: one message a line")
        }
        Ok(_) => invalid(Value::Null, Error::invalid_request(), "a message is an object"),
        Err(error) => invalid(Value::Null, Error::parse_error(), &error.to_string()),
    })
}

fn of_object(mut message: Map<String, Value>) -> Incoming {
    let id = message.shift_remove("id");
    let has_good_id = id.as_ref().is_none_or(|id| id.is_null() || id.is_string() || id.is_number());
    if !has_good_id {
        return invalid(Value::Null, Error::invalid_request(), "an id is a text or a number");
    }
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid(id.unwrap_or_default(), Error::invalid_request(), "\"jsonrpc\" is not \"2.0\"");
    }
    let params = message.shift_remove("params").unwrap_or_else(|| Map::new().into());
    match (message.shift_remove("method"), id) {
        (Some(Value::String(method)), Some(id)) => Incoming::Request { id, method, params },
        (Some(Value::String(method)), None) => Incoming::Notification { method, params },
        (Some(_), id) => invalid(id.unwrap_or_default(), Error::invalid_request(), "a method is a text"),
        (None, Some(id)) if message.contains_key("error") => {
            let error = message.shift_remove("error").unwrap_or_default();
            let error = serde_json::from_value(error).unwrap_or_else(|_| Error::internal_error());
            Incoming::Response { id, outcome: Err(error) }
        }
        (None, Some(id)) if message.contains_key("result") => {
            Incoming::Response { id, outcome: Ok(message.shift_remove("result").unwrap_or_default()) }
        }
        (None, id) => {
            invalid(id.unwrap_or_default(), Error::invalid_request(), "there is neither a method nor a result")
        }
    }
}

fn invalid(id: Value, error: Error, reason: &str) -> Incoming {
    Incoming::Invalid { id, error: error.data(Value::from(reason)) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(line: &str) -> Option<Incoming> {
        message_of(&Line::Whole(line.into()))
    }

    #[test]
    fn lines_are_messages() {
        let request = |id: Value| Some(Incoming::Request { id, method: "m".to_owned(), params: json!({}) });
        assert_eq!(read("  \t"), None);
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":1,"method":"m"}"#), request(json!(1)));
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":"a","method":"m","params":{}}"#), request(json!("a")));
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#), request(Value::Null));
        let notification = Incoming::Notification { method: "m".to_owned(), params: json!([1]) };
        assert_eq!(read(r#"{"jsonrpc":"2.0","method":"m","params":[1]}"#), Some(notification));
        let response = Incoming::Response { id: json!(2), outcome: Ok(Value::Null) };
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":2,"result":null}"#), Some(response));
        let refused = Incoming::Response { id: json!(2), outcome: Err(Error::new(5, "no")) };
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":2,"error":{"code":5,"message":"no"}}"#), Some(refused));
    }

    #[test]
    fn what_is_no_message_is_named() {
        for (line, code, id) in [
            ("{oops", -32700, Value::Null),
            ("[]", -32600, Value::Null),
            ("3", -32600, Value::Null),
            (r#"{"id":7,"method":"m"}"#, -32600, json!(7)),
            (r#"{"jsonrpc":"1.0","id":7,"method":"m"}"#, -32600, json!(7)),
            (r#"{"jsonrpc":"2.0","id":{},"method":"m"}"#, -32600, Value::Null),
            (r#"{"jsonrpc":"2.0","id":7,"method":5}"#, -32600, json!(7)),
            (r#"{"jsonrpc":"2.0","id":7}"#, -32600, json!(7)),
        ] {
            let Some(Incoming::Invalid { id: found, error }) = read(line) else { panic!("{line}") };
            assert_eq!((i32::from(error.code), found), (code, id), "{line}");
        }
        assert!(matches!(message_of(&Line::TooLong), Some(Incoming::Invalid { .. })));
    }
}
