//! What a script's wire format says, event by event, as events of the program.
//!
//! The message so far is put together here from the deltas; scripts need not send it along.

use std::collections::HashMap;
use std::sync::Arc;

use pi_ai::{
    AnswerError, AssistantMessage, AssistantMessageEvent, ContentBlock, Error, MessageBuilder, Model, StopReason,
    ThinkingContent,
};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::state::Said;

/// An event, as scripts write it. `block` is the block that it is about, where it opens or closes one.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ScriptEvent {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    content_index: usize,
    #[serde(default)]
    delta: String,
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    block: Option<Value>,
    #[serde(default)]
    message: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
    #[serde(default)]
    reason: Option<StopReason>,
}

/// An answer that is being given.
pub(super) struct ProviderAnswer {
    /// `None` once it is over.
    builder: Option<MessageBuilder>,
    last: Option<AssistantMessageEvent>,
    /// The script's places of blocks, and ours.
    places: HashMap<usize, usize>,
    /// A message of the model with nothing in it.
    empty: Map<String, Value>,
}

impl ProviderAnswer {
    pub(super) fn new(model: &Model, now_ms: i64) -> Self {
        let builder = MessageBuilder::new(model, now_ms);
        let empty = builder.partial().with(|message| serde_json::to_value(message));
        let Ok(Value::Object(empty)) = empty else {
            return Self { builder: Some(builder), last: None, places: HashMap::new(), empty: Map::new() };
        };
        Self { builder: Some(builder), last: None, places: HashMap::new(), empty }
    }

    pub(super) fn next_event(&mut self) -> Option<AssistantMessageEvent> {
        let queued = self.builder.as_mut().and_then(MessageBuilder::next_event);
        queued.or_else(|| self.last.take())
    }

    pub(super) fn is_over(&self) -> bool {
        self.builder.is_none() && self.last.is_none()
    }

    /// Ends it; what was said before stays.
    pub(super) fn fail(&mut self, error: Error) {
        if let Some(builder) = self.builder.take() {
            self.last = Some(builder.fail(error));
        }
    }

    pub(super) fn take(&mut self, said: Said) {
        match said {
            Said::Failed(message) => self.fail(AnswerError::Provider { message }.into()),
            Said::Event(value) => match serde_json::from_value(value) {
                Ok(event) => self.follow(event),
                Err(error) => {
                    self.fail(
                        AnswerError::Decode { message: format!("The provider sent an unusable event: {error}") }.into(),
                    );
                }
            },
        }
    }

    fn follow(&mut self, event: ScriptEvent) {
        let Some(builder) = &mut self.builder else { return };
        let place = self.places.get(&event.content_index).copied();
        match (event.kind.as_str(), place) {
            ("start", _) => builder.start(),
            ("text_start", _) => {
                self.places.insert(event.content_index, builder.start_text());
            }
            ("thinking_start", _) => {
                let block = event.block.and_then(|block| serde_json::from_value(block).ok());
                let block: Option<ThinkingContent> = block;
                let redacted = block.filter(|block| block.redacted == Some(true)).unwrap_or_default();
                self.places.insert(event.content_index, builder.start_thinking(redacted));
            }
            ("toolcall_start", _) => {
                let (id, name) = (text(event.block.as_ref(), "id"), text(event.block.as_ref(), "name"));
                self.places.insert(event.content_index, builder.start_tool_call(id, name));
            }
            ("text_delta", Some(place)) => builder.text_delta(place, &event.delta),
            ("thinking_delta", Some(place)) => builder.thinking_delta(place, &event.delta),
            ("toolcall_delta", Some(place)) => builder.tool_call_delta(place, &event.delta),
            ("text_end" | "thinking_end" | "toolcall_end", Some(place)) => close(builder, place, event),
            ("done", _) => self.finish(event.message, event.reason.unwrap_or(StopReason::Stop)),
            ("error", _) => self.finish(event.error.or(event.message), event.reason.unwrap_or(StopReason::Error)),
            // What it says of a block that it never opened, and what later versions say.
            _ => {}
        }
    }

    /// The last event: the whole message, as the script has it.
    fn finish(&mut self, message: Option<Value>, reason: StopReason) {
        let mut fields = self.empty.clone();
        if let Some(Value::Object(said)) = message {
            fields.extend(said.into_iter().filter(|(name, value)| name != "role" && !value.is_null()));
        }
        match serde_json::from_value::<AssistantMessage>(Value::Object(fields)) {
            Err(error) => {
                self.fail(
                    AnswerError::Decode { message: format!("The provider sent an unusable message: {error}") }.into(),
                );
            }
            Ok(message) => {
                self.builder = None;
                self.last = Some(terminal(AssistantMessage { stop_reason: reason, ..message }));
            }
        }
    }
}

fn terminal(mut message: AssistantMessage) -> AssistantMessageEvent {
    let reason = message.stop_reason.clone();
    if matches!(reason, StopReason::Error | StopReason::Aborted) {
        message.error_message.get_or_insert_with(|| "The provider failed without saying why".to_owned());
        return AssistantMessageEvent::Error { reason, error: Arc::new(message), cause: None };
    }
    AssistantMessageEvent::Done { reason, message: Arc::new(message) }
}

/// Closes a block; the script's own version of it counts.
fn close(builder: &mut MessageBuilder, place: usize, event: ScriptEvent) {
    let block = event.block.and_then(|block| serde_json::from_value::<ContentBlock>(block).ok());
    builder.edit_block(place, |own| match (own, block, event.content) {
        (ContentBlock::Text(own), Some(ContentBlock::Text(block)), _) => *own = block,
        (ContentBlock::Thinking(own), Some(ContentBlock::Thinking(block)), _) => *own = block,
        (ContentBlock::ToolCall(own), Some(ContentBlock::ToolCall(block)), _) => *own = block,
        (ContentBlock::Text(own), None, Some(text)) => own.text = text,
        (ContentBlock::Thinking(own), None, Some(text)) => own.thinking = text,
        _ => {}
    });
    match event.kind.as_str() {
        "text_end" => builder.end_text(place),
        "thinking_end" => builder.end_thinking(place),
        _ => builder.end_tool_call(place),
    }
}

fn text(block: Option<&Value>, field: &str) -> String {
    block.and_then(|block| block[field].as_str()).unwrap_or_default().to_owned()
}
