//! Reads the chunks of an answer. One block of text or thinking is open at a time; tool calls close when the body ends.

use std::borrow::Cow;
use std::sync::Arc;

use crate::api::chat_chunks::{incomplete, is_done, parse};
use crate::api::http_error::{describe_with_metadata, is_truthy};
use crate::api::wire::{Decoder, Frame, Progress};
use crate::builder::MessageBuilder;
use crate::error::{AnswerError, Error};
use crate::json_partial::SurrogateJoiner;
use crate::json_view::Json;
use crate::message::{StopReason, ThinkingContent};
use crate::model::Model;

use super::tool_calls::ToolCalls;
use super::usage;

/// The text for an error that says nothing about itself.
const FAILED: &str = "An unknown error occurred";

/// Decoder of one answer.
#[derive(Debug)]
pub(crate) struct MistralDecoder {
    model: Arc<Model>,
    open: Option<Block>,
    calls: ToolCalls,
    halves: SurrogateJoiner,
    /// Why the model stopped, once it said so.
    finish: Option<StopReason>,
    /// Token counts arrived.
    counted: bool,
}

/// The open block and its index in our message.
#[derive(Debug, Clone, Copy)]
enum Block {
    Text(usize),
    Thinking(usize),
}

impl Decoder for MistralDecoder {
    fn feed(&mut self, frame: Frame<'_>, message: &mut MessageBuilder) -> Result<Progress, Error> {
        let data = frame.data.trim();
        if is_done(data) {
            return Ok(Progress::Finished);
        }
        if data.is_empty() {
            return Ok(Progress::KeepAlive);
        }
        let data = self.halves.join(data);
        let mut scratch = String::new();
        let chunk = parse(&data, &mut scratch)?;
        if let Some(error) = error_in(&chunk, frame.event) {
            return Err(Error::Answer(AnswerError::Provider {
                message: describe_with_metadata(error).unwrap_or_default(),
            }));
        }
        let mut news = identify(&chunk, message);
        if chunk["usage"].is_object() {
            message.edit(|message| message.usage = usage::read(&chunk["usage"], &self.model));
            self.counted = true;
            news = true;
        }
        let choice = &chunk["choices"][0];
        if let Some(reason) = choice["finish_reason"].as_str().filter(|reason| !reason.is_empty()) {
            self.finish = Some(stop_reason(reason));
            news = true;
        }
        news |= self.delta(&choice["delta"], message);
        // Some servers keep the connection alive with empty chunks.
        Ok(if news { Progress::Meaningful } else { Progress::KeepAlive })
    }

    /// The counts come with the finish reason or after it; nothing is worth waiting for then.
    fn is_complete(&self) -> bool {
        self.finish.is_some() && self.counted
    }

    fn finish(&mut self, message: &mut MessageBuilder) -> Result<(), Error> {
        self.close(message);
        self.calls.close(message);
        match self.finish.take() {
            Some(StopReason::Error) => Err(Error::Answer(AnswerError::Provider { message: FAILED.to_owned() })),
            Some(reason) => {
                message.edit(|message| message.stop_reason = reason);
                Ok(())
            }
            None => Err(incomplete()),
        }
    }
}

impl MistralDecoder {
    pub(super) fn new(model: &Arc<Model>) -> Self {
        Self {
            model: Arc::clone(model),
            open: None,
            calls: ToolCalls::default(),
            halves: SurrogateJoiner::default(),
            finish: None,
            counted: false,
        }
    }

    /// Reads a delta; false when there is nothing in it.
    fn delta(&mut self, delta: &Json<'_>, message: &mut MessageBuilder) -> bool {
        let mut news = match &delta["content"] {
            // Empty text counts, too: it opens a block.
            Json::String(text) => {
                self.text(text, message);
                true
            }
            Json::Array(parts) => parts.iter().map(|part| self.part(part, message)).filter(|news| *news).count() > 0,
            _ => false,
        };
        for piece in delta["tool_calls"].as_array().into_iter().flatten() {
            self.close(message);
            self.calls.piece(piece, message);
            news = true;
        }
        news
    }

    /// Reads a part of the content; false for parts of a kind that we do not know.
    fn part(&mut self, part: &Json<'_>, message: &mut MessageBuilder) -> bool {
        match (part["type"].as_str(), part["text"].as_str()) {
            (Some("text"), Some(text)) => self.text(text, message),
            (Some("thinking"), _) => self.thinking(&thoughts(&part["thinking"]), message),
            _ => return false,
        }
        true
    }

    fn text(&mut self, text: &str, message: &mut MessageBuilder) {
        let at = match self.open {
            Some(Block::Text(at)) => at,
            _ => {
                self.close(message);
                message.start_text()
            }
        };
        self.open = Some(Block::Text(at));
        message.text_delta(at, text);
    }

    fn thinking(&mut self, thoughts: &str, message: &mut MessageBuilder) {
        if thoughts.is_empty() {
            return;
        }
        let at = match self.open {
            Some(Block::Thinking(at)) => at,
            _ => {
                self.close(message);
                message.start_thinking(ThinkingContent::default())
            }
        };
        self.open = Some(Block::Thinking(at));
        message.thinking_delta(at, thoughts);
    }

    /// Ends the open block.
    fn close(&mut self, message: &mut MessageBuilder) {
        match self.open.take() {
            Some(Block::Text(at)) => message.end_text(at),
            Some(Block::Thinking(at)) => message.end_thinking(at),
            None => {}
        }
    }
}

/// Takes over the response's id, from the first chunk that names it.
fn identify(chunk: &Json<'_>, message: &mut MessageBuilder) -> bool {
    let id = chunk["id"].as_str().filter(|id| !id.is_empty());
    let Some(id) = id.filter(|_| message.partial().with(|message| message.response_id.is_none())) else { return false };
    message.edit(|message| message.response_id = Some(id.to_owned()));
    true
}

/// The error that a chunk reports: in a field, as the whole chunk, or by the frame's name.
fn error_in<'c, 'a>(chunk: &'c Json<'a>, event: Option<&str>) -> Option<&'c Json<'a>> {
    let is_error = event == Some("error") || chunk["object"] == "error";
    [Some(&chunk["error"]), is_error.then_some(chunk)].into_iter().flatten().find(|error| is_truthy(error))
}

fn stop_reason(reason: &str) -> StopReason {
    match reason {
        "length" | "model_length" => StopReason::Length,
        "tool_calls" => StopReason::ToolUse,
        "error" => StopReason::Error,
        // `stop`, and whatever the provider adds: the answer is as complete as it gets.
        _ => StopReason::Stop,
    }
}

/// The text of a thinking part, which is a list of text parts.
fn thoughts<'a>(thinking: &'a Json<'_>) -> Cow<'a, str> {
    match thinking {
        Json::String(text) => Cow::Borrowed(text),
        Json::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => Cow::Borrowed(""),
    }
}
