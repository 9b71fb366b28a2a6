//! Counts what fills the window, and what turns cost.

use std::collections::BTreeMap;
use std::sync::Arc;

use pi_ai::{ContentBlock, Message, UserContent};
use pi_coding_agent::compaction::{estimate_text_tokens, estimate_tokens};
use pi_coding_agent::messages::AppMessage;

/// An image counts as so many tokens, as in the estimates of the library.
const IMAGE: u64 = 1200;

/// A part of the context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) name: String,
    /// Estimated.
    pub(super) tokens: u64,
}

/// What stands before all messages, in estimated tokens.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fixed {
    /// The system prompt without files and skills.
    pub(super) prompt: u64,
    pub(super) files: u64,
    pub(super) skills: u64,
    pub(super) tools: u64,
}

/// What a prompt of the user and everything up to the next one cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Turn {
    pub(super) text: String,
    /// In US dollars.
    pub(super) cost: f64,
    /// As the provider reported them.
    pub(super) tokens: u64,
}

/// The parts that are not empty: first what is always there, then messages by kind, results by tool.
pub(super) fn sources(fixed: Fixed, messages: &[Arc<Message>]) -> Vec<Source> {
    let mut counts = Counts::default();
    messages.iter().for_each(|message| counts.add(message));
    let fixed = [
        ("System prompt", fixed.prompt),
        ("Context files", fixed.files),
        ("Skills", fixed.skills),
        ("Tool definitions", fixed.tools),
    ];
    let of_messages = [
        ("Your messages", counts.user),
        ("Answers", counts.answers),
        ("Thinking", counts.thinking),
        ("Tool calls", counts.calls),
        ("Images", counts.images),
        ("Your commands (!)", counts.shell),
        ("Summaries", counts.summaries),
        ("Messages of extensions", counts.custom),
    ];
    let named = fixed.into_iter().chain(of_messages).map(|(name, tokens)| Source { name: name.to_owned(), tokens });
    let results =
        counts.results.into_iter().map(|(tool, tokens)| Source { name: format!("Results of {tool}"), tokens });
    named.chain(results).filter(|source| source.tokens > 0).collect()
}

#[derive(Debug, Default)]
struct Counts {
    user: u64,
    answers: u64,
    thinking: u64,
    calls: u64,
    images: u64,
    shell: u64,
    summaries: u64,
    custom: u64,
    results: BTreeMap<String, u64>,
}

impl Counts {
    fn add(&mut self, message: &Message) {
        match message {
            Message::User(message) => self.user += self.content(&message.content),
            Message::Assistant(message) => message.content.iter().for_each(|block| self.answer(block)),
            Message::ToolResult(result) => {
                let tokens = self.blocks(&result.content);
                *self.results.entry(result.tool_name.clone()).or_default() += tokens;
            }
            Message::Other(other) => match AppMessage::from_other(other) {
                Some(AppMessage::BashExecution(_)) => self.shell += estimate_tokens(message),
                Some(AppMessage::Custom(custom)) => self.custom += self.content(&custom.content),
                Some(AppMessage::BranchSummary(_) | AppMessage::CompactionSummary(_)) => {
                    self.summaries += estimate_tokens(message);
                }
                None => {}
            },
        }
    }

    fn answer(&mut self, block: &ContentBlock) {
        match block {
            ContentBlock::Text(text) => self.answers += estimate_text_tokens(&text.text),
            ContentBlock::Thinking(thinking) => self.thinking += estimate_text_tokens(&thinking.thinking),
            ContentBlock::ToolCall(call) => self.calls += estimate_text_tokens(&call.arguments.to_string()),
            _ => {}
        }
    }

    /// The texts of a content; its images are counted apart.
    fn content(&mut self, content: &UserContent) -> u64 {
        match content {
            UserContent::Text(text) => estimate_text_tokens(text),
            UserContent::Blocks(blocks) => self.blocks(blocks),
        }
    }

    fn blocks(&mut self, blocks: &[ContentBlock]) -> u64 {
        self.images += IMAGE * blocks.iter().filter(|block| matches!(block, ContentBlock::Image(_))).count() as u64;
        blocks.iter().filter_map(ContentBlock::as_text).map(estimate_text_tokens).sum()
    }
}

/// The turns of the context, oldest first. Answers before the first prompt belong to none.
pub(super) fn turns(messages: &[Arc<Message>]) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for message in messages {
        match (&**message, turns.last_mut()) {
            (Message::User(message), _) => turns.push(Turn { text: message.content.to_text(), ..Turn::default() }),
            (Message::Assistant(message), Some(turn)) => {
                turn.cost += message.usage.cost.total;
                turn.tokens += message.usage.sum();
            }
            _ => {}
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn messages(values: Value) -> Vec<Arc<Message>> {
        serde_json::from_value::<Vec<Message>>(values).expect("messages").into_iter().map(Arc::new).collect()
    }

    #[test]
    fn every_part_is_counted_once() {
        let messages = messages(json!([
            {"role": "compactionSummary", "summary": "s".repeat(40), "tokensBefore": 1, "timestamp": 1},
            {"role": "user", "timestamp": 1, "content": [
                {"type": "text", "text": "u".repeat(80)}, {"type": "image", "data": "", "mimeType": "image/png"}]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "t".repeat(20)},
                {"type": "text", "text": "a".repeat(16)},
                {"type": "toolCall", "id": "1", "name": "read", "arguments": {"path": "abcdef"}}],
             "usage": {"input": 5, "output": 6, "cost": {"total": 0.5}}},
            {"role": "toolResult", "toolCallId": "1", "toolName": "read", "timestamp": 1,
             "content": [{"type": "text", "text": "r".repeat(400)}]},
            {"role": "bashExecution", "command": "abcd", "output": "efgh", "exitCode": 0,
             "cancelled": false, "truncated": false, "timestamp": 1},
        ]));
        let sources = sources(Fixed { prompt: 7, files: 0, skills: 3, tools: 9 }, &messages);
        let named: Vec<(&str, u64)> = sources.iter().map(|source| (&*source.name, source.tokens)).collect();
        let expected = [
            ("System prompt", 7),
            ("Skills", 3),
            ("Tool definitions", 9),
            ("Your messages", 20),
            ("Answers", 4),
            ("Thinking", 5),
            ("Tool calls", 5),
            ("Images", 1200),
            ("Your commands (!)", 2),
            ("Summaries", 10),
            ("Results of read", 100),
        ];
        assert_eq!(named, expected);
    }

    #[test]
    fn turns_end_where_the_next_prompt_stands() {
        let user = |text: &str| json!({"role": "user", "content": text, "timestamp": 1});
        let answer = |cost: f64| json!({"role": "assistant", "content": [], "usage": {"input": 10, "output": 1, "cost": {"total": cost}}});
        let messages = messages(json!([answer(9.0), user("one"), answer(0.25), answer(0.5), user("two")]));
        let turn = |text: &str, cost, tokens| Turn { text: text.to_owned(), cost, tokens };
        assert_eq!(turns(&messages), [turn("one", 0.75, 22), turn("two", 0.0, 0)]);
    }
}
