//! Reads the events of an answer. What they are called is in the data, not in the frame.

use std::sync::Arc;

use crate::api::http_error::is_truthy;
use crate::api::wire::{Decoder, Frame, Progress};
use crate::builder::MessageBuilder;
use crate::error::{AnswerError, Error};
use crate::json_partial::{SurrogateJoiner, parse_with_repair};
use crate::json_view::Json;
use crate::message::StopReason;
use crate::model::Model;

use super::dialect::Dialect;
use super::items::Items;
use super::usage;

/// Data that some servers end a stream with. It ends no answer.
const DONE: &str = "[DONE]";
/// The only reason for an incomplete answer that is no failure.
const MAX_OUTPUT: &str = "max_output_tokens";
const FAILED: &str = "An unknown error occurred";

/// Decoder of one answer.
#[derive(Debug)]
pub(crate) struct ResponsesDecoder {
    model: Arc<Model>,
    dialect: Dialect,
    /// Service tier that was asked for.
    requested_tier: Option<String>,
    items: Items,
    halves: SurrogateJoiner,
    /// The terminal event arrived.
    complete: bool,
}

impl Decoder for ResponsesDecoder {
    fn feed(&mut self, frame: Frame<'_>, message: &mut MessageBuilder) -> Result<Progress, Error> {
        let data = frame.data.trim();
        if data.starts_with(DONE) {
            return Ok(Progress::Finished);
        }
        if data.is_empty() {
            return Ok(Progress::KeepAlive);
        }
        let data = self.halves.join(data);
        let mut scratch = String::new();
        let event = parse_with_repair::<Json<'_>>(&data, &mut scratch).map_err(|error| {
            Error::Answer(AnswerError::Decode { message: format!("{}: {error}", self.dialect.unreadable) })
        })?;
        let kind = event["type"].as_str().or(frame.event).unwrap_or("");
        if kind == "error" || is_truthy(&event["error"]) {
            return Err(Error::Answer(AnswerError::Provider { message: (self.dialect.error)(&event) }));
        }
        match kind {
            "response.created" => identify(&event["response"], message),
            "response.output_item.added" => self.items.added(&event, message),
            "response.output_item.done" => self.items.done(&event, message),
            "response.content_part.added"
            | "response.output_text.delta"
            | "response.refusal.delta"
            | "response.reasoning_summary_part.added"
            | "response.reasoning_summary_part.done"
            | "response.reasoning_summary_text.delta"
            | "response.reasoning_text.delta"
            | "response.function_call_arguments.delta"
            | "response.function_call_arguments.done" => self.items.event(kind, &event, message),
            "response.completed" | "response.incomplete" => return self.end(kind, &event["response"], message),
            "response.done" if self.dialect.done_ends => return self.end(kind, &event["response"], message),
            "response.failed" => {
                return Err(Error::Answer(AnswerError::Provider {
                    message: (self.dialect.failed)(&event["response"]),
                }));
            }
            _ => return Ok(Progress::KeepAlive),
        }
        Ok(Progress::Meaningful)
    }

    fn finish(&mut self, _: &mut MessageBuilder) -> Result<(), Error> {
        if self.complete {
            return Ok(());
        }
        Err(Error::Answer(AnswerError::Incomplete { message: self.dialect.incomplete.to_owned() }))
    }
}

impl ResponsesDecoder {
    /// A decoder for an answer of `model` to a request for a service tier.
    pub(crate) fn new(model: &Arc<Model>, dialect: Dialect, requested_tier: Option<String>) -> Self {
        Self {
            model: Arc::clone(model),
            dialect,
            requested_tier,
            items: Items::default(),
            halves: SurrogateJoiner::default(),
            complete: false,
        }
    }

    /// Reads the terminal event `kind`.
    fn end(&mut self, kind: &str, response: &Json<'_>, message: &mut MessageBuilder) -> Result<Progress, Error> {
        self.complete = true;
        self.items.close(message);
        identify(response, message);
        if response["usage"].is_object() {
            let mut usage = usage::read(&response["usage"], &self.model);
            let reported = response["service_tier"].as_str();
            self.dialect.tiers.apply(&mut usage, &self.model, reported, self.requested_tier.as_deref());
            message.edit(|message| message.usage = usage);
        }
        let is_filtered = response["incomplete_details"]["reason"].as_str() == Some("content_filter");
        message.edit(|message| message.refused = is_filtered);
        let reason = self.stop_reason(kind, response)?;
        message.edit(|message| {
            let calls = reason == StopReason::Stop && message.tool_calls().next().is_some();
            message.stop_reason = if calls { StopReason::ToolUse } else { reason };
        });
        Ok(Progress::Finished)
    }

    fn stop_reason(&self, kind: &str, response: &Json<'_>) -> Result<StopReason, Error> {
        let implied = if kind == "response.incomplete" { "incomplete" } else { "completed" };
        match response["status"].as_str().unwrap_or(implied) {
            "completed" | "in_progress" | "queued" => Ok(StopReason::Stop),
            "incomplete" => match response["incomplete_details"]["reason"].as_str() {
                None | Some(MAX_OUTPUT) => Ok(StopReason::Length),
                Some(reason) => {
                    Err(Error::Answer(AnswerError::Provider { message: format!("Response incomplete: {reason}") }))
                }
            },
            "failed" | "cancelled" if is_truthy(&response["error"]) => {
                Err(Error::Answer(AnswerError::Provider { message: (self.dialect.failed)(response) }))
            }
            "failed" | "cancelled" => Err(Error::Answer(AnswerError::Provider { message: FAILED.to_owned() })),
            _ if self.dialect.tolerates_unknown_status => Ok(StopReason::Stop),
            unknown => Err(Error::Answer(AnswerError::UnhandledStopReason { reason: unknown.to_owned() })),
        }
    }
}

/// Takes over the response's id.
fn identify(response: &Json<'_>, message: &mut MessageBuilder) {
    if let Some(id) = response["id"].as_str().filter(|id| !id.is_empty()) {
        message.edit(|message| message.response_id = Some(id.to_owned()));
    }
}
