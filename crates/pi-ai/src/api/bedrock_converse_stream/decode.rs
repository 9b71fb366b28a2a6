//! Reads the event stream of an answer.
//!
//! Blocks are told apart by the provider's index, which is not the index in our message. Only tool calls are announced;
//! other blocks begin with their first piece.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::api::wire::{Decoder, Frame, Progress};
use crate::builder::MessageBuilder;
use crate::error::{AnswerError, Error};
use crate::json_partial::{SurrogateJoiner, parse_with_repair};
use crate::json_view::Json;
use crate::message::{ContentBlock, StopReason, ThinkingContent};
use crate::model::Model;
use crate::transport::event_stream::FAILURE;

use super::{errors, usage};

/// Stop reasons that are about what was asked or said.
const REFUSALS: [&str; 2] = ["content_filtered", "guardrail_intervened"];
const INCOMPLETE: &str = "Bedrock stream ended without messageStop";

/// Decoder of one answer.
#[derive(Debug)]
pub(crate) struct BedrockDecoder {
    model: Arc<Model>,
    /// Open blocks by the provider's index.
    open: BTreeMap<u64, Block>,
    halves: SurrogateJoiner,
    /// Why the answer ended, once it has: the stop reason, or the text of a failure.
    stop: Option<Result<StopReason, String>>,
}

/// An open block: its kind and its index in our message.
#[derive(Debug, Clone, Copy)]
enum Block {
    Text(usize),
    Thinking(usize),
    ToolCall(usize),
}

impl Decoder for BedrockDecoder {
    fn feed(&mut self, frame: Frame<'_>, message: &mut MessageBuilder) -> Result<Progress, Error> {
        let Some(name) = frame.event else { return Ok(Progress::KeepAlive) };
        if let Some(exception) = name.strip_prefix(FAILURE) {
            return Err(Error::Answer(AnswerError::Provider { message: errors::in_stream(exception, frame.data) }));
        }
        match name {
            "messageStart" | "contentBlockStart" | "contentBlockDelta" | "contentBlockStop" | "messageStop"
            | "metadata" => {}
            _ => return Ok(Progress::KeepAlive),
        }
        let data = self.halves.join(frame.data);
        let mut scratch = String::new();
        let event = parse(name, &data, &mut scratch)?;
        let index = event["contentBlockIndex"].as_u64().unwrap_or(0);
        match name {
            "messageStart" => check_role(&event["role"])?,
            "contentBlockStart" => self.block_start(index, &event["start"], message),
            "contentBlockDelta" => self.block_delta(index, &event["delta"], message),
            "contentBlockStop" => self.block_stop(index, message),
            "messageStop" => {
                let reason = event["stopReason"].as_str();
                message.edit(|message| message.refused = reason.is_some_and(|reason| REFUSALS.contains(&reason)));
                self.stop = Some(stop_reason(reason));
            }
            _ => {
                message.edit(|message| usage::report(&mut message.usage, &event["usage"], &self.model));
                // Nothing follows the counts of a complete answer.
                return Ok(if self.stop.is_some() { Progress::Finished } else { Progress::Meaningful });
            }
        }
        Ok(Progress::Meaningful)
    }

    fn is_complete(&self) -> bool {
        self.stop.is_some()
    }

    fn finish(&mut self, message: &mut MessageBuilder) -> Result<(), Error> {
        let Some(stop) = self.stop.take() else {
            return Err(Error::Answer(AnswerError::Incomplete { message: INCOMPLETE.to_owned() }));
        };
        for block in std::mem::take(&mut self.open).into_values() {
            end(block, message);
        }
        let reason = stop.map_err(|message| Error::Answer(AnswerError::Provider { message }))?;
        message.edit(|message| message.stop_reason = reason);
        Ok(())
    }
}

impl BedrockDecoder {
    pub(super) fn new(model: &Arc<Model>) -> Self {
        Self { model: Arc::clone(model), open: BTreeMap::new(), halves: SurrogateJoiner::default(), stop: None }
    }

