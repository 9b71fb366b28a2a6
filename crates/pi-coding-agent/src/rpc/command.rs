//! Commands as they come in: one JSON object per line, told apart by `type`.

use std::fmt::Display;
use std::path::PathBuf;

use pi_agent_core::QueueMode;
use pi_ai::ContentBlock;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::sessions::{self, SessionCommand};
use super::ui::UiReply;
use crate::agent_session::{CycleDirection, StreamingBehavior};
use crate::host::json_depth::complaint;
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

/// A command with its fields.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(crate) enum Command {
    /// Sends a prompt.
    Prompt {
        message: String,
        #[serde(default)]
        images: Vec<ContentBlock>,
        #[serde(default)]
        streaming_behavior: Option<StreamingBehavior>,
    },
    /// Queues a message for the next turn, or for the next run.
    Steer {
        message: String,
        #[serde(default)]
        images: Vec<ContentBlock>,
    },
    /// Queues a message for when the run would stop.
    FollowUp {
        message: String,
        #[serde(default)]
        images: Vec<ContentBlock>,
    },
    /// Stops the current run.
    Abort {},
    /// Empties the queues.
    ClearQueue {},
    /// Leaves the conversation for an empty one.
    NewSession {
        #[serde(default)]
        parent_session: Option<PathBuf>,
    },
    /// Describes the session.
    GetState {},
    /// Lists the messages of the context.
    GetMessages {},
    /// The text of the newest answer.
    GetLastAssistantText {},
    /// Counts messages, tokens and cost.
    GetSessionStats {},
    /// Selects a model.
    SetModel { provider: String, model_id: String },
    /// Goes on to the next model.
    CycleModel {
        #[serde(default)]
        direction: CycleDirection,
    },
    /// Lists the models that are ready to use.
    GetAvailableModels {},
    /// Selects a thinking level; one that does not exist counts as `off`, one that the model lacks as the nearest.
    SetThinkingLevel {
        #[serde(default)]
        level: Value,
    },
    /// Goes on to the next thinking level.
    CycleThinkingLevel {},
    /// Lists the thinking levels that the model supports.
    GetAvailableThinkingLevels {},
    /// Chooses how much of the steering queue a turn takes.
    SetSteeringMode { mode: QueueMode },
    /// Chooses how much of the follow-up queue a stop takes.
    SetFollowUpMode { mode: QueueMode },
    /// Summarises older history.
    Compact {
        #[serde(default)]
        custom_instructions: Option<String>,
    },
    /// Switches automatic compaction on or off, for later sessions, too.
    SetAutoCompaction { enabled: bool },
    /// Switches retries on or off, for later sessions, too.
    SetAutoRetry { enabled: bool },
    /// Ends the pause before a retry.
    AbortRetry {},
    /// Lists prompt templates and skills.
    GetCommands {},
    /// Lists what the user said, on all branches, to choose a place to fork from.
    GetForkMessages {},
    /// Lists the session's entries, or those behind one.
    GetEntries {
        #[serde(default)]
        since: Option<String>,
    },
    /// The session's entries as a tree.
    GetTree {},
    /// Makes a page of the session.
    ExportHtml {
        #[serde(default)]
        output_path: Option<String>,
    },
    /// The answer to a question that an extension asked.
    ExtensionUiResponse(UiReply),
    /// Chooses how much of a growing message its events show.
    SetEventDetail { partial: EventDetail },
    /// Ends the program.
    Shutdown { mode: ShutdownMode },
    /// A command about the session as a whole.
    #[serde(skip)]
    Session(SessionCommand),
}

/// What becomes of what is going on when the client asks for the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShutdownMode {
    /// It is finished first: runs with their retries and queued messages, compactions, shell commands.
    Finish,
    /// It is aborted, as when the input ends.
    Abort,
}

/// Command names, to tell an unknown command from a known one with bad fields.
const KNOWN: &[&str] = &[
    "prompt",
    "steer",
    "follow_up",
    "abort",
    "clear_queue",
    "new_session",
    "get_state",
    "get_messages",
    "get_last_assistant_text",
    "get_session_stats",
    "set_model",
    "cycle_model",
    "get_available_models",
    "set_thinking_level",
    "cycle_thinking_level",
    "get_available_thinking_levels",
    "set_steering_mode",
    "set_follow_up_mode",
    "compact",
    "set_auto_compaction",
    "set_auto_retry",
    "abort_retry",
    "get_commands",
    "get_fork_messages",
    "get_entries",
    "get_tree",
    "export_html",
    "extension_ui_response",
    "set_event_detail",
    "shutdown",
];

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

    /// Whether it ends or answers something that is going on. Such commands do not wait for others.
    pub(crate) fn is_urgent(&self) -> bool {
        matches!(
            self.command,
            Ok(Command::Abort {}
                | Command::AbortRetry {}
                | Command::ClearQueue {}
                | Command::ExtensionUiResponse(_)
                | Command::Shutdown { .. }
                | Command::Session(SessionCommand::AbortBash {}))
        )
    }

    /// Whether it only looks at the session's file, which may take a while but always ends.
    pub(crate) fn is_reading(&self) -> bool {
        matches!(
            self.command,
            Ok(Command::GetState {} | Command::GetForkMessages {} | Command::GetEntries { .. } | Command::GetTree {})
        )
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
        let object = Value::Object(object);
        let command = match name.as_str() {
            known if KNOWN.contains(&known) => Command::deserialize(object),
            known if sessions::KNOWN.contains(&known) => SessionCommand::deserialize(object).map(Command::Session),
            _ => {
                let command = Err(unknown(&name));
                return Self { id, name: Some(name), command };
            }
        };
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
        for name in KNOWN.iter().chain(sessions::KNOWN) {
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
        let urgent = |line: &str| Request::parse(line.as_bytes()).is_urgent();
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
