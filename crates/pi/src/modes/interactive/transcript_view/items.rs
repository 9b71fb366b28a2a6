//! The conversation as a list of blocks: what each is called, and its source as it was written. Nothing is drawn here.

use std::sync::Arc;

use pi_ai::{AssistantMessage, ContentBlock, Message, StopReason, ToolResultMessage};
use pi_coding_agent::messages::AppMessage;
use serde_json::Value;

use super::super::branch_messages::BranchPart;

/// A block: a message, one part of an answer, or an entry that an extension draws. A call has its result with it.
#[derive(Debug, Clone)]
pub(super) struct Item {
    shown: BranchPart,
    /// The part of an answer; nothing for a whole message.
    part: Option<usize>,
    result: Option<Arc<Message>>,
}

/// So many blocks before a result its call is looked for: calls of one answer stand together.
const NEAR: usize = 1000;

/// The blocks of messages, in their order.
pub(super) fn items(messages: &[Arc<Message>]) -> Vec<Item> {
    of_parts(messages.iter().cloned().map(BranchPart::Message))
}

/// The blocks of messages and entries, in their order.
pub(super) fn of_parts(parts: impl IntoIterator<Item = BranchPart>) -> Vec<Item> {
    let mut items = Vec::new();
    append(&mut items, parts);
    items
}

/// Adds the blocks of what follows. Returns which of those before have changed: calls that have their result now.
pub(super) fn append(items: &mut Vec<Item>, parts: impl IntoIterator<Item = BranchPart>) -> Vec<usize> {
    let mut changed = Vec::new();
    for part in parts {
        let BranchPart::Message(message) = &part else {
            items.push(Item::whole(part));
            continue;
        };
        match &**message {
            Message::Assistant(answer) => parts_of(message, answer, items),
            Message::ToolResult(result) => {
                // Ids may come again in a long session: the result is that of the newest call without one.
                let near = items.len().saturating_sub(NEAR);
                let is_its_call = |item: &Item| item.result.is_none() && item.call_id() == Some(&result.tool_call_id);
                if let Some(at) = items[near..].iter().rposition(is_its_call).map(|at| near + at) {
                    items[at].result = Some(Arc::clone(message));
                    changed.push(at);
                }
            }
            Message::User(_) => items.push(Item::whole(part)),
            Message::Other(other) => {
                let is_shown = match AppMessage::from_other(other) {
                    None => false,
                    Some(AppMessage::Custom(custom)) => custom.display,
                    Some(_) => true,
                };
                if is_shown {
                    items.push(Item::whole(part));
                }
            }
        }
    }
    changed
}

fn parts_of(message: &Arc<Message>, answer: &AssistantMessage, items: &mut Vec<Item>) {
    let before = items.len();
    for (place, block) in answer.content.iter().enumerate() {
        match block {
            ContentBlock::Text(text) if text.text.trim().is_empty() => continue,
            ContentBlock::Thinking(thinking) if thinking.thinking.trim().is_empty() => continue,
            ContentBlock::ToolCall(_) | ContentBlock::Text(_) | ContentBlock::Thinking(_) => {}
            _ => continue,
        }
        items.push(Item { part: Some(place), ..Item::whole(BranchPart::Message(Arc::clone(message))) });
    }
    if items.len() == before && answer.stop_reason.is_failure() {
        items.push(Item::whole(BranchPart::Message(Arc::clone(message))));
    }
}

impl Item {
    fn whole(shown: BranchPart) -> Self {
        Self { shown, part: None, result: None }
    }

    fn message(&self) -> Option<&Message> {
        match &self.shown {
            BranchPart::Message(message) => Some(message),
            BranchPart::Entry(_) => None,
        }
    }

    /// Whether the user wrote it.
    pub(super) fn is_prompt(&self) -> bool {
        matches!(self.message(), Some(Message::User(_)))
    }

