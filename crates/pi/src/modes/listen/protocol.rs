//! What a client of the socket and the program say to each other, a JSON object a line. The first line of a connection
//! decides: one of [`Hello`] here, else the connection speaks RPC.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::modes::interactive::Ended;

/// The protocol's number. A program that speaks another one refuses.
pub(crate) const PROTOCOL: u32 = 1;

/// How a client begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Hello {
    /// It lends its terminal: the descriptors that it reads and writes come along.
    Attach {
        protocol: u32,
        /// What others see it as.
        name: String,
        /// What its environment says of the terminal.
        env: BTreeMap<String, String>,
    },
    /// It asks what is here.
    Describe {},
}

/// What a program that listens is doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Description {
    pub(crate) pid: u32,
    pub(crate) session_id: String,
    pub(crate) name: Option<String>,
    pub(crate) cwd: String,
    pub(crate) model: String,
    /// Whether a run goes on.
    pub(crate) is_working: bool,
    /// How many clients there are.
    pub(crate) clients: usize,
}

/// What the program says to a client that lends its terminal, or has asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ToClient {
    /// The answer to [`Hello::Describe`].
    Description { description: Description },
    /// The client does not get what it asked for.
    Refused { message: String },
    /// The terminal is put back: stop, and say [`FromClient::Resumed`] when the shell lets you go on.
    Suspend {},
    /// The terminal is put back: run this on it, and say [`FromClient::Ran`].
    Run { command: Vec<String> },
    /// The terminal is put back; that was it.
    Detached {
        /// Whether the session is over, too.
        has_ended: bool,
    },
}

/// What a client says that lends its terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum FromClient {
    /// The window has another size.
    Resized {},
    /// The client goes on.
    Resumed {},
    /// The program has ended, or could not be started.
    Ran { ended: Result<Ended, String> },
}

/// A message as a line.
pub(crate) fn line(message: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_lines_of_json() {
        let hello = Hello::Attach { protocol: PROTOCOL, name: "a".to_owned(), env: BTreeMap::new() };
        let ran = FromClient::Ran { ended: Err("no such program".to_owned()) };
        let lines =
            [line(&hello), line(&Hello::Describe {}), line(&ran), line(&ToClient::Detached { has_ended: true })];
        let lines = lines.map(|line| String::from_utf8(line).unwrap()).concat();
        insta::assert_snapshot!(lines, @r#"
        {"type":"attach","protocol":1,"name":"a","env":{}}
        {"type":"describe"}
        {"type":"ran","ended":{"Err":"no such program"}}
        {"type":"detached","has_ended":true}
        "#);
        let command = br#"{"type":"get_state"}"#;
        assert!(serde_json::from_slice::<Hello>(command).is_err(), "a command of RPC is no greeting");
    }
}
