//! What an object of a session file is: the header, an entry, or something that cannot be used.

use std::sync::Arc;

use pi_ai::{ContentBlock, Message};
use serde_json::Map;

use crate::session::entry::SessionEntry;
use crate::session::header::SessionHeader;
use crate::session::record::parse_lenient;
use crate::session::tree_fields::TreeFields;

/// An object.
#[derive(Debug)]
pub(super) enum LineObject {
    Header(SessionHeader),
    Entry(TreeFields),
    /// Looks like a header but does not say which session this is; or cannot be read at all.
    Unusable(&'static str),
}

/// What an entry's type adds to that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Content {
    /// A message that calls tools, by the ids of the calls. A failed answer's calls are not run.
    Calls { ids: Vec<Box<str>>, failed: bool },
    /// The result of a tool call.
    Result(Box<str>),
    /// Any other message.
    Message,
    /// A compaction and the first entry that it keeps.
    Compaction(Arc<str>),
    /// A label's target.
    Label(Arc<str>),
    /// A branch summary and where it is attached.
    BranchSummary(Arc<str>),
    /// Nothing of interest here.
    #[default]
    Other,
}

/// Reads an object.
pub(super) fn read_item(bytes: &[u8]) -> LineObject {
    let text = String::from_utf8_lossy(bytes);
    let Some(fields) = TreeFields::read(&text) else { return LineObject::Unusable("its values cannot be read") };
    if fields.kind.as_deref() != Some("session") {
        return LineObject::Entry(fields);
    }
    parse_lenient(&text).map_or(LineObject::Unusable("a header without a session id"), LineObject::Header)
}

/// What an entry holds, and what is odd about that.
pub(super) fn read_content(bytes: &[u8], kind: &str) -> (Content, Option<Oddity>) {
    let text = String::from_utf8_lossy(bytes);
    match parse_lenient::<SessionEntry>(&text).unwrap_or_else(|| SessionEntry::Other(Map::new())) {
        SessionEntry::Message(entry) => message_content(&entry.message),
        SessionEntry::Compaction(entry) => (Content::Compaction(entry.first_kept_entry_id.into()), None),
        SessionEntry::Label(entry) => (Content::Label(entry.target_id.into()), None),
        SessionEntry::BranchSummary(entry) => (Content::BranchSummary(entry.from_id.into()), None),
        SessionEntry::Other(_) if KNOWN_TYPES.contains(&kind) => (Content::Other, Some(Oddity::Shape)),
        SessionEntry::Other(_) => (Content::Other, Some(Oddity::UnknownType)),
        _ => (Content::Other, None),
    }
}

/// What keeps this version from understanding an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Oddity {
    UnknownType,
    UnknownRole(String),
    Shape,
}

const KNOWN_TYPES: &[&str] = &[
    "message",
    "thinking_level_change",
    "model_change",
    "compaction",
    "branch_summary",
    "custom",
    "custom_message",
    "label",
    "session_info",
];
/// Roles that only sessions have; see `messages`.
const SESSION_ROLES: &[&str] = &["bashExecution", "custom", "branchSummary", "compactionSummary"];
/// Roles of messages for a model.
const MODEL_ROLES: &[&str] = &["user", "assistant", "toolResult"];

fn message_content(message: &Message) -> (Content, Option<Oddity>) {
    match message {
        Message::Assistant(answer) => {
            let call = |block: &ContentBlock| match block {
                ContentBlock::ToolCall(call) => Some(call.id.as_str().into()),
                _ => None,
            };
            let ids: Vec<Box<str>> = answer.content.iter().filter_map(call).collect();
            let calls = Content::Calls { ids, failed: answer.stop_reason.is_failure() };
            (calls, None)
        }
        Message::ToolResult(result) => (Content::Result(result.tool_call_id.as_str().into()), None),
        Message::User(_) => (Content::Message, None),
        other if MODEL_ROLES.contains(&other.role()) => (Content::Message, Some(Oddity::Shape)),
        other if SESSION_ROLES.contains(&other.role()) => (Content::Message, None),
        other => (Content::Message, Some(Oddity::UnknownRole(other.role().to_owned()))),
    }
}
