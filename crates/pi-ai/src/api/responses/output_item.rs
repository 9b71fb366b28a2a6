//! One item of an answer while it arrives, and the block that it becomes.

use std::sync::Arc;

use std::borrow::Cow;

use crate::builder::MessageBuilder;
use crate::json_view::Json;
use crate::message::{ContentBlock, ThinkingContent};

use super::{ids, signature};

/// Stands between the parts of a summary.
const PART_BREAK: &str = "\n\n";

/// An item whose end has not arrived.
#[derive(Debug)]
pub(super) struct OutputItem {
    /// Index of its block in the message.
    at: usize,
    stream: Stream,
}

/// What an item is, and what is known of it so far.
#[derive(Debug)]
enum Stream {
    Reasoning {
        /// A summary part was announced.
        in_part: bool,
    },
    Message {
        /// The part that was announced last.
        part: Option<Part>,
    },
    FunctionCall {
        /// Text of the arguments.
        json: String,
    },
}

/// Parts of a message. Text of one kind counts only inside a part of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Text,
    Refusal,
}

impl OutputItem {
    /// Opens the block of an item; `None` for kinds of items that have none: a server's own tools and what is new.
    pub(super) fn open(item: &Json<'_>, message: &mut MessageBuilder) -> Option<Self> {
        let (at, stream) = match item["type"].as_str()? {
            "reasoning" => (message.start_thinking(ThinkingContent::default()), Stream::Reasoning { in_part: false }),
            "message" => (message.start_text(), Stream::Message { part: None }),
            "function_call" => {
                let name = item["name"].as_str().unwrap_or("");
                (message.start_tool_call(call_id(item), name), Stream::FunctionCall { json: String::new() })
            }
            _ => return None,
        };
        Some(Self { at, stream })
    }

    /// Whether it is of the kind of `item`.
    pub(super) fn is_like(&self, item: &Json<'_>) -> bool {
        let kind = match self.stream {
            Stream::Reasoning { .. } => "reasoning",
            Stream::Message { .. } => "message",
            Stream::FunctionCall { .. } => "function_call",
        };
        item["type"] == kind
    }

    /// Reads an event about the item. What does not fit the item's kind is ignored.
    pub(super) fn event(&mut self, kind: &str, event: &Json<'_>, message: &mut MessageBuilder) {
        let at = self.at;
        let delta = || event["delta"].as_str().unwrap_or("");
        match (&mut self.stream, kind) {
            (Stream::Reasoning { in_part }, "response.reasoning_summary_part.added") => *in_part = true,
            (Stream::Reasoning { in_part: true }, "response.reasoning_summary_text.delta")
            | (Stream::Reasoning { .. }, "response.reasoning_text.delta") => message.thinking_delta(at, delta()),
            (Stream::Reasoning { in_part: true }, "response.reasoning_summary_part.done") => {
                message.thinking_delta(at, PART_BREAK);
            }
            (Stream::Message { part }, "response.content_part.added") => *part = part_kind(&event["part"]).or(*part),
            (Stream::Message { part: Some(Part::Text) }, "response.output_text.delta")
            | (Stream::Message { part: Some(Part::Refusal) }, "response.refusal.delta") => {
                message.text_delta(at, delta());
            }
            (Stream::FunctionCall { json }, "response.function_call_arguments.delta") => {
                json.push_str(delta());
                message.tool_call_delta(at, delta());
            }
            (Stream::FunctionCall { json }, "response.function_call_arguments.done") => {
                all_arguments(at, json, &arguments(event), message);
            }
            _ => {}
        }
    }

    /// The item is complete: its final form wins over what was streamed.
    pub(super) fn finish(self, item: &Json<'_>, message: &mut MessageBuilder) {
        match &self.stream {
            Stream::Reasoning { .. } => finish_reasoning(self.at, item, message),
            Stream::Message { .. } => finish_message(self.at, item, message),
            Stream::FunctionCall { json } => finish_call(self.at, json, item, message),
        }
        self.close(message);
    }

