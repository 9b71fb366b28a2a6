//! What the messages of a session add up to: of its whole file, all branches and everything that was compacted, or of any
//! list of messages.

use pi_ai::{ContentBlock, Message, Usage};
use serde::{Deserialize, Serialize};

use super::entries::Entries;
use super::kind::Kind;
use super::record::{StoredEntry, parse_lenient};
use crate::session::Error;

/// Counts and sums.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageTotals {
    /// User messages.
    pub user_messages: usize,
    /// Assistant messages.
    pub assistant_messages: usize,
    /// Tool calls in them.
    pub tool_calls: usize,
    /// Tool results.
    pub tool_results: usize,
    /// Messages of any role.
    pub total_messages: usize,
    /// Tokens of all answers.
    pub tokens: TokenTotals,
    /// Cost of all answers in US dollars.
    pub cost: f64,
}

/// Sums of token usage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenTotals {
    /// Uncached prompt tokens.
    pub input: u64,
    /// Generated tokens.
    pub output: u64,
    /// Cache reads.
    pub cache_read: u64,
    /// Cache writes.
    pub cache_write: u64,
    /// Sum of the four.
    pub total: u64,
}

impl MessageTotals {
    /// Counts a message.
    pub fn add(&mut self, message: &Message) {
        match message {
            Message::User(_) => self.user_messages += 1,
            Message::ToolResult(_) => self.tool_results += 1,
            Message::Assistant(assistant) => {
                let is_call = |block: &&ContentBlock| matches!(block, ContentBlock::ToolCall(_));
                self.add_answer(assistant.content.iter().filter(is_call).count(), &assistant.usage);
            }
            Message::Other(_) => {}
        }
        self.total_messages += 1;
    }

    fn add_answer(&mut self, calls: usize, usage: &Usage) {
        self.assistant_messages += 1;
        self.tool_calls += calls;
        let tokens = &mut self.tokens;
        for (sum, more) in [
            (&mut tokens.input, usage.input),
            (&mut tokens.output, usage.output),
            (&mut tokens.cache_read, usage.cache_read),
            (&mut tokens.cache_write, usage.cache_write),
        ] {
            *sum = sum.saturating_add(more);
            tokens.total = tokens.total.saturating_add(more);
        }
        self.cost += usage.cost.total;
    }

    /// Counts the message of an entry, of which no more is read than its counts.
    fn add_entry(&mut self, entry: &StoredEntry) {
        let Some(Line { message }) = parse_lenient::<Line>(entry.raw()) else { return };
        match message.role.as_str() {
            "user" => self.user_messages += 1,
            "toolResult" => self.tool_results += 1,
            "assistant" => {
                let calls = message.content.iter().filter(|block| block.kind == "toolCall").count();
                self.add_answer(calls, &message.usage.unwrap_or_default());
            }
            _ => {}
        }
        self.total_messages += 1;
    }
}

impl Entries {
    /// What all messages of the session add up to, on all branches, summarised ones included. Reads the whole file; run it
    /// where blocking is allowed.
    ///
    /// # Errors
    /// [`Error::Open`], [`Error::Changed`].
    pub fn totals(&self) -> Result<MessageTotals, Error> {
        let mut totals = MessageTotals::default();
        for entry in self.iter() {
            let entry = entry?;
            if Kind::of(entry.kind()) == Kind::Message {
                totals.add_entry(&entry);
            }
        }
        Ok(totals)
    }
}

#[derive(Deserialize)]
struct Line {
    message: MessageFields,
}

#[derive(Deserialize)]
struct MessageFields {
    role: String,
    #[serde(default, deserialize_with = "blocks")]
    content: Vec<Block>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type", default)]
    kind: String,
}

/// The blocks of a content; one that is a mere text has none.
fn blocks<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Block>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Content {
        Blocks(Vec<Block>),
        Other(serde::de::IgnoredAny),
    }
    Ok(match Content::deserialize(deserializer)? {
        Content::Blocks(blocks) => blocks,
        Content::Other(_) => Vec::new(),
    })
}
