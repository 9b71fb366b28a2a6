//! The conversation as a list of blocks: what each is called, and its source as it was written. Nothing is drawn here.

use std::collections::HashMap;
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

/// The blocks of messages, in their order.
pub(super) fn items(messages: &[Arc<Message>]) -> Vec<Item> {
    let mut results: HashMap<&str, Vec<&Arc<Message>>> = HashMap::new();
    for message in messages.iter().rev() {
        if let Message::ToolResult(result) = &**message {
            results.entry(&result.tool_call_id).or_default().push(message);
        }
    }
    let mut items = Vec::with_capacity(messages.len());
    for message in messages {
        match &**message {
            Message::Assistant(answer) => parts(message, answer, &mut results, &mut items),
            Message::ToolResult(_) => {}
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
    items
}

fn parts(
    message: &Arc<Message>,
    answer: &AssistantMessage,
    results: &mut HashMap<&str, Vec<&Arc<Message>>>,
    items: &mut Vec<Item>,
) {
    let before = items.len();
    for (place, block) in answer.content.iter().enumerate() {
        let result = match block {
            ContentBlock::Text(text) if text.text.trim().is_empty() => continue,
            ContentBlock::Thinking(thinking) if thinking.thinking.trim().is_empty() => continue,
            // Ids may come again in a long session: the next result is this call's.
            ContentBlock::ToolCall(call) => results.get_mut(call.id.as_str()).and_then(Vec::pop).cloned(),
            ContentBlock::Text(_) | ContentBlock::Thinking(_) => None,
            _ => continue,
        };
        items.push(Item { message: Arc::clone(message), part: Some(place), result });
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
