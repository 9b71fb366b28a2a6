//! The conversation as a list of blocks: what each is called, and its source as it was written. Nothing is drawn here.

use std::sync::Arc;

use pi_ai::{AssistantMessage, ContentBlock, Message, StopReason, ToolResultMessage};
use pi_coding_agent::messages::AppMessage;

/// A block: a message, or one part of an answer. A call has its result with it.
#[derive(Debug, Clone)]
pub(super) struct Item {
    message: Arc<Message>,
    /// The part of an answer; nothing for a whole message.
    part: Option<usize>,
    result: Option<Arc<Message>>,
}

/// So many blocks before a result its call is looked for: calls of one answer stand together.
const NEAR: usize = 1000;

/// The blocks of messages, in their order.
pub(super) fn items(messages: &[Arc<Message>]) -> Vec<Item> {
    let mut items = Vec::with_capacity(messages.len());
    append(&mut items, messages);
    items
}

/// Adds the blocks of the messages that follow. Returns which of those before have changed: calls that have their result now.
pub(super) fn append(items: &mut Vec<Item>, messages: &[Arc<Message>]) -> Vec<usize> {
    let mut changed = Vec::new();
    for message in messages {
        match &**message {
            Message::Assistant(answer) => parts(message, answer, items),
            Message::ToolResult(result) => {
                // Ids may come again in a long session: the result is that of the newest call without one.
                let near = items.len().saturating_sub(NEAR);
                let is_its_call = |item: &Item| item.result.is_none() && item.call_id() == Some(&result.tool_call_id);
                if let Some(at) = items[near..].iter().rposition(is_its_call).map(|at| near + at) {
                    items[at].result = Some(Arc::clone(message));
                    changed.push(at);
                }
            }
            Message::User(_) => items.push(Item { message: Arc::clone(message), part: None, result: None }),
            Message::Other(other) => {
                let is_shown = match AppMessage::from_other(other) {
                    None => false,
                    Some(AppMessage::Custom(custom)) => custom.display,
                    Some(_) => true,
                };
                if is_shown {
                    items.push(Item { message: Arc::clone(message), part: None, result: None });
                }
            }
        }
    }
    changed
}

fn parts(message: &Arc<Message>, answer: &AssistantMessage, items: &mut Vec<Item>) {
    let before = items.len();
    for (place, block) in answer.content.iter().enumerate() {
        match block {
            ContentBlock::Text(text) if text.text.trim().is_empty() => continue,
            ContentBlock::Thinking(thinking) if thinking.thinking.trim().is_empty() => continue,
            ContentBlock::ToolCall(_) | ContentBlock::Text(_) | ContentBlock::Thinking(_) => {}
            _ => continue,
        }
        items.push(Item { message: Arc::clone(message), part: Some(place), result: None });
    }
    if items.len() == before && answer.stop_reason.is_failure() {
        items.push(Item { message: Arc::clone(message), part: None, result: None });
    }
}

impl Item {
    /// Whether the user wrote it.
    pub(super) fn is_prompt(&self) -> bool {
        matches!(*self.message, Message::User(_))
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
        (Arc::ptr_eq(&self.message, &other.message) || self.message == other.message)
            && self.part == other.part
            && self.result.is_some() == other.result.is_some()
    }

    /// Its heading.
    pub(super) fn title(&self) -> String {
        match (&*self.message, self.block()) {
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
        match (&*self.message, self.block()) {
            (Message::User(message), _) => message.content.to_text(),
            (Message::Assistant(_), Some(ContentBlock::Text(text))) => text.text.clone(),
            (Message::Assistant(_), Some(ContentBlock::Thinking(thinking))) => thinking.thinking.clone(),
            (Message::Assistant(_), Some(ContentBlock::ToolCall(call))) => {
                let arguments = match call.arguments.get("command").and_then(serde_json::Value::as_str) {
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

    /// The messages that show this block and nothing else.
    pub(super) fn messages(&self) -> Vec<Arc<Message>> {
        let (Message::Assistant(answer), Some(place)) = (&*self.message, self.part) else {
            return vec![Arc::clone(&self.message)];
        };
        let mut one = (**answer).clone();
        let is_last = place + 1 == one.content.len();
        one.content = one.content.get(place).cloned().into_iter().collect();
        // Why an answer failed is told once, below its last part.
        if !is_last && one.stop_reason.is_failure() {
            one.stop_reason = StopReason::Stop;
        }
        std::iter::once(Arc::new(Message::Assistant(Arc::new(one)))).chain(self.result.clone()).collect()
    }

    fn block(&self) -> Option<&ContentBlock> {
        match &*self.message {
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
    use serde_json::{Value, json};

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
            append(&mut list, &messages[at..]);
            assert_eq!(shown(&list), whole, "cut at {at}");
        }
        let mut list = items(&messages[..2]);
        assert_eq!(append(&mut list, &messages[2..4]), [3, 2]);
    }
}
