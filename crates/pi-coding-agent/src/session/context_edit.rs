//! Edits of what the model is shown: `context_edit` entries leave an earlier message out, or put other content in its
//! place. The message itself stays in the file, in exports and in statistics.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use pi_ai::{ContentBlock, Message};
use serde::Deserialize;
use serde_json::{Value, json};

use super::record::{StoredEntry, parse_lenient};

/// The type of these entries.
pub(super) const KIND: &str = "context_edit";

/// The edits on a branch, read from its end towards its beginning: of several of one entry the last counts.
#[derive(Debug, Default)]
pub(crate) struct ContextEdits {
    /// By the id of the entry that they are about; `None` leaves it out.
    edits: HashMap<String, Option<Value>>,
    /// Ids of tool calls that are no longer shown: a provider refuses results without their calls.
    hidden_calls: HashSet<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ContextEdit {
    target_id: String,
    #[serde(default)]
    replacement: Option<Value>,
}

impl ContextEdits {
    /// The edits among the entries of a branch, which are in the order of the file.
    pub(crate) fn of<'a>(entries: impl DoubleEndedIterator<Item = &'a StoredEntry>) -> Self {
        let mut edits = Self::default();
        entries.rev().for_each(|entry| edits.note(entry));
        edits
    }

    /// Takes note of an entry if it is an edit. Entries further down the branch were noted before.
    pub(super) fn note(&mut self, entry: &StoredEntry) {
        if entry.kind() == KIND
            && let Some(edit) = parse_lenient::<ContextEdit>(entry.raw())
        {
            self.edits.entry(edit.target_id).or_insert(edit.replacement);
        }
    }

    /// The message of an entry as the model is to see it; `None` when it is left out. A replacement of a shape that the
    /// message cannot have leaves it out, too: what was there was not to be shown.
    pub(crate) fn apply(&mut self, entry: &str, message: Arc<Message>) -> Option<Arc<Message>> {
        let Some(edit) = self.edits.get(entry) else { return Some(message) };
        let shown = edit.as_ref().and_then(|replacement| replaced(&message, replacement)).map(Arc::new);
        let left: HashSet<String> = shown.as_deref().map(calls).into_iter().flatten().collect();
        self.hidden_calls.extend(calls(&message).filter(|call| !left.contains(call)));
        shown
    }

    /// Whether a message is the result of a call that is no longer shown.
    pub(crate) fn is_orphan(&self, message: &Message) -> bool {
        matches!(message, Message::ToolResult(result) if self.hidden_calls.contains(&*result.tool_call_id))
    }
}

fn calls(message: &Message) -> impl Iterator<Item = String> + '_ {
    let blocks = message.as_assistant().map(|answer| answer.content.as_slice()).unwrap_or_default();
    blocks.iter().filter_map(|block| match block {
        ContentBlock::ToolCall(call) => Some(call.id.to_string()),
        _ => None,
    })
}

/// The message with other content: that of the field `content`, or the value itself.
fn replaced(message: &Message, replacement: &Value) -> Option<Message> {
    let content = replacement.get("content").unwrap_or(replacement);
    let takes_text = !matches!(message, Message::Assistant(_) | Message::ToolResult(_));
    let content = match content {
        Value::String(text) if !takes_text => json!([{"type": "text", "text": text}]),
        Value::String(_) | Value::Array(_) => content.clone(),
        _ => return None,
    };
    let mut fields = serde_json::to_value(message).ok()?;
    *fields.get_mut("content")? = content;
    serde_json::from_value(fields).ok()
}