    fn block_start(&mut self, index: u64, start: &Json<'_>, message: &mut MessageBuilder) {
        let call = &start["toolUse"];
        if !call.is_object() {
            return;
        }
        // What had this index so far will not be heard of again.
        self.block_stop(index, message);
        let text = |key: &str| call[key].as_str().unwrap_or("");
        let at = message.start_tool_call(text("toolUseId"), text("name"));
        self.open.insert(index, Block::ToolCall(at));
    }

    fn block_delta(&mut self, index: u64, delta: &Json<'_>, message: &mut MessageBuilder) {
        if let Some(text) = delta["text"].as_str() {
            let block = self.open.entry(index).or_insert_with(|| Block::Text(message.start_text()));
            if let Block::Text(at) = *block {
                message.text_delta(at, text);
            }
        } else if let Some(input) = delta["toolUse"]["input"].as_str() {
            if let Some(Block::ToolCall(at)) = self.open.get(&index) {
                message.tool_call_delta(*at, input);
            }
        } else if delta["reasoningContent"].is_object() {
            let block = self.open.entry(index).or_insert_with(|| Block::Thinking(message.start_thinking(unsigned())));
            if let Block::Thinking(at) = *block {
                reasoning(at, &delta["reasoningContent"], message);
            }
        }
    }

    fn block_stop(&mut self, index: u64, message: &mut MessageBuilder) {
        if let Some(block) = self.open.remove(&index) {
            end(block, message);
        }
    }
}

fn parse<'a>(name: &str, data: &'a str, scratch: &'a mut String) -> Result<Json<'a>, Error> {
    let failure = |detail: String| {
        Error::Answer(AnswerError::Decode { message: format!("Could not parse Bedrock event {name}: {detail}") })
    };
    match parse_with_repair(data, scratch) {
        Ok(event @ Json::Object(_)) => Ok(event),
        Ok(_) => Err(failure("not an object".to_owned())),
        Err(error) => Err(failure(error.to_string())),
    }
}

/// An answer that is somebody else's message is none.
fn check_role(role: &Json<'_>) -> Result<(), Error> {
    if *role == "assistant" {
        return Ok(());
    }
    Err(Error::Answer(AnswerError::Decode {
        message: format!("Bedrock began a message with the role {role} instead of \"assistant\""),
    }))
}

fn unsigned() -> ThinkingContent {
    ThinkingContent { thinking_signature: Some(String::new()), ..ThinkingContent::default() }
}

/// A piece of thinking: text, signature, or data that only the provider can read.
fn reasoning(at: usize, piece: &Json<'_>, message: &mut MessageBuilder) {
    if let Some(text) = piece["text"].as_str() {
        message.thinking_delta(at, text);
    }
    let redacted = piece["redactedContent"].as_str();
    if let Some(signature) = piece["signature"].as_str().or(redacted) {
        message.edit_block(at, |block| {
            if let ContentBlock::Thinking(thinking) = block {
                thinking.thinking_signature.get_or_insert_default().push_str(signature);
                thinking.redacted = redacted.map(|_| true).or(thinking.redacted);
            }
        });
    }
}

fn end(block: Block, message: &mut MessageBuilder) {
    match block {
        Block::Text(at) => message.end_text(at),
        Block::Thinking(at) => message.end_thinking(at),
        Block::ToolCall(at) => message.end_tool_call(at),
    }
}

/// Our stop reason for the provider's, or the text of the failure that it stands for.
fn stop_reason(reason: Option<&str>) -> Result<StopReason, String> {
    match reason {
        Some("end_turn" | "stop_sequence") => Ok(StopReason::Stop),
        Some("max_tokens" | "model_context_window_exceeded") => Ok(StopReason::Length),
        Some("tool_use") => Ok(StopReason::ToolUse),
        Some(other) => Err(format!("Provider stopped the answer: {other}")),
        None => Err("Provider stopped the answer without a reason".to_owned()),
    }
}