    /// Ends the block with what has arrived.
    pub(super) fn close(self, message: &mut MessageBuilder) {
        match self.stream {
            Stream::Reasoning { .. } => message.end_thinking(self.at),
            Stream::Message { .. } => message.end_text(self.at),
            Stream::FunctionCall { .. } => message.end_tool_call(self.at),
        }
    }
}

/// The id of a call in a transcript, both parts as far as there are two.
fn call_id(item: &Json<'_>) -> String {
    let part = |key: &str| item[key].as_str().filter(|id| !id.is_empty());
    match (part("call_id"), part("id")) {
        (Some(call), Some(id)) => ids::join(call, id),
        (Some(id), None) | (None, Some(id)) => id.to_owned(),
        (None, None) => String::new(),
    }
}

fn part_kind(part: &Json<'_>) -> Option<Part> {
    match part["type"].as_str()? {
        "output_text" => Some(Part::Text),
        "refusal" => Some(Part::Refusal),
        _ => None,
    }
}

/// The JSON text of arguments. Servers that do not stream them may send a value.
fn arguments<'a>(holder: &'a Json<'_>) -> Cow<'a, str> {
    match &holder["arguments"] {
        Json::String(text) => Cow::Borrowed(text),
        value @ Json::Object(_) => Cow::Owned(value.to_string()),
        _ => Cow::Borrowed(""),
    }
}

/// The whole text of the arguments arrived. What was not streamed of it is sent on; a different text replaces it.
fn all_arguments(at: usize, streamed: &mut String, all: &str, message: &mut MessageBuilder) {
    if all.is_empty() {
        return;
    }
    match all.strip_prefix(streamed.as_str()) {
        Some("") => {}
        Some(rest) => message.tool_call_delta(at, rest),
        None => message.set_tool_call_arguments(at, all),
    }
    all.clone_into(streamed);
}

fn finish_call(at: usize, streamed: &str, item: &Json<'_>, message: &mut MessageBuilder) {
    let all = arguments(item);
    if all.len() > streamed.len() && all.starts_with(streamed) {
        message.set_tool_call_arguments(at, &all);
    }
    message.edit_block(at, |block| {
        if let ContentBlock::ToolCall(call) = block {
            let call = Arc::make_mut(call);
            fill(&mut call.id, || call_id(item));
            fill(&mut call.name, || item["name"].as_str().unwrap_or("").to_owned());
        }
    });
}

fn fill(field: &mut String, value: impl FnOnce() -> String) {
    if field.is_empty() {
        *field = value();
    }
}

fn finish_reasoning(at: usize, item: &Json<'_>, message: &mut MessageBuilder) {
    let texts = |key: &str| {
        let parts = item[key].as_array().into_iter().flatten();
        let texts: Vec<&str> = parts.filter_map(|part| part["text"].as_str()).collect();
        Some(texts.join(PART_BREAK)).filter(|text| !text.is_empty())
    };
    let text = texts("summary").or_else(|| texts("content"));
    let signature = item.to_string();
    message.edit_block(at, |block| {
        if let ContentBlock::Thinking(thinking) = block {
            thinking.thinking_signature = Some(signature);
            if let Some(text) = text {
                thinking.thinking = text;
            }
        }
    });
}

fn finish_message(at: usize, item: &Json<'_>, message: &mut MessageBuilder) {
    let parts = item["content"].as_array().into_iter().flatten();
    let texts = parts.filter_map(|part| match part_kind(part)? {
        Part::Text => part["text"].as_str(),
        Part::Refusal => part["refusal"].as_str(),
    });
    let text: String = texts.collect();
    let signature = signature::of_item(item);
    message.edit_block(at, |block| {
        if let ContentBlock::Text(block) = block {
            block.text_signature = signature;
            if !text.is_empty() {
                block.text = text;
            }
        }
    });
}
