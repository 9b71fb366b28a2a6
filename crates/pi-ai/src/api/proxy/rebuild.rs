//! Builds the message of a call from the events of the wire. No I/O here.
//!
//! Arguments of tool calls are parsed as they arrive, never twice. What a proxy sends must not be able to crash the
//! program: an event that fits no block is an error, as other clients of such a proxy report it.

use std::collections::BTreeMap;

use crate::builder::MessageBuilder;
use crate::error::{AnswerError, Error};
use crate::message::{ContentBlock, StopReason, ThinkingContent};
use crate::usage::Usage;

use super::wire::{BlockEnd, MessageRest, WireEvent};

/// What is known of a message under construction besides the message.
#[derive(Debug, Default)]
pub(super) struct Rebuild {
    /// By index on the wire. Ours are those of the message, which has no gaps.
    blocks: BTreeMap<u64, (Kind, usize)>,
    started: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Thinking,
    ToolCall,
    Other,
}

/// How a message ends.
#[derive(Debug)]
pub(super) struct Ending {
    pub(super) reason: StopReason,
    /// Words for a failure.
    pub(super) error: Option<String>,
    pub(super) usage: Option<Usage>,
    pub(super) rest: MessageRest,
}

impl Rebuild {
    /// Takes in an event; returns the ending with the last one.
    pub(super) fn apply(
        &mut self,
        event: WireEvent<'_>,
        message: &mut MessageBuilder,
    ) -> Result<Option<Ending>, Error> {
        match event {
            WireEvent::Start => self.start(message),
            WireEvent::TextStart { content_index } => {
                self.open(message, content_index, Kind::Text, MessageBuilder::start_text);
            }
            WireEvent::ThinkingStart { content_index } => {
                self.open(message, content_index, Kind::Thinking, |m| m.start_thinking(ThinkingContent::default()));
            }
            WireEvent::ToolCallStart { content_index, id, tool_name } => {
                self.open(message, content_index, Kind::ToolCall, |m| m.start_tool_call(id, tool_name));
            }
            WireEvent::TextDelta { content_index, delta } => {
                let at = self.find(content_index, Kind::Text).ok_or_else(|| mismatch("text_delta", "text"))?;
                message.text_delta(at, &delta);
            }
            WireEvent::ThinkingDelta { content_index, delta } => {
                let at =
                    self.find(content_index, Kind::Thinking).ok_or_else(|| mismatch("thinking_delta", "thinking"))?;
                message.thinking_delta(at, &delta);
            }
            WireEvent::ToolCallDelta { content_index, delta } => {
                let at =
                    self.find(content_index, Kind::ToolCall).ok_or_else(|| mismatch("toolcall_delta", "toolCall"))?;
                message.tool_call_delta(at, &delta);
            }
            WireEvent::TextEnd { content_index, end } => {
                let at = self.find(content_index, Kind::Text).ok_or_else(|| mismatch("text_end", "text"))?;
                settle(message, at, end);
                message.end_text(at);
            }
            WireEvent::ThinkingEnd { content_index, end } => {
                let at =
                    self.find(content_index, Kind::Thinking).ok_or_else(|| mismatch("thinking_end", "thinking"))?;
                settle(message, at, end);
                message.end_thinking(at);
            }
            WireEvent::ToolCallEnd { content_index, end } => self.end_call(message, content_index, end),
            WireEvent::Block { content_index, block } => self.block(message, content_index, block.into_owned()),
            WireEvent::Done { reason, usage, rest } => {
                return Ok(Some(Ending { reason, error: None, usage, rest }));
            }
            WireEvent::Error { reason, error_message, usage, rest } => {
                let reason = if reason.is_failure() { reason } else { StopReason::Error };
                return Ok(Some(Ending { reason, error: error_message, usage, rest }));
            }
            WireEvent::Unknown => {}
        }
        Ok(None)
    }

    fn start(&mut self, message: &mut MessageBuilder) {
        if !std::mem::replace(&mut self.started, true) {
            message.start();
        }
    }

    /// Opens a block. A second block 0 means that the message began anew.
    fn open(
        &mut self,
        message: &mut MessageBuilder,
        wire: u64,
        kind: Kind,
        start: impl FnOnce(&mut MessageBuilder) -> usize,
    ) {
        if wire == 0 && self.blocks.contains_key(&0) {
            message.restart();
            self.blocks.clear();
        }
        let at = start(message);
        self.blocks.insert(wire, (kind, at));
    }

    fn find(&self, wire: u64, kind: Kind) -> Option<usize> {
        self.blocks.get(&wire).filter(|(found, _)| *found == kind).map(|(_, at)| *at)
    }

    /// The end of a call that was never opened is no error: there is nothing that it would end.
    fn end_call(&mut self, message: &mut MessageBuilder, wire: u64, end: BlockEnd<'_>) {
        let Some(at) = self.find(wire, Kind::ToolCall) else { return };
        if let Some(whole) = end.block {
            if let ContentBlock::ToolCall(call) = &*whole {
                message.set_tool_call_arguments(at, &call.arguments.to_string());
            }
            replace(message, at, *whole);
        }
        message.end_tool_call(at);
    }

    /// A block that no other event told of, or that changed after its end.
    fn block(&mut self, message: &mut MessageBuilder, wire: u64, block: ContentBlock) {
        if let Some((_, at)) = self.blocks.get(&wire) {
            let at = *at;
            return replace(message, at, block);
        }
        let at = message.edit(|message| {
            message.content.push(block);
            message.content.len() - 1
        });
        self.blocks.insert(wire, (Kind::Other, at));
    }
}

/// Writes what is known at the end of a text or thinking block into it.
fn settle(message: &mut MessageBuilder, at: usize, end: BlockEnd<'_>) {
    let signature = end.content_signature.map(std::borrow::Cow::into_owned);
    message.edit_block(at, |block| match block {
        ContentBlock::Text(text) => text.text_signature = signature,
        ContentBlock::Thinking(thinking) => thinking.thinking_signature = signature,
        _ => {}
    });
    if let Some(whole) = end.block {
        replace(message, at, *whole);
    }
}

/// Puts a block in the place of one of its kind.
fn replace(message: &mut MessageBuilder, at: usize, whole: ContentBlock) {
    message.edit_block(at, |block| {
        if std::mem::discriminant(block) == std::mem::discriminant(&whole) {
            *block = whole;
        }
    });
}

fn mismatch(event: &str, content: &str) -> Error {
    Error::Answer(AnswerError::Decode { message: format!("Received {event} for non-{content} content") })
}
