//! The blocks of messages that are there already: of a session that goes on, and of what users and extensions send.

use std::sync::Arc;

use pi_ai::{ContentBlock, Message, ToolResultMessage, UserContent};
use pi_coding_agent::messages::AppMessage;
use pi_coding_agent::prompt::parse_skill_block;
use serde_json::Value;

use super::block::{Body, ChatBlock};
use super::custom_entry::CustomEntryBlock;
use super::custom_message::CustomMessageBlock;
use super::shell::ShellBlock;
use super::summary::Labelled;
use super::transcript::Transcript;
use super::user::{SkillUse, TransformedMessage, UserMessage};

impl Transcript {
    /// Shows a message that is there already.
    pub(in crate::modes::interactive) fn message(&mut self, message: &Message) {
        match message {
            Message::User(message) => self.user(&message.content),
            Message::Assistant(message) => {
                self.open.clear();
                self.end_answer(message, true);
            }
            Message::ToolResult(result) => self.result(result),
            Message::Other(other) => {
                if let Some(message) = AppMessage::from_other(other) {
                    self.app_message(message);
                }
            }
        }
    }

    fn user(&mut self, content: &UserContent) {
        let text = content.to_text();
        let images = match content {
            UserContent::Text(_) => 0,
            UserContent::Blocks(blocks) => {
                blocks.iter().filter(|block| matches!(block, ContentBlock::Image(_))).count()
            }
        };
        let Some(skill) = parse_skill_block(&text) else {
            return self.user_text(UserMessage { text, images });
        };
        self.push_picture(SkillUse { name: skill.name, body: skill.content });
        if let Some(text) = skill.user_message.filter(|text| !text.trim().is_empty()) {
            self.user_text(UserMessage { text, images });
        }
    }

    fn user_text(&mut self, message: UserMessage) {
        match self.renderers.transformers() {
            Some(transformers) => {
                self.push(Body::Custom(Box::new(TransformedMessage::new(message, transformers))));
            }
            None => {
                self.push_picture(message);
            }
        }
    }

    /// Shows data that an extension has stored, if one draws it.
    pub(in crate::modes::interactive) fn entry(&mut self, entry: &Arc<Value>) {
        let Some(custom_type) = entry.get("customType").and_then(Value::as_str) else { return };
        if let Some(renderer) = self.renderers.of_entry(custom_type) {
            self.push(Body::Custom(Box::new(CustomEntryBlock::new(entry, custom_type, renderer))));
        }
    }

    fn app_message(&mut self, message: AppMessage) {
        let labelled = match message {
            AppMessage::BashExecution(message) => {
                self.push(Body::Shell(Box::new(ShellBlock::recorded(&message))));
                return;
            }
            AppMessage::Custom(message) if !message.display => return,
            AppMessage::Custom(message) => {
                let plain = Labelled {
                    label: message.custom_type.clone(),
                    head: message.content.to_text(),
                    body: String::new(),
                };
                let Some(renderer) = self.renderers.of_message(&message.custom_type) else {
                    self.push_picture(plain);
                    return;
                };
                self.push(Body::Custom(Box::new(CustomMessageBlock::new(message, plain, renderer))));
                return;
            }
            AppMessage::BranchSummary(message) => Labelled {
                label: "branch".to_owned(),
                head: "Summary of the branch that was left".to_owned(),
                body: message.summary,
            },
            AppMessage::CompactionSummary(message) => compaction(message.tokens_before, message.summary),
        };
        self.push_picture(labelled);
    }

    /// Shows that the history was summarised.
    pub(in crate::modes::interactive) fn compacted(&mut self, tokens_before: u64, summary: String) {
        self.push_picture(compaction(tokens_before, summary));
    }

    fn result(&mut self, result: &ToolResultMessage) {
        let Some(id) = self.calls.remove(&result.tool_call_id) else { return };
        let output = pi_agent_core::ToolOutput {
            content: result.content.clone(),
            details: result.details.clone(),
            ..pi_agent_core::ToolOutput::default()
        };
        if let Some(Body::Tool(tool)) = self.document.get_mut(id).map(ChatBlock::body_mut) {
            tool.end(Arc::new(output), result.is_error, 0);
        }
    }
}

fn compaction(tokens_before: u64, summary: String) -> Labelled {
    let tokens = super::super::numbers::grouped(tokens_before);
    Labelled { label: "compaction".to_owned(), head: format!("Compacted from {tokens} tokens"), body: summary }
}
