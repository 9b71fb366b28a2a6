//! Reads the chunks of an answer. There is at most one text and one thinking block; blocks close when the body ends.

use std::sync::Arc;

use crate::api::chat_chunks::{incomplete, is_done, parse};
use crate::api::http_error::{describe_with_metadata, is_truthy};
use crate::api::quirks::flag;
use crate::api::wire::{Decoder, Frame, Progress};
use crate::builder::MessageBuilder;
use crate::error::{AnswerError, Error};
use crate::json_partial::SurrogateJoiner;
use crate::json_view::Json;
use crate::message::{StopReason, ThinkingContent};
use crate::model::Model;
use crate::name::Name;

use super::tool_calls::ToolCalls;
use super::usage;

/// Delta fields that carry reasoning, in order of preference.
pub(super) const REASONING_CONTENT: &str = "reasoning_content";
pub(super) const REASONING: &str = "reasoning";
const REASONING_FIELDS: [&str; 3] = [REASONING_CONTENT, REASONING, "reasoning_text"];

/// Whether reasoning that came as `reasoning` must go back as `reasoning_content`.
pub(super) fn renames_reasoning(model: &Model) -> bool {
    model.provider == "opencode-go"
}

/// Decoder of one answer.
#[derive(Debug)]
pub(crate) struct CompletionsDecoder {
    model: Arc<Model>,
    text: Option<usize>,
    thinking: Option<usize>,
    calls: ToolCalls,
    halves: SurrogateJoiner,
    /// A finish reason arrived.
    finished: bool,
    /// The provider ended the answer with a reason that is a failure.
    failure: Option<String>,
}

impl Decoder for CompletionsDecoder {
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
        let named = (frame.event == Some("error")).then_some(&chunk);
        if let Some(error) = [Some(&chunk["error"]), named].into_iter().flatten().find(|error| is_truthy(error)) {
            let message = describe_with_metadata(error).unwrap_or_default();
            return Err(Error::Answer(AnswerError::Provider { message }));
        }
        let mut news = self.identify(&chunk, message);
        let choice = &chunk["choices"][0];
        let report = [&chunk["usage"], &choice["usage"]].into_iter().find(|report| report.is_object());
        if let Some(report) = report {
            message.edit(|message| message.usage = usage::read(report, &self.model));
            news = true;
        }
        if let Some(reason) = choice["finish_reason"].as_str().filter(|reason| !reason.is_empty()) {
            self.finish_reason(reason, message);
            news = true;
        }
        news |= self.delta(&choice["delta"], message);
        // Some servers keep the connection alive with empty chunks.
        Ok(if news { Progress::Meaningful } else { Progress::KeepAlive })
    }

    fn finish(&mut self, message: &mut MessageBuilder) -> Result<(), Error> {
        close(message);
        match self.failure.take() {
            Some(message) => Err(Error::Answer(AnswerError::Provider { message })),
            None if self.finished => Ok(()),
            // Some servers never say why they stopped; the model's entry says so.
            None if flag(&self.model, "supportsFinishReason") == Some(false) => {
                message.edit(|message| {
                    let calls = message.tool_calls().next().is_some();
                    message.stop_reason = if calls { StopReason::ToolUse } else { StopReason::Stop };
                });
                Ok(())
            }
            None => Err(incomplete()),
        }
    }

    /// Clients see the end of every block also when the answer is cut short on purpose.
    fn failed(&mut self, cause: &Error, message: &mut MessageBuilder) {
        if cause.is_aborted() {
            close(message);
        }
    }
}

/// Ends all blocks, in the order of the content.
fn close(message: &mut MessageBuilder) {
    let blocks = message.partial().with(|message| message.content.len());
    for at in 0..blocks {
        // Each closes only what is a block of its kind.
        message.end_text(at);
        message.end_thinking(at);
        message.end_tool_call(at);
    }
}

impl CompletionsDecoder {
    pub(super) fn new(model: &Arc<Model>) -> Self {
        Self {
            model: Arc::clone(model),
            text: None,
            thinking: None,
            calls: ToolCalls::default(),
            halves: SurrogateJoiner::default(),
            finished: false,
            failure: None,
        }
    }

    /// Takes over the response's id and the model that answers, from the first chunk that names them.
    fn identify(&self, chunk: &Json<'_>, message: &mut MessageBuilder) -> bool {
        let first = |key: &str| chunk[key].as_str().filter(|text| !text.is_empty());
        message.edit(|message| {
            let is_first = message.response_id.is_none();
            if is_first {
                message.response_id = first("id").map(str::to_owned);
            }
            if message.response_model.is_none() {
                message.response_model = first("model").filter(|name| *name != self.model.id).map(Name::from);
            }
            is_first && message.response_id.is_some()
        })
    }

    fn finish_reason(&mut self, reason: &str, message: &mut MessageBuilder) {
        self.finished = true;
        let stop = match reason {
            "stop" | "end" => StopReason::Stop,
            "length" => StopReason::Length,
            "tool_calls" | "function_call" => StopReason::ToolUse,
            _ => StopReason::Error,
        };
        self.failure = (stop == StopReason::Error).then(|| format!("Provider finish_reason: {reason}"));
        message.edit(|message| {
            message.stop_reason = stop;
            message.refused = reason == "content_filter";
        });
    }

    /// Reads a delta; false when there is nothing in it.
    fn delta(&mut self, delta: &Json<'_>, message: &mut MessageBuilder) -> bool {
        let mut news = false;
        if let Some(text) = delta["content"].as_str().filter(|text| !text.is_empty()) {
            let at = *self.text.get_or_insert_with(|| message.start_text());
            message.text_delta(at, text);
            news = true;
        }
        let reasoning = REASONING_FIELDS.into_iter().find_map(|field| {
            let text = delta[field].as_str().filter(|text| !text.is_empty())?;
            Some((field, text))
        });
        if let Some((field, text)) = reasoning {
            let at = *self.thinking.get_or_insert_with(|| message.start_thinking(signed(field, &self.model)));
            message.thinking_delta(at, text);
            news = true;
        }
        for piece in delta["tool_calls"].as_array().into_iter().flatten() {
            self.calls.piece(piece, message);
            news = true;
        }
        for detail in delta["reasoning_details"].as_array().into_iter().flatten() {
            self.calls.reasoning_detail(detail, message);
            news = true;
        }
        news
    }
}

/// An empty thinking block that remembers in which field its text comes.
fn signed(field: &str, model: &Model) -> ThinkingContent {
    let field = if field == REASONING && renames_reasoning(model) { REASONING_CONTENT } else { field };
    ThinkingContent { thinking_signature: Some(field.to_owned()), ..ThinkingContent::default() }
}
