//! Builds the message of a call from the events of the wire. No I/O here.
//!
//! Arguments of tool calls are parsed as they arrive, never twice. What a proxy sends must not be able to crash the
//! program: an event that fits no block is an error, as other clients of such a proxy report it.

use std::collections::BTreeMap;

use pi_ai::{
    AssistantMessage, AssistantMessageEvent, ContentBlock, Error, MessageBuilder, Partial, StopReason, ThinkingContent,
    Usage,
};

use super::wire::{BlockEnd, MessageRest, WireEvent};

/// What clients show for a call that they cancelled themselves.
const ABORTED: &str = "Request aborted by user";
/// What a failure says that came without words.
const NAMELESS: &str = "An unknown error occurred";

/// A message under construction.
#[derive(Debug)]
pub(super) struct Rebuild {
    message: MessageBuilder,
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
    /// Starts with an empty message.
    pub(super) fn new(message: MessageBuilder) -> Self {
        Self { message, blocks: BTreeMap::new(), started: false }
    }

    /// The oldest event that was not taken yet.
    pub(super) fn next_event(&mut self) -> Option<AssistantMessageEvent> {
        self.message.next_event()
    }

    /// A handle to the message so far.
    pub(super) fn partial(&self) -> Partial {
        self.message.partial()
    }

    /// Takes in an event; returns the ending with the last one.
    pub(super) fn apply(&mut self, event: WireEvent<'_>) -> Result<Option<Ending>, Error> {
        match event {
            WireEvent::Start => self.start(),
            WireEvent::TextStart { content_index } => self.open(content_index, Kind::Text, MessageBuilder::start_text),
            WireEvent::ThinkingStart { content_index } => {
                self.open(content_index, Kind::Thinking, |m| m.start_thinking(ThinkingContent::default()));
            }
            WireEvent::ToolCallStart { content_index, id, tool_name } => {
                self.open(content_index, Kind::ToolCall, |m| m.start_tool_call(id, tool_name));
            }
            WireEvent::TextDelta { content_index, delta } => {
                let at = self.find(content_index, Kind::Text).ok_or_else(|| mismatch("text_delta", "text"))?;
                self.message.text_delta(at, &delta);
            }
            WireEvent::ThinkingDelta { content_index, delta } => {
                let at =
                    self.find(content_index, Kind::Thinking).ok_or_else(|| mismatch("thinking_delta", "thinking"))?;
                self.message.thinking_delta(at, &delta);
            }
            WireEvent::ToolCallDelta { content_index, delta } => {
                let at =
                    self.find(content_index, Kind::ToolCall).ok_or_else(|| mismatch("toolcall_delta", "toolCall"))?;
                self.message.tool_call_delta(at, &delta);
            }
            WireEvent::TextEnd { content_index, end } => {
                let at = self.find(content_index, Kind::Text).ok_or_else(|| mismatch("text_end", "text"))?;
                self.settle(at, end);
                self.message.end_text(at);
            }
            WireEvent::ThinkingEnd { content_index, end } => {
                let at =
                    self.find(content_index, Kind::Thinking).ok_or_else(|| mismatch("thinking_end", "thinking"))?;
                self.settle(at, end);
                self.message.end_thinking(at);
            }
            WireEvent::ToolCallEnd { content_index, end } => self.end_call(content_index, end),
            WireEvent::Block { content_index, block } => self.block(content_index, block.into_owned()),
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

    fn start(&mut self) {
        if !std::mem::replace(&mut self.started, true) {
            self.message.start();
        }
    }

    /// Opens a block. A second block 0 means that the message began anew.
    fn open(&mut self, wire: u64, kind: Kind, start: impl FnOnce(&mut MessageBuilder) -> usize) {
        if wire == 0 && self.blocks.contains_key(&0) {
            self.message.restart();
            self.blocks.clear();
        }
        let at = start(&mut self.message);
        self.blocks.insert(wire, (kind, at));
    }

    fn find(&self, wire: u64, kind: Kind) -> Option<usize> {
        self.blocks.get(&wire).filter(|(found, _)| *found == kind).map(|(_, at)| *at)
    }

    /// Writes what is known at the end of a text or thinking block into it.
    fn settle(&mut self, at: usize, end: BlockEnd<'_>) {
        let signature = end.content_signature.map(std::borrow::Cow::into_owned);
        self.message.edit_block(at, |block| match block {
            ContentBlock::Text(text) => text.text_signature = signature,
            ContentBlock::Thinking(thinking) => thinking.thinking_signature = signature,
            _ => {}
        });
        if let Some(whole) = end.block {
            self.replace(at, *whole);
        }
    }

    /// Puts a block in the place of one of its kind.
    fn replace(&mut self, at: usize, whole: ContentBlock) {
        self.message.edit_block(at, |block| {
            if std::mem::discriminant(block) == std::mem::discriminant(&whole) {
                *block = whole;
            }
        });
    }

    /// The end of a call that was never opened is no error: there is nothing that it would end.
    fn end_call(&mut self, wire: u64, end: BlockEnd<'_>) {
        let Some(at) = self.find(wire, Kind::ToolCall) else { return };
        if let Some(whole) = end.block {
            if let ContentBlock::ToolCall(call) = &*whole {
                self.message.set_tool_call_arguments(at, &call.arguments.to_string());
            }
            self.replace(at, *whole);
        }
        self.message.end_tool_call(at);
    }

    /// A block that no other event told of, or that changed after its end.
    fn block(&mut self, wire: u64, block: ContentBlock) {
        if let Some((_, at)) = self.blocks.get(&wire) {
            let at = *at;
            return self.replace(at, block);
        }
        let at = self.message.edit(|message| {
            message.content.push(block);
            message.content.len() - 1
        });
        self.blocks.insert(wire, (Kind::Other, at));
    }

    /// The terminal event for an ending that the proxy told.
    pub(super) fn conclude(mut self, ending: Ending) -> AssistantMessageEvent {
        let Ending { reason, error, usage, rest } = ending;
        self.message.edit(|message| write_rest(message, rest));
        if let Some(usage) = usage {
            self.message.edit(|message| message.usage = usage);
        }
        if !reason.is_failure() {
            self.message.edit(|message| message.stop_reason = reason);
            return self.message.done();
        }
        let aborted = reason == StopReason::Aborted;
        let cause =
            if aborted { Error::Aborted } else { Error::Provider { message: error.clone().unwrap_or_default() } };
        let text = error.unwrap_or_else(|| if aborted { Error::Aborted.to_string() } else { NAMELESS.to_owned() });
        self.ended(reason, text, cause)
    }

    /// The terminal event for a failure of the call itself: what arrived so far is kept.
    pub(super) fn fail(self, cause: Error) -> AssistantMessageEvent {
        if cause.is_aborted() {
            return self.ended(StopReason::Aborted, ABORTED.to_owned(), cause);
        }
        self.ended(StopReason::Error, cause.to_string(), cause)
    }

    fn ended(mut self, reason: StopReason, text: String, cause: Error) -> AssistantMessageEvent {
        self.message.edit(|message| {
            message.stop_reason = reason.clone();
            message.error_message = Some(text);
        });
        AssistantMessageEvent::Error { reason, error: self.message.partial().snapshot(), cause: Some(cause) }
    }
}

fn write_rest(message: &mut AssistantMessage, rest: MessageRest) {
    message.response_id = rest.response_id;
    message.response_model = rest.response_model;
    message.diagnostics = rest.diagnostics;
    message.extra = rest.extra;
}

fn mismatch(event: &str, content: &str) -> Error {
    Error::Decode { message: format!("Received {event} for non-{content} content") }
}
