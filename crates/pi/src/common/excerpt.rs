//! What an entry says, in one line, and how its message reads in full.

use pi_ai::{ContentBlock, Message, ToolCall, UserContent};

use pi_coding_agent::messages::AppMessage;
use pi_coding_agent::session::{SessionEntry, StoredEntry};

use super::one_line::cut_line;

/// The line of an entry has so many characters at most.
const LINE: usize = 100;

/// An entry for people.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// Role of the message, or type of the entry.
    pub(crate) role: String,
    /// What more there is to say about who speaks: which tool, which extension.
    detail: String,
    /// ISO time of the entry.
    pub(crate) timestamp: String,
    /// The text; calls of tools are lines of their own.
    pub(crate) text: String,
    /// Whether the model sees the entry, or saw it before a compaction.
    pub(crate) spoken: bool,
    /// Whether it is output of a program, which may be shortened.
    pub(crate) output: bool,
}

impl Excerpt {
    /// Reads an entry.
    pub(crate) fn of(entry: &StoredEntry) -> Self {
        let mut excerpt = Self {
            role: entry.kind().to_owned(),
            detail: String::new(),
            timestamp: timestamp(entry.raw()),
            text: String::new(),
            spoken: false,
            output: false,
        };
        match entry.parse() {
            SessionEntry::Message(message) => excerpt.add_message(&message.message),
            SessionEntry::CustomMessage(message) => {
                excerpt.spoken = true;
                excerpt.detail = message.custom_type;
                excerpt.text = content_text(&message.content);
            }
            SessionEntry::Compaction(compaction) => excerpt.add_summary(&compaction.summary),
            SessionEntry::BranchSummary(summary) => excerpt.add_summary(&summary.summary),
            SessionEntry::ModelChange(change) => excerpt.text = format!("{}/{}", change.provider, change.model_id),
            SessionEntry::ThinkingLevelChange(change) => excerpt.text = change.thinking_level,
            SessionEntry::SessionInfo(info) => excerpt.text = info.name,
            SessionEntry::Label(label) => {
                excerpt.text = format!("{} on {}", label.label.as_deref().unwrap_or("removed"), label.target_id);
            }
            SessionEntry::Custom(custom) => excerpt.text = custom.custom_type,
            SessionEntry::Other(_) => {}
        }
        excerpt
    }

    fn add_summary(&mut self, summary: &str) {
        self.spoken = true;
        summary.clone_into(&mut self.text);
    }

    fn add_message(&mut self, message: &Message) {
        self.spoken = true;
        message.role().clone_into(&mut self.role);
        match message {
            Message::User(user) => self.text = content_text(&user.content),
            Message::Assistant(answer) => {
                let mut parts: Vec<String> = answer.content.iter().filter_map(block_text).collect();
                if answer.stop_reason.is_failure() {
                    let why = answer.error_message.as_deref().unwrap_or("no reason given");
                    parts.push(format!("[{}: {why}]", answer.stop_reason.as_str()));
                }
                self.text = parts.join("\n");
            }
            Message::ToolResult(result) => {
                let failed = if result.is_error { " failed" } else { "" };
                self.detail = format!("{}{failed}", result.tool_name);
                self.output = true;
                self.text = blocks_text(&result.content);
            }
            Message::Other(other) => self.add_app_message(AppMessage::from_other(other)),
        }
    }

    fn add_app_message(&mut self, message: Option<AppMessage>) {
        match message {
            Some(AppMessage::BashExecution(shell)) => {
                self.output = true;
                self.text = format!("$ {}\n{}", shell.command, shell.output);
            }
            Some(AppMessage::Custom(custom)) => self.text = content_text(&custom.content),
            Some(AppMessage::BranchSummary(summary)) => self.text = summary.summary,
            Some(AppMessage::CompactionSummary(summary)) => self.text = summary.summary,
            None => {}
        }
    }

    /// Who speaks.
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.role, self.detail).trim_end().to_owned()
    }

    /// The text in one line.
    pub(crate) fn line(&self) -> String {
        cut_line(&self.text, LINE)
    }
}

fn timestamp(raw: &str) -> String {
    #[derive(serde::Deserialize)]
    struct Time {
        timestamp: String,
    }
    serde_json::from_str::<Time>(raw).map(|time| time.timestamp).unwrap_or_default()
}

fn content_text(content: &UserContent) -> String {
    match content {
        UserContent::Text(text) => text.clone(),
        UserContent::Blocks(blocks) => blocks_text(blocks),
    }
}

fn blocks_text(blocks: &[ContentBlock]) -> String {
    blocks.iter().filter_map(block_text).collect::<Vec<_>>().join("\n")
}

/// Thinking is left out.
fn block_text(block: &ContentBlock) -> Option<String> {
    match block {
        ContentBlock::Text(text) => Some(text.text.clone()).filter(|text| !text.trim().is_empty()),
        ContentBlock::Image(image) => Some(format!("[image {}]", image.mime_type)),
        ContentBlock::ToolCall(call) => Some(call_line(call)),
        ContentBlock::Thinking(_) | ContentBlock::Other(_) => None,
    }
}

/// A tool call in a line.
fn call_line(call: &ToolCall) -> String {
    format!("→ {} {}", call.name, cut_line(&call.arguments.to_string(), LINE))
}
