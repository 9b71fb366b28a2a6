//! A streaming assistant message in serialised form, grown delta by delta.
//!
//! Only what grows is kept here: texts and tool arguments as far as the events told. The rest of a message (ids,
//! signatures, usage) is small and taken from the message itself whenever it is written.

use pi_ai::{AssistantMessage, AssistantMessageEvent, ContentBlock, Extra, PartialJson, Usage};
use serde::Serialize;
use serde_json::Value;

use super::put::put;

/// The JSON text of a message so far. Taking in a delta costs the delta; writing the message costs one copy.
#[derive(Debug, Default)]
pub(crate) struct MessageJson {
    blocks: Vec<Block>,
    /// Reused for arguments that are still arriving.
    scratch: String,
}

/// What grows in a content block.
#[derive(Debug)]
enum Block {
    /// No event told of it.
    Silent,
    /// The text of a text block, escaped, without quotes.
    Text(Vec<u8>),
    /// The same of a thinking block.
    Thinking(Vec<u8>),
    /// The arguments of a tool call that is still arriving.
    OpenCall(PartialJson),
    /// The JSON text of the arguments of a complete tool call.
    Call(Vec<u8>),
}

impl MessageJson {
    /// Takes in an event.
    pub(crate) fn follow(&mut self, event: &AssistantMessageEvent) {
        use AssistantMessageEvent as Event;
        let Some(index) = event.content_index() else { return };
        match event {
            Event::TextStart { .. } => self.open(index, Block::Text(Vec::new())),
            Event::ThinkingStart { partial, .. } => {
                // A redacted block is opened with its placeholder, which no delta repeats.
                let text = partial.with(|message| match message.content.get(index) {
                    Some(ContentBlock::Thinking(block)) if block.redacted == Some(true) => escaped(&block.thinking),
                    _ => Vec::new(),
                });
                self.open(index, Block::Thinking(text));
            }
            Event::ToolCallStart { .. } => self.open(index, Block::OpenCall(PartialJson::default())),
            Event::TextDelta { delta, .. }
            | Event::ThinkingDelta { delta, .. }
            | Event::ToolCallDelta { delta, .. } => {
                self.grow(index, delta);
            }
            Event::TextEnd { content, .. } => self.set(index, Block::Text(escaped(content))),
            Event::ThinkingEnd { content, .. } => self.set(index, Block::Thinking(escaped(content))),
            Event::ToolCallEnd { tool_call, .. } => {
                let mut arguments = Vec::new();
                put(&mut arguments, &tool_call.arguments);
                self.set(index, Block::Call(arguments));
            }
            Event::Start { .. } | Event::Done { .. } | Event::Error { .. } => {}
        }
    }

    /// Appends the message as one JSON object. `message` may be ahead of the events: what grows is not taken from it.
    pub(crate) fn write_to(&mut self, message: &AssistantMessage, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"role":"assistant","content":["#);
        for (index, block) in self.blocks.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            block.write_to(message.content.get(index), &mut self.scratch, out);
        }
        out.push(b']');
        append_fields(out, &Frame::of(message));
        out.push(b'}');
    }

    /// Appends a block that was just opened as one JSON object: a tool call without arguments, which are to come.
    pub(crate) fn write_opened(&self, index: usize, message: &AssistantMessage, out: &mut Vec<u8>) {
        let live = message.content.get(index);
        match self.blocks.get(index) {
            Some(Block::OpenCall(_)) => write_call(Some(b"{}"), live, out),
            Some(block) => block.write_to(live, &mut String::new(), out),
            None => put(out, &live),
        }
    }

    /// Begins a block. An index that was there before means that the provider began its answer anew.
    fn open(&mut self, index: usize, block: Block) {
        self.blocks.truncate(index);
        self.set(index, block);
    }

    fn set(&mut self, index: usize, block: Block) {
        while self.blocks.len() <= index {
            self.blocks.push(Block::Silent);
        }
        self.blocks[index] = block;
    }

    fn grow(&mut self, index: usize, delta: &str) {
        match self.blocks.get_mut(index) {
            Some(Block::Text(json) | Block::Thinking(json)) => append_escaped(json, delta),
            Some(Block::OpenCall(arguments)) => arguments.push(delta),
            Some(Block::Call(_) | Block::Silent) | None => {}
        }
    }
}

