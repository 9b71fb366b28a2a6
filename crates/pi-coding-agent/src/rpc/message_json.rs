//! A streaming assistant message in serialised form, grown delta by delta.

use pi_ai::{AssistantMessage, AssistantMessageEvent, ContentBlock, PartialJson, Usage};
use serde::Serialize;

use super::event_json::put;

/// The JSON text of a message so far. Appending a delta costs the delta; a snapshot costs one copy.
#[derive(Debug, Default)]
pub(crate) struct MessageJson {
    blocks: Vec<Block>,
    /// Everything after the content: identity, usage, stop reason.
    frame: Vec<u8>,
}

/// One content block.
#[derive(Debug)]
enum Block {
    /// Finished, or of a kind that does not grow.
    Closed(Vec<u8>),
    /// Text or thinking: JSON text up to the last character that arrived, inside the string.
    Growing(Vec<u8>),
    /// A tool call: JSON text up to the arguments, and the arguments.
    Call(Vec<u8>, PartialJson),
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
}

impl MessageJson {
    /// Takes in an event.
    pub(crate) fn follow(&mut self, event: &AssistantMessageEvent) {
        use AssistantMessageEvent as Event;
        let Some(index) = event.content_index() else { return };
        match event {
            Event::TextDelta { delta, .. } | Event::ThinkingDelta { delta, .. } => self.grow(index, delta),
            Event::ToolCallDelta { delta, partial, .. } => {
                if let Some(Block::Call(head, arguments)) = self.blocks.get_mut(index) {
                    arguments.push(delta);
                    // Id and name may arrive after the block was opened.
                    partial.with(|message| call_head(head, message.content.get(index)));
                }
            }
            Event::TextStart { partial, .. }
            | Event::ThinkingStart { partial, .. }
            | Event::ToolCallStart { partial, .. } => partial.with(|message| self.open(index, message, event)),
            Event::TextEnd { partial, .. } | Event::ThinkingEnd { partial, .. } => {
                partial.with(|message| self.close(index, message.content.get(index)));
            }
            Event::ToolCallEnd { tool_call, .. } => {
                self.close(index, Some(&ContentBlock::ToolCall(tool_call.clone())));
            }
            Event::Start { .. } | Event::Done { .. } | Event::Error { .. } => {}
        }
    }

    /// Refreshes what surrounds the content.
    pub(crate) fn set_frame(&mut self, message: &AssistantMessage) {
        self.frame.clear();
        let frame = Frame {
            api: &message.api,
            provider: &message.provider,
            model: &message.model,
            usage: &message.usage,
            stop_reason: message.stop_reason.as_str(),
            timestamp: message.timestamp,
            response_id: message.response_id.as_deref(),
            response_model: message.response_model.as_deref(),
        };
        put(&mut self.frame, &frame);
    }

    /// Appends the message as one JSON object.
    pub(crate) fn write_to(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"role":"assistant","content":["#);
        for (index, block) in self.blocks.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            block.write_to(out);
        }
        out.extend_from_slice(b"],");
        // The frame is an object of its own; its opening brace is replaced by what was written above.
        out.extend_from_slice(self.frame.get(1..).unwrap_or_default());
    }

    fn set(&mut self, index: usize, block: Block) {
        // Blocks are announced in order; a gap would be a block that this version does not stream.
        while self.blocks.len() <= index {
            self.blocks.push(Block::Closed(b"{}".to_vec()));
        }
        self.blocks[index] = block;
    }

    fn grow(&mut self, index: usize, delta: &str) {
        if let Some(Block::Growing(json)) = self.blocks.get_mut(index) {
            let start = json.len();
            put(json, &delta);
            // Both quotes of the delta go: the block's string stays open.
            json.pop();
            json.remove(start);
        }
    }

    fn open(&mut self, index: usize, message: &AssistantMessage, event: &AssistantMessageEvent) {
        let block = match (event, message.content.get(index)) {
            (AssistantMessageEvent::TextStart { .. }, _) => Block::Growing(br#"{"type":"text","text":""#.to_vec()),
            (_, Some(ContentBlock::Thinking(thinking))) if thinking.redacted == Some(true) => {
                Block::closed(&message.content[index])
            }
            (AssistantMessageEvent::ThinkingStart { .. }, _) => {
                Block::Growing(br#"{"type":"thinking","thinking":""#.to_vec())
            }
            (_, Some(block @ ContentBlock::ToolCall(_))) => {
                let mut head = Vec::new();
                call_head(&mut head, Some(block));
                Block::Call(head, PartialJson::default())
            }
            (_, Some(other)) => Block::closed(other),
            (_, None) => return,
        };
        self.set(index, block);
    }

    fn close(&mut self, index: usize, block: Option<&ContentBlock>) {
        if let Some(block) = block {
            self.set(index, Block::closed(block));
        }
    }
}

/// Writes a tool call up to its arguments.
fn call_head(head: &mut Vec<u8>, block: Option<&ContentBlock>) {
    if let Some(ContentBlock::ToolCall(call)) = block {
        head.clear();
        head.extend_from_slice(br#"{"type":"toolCall","id":"#);
        put(head, &call.id);
        head.extend_from_slice(br#","name":"#);
        put(head, &call.name);
        head.extend_from_slice(br#","arguments":"#);
    }
}

impl Block {
    fn closed(block: &ContentBlock) -> Self {
        let mut json = Vec::new();
        put(&mut json, block);
        Self::Closed(json)
    }

    fn write_to(&self, out: &mut Vec<u8>) {
        match self {
            Self::Closed(json) => out.extend_from_slice(json),
            Self::Growing(json) => {
                out.extend_from_slice(json);
                out.extend_from_slice(br#""}"#);
            }
            Self::Call(json, arguments) => {
                out.extend_from_slice(json);
                put(out, &arguments.value());
                out.push(b'}');
            }
        }
    }
}
