//! Commands as they come in: one JSON object per line, told apart by `type`. Which there are is `command_table.rs`.

use std::fmt::Display;
use std::path::PathBuf;

use pi_agent_core::QueueMode;
use pi_ai::ContentBlock;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::command_table::command_table;
use crate::agent_session::{CycleDirection, StreamingBehavior};
use crate::host::json_depth::complaint;
use crate::session::MissingCwd;
use crate::wire::EventDetail;

/// A line that was understood well enough to be answered.
#[derive(Debug)]
pub(crate) struct Request {
    /// Echoed in the response; any JSON value.
    pub(crate) id: Option<Value>,
    /// The `type`, also of commands that this version does not know.
    pub(crate) name: Option<String>,
    /// What to do, or why not.
    pub(crate) command: Result<Command, String>,
}

/// When a command may start, and whether its answer is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// It starts in its turn, and is given up when the server ends.
    Ordinary,
    /// It ends or answers something that is in progress, so it does not wait for others.
    Urgent,
    /// It only reads the session's file, which may take a while but always ends: it is answered in any case.
    Reading,
}

/// Makes the type of a command, and what the server asks it, of the table.
macro_rules! declare {
    ($({
        $(#[$doc:meta])*
        $name:ident $variant:ident $pace:ident {
            $(needs $need:ident: $need_type:ty $(= $need_param:ty)?, $need_text:literal;)*
            $(takes $take:ident: $take_type:ty $(= $take_param:ty)?, $take_text:literal;)*
        } -> $answer:tt $answer_text:literal, $owner:ident $method:ident
    })*) => {
        /// A command with its fields.
        #[derive(Debug, Deserialize)]
        #[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
        pub(crate) enum Command {
            $($(#[$doc])* $variant { $($need: $need_type,)* $(#[serde(default)] $take: $take_type,)* },)*
        }

        /// Command names, to tell an unknown command from a known one with bad fields.
        const KNOWN: &[&str] = &[$(stringify!($name)),*];

        impl Command {
            fn pace(&self) -> Pace {
                match self {
                    $(Self::$variant { .. } => Pace::$pace,)*
                }
            }
        }
    };
}

command_table!(declare);

/// What becomes of what is going on when the client asks for the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShutdownMode {
    /// It is finished first: runs with their retries and queued messages, compactions, shell commands.
    Finish,
    /// It is aborted, as when the input ends.
    Abort,
}

impl Request {
    /// Reads a line. Every line has an answer, also one that is no JSON.
    pub(crate) fn parse(line: &[u8]) -> Self {
        // Only an object is built; anything else may be long, and need only be JSON.
        if line.trim_ascii_start().first() != Some(&b'{') {
            return match serde_json::from_slice::<IgnoredAny>(line) {
                Ok(_) => Self { id: None, name: None, command: Err(unknown("undefined")) },
                Err(error) => Self::unreadable(complaint(&error)),
            };
        }
        match serde_json::from_slice(line) {
            Ok(object) => Self::from_object(object),
            Err(error) => Self::unreadable(complaint(&error)),
        }
    }

    /// A line that holds no command, and why.
    pub(crate) fn unreadable(reason: impl Display) -> Self {
        let command = Err(format!("Failed to parse command: {reason}"));
        Self { id: None, name: Some("parse".to_owned()), command }
    }

    /// When it may start. A line that is no command is answered in its turn.
    pub(crate) fn pace(&self) -> Pace {
        self.command.as_ref().map_or(Pace::Ordinary, Command::pace)
    }

    /// Whether it asks for the end.
    pub(crate) fn shutdown(&self) -> Option<ShutdownMode> {
        match self.command {
            Ok(Command::Shutdown { mode }) => Some(mode),
            _ => None,
        }
    }

    fn from_object(object: Map<String, Value>) -> Self {
        let id = object.get("id").cloned();
        let Some(name) = object.get("type").and_then(Value::as_str).map(ToOwned::to_owned) else {
            return Self { id, name: None, command: Err(unknown("undefined")) };
        };
        if !KNOWN.contains(&name.as_str()) {
            let command = Err(unknown(&name));
            return Self { id, name: Some(name), command };
        }
        let command = Command::deserialize(Value::Object(object));
        let command = command.map_err(|error| format!("Invalid {name} command: {error}"));
        Self { id, name: Some(name), command }
    }
}

fn unknown(name: &str) -> String {
    format!("Unknown command: {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> (Option<String>, String) {
        let request = Request::parse(line.as_bytes());
        (request.name, request.command.unwrap_err())
    }

    #[test]
    fn every_known_command_is_declared() {
        for name in KNOWN {
            let text = Request::parse(format!(r#"{{"type":"{name}"}}"#).as_bytes()).command;
            let accepted = text.as_ref().map_or_else(|error| error.contains("missing field"), |_| true);
            assert!(accepted, "{name}: {text:?}");
        }
    }

    #[test]
    fn what_cannot_be_run_says_why() {
        assert_eq!(error(r#"{"id":1,"type":"dance"}"#), (Some("dance".into()), "Unknown command: dance".into()));
        for nameless in ["{}", "[]", "7", "null", r#"{"type":5}"#] {
            assert_eq!(error(nameless), (None, "Unknown command: undefined".into()), "{nameless}");
        }
        let (name, text) = error("{oops");
        assert_eq!(name.as_deref(), Some("parse"));
        assert!(text.starts_with("Failed to parse command: "), "{text}");
        let (_, text) = error(r#"{"type":"prompt"}"#);
        assert_eq!(text, "Invalid prompt command: missing field `message`");
    }

    #[test]
    fn a_value_that_does_not_exist_is_told_with_those_that_do() {
        for (line, text) in [
            (
                r#"{"type":"set_event_detail","partial":"some"}"#,
                "Invalid set_event_detail command: unknown variant `some`, expected `full` or `delta`",
            ),
            (
                r#"{"type":"shutdown","mode":"now"}"#,
                "Invalid shutdown command: unknown variant `now`, expected `finish` or `abort`",
            ),
            (r#"{"type":"shutdown"}"#, "Invalid shutdown command: missing field `mode`"),
        ] {
            assert_eq!(error(line).1, text);
        }
    }

    #[test]
    fn hostile_lines_are_answered() {
        let deep = "[".repeat(100_000);
        let message = format!(r#"{{"type":"prompt","message":"x","images":{deep}"#);
        for line in
            [deep.as_bytes(), message.as_bytes(), b"\xff\xfe", b"{\"type\":\"prompt\",\"message\":\"\xff\"}", b"\0"]
        {
            let request = Request::parse(line);
            assert_eq!(request.name.as_deref(), Some("parse"));
            assert!(request.command.unwrap_err().starts_with("Failed to parse command: "));
        }
    }

    #[test]
    fn what_ends_something_is_urgent() {
        let urgent = |line: &str| Request::parse(line.as_bytes()).pace() == Pace::Urgent;
        for name in ["abort", "abort_bash", "abort_retry", "clear_queue", "extension_ui_response"] {
            assert!(urgent(&format!(r#"{{"type":"{name}"}}"#)), "{name}");
        }
        assert!(urgent(r#"{"type":"shutdown","mode":"abort"}"#));
        for line in [r#"{"type":"prompt","message":"x"}"#, r#"{"type":"get_state"}"#, "{", "7"] {
            assert!(!urgent(line), "{line}");
        }
    }

    #[test]
    fn an_id_may_be_anything_and_unknown_fields_are_ignored() {
        let request = Request::parse(br#"{"id":{"a":1},"type":"get_state","colour":"blue"}"#);
        assert_eq!(request.id, Some(serde_json::json!({"a": 1})));
        assert!(request.command.is_ok());
    }
}