    /// The id of the call that it is.
    fn call_id(&self) -> Option<&String> {
        match self.block() {
            Some(ContentBlock::ToolCall(call)) => Some(&call.id),
            _ => None,
        }
    }

    /// Whether it stands for the same as another, of an earlier list. A message that was read again is another copy.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let is_same = match (&self.shown, &other.shown) {
            (BranchPart::Message(one), BranchPart::Message(other)) => Arc::ptr_eq(one, other) || one == other,
            (BranchPart::Entry(one), BranchPart::Entry(other)) => one == other,
            _ => false,
        };
        is_same && self.part == other.part && self.result.is_some() == other.result.is_some()
    }

    /// Its heading.
    pub(super) fn title(&self) -> String {
        let message = match &self.shown {
            BranchPart::Message(message) => message,
            BranchPart::Entry(entry) => return custom_type(entry).to_owned(),
        };
        match (&**message, self.block()) {
            (Message::User(_), _) => "You".to_owned(),
            (Message::Assistant(_), Some(ContentBlock::Thinking(_))) => "Thinking".to_owned(),
            (Message::Assistant(_), Some(ContentBlock::ToolCall(call))) => format!("Tool: {}", call.name),
            (Message::Assistant(_), _) => "Answer".to_owned(),
            (Message::ToolResult(result), _) => format!("Tool: {}", result.tool_name),
            (Message::Other(other), _) => match AppMessage::from_other(other) {
                Some(AppMessage::BashExecution(_)) => "Command".to_owned(),
                Some(AppMessage::CompactionSummary(_)) => "Summary of earlier messages".to_owned(),
                Some(AppMessage::BranchSummary(_)) => "Summary of a branch".to_owned(),
                Some(AppMessage::Custom(custom)) => custom.custom_type,
                None => "Message".to_owned(),
            },
        }
    }

    /// Its source: what was written, without margins and line breaks of the screen.
    pub(super) fn source(&self) -> String {
        let message = match &self.shown {
            BranchPart::Message(message) => message,
            BranchPart::Entry(entry) => return data(entry),
        };
        match (&**message, self.block()) {
            (Message::User(message), _) => message.content.to_text(),
            (Message::Assistant(_), Some(ContentBlock::Text(text))) => text.text.clone(),
            (Message::Assistant(_), Some(ContentBlock::Thinking(thinking))) => thinking.thinking.clone(),
            (Message::Assistant(_), Some(ContentBlock::ToolCall(call))) => {
                let arguments = match call.arguments.get("command").and_then(Value::as_str) {
                    Some(command) => command.to_owned(),
                    None => format!("{} {:#}", call.name, call.arguments),
                };
                match self.result() {
                    Some(result) => format!("{arguments}\n\n{}", text_of(result)),
                    None => arguments,
                }
            }
            (Message::Assistant(answer), _) => answer.error_message.clone().unwrap_or_default(),
            (Message::ToolResult(result), _) => text_of(result),
            (Message::Other(other), _) => match AppMessage::from_other(other) {
                Some(AppMessage::BashExecution(shell)) => format!("{}\n\n{}", shell.command, shell.output),
                Some(AppMessage::CompactionSummary(summary)) => summary.summary,
                Some(AppMessage::BranchSummary(summary)) => summary.summary,
                Some(AppMessage::Custom(custom)) => custom.content.to_text(),
                None => String::new(),
            },
        }
    }

    /// What shows this block and nothing else.
    pub(super) fn parts(&self) -> Vec<BranchPart> {
        let (Some(Message::Assistant(answer)), Some(place)) = (self.message(), self.part) else {
            return vec![self.shown.clone()];
        };
        let mut one = (**answer).clone();
        let is_last = place + 1 == one.content.len();
        one.content = one.content.get(place).cloned().into_iter().collect();
        // Why an answer failed is told once, below its last part.
        if !is_last && one.stop_reason.is_failure() {
            one.stop_reason = StopReason::Stop;
        }
        let one = Arc::new(Message::Assistant(Arc::new(one)));
        std::iter::once(one).chain(self.result.clone()).map(BranchPart::Message).collect()
    }

    fn block(&self) -> Option<&ContentBlock> {
        match self.message()? {
            Message::Assistant(answer) => answer.content.get(self.part?),
            _ => None,
        }
    }

    fn result(&self) -> Option<&ToolResultMessage> {
        match &**self.result.as_ref()? {
            Message::ToolResult(result) => Some(result),
            _ => None,
        }
    }
}