impl Block {
    /// Writes the block; `live` is the same block of the message itself.
    fn write_to(&self, live: Option<&ContentBlock>, scratch: &mut String, out: &mut Vec<u8>) {
        match self {
            Self::Silent => put(out, &live),
            Self::Text(json) => write_text(br#"{"type":"text","text":""#, json, live, out),
            Self::Thinking(json) => write_text(br#"{"type":"thinking","thinking":""#, json, live, out),
            Self::OpenCall(arguments) if arguments.is_blank() => write_call(None, live, out),
            Self::OpenCall(arguments) => {
                scratch.clear();
                arguments.write_to(scratch);
                write_call(Some(scratch.as_bytes()), live, out);
            }
            Self::Call(arguments) => write_call(Some(arguments), live, out),
        }
    }
}

fn write_text(head: &[u8], json: &[u8], live: Option<&ContentBlock>, out: &mut Vec<u8>) {
    out.extend_from_slice(head);
    out.extend_from_slice(json);
    out.push(b'"');
    match live {
        Some(ContentBlock::Text(block)) => {
            let text_signature = block.text_signature.as_deref();
            append_fields(out, &TextFields { text_signature, extra: &block.extra });
        }
        Some(ContentBlock::Thinking(block)) => {
            let thinking_signature = block.thinking_signature.as_deref();
            append_fields(out, &ThinkingFields { thinking_signature, redacted: block.redacted, extra: &block.extra });
        }
        _ => {}
    }
    out.push(b'}');
}

/// Writes a tool call. Without text of its own its arguments are those that it was opened with.
fn write_call(arguments: Option<&[u8]>, live: Option<&ContentBlock>, out: &mut Vec<u8>) {
    // Nothing else stands in its place, unless the answer was begun anew after this event.
    let Some(ContentBlock::ToolCall(call)) = live else { return put(out, &live) };
    out.extend_from_slice(br#"{"type":"toolCall""#);
    append_fields(out, &CallName { id: &call.id, name: &call.name });
    out.extend_from_slice(br#","arguments":"#);
    match arguments {
        Some(arguments) => out.extend_from_slice(arguments),
        None => put(out, &call.arguments),
    }
    append_fields(out, &CallFields { thought_signature: call.thought_signature.as_deref(), extra: &call.extra });
    out.push(b'}');
}

/// The fields of an assistant message besides its content, in their order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Frame<'a> {
    api: &'a str,
    provider: &'a str,
    model: &'a str,
    usage: &'a Usage,
    stop_reason: &'a str,
    timestamp: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostics: Option<&'a [Value]>,
    #[serde(flatten)]
    extra: &'a Extra,
}

impl<'a> Frame<'a> {
    fn of(message: &'a AssistantMessage) -> Self {
        Self {
            api: &message.api,
            provider: &message.provider,
            model: &message.model,
            usage: &message.usage,
            stop_reason: message.stop_reason.as_str(),
            timestamp: message.timestamp,
            response_id: message.response_id.as_deref(),
            response_model: message.response_model.as_deref(),
            error_message: message.error_message.as_deref(),
            diagnostics: message.diagnostics.as_deref(),
            extra: &message.extra,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TextFields<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    text_signature: Option<&'a str>,
    #[serde(flatten)]
    extra: &'a Extra,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ThinkingFields<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_signature: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redacted: Option<bool>,
    #[serde(flatten)]
    extra: &'a Extra,
}

#[derive(Serialize)]
struct CallName<'a> {
    id: &'a str,
    name: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallFields<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    thought_signature: Option<&'a str>,
    #[serde(flatten)]
    extra: &'a Extra,
}

/// Appends the fields of an object to an object that is being written and has fields already.
fn append_fields(out: &mut Vec<u8>, fields: &impl Serialize) {
    let start = out.len();
    put(out, fields);
    out.pop();
    if out.len() == start + 1 {
        out.pop();
    } else {
        out[start] = b',';
    }
}

fn escaped(text: &str) -> Vec<u8> {
    let mut json = Vec::with_capacity(text.len());
    append_escaped(&mut json, text);
    json
}

/// Appends text as it stands inside a JSON string.
fn append_escaped(json: &mut Vec<u8>, text: &str) {
    let start = json.len();
    put(json, &text);
    json.pop();
    json.remove(start);
}
