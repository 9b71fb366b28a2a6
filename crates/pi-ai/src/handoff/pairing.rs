//! Calls and their results: providers reject a call without a result, so a missing one is made up.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::message::{ContentBlock, Extra, Message, ToolResultMessage};

/// What an unanswered call gets; it also stands in sessions of other programs.
const NO_RESULT: &str = "No result provided";

/// Drops failed answers and answers the calls that have no result.
pub(super) fn pair<'a>(messages: impl Iterator<Item = Cow<'a, Message>>, now: i64) -> Vec<Cow<'a, Message>> {
    let mut paired = Vec::with_capacity(messages.size_hint().0);
    let mut pending = Pending::default();
    for message in messages {
        match &*message {
            Message::Assistant(assistant) => {
                pending.flush(&mut paired, now);
                if assistant.stop_reason.is_failure() {
                    continue;
                }
                pending.calls = assistant.tool_calls().map(|call| (call.id.clone(), call.name.clone())).collect();
            }
            Message::ToolResult(result) => {
                pending.answered.insert(result.tool_call_id.clone());
            }
            Message::User(_) | Message::Other(_) => pending.flush(&mut paired, now),
        }
        paired.push(message);
    }
    pending.flush(&mut paired, now);
    paired
}

/// The calls of the latest answer and the results seen since.
#[derive(Default)]
struct Pending {
    /// Id and tool name.
    calls: Vec<(String, String)>,
    answered: HashSet<String>,
}

impl Pending {
    fn flush(&mut self, paired: &mut Vec<Cow<'_, Message>>, now: i64) {
        let answered = std::mem::take(&mut self.answered);
        let open = self.calls.drain(..).filter(|(id, _)| !answered.contains(id));
        paired.extend(open.map(|(id, name)| Cow::Owned(no_result(id, name, now))));
    }
}

fn no_result(tool_call_id: String, tool_name: String, timestamp: i64) -> Message {
    Message::ToolResult(ToolResultMessage {
        tool_call_id,
        tool_name,
        content: vec![ContentBlock::text(NO_RESULT)],
        details: None,
        is_error: true,
        timestamp,
        extra: Extra::new(),
    })
}