/// The type of an entry that an extension has stored.
fn custom_type(entry: &Value) -> &str {
    entry.get("customType").and_then(Value::as_str).unwrap_or_default()
}

/// What an extension has stored in an entry: text as it is, all else as JSON.
fn data(entry: &Value) -> String {
    match entry.get("data") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(data) => format!("{data:#}"),
    }
}

fn text_of(result: &ToolResultMessage) -> String {
    let texts = result.content.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn message(value: Value) -> Arc<Message> {
        Arc::new(serde_json::from_value(value).unwrap())
    }

    fn answer(content: &Value) -> Arc<Message> {
        message(json!({
            "role": "assistant", "api": "a", "provider": "p", "model": "m", "stopReason": "stop", "timestamp": 1,
            "usage": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 0,
                "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}},
            "content": content,
        }))
    }

    fn shown(items: &[Item]) -> Vec<String> {
        items.iter().map(|item| format!("{}: {}", item.title(), item.source().replace('\n', " "))).collect()
    }

    #[test]
    fn blocks_that_are_added_are_those_of_the_whole_list() {
        let call = |id: &str| json!({"type": "toolCall", "id": id, "name": "bash", "arguments": {"command": id}});
        let result = |id: &str, text: &str| {
            message(
                json!({"role": "toolResult", "toolCallId": id, "toolName": "bash", "isError": false, "timestamp": 1,
                "content": [{"type": "text", "text": text}]}),
            )
        };
        let text = |text: &str| json!({"type": "text", "text": text});
        let messages = [
            message(json!({"role": "user", "content": "go", "timestamp": 1})),
            answer(&json!([text("one"), call("a"), call("b")])),
            result("b", "of b"),
            result("a", "of a"),
            result("nobody", "lost"),
            // An id that comes again belongs to the newer call.
            answer(&json!([text(" "), call("a")])),
            result("a", "of the second a"),
            answer(&json!([text("over")])),
        ];
        let whole = shown(&items(&messages));
        let expected = [
            "You: go",
            "Answer: one",
            "Tool: bash: a  of a",
            "Tool: bash: b  of b",
            "Tool: bash: a  of the second a",
            "Answer: over",
        ];
        assert_eq!(whole, expected);
        for at in 0..=messages.len() {
            let mut list = items(&messages[..at]);
            append(&mut list, messages[at..].iter().cloned().map(BranchPart::Message));
            assert_eq!(shown(&list), whole, "cut at {at}");
        }
        let mut list = items(&messages[..2]);
        assert_eq!(append(&mut list, messages[2..4].iter().cloned().map(BranchPart::Message)), [3, 2]);
    }

    #[test]
    fn entries_stand_among_the_messages() {
        let entry =
            |data: Value| BranchPart::Entry(Arc::new(json!({"type": "custom", "customType": "card", "data": data})));
        let said = |text: &str| BranchPart::Message(message(json!({"role": "user", "content": text, "timestamp": 1})));
        let list = of_parts([entry(json!({"n": 1})), said("go"), entry(json!("as it is")), entry(Value::Null)]);
        assert_eq!(shown(&list), ["card: {   \"n\": 1 }", "You: go", "card: as it is", "card: "]);
        assert!(list[0].is_same(&list[0].clone()) && !list[0].is_same(&list[1]) && !list[0].is_same(&list[2]));
        assert!(matches!(list[2].parts().as_slice(), [BranchPart::Entry(_)]));
    }
}
