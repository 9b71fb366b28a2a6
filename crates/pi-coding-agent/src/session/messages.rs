//! Message roles that only this layer knows, and what the model is shown of them.
//!
//! In a transcript they travel as [`Message::Other`], raw JSON; here they get their types.

use std::sync::Arc;

use pi_ai::{ContentBlock, Message, OtherMessage, UserContent, UserMessage};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::session::CustomMessageContent;

/// What precedes the summary of a branch that was left, and what follows it.
pub const BRANCH_SUMMARY: [&str; 2] = [
    "Before this point the conversation went down another branch and came back. In short, this happened there:\n\n<summary>\n",
    "</summary>",
];
/// What precedes the summary of compacted history, and what follows it.
pub const COMPACTION_SUMMARY: [&str; 2] = [
    "The older part of this conversation was removed to save space. This summary stands in for it:\n\n<summary>\n",
    "\n</summary>",
];

/// A message of one of this layer's roles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "camelCase")]
pub enum AppMessage {
    /// A shell command that the user ran.
    BashExecution(BashExecutionMessage),
    /// A message of an extension.
    Custom(CustomMessage),
    /// The summary of a branch that was left.
    BranchSummary(BranchSummaryMessage),
    /// The summary of compacted history.
    CompactionSummary(CompactionSummaryMessage),
}

impl AppMessage {
    /// The typed form of a message; `None` for a role that this version does not know.
    pub fn from_other(message: &OtherMessage) -> Option<Self> {
        serde_json::from_value(Value::Object((*message.0).clone())).ok()
    }
}

impl From<AppMessage> for Message {
    fn from(message: AppMessage) -> Self {
        // Strings, numbers and JSON values always serialise, and an enum with a tag is an object.
        let object = match serde_json::to_value(message) {
            Ok(Value::Object(object)) => object,
            _ => Map::new(),
        };
        Self::Other(OtherMessage(Box::new(object)))
    }
}

/// A shell command that the user ran, and its output.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BashExecutionMessage {
    /// The command line.
    pub command: String,
    /// What it printed, possibly cut.
    pub output: String,
    /// Exit code; `None` when the command was killed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// Whether the user cancelled it.
    pub cancelled: bool,
    /// Whether `output` was cut.
    pub truncated: bool,
    /// Where the whole output is, if it was cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_output_path: Option<String>,
    /// Unix time in milliseconds.
    pub timestamp: i64,
    /// True when the model shall not see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclude_from_context: Option<bool>,
}

/// A message of an extension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomMessage {
    /// Which extension's message this is.
    pub custom_type: String,
    /// What the model sees.
    pub content: UserContent,
    /// Whether people see it, too.
    pub display: bool,
    /// Data of the extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Unix time in milliseconds.
    pub timestamp: i64,
}

impl CustomMessage {
    /// The message that an extension asked for, at this time.
    pub(crate) fn injected(message: CustomMessageContent, timestamp: i64) -> Self {
        let CustomMessageContent { custom_type, content, display, details } = message;
        Self { custom_type, content, display, details, timestamp }
    }
}

/// The summary of a branch that was left.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BranchSummaryMessage {
    /// What happened there.
    pub summary: String,
    /// Where it is attached: an entry id, or `root`.
    pub from_id: String,
    /// Unix time in milliseconds.
    pub timestamp: i64,
}

/// The summary of compacted history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompactionSummaryMessage {
    /// What the history said.
    pub summary: String,
    /// Size of the context before, in tokens.
    pub tokens_before: u64,
    /// Unix time in milliseconds.
    pub timestamp: i64,
}

macro_rules! into_message {
    ($($variant:ident($type:ty)),*) => {$(
        impl From<$type> for Message {
            fn from(message: $type) -> Self {
                AppMessage::$variant(message).into()
            }
        }
    )*};
}

into_message!(
    BashExecution(BashExecutionMessage),
    Custom(CustomMessage),
    BranchSummary(BranchSummaryMessage),
    CompactionSummary(CompactionSummaryMessage)
);

/// The transcript as a model may see it: this layer's roles become user messages, unknown roles are left out,
/// everything else is passed on as it is.
pub fn convert_to_llm(messages: &[Arc<Message>]) -> Vec<Arc<Message>> {
    messages.iter().filter_map(convert).collect()
}

fn convert(message: &Arc<Message>) -> Option<Arc<Message>> {
    let Message::Other(other) = message.as_ref() else { return Some(Arc::clone(message)) };
    let (content, timestamp) = match AppMessage::from_other(other)? {
        AppMessage::BashExecution(bash) if bash.exclude_from_context == Some(true) => return None,
        AppMessage::BashExecution(bash) => (text_blocks(bash_text(&bash)), bash.timestamp),
        AppMessage::Custom(custom) => (blocks_of(custom.content), custom.timestamp),
        AppMessage::BranchSummary(branch) => {
            let [before, behind] = BRANCH_SUMMARY;
            (text_blocks(format!("{before}{}{behind}", branch.summary)), branch.timestamp)
        }
        AppMessage::CompactionSummary(compaction) => {
            let [before, behind] = COMPACTION_SUMMARY;
            (text_blocks(format!("{before}{}{behind}", compaction.summary)), compaction.timestamp)
        }
    };
    Some(Arc::new(UserMessage::blocks(content, timestamp).into()))
}

/// How the model reads a command that the user ran.
pub fn bash_text(bash: &BashExecutionMessage) -> String {
    let output = match bash.output.as_str() {
        "" => "(no output)".to_owned(),
        output => format!("```\n{output}\n```"),
    };
    let mut text = format!("Ran `{}`\n{output}", bash.command);
    if bash.cancelled {
        text.push_str("\n\n(command cancelled)");
    } else if let Some(code) = bash.exit_code.filter(|code| *code != 0) {
        text.push_str(&format!("\n\nCommand exited with code {code}"));
    }
    if let (true, Some(path)) = (bash.truncated, &bash.full_output_path) {
        text.push_str(&format!("\n\n[Output truncated. Full output: {path}]"));
    }
    text
}

fn text_blocks(text: String) -> Vec<ContentBlock> {
    vec![ContentBlock::text(text)]
}

fn blocks_of(content: UserContent) -> Vec<ContentBlock> {
    match content {
        UserContent::Text(text) => text_blocks(text),
        UserContent::Blocks(blocks) => blocks,
    }
}
