//! The events of a model call as lines of the wire.

use std::borrow::Cow;

use async_stream::stream;
use bytes::Bytes;
use futures::StreamExt;
use serde_json::{Map, Value};

use super::body::ProxyBody;
use super::client_view::ClientView;
use crate::api::proxy::wire::{BlockEnd, MessageRest, PREFIX, WireEvent};
use crate::event::AssistantMessageEvent as Event;
use crate::message::{AssistantMessage, ContentBlock, StopReason, ThinkingContent, ToolCall};
use crate::partial::Partial;
use crate::stream::AssistantMessageStream;
use crate::unknown_fields::Extra;
use crate::usage::Usage;

/// What clients are told when a stream breaks its contract.
const NO_END: &str = "The model call ended without a final message";

/// The body of a response: one line per event, each followed by an empty one. Always ends in `done` or `error`.
///
/// Dropping the body drops the stream and so aborts the call.
pub fn encode_events(mut events: AssistantMessageStream) -> ProxyBody {
    ProxyBody::new(stream! {
        let mut encoder = Encoder::default();
        while let Some(event) = events.next().await {
            encoder.take(&event);
            yield encoder.bytes();
        }
        if events.final_message().is_none() {
            encoder.broken();
            yield encoder.bytes();
        }
    })
}

/// Writes events, and in addition what the plain events would lose.
#[derive(Debug, Default)]
struct Encoder {
    lines: Vec<u8>,
    told: ClientView,
}

impl Encoder {
    /// What was written since the last call.
    fn bytes(&mut self) -> Bytes {
        std::mem::take(&mut self.lines).into()
    }

    fn take(&mut self, event: &Event) {
        match event {
            Event::Start { .. } => self.write(&WireEvent::Start),
            Event::TextStart { content_index, partial } => {
                self.open(*content_index, partial, ContentBlock::text(""));
                self.write(&WireEvent::TextStart { content_index: wire(*content_index) });
            }
            Event::ThinkingStart { content_index, partial } => {
                self.open(*content_index, partial, ContentBlock::Thinking(ThinkingContent::default()));
                self.write(&WireEvent::ThinkingStart { content_index: wire(*content_index) });
            }
            Event::ToolCallStart { content_index, partial } => self.open_call(*content_index, partial),
            Event::TextDelta { content_index, delta, .. } => {
                self.told.grew(*content_index, delta);
                self.write(&WireEvent::TextDelta { content_index: wire(*content_index), delta: delta.into() });
            }
            Event::ThinkingDelta { content_index, delta, .. } => {
                self.told.grew(*content_index, delta);
                self.write(&WireEvent::ThinkingDelta { content_index: wire(*content_index), delta: delta.into() });
            }
            Event::ToolCallDelta { content_index, delta, .. } => {
                self.told.grew(*content_index, delta);
                self.write(&WireEvent::ToolCallDelta { content_index: wire(*content_index), delta: delta.into() });
            }
            Event::TextEnd { content_index, partial, .. } => {
                self.end(*content_index, partial, |content_index, end| WireEvent::TextEnd { content_index, end });
            }
            Event::ThinkingEnd { content_index, partial, .. } => {
                self.end(*content_index, partial, |content_index, end| WireEvent::ThinkingEnd { content_index, end });
            }
            Event::ToolCallEnd { content_index, partial, .. } => {
                self.end(*content_index, partial, |content_index, end| WireEvent::ToolCallEnd { content_index, end });
            }
            Event::Done { reason, message } => self.done(reason, message),
            Event::Error { reason, error, .. } => self.error(reason, error),
        }
    }

    fn write(&mut self, event: &WireEvent<'_>) {
        let start = self.lines.len();
        self.lines.extend_from_slice(PREFIX.as_bytes());
        match serde_json::to_writer(&mut self.lines, event) {
            Ok(()) => self.lines.extend_from_slice(b"\n\n"),
            // Not for any value that a message can hold; half a line would be worse than none.
            Err(_) => self.lines.truncate(start),
        }
    }

    /// A block opens. Blocks before it that had no events of their own are told first.
    fn open(&mut self, at: usize, partial: &Partial, block: ContentBlock) {
        if at == 0 {
            self.told.clear();
        }
        partial.with(|message| self.encode_silent(at, &message.content));
        self.told.opened(block);
    }

    /// Tells of the blocks before `end` that no event told of.
    fn encode_silent(&mut self, end: usize, content: &[ContentBlock]) {
        for (at, block) in content.iter().enumerate().take(end).skip(self.told.len()) {
            self.write(&WireEvent::Block { content_index: wire(at), block: Cow::Borrowed(block) });
            self.told.whole(block);
        }
    }

    fn open_call(&mut self, at: usize, partial: &Partial) {
        let (id, name) = partial.with(|message| match message.content.get(at) {
            Some(ContentBlock::ToolCall(call)) => (call.id.clone(), call.name.clone()),
            _ => Default::default(),
        });
        let arguments = Value::Object(Map::new());
        let call =
            ToolCall { id: id.clone(), name: name.clone(), arguments, thought_signature: None, extra: Extra::new() };
        self.open(at, partial, call.into());
        self.write(&WireEvent::ToolCallStart { content_index: wire(at), id: id.into(), tool_name: name.into() });
    }

    fn end(&mut self, at: usize, partial: &Partial, event: impl FnOnce(u64, BlockEnd<'_>) -> WireEvent<'_>) {
        partial.with(|message| {
            let end = message.content.get(at).map(|block| self.told.end(at, block)).unwrap_or_default();
            self.write(&event(wire(at), end));
        });
    }

    /// Blocks that changed after their end, or had none.
    fn settle(&mut self, message: &AssistantMessage) {
        for (at, block) in message.content.iter().enumerate() {
            if self.told.differs(at, block) {
                self.write(&WireEvent::Block { content_index: wire(at), block: Cow::Borrowed(block) });
            }
        }
    }

    fn done(&mut self, reason: &StopReason, message: &AssistantMessage) {
        self.settle(message);
        let (reason, usage) = (reason.clone(), Some(message.usage.clone()));
        self.write(&WireEvent::Done { reason, usage, rest: rest(message) });
    }

    fn error(&mut self, reason: &StopReason, message: &AssistantMessage) {
        self.settle(message);
        let (reason, usage) = (reason.clone(), Some(message.usage.clone()));
        let error_message = message.error_message.clone();
        self.write(&WireEvent::Error { reason, error_message, usage, rest: rest(message) });
    }

    fn broken(&mut self) {
        let (reason, usage) = (StopReason::Error, Some(Usage::default()));
        let error_message = Some(NO_END.to_owned());
        self.write(&WireEvent::Error { reason, error_message, usage, rest: MessageRest::default() });
    }
}

fn rest(message: &AssistantMessage) -> MessageRest {
    MessageRest {
        response_id: message.response_id.clone(),
        response_model: message.response_model.clone(),
        diagnostics: message.diagnostics.clone(),
        extra: message.extra.clone(),
    }
}

fn wire(index: usize) -> u64 {
    index as u64
}
