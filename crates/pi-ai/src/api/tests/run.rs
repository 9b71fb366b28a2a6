//! Drives a decoder as the driver does, without time and network.

use std::sync::Arc;

use serde_json::Value;

use crate::api::anthropic_messages::Format as Anthropic;
use crate::api::openai_completions::Format as Completions;
use crate::api::wire::{Decoder, Frame, Progress, WireFormat, WireRequest};
use crate::context::Context;
use crate::error::Error;
use crate::event::AssistantMessageEvent as Event;
use crate::message::{AssistantMessage, Message};
use crate::model::Model;
use crate::options::StreamOptions;
use crate::partial::MessageBuilder;

/// An event name and its data.
pub(super) type OwnedFrame = (Option<String>, String);

/// What a stream came to.
pub(super) struct Outcome {
    /// All events, `start` and the terminal one included.
    pub(super) events: Vec<Event>,
    /// What each frame meant.
    pub(super) progress: Vec<Progress>,
    /// The message after each frame.
    pub(super) snapshots: Vec<Arc<AssistantMessage>>,
}

impl Outcome {
    pub(super) fn message(&self) -> &Arc<AssistantMessage> {
        self.events.last().and_then(Event::final_message).expect("a terminal event comes last")
    }
}

/// Feeds the frames to the decoder of the model's format.
pub(super) fn decode(model: &Arc<Model>, context: &Context, options: &StreamOptions, frames: &[OwnedFrame]) -> Outcome {
    match model.api.as_str() {
        "anthropic-messages" => feed(Anthropic::default().decoder(model, context, options), model, frames),
        "openai-completions" => feed(Completions::default().decoder(model, context, options), model, frames),
        other => panic!("no decoder for {other}"),
    }
}

/// Builds the request of the model's format from the general options.
pub(super) fn request(model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error> {
    match model.api.as_str() {
        "anthropic-messages" => Anthropic::default().request(model, context, options),
        "openai-completions" => Completions::default().request(model, context, options),
        other => panic!("no request builder for {other}"),
    }
}

fn feed(mut decoder: impl Decoder, model: &Model, frames: &[OwnedFrame]) -> Outcome {
    let mut message = MessageBuilder::new(model, 0);
    message.start();
    let mut events = Vec::new();
    let mut progress = Vec::new();
    let mut snapshots = Vec::new();
    let mut ended = Ok(());
    for (event, data) in frames {
        match decoder.feed(Frame { event: event.as_deref(), data }, &mut message) {
            Ok(step) => progress.push(step),
            Err(error) => ended = Err(error),
        }
        events.extend(std::iter::from_fn(|| message.next_event()));
        snapshots.push(message.partial().snapshot());
        if ended.is_err() || progress.last() == Some(&Progress::Finished) {
            break;
        }
    }
    let ended = ended.and_then(|()| decoder.finish(&mut message));
    events.extend(std::iter::from_fn(|| message.next_event()));
    events.push(match ended {
        Ok(()) => message.done(),
        Err(error) => message.fail(error),
    });
    Outcome { events, progress, snapshots }
}

/// Splits the text of an event stream into frames: enough for fixtures of our own.
pub(super) fn frames(text: &str) -> Vec<OwnedFrame> {
    let blocks = text.split("\n\n").filter(|block| !block.trim().is_empty());
    let fields = |block: &str, name: &str| {
        let values =
            block.lines().filter_map(|line| line.strip_prefix(name)).map(|value| value.trim_start().to_owned());
        values.collect::<Vec<_>>()
    };
    blocks.map(|block| (fields(block, "event:").pop(), fields(block, "data:").join("\n"))).collect()
}

/// One line per event: kind, block, payload.
pub(super) fn lines(events: &[Event]) -> String {
    let line = |event: &Event| {
        let at = event.content_index().map_or(String::new(), |at| format!(" {at}"));
        let payload = match event {
            Event::TextDelta { delta, .. }
            | Event::ThinkingDelta { delta, .. }
            | Event::ToolCallDelta { delta, .. } => {
                format!(" {delta:?}")
            }
            Event::TextEnd { content, .. } | Event::ThinkingEnd { content, .. } => format!(" {content:?}"),
            Event::ToolCallEnd { tool_call, .. } => format!(" {}", serde_json::to_string(tool_call).unwrap()),
            Event::Done { reason, .. } | Event::Error { reason, .. } => format!(" {}", reason.as_str()),
            _ => String::new(),
        };
        format!("{}{at}{payload}\n", event.kind())
    };
    events.iter().map(line).collect()
}

/// A message as JSON.
pub(super) fn json(message: &AssistantMessage) -> Value {
    serde_json::to_value(Message::from(message.clone())).unwrap()
}
