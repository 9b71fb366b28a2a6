//! Reads the event stream of an answer.
//!
//! Blocks are told apart by the provider's index, which is not the index in our message: block types that we do not
//! know are skipped.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use crate::api::wire::{Decoder, Frame, Progress};
use crate::builder::MessageBuilder;
use crate::error::{AnswerError, Error};
use crate::json_partial::{SurrogateJoiner, parse_with_repair};
use crate::json_view::Json;
use crate::message::{ContentBlock, StopReason, ThinkingContent};
use crate::model::Model;
use crate::unknown_fields::Extra;

use super::oauth::ToolNames;
use super::usage;

/// Stands for thinking that only the provider can read.
const REDACTED: &str = "[Reasoning redacted]";
const INCOMPLETE: &str = "Anthropic stream ended before message_stop";
const REFUSED: &str = "The model refused to complete the request";
const FAILED: &str = "An unknown error occurred";

/// Decoder of one answer.
#[derive(Debug)]
pub(crate) struct AnthropicDecoder {
    model: Arc<Model>,
    names: ToolNames,
    /// The message is complete. A further one may follow in the same stream.
    complete: bool,
    /// Open blocks by the provider's index.
    open: BTreeMap<u64, Block>,
    halves: SurrogateJoiner,
    /// The provider ended the answer with a reason that is a failure.
    failure: Option<String>,
}

/// An open block: its kind and its index in our message.
#[derive(Debug, Clone, Copy)]
enum Block {
    Text(usize),
    Thinking(usize),
    ToolCall(usize),
}

impl Decoder for AnthropicDecoder {
    fn feed(&mut self, frame: Frame<'_>, message: &mut MessageBuilder) -> Result<Progress, Error> {
        let Some(name) = frame.event else { return Ok(Progress::KeepAlive) };
        match name {
            "error" => return Err(Error::Answer(AnswerError::Provider { message: frame.data.to_owned() })),
            "message_start"
            | "message_delta"
            | "message_stop"
            | "content_block_start"
            | "content_block_delta"
            | "content_block_stop" => {}
            _ => return Ok(Progress::KeepAlive),
        }
        let data = self.halves.join(frame.data);
        let mut scratch = String::new();
        let event = parse(name, &data, &mut scratch)?;
        let index = event["index"].as_u64().unwrap_or(0);
        // The name says whether an event is read, its type what it is.
        match event["type"].as_str() {
            Some("message_start") => self.message_start(&event["message"], message)?,
            Some("content_block_start") => self.block_start(index, part(&event, name, "content_block")?, message),
            Some("content_block_delta") => self.block_delta(index, part(&event, name, "delta")?, message),
            Some("content_block_stop") => self.block_stop(index, message),
            Some("message_delta") => self.message_delta(&event, message)?,
            Some("message_stop") => self.complete = true,
            _ => return Ok(Progress::KeepAlive),
        }
        Ok(Progress::Meaningful)
    }

    fn is_complete(&self) -> bool {
        self.complete
    }

    fn finish(&mut self, message: &mut MessageBuilder) -> Result<(), Error> {
        if !self.complete {
            return Err(Error::Answer(AnswerError::Incomplete { message: INCOMPLETE.to_owned() }));
        }
        for block in std::mem::take(&mut self.open).into_values() {
            end(block, message);
        }
        match self.failure.take() {
            Some(message) => Err(Error::Answer(AnswerError::Provider { message })),
            None => Ok(()),
        }
    }
}

impl AnthropicDecoder {
    pub(super) fn new(model: &Arc<Model>, names: ToolNames) -> Self {
        Self {
            model: Arc::clone(model),
            names,
            complete: false,
            open: BTreeMap::new(),
            halves: SurrogateJoiner::default(),
            failure: None,
        }
    }

    /// A message begins. One that begins while another is unfinished replaces it: a gateway tried again.
    fn message_start(&mut self, start: &Json<'_>, message: &mut MessageBuilder) -> Result<(), Error> {
        if !self.complete {
            message.restart();
        }
        // Block indexes count anew. Blocks that a finished message left open are complete by now.
        for block in std::mem::take(&mut self.open).into_values() {
            if self.complete {
                end(block, message);
            }
        }
        self.complete = false;
        self.failure = None;
        message.edit(|message| {
            message.stop_reason = StopReason::Stop;
            message.response_id = start["id"].as_str().map(str::to_owned);
            usage::start(&mut message.usage, part(start, "message_start", "usage")?, &self.model);
            Ok(())
        })
    }

    fn block_start(&mut self, index: u64, block: &Json<'_>, message: &mut MessageBuilder) {
        let opened = match block["type"].as_str() {
            Some("text") => Block::Text(message.start_text()),
            Some("thinking") => Block::Thinking(message.start_thinking(thinking("", "", None))),
            Some("redacted_thinking") => {
                let data = block["data"].as_str().unwrap_or("");
                Block::Thinking(message.start_thinking(thinking(REDACTED, data, Some(true))))
            }
            Some("tool_use") => self.tool_start(block, message),
            _ => return,
        };
        if let Some(unfinished) = self.open.insert(index, opened) {
            end(unfinished, message);
        }
    }

    /// Opens a tool call. Its input normally streams; what comes with the start counts only if nothing follows.
    fn tool_start(&self, block: &Json<'_>, message: &mut MessageBuilder) -> Block {
        let text = |key: &str| block[key].as_str().unwrap_or("");
        let at = message.start_tool_call(text("id"), self.names.incoming(text("name")));
        if let input @ Json::Object(_) = &block["input"] {
            message.edit_block(at, |block| {
                if let ContentBlock::ToolCall(call) = block {
                    Arc::make_mut(call).arguments = input.to_value();
                }
            });
        }
        Block::ToolCall(at)
    }

    fn block_delta(&mut self, index: u64, delta: &Json<'_>, message: &mut MessageBuilder) {
        let text = |key: &str| delta[key].as_str().unwrap_or("");
        match (delta["type"].as_str(), self.open.get(&index)) {
            (Some("text_delta"), Some(Block::Text(at))) => message.text_delta(*at, text("text")),
            (Some("thinking_delta"), Some(Block::Thinking(at))) => message.thinking_delta(*at, text("thinking")),
            (Some("input_json_delta"), Some(Block::ToolCall(at))) => {
                message.tool_call_delta(*at, text("partial_json"));
            }
            (Some("signature_delta"), Some(Block::Thinking(at))) => sign(*at, text("signature"), message),
            _ => {}
        }
    }

    fn block_stop(&mut self, index: u64, message: &mut MessageBuilder) {
        if let Some(block) = self.open.remove(&index) {
            end(block, message);
        }
    }

    fn message_delta(&mut self, event: &Json<'_>, message: &mut MessageBuilder) -> Result<(), Error> {
        let delta = part(event, "message_delta", "delta")?;
        if let Some(reason) = delta["stop_reason"].as_str().filter(|reason| !reason.is_empty()) {
            let (stop, failure) = stop_reason(reason, &delta["stop_details"])?;
            self.failure = failure;
            message.edit(|message| {
                message.stop_reason = stop;
                message.refused = reason == "refusal";
            });
        }
        let report = part(event, "message_delta", "usage")?;
        message.edit(|message| usage::correct(&mut message.usage, report, &self.model));
        Ok(())
    }
}

fn parse<'a>(name: &str, data: &'a str, scratch: &'a mut String) -> Result<Json<'a>, Error> {
    let failure = |detail: &dyn Display| {
        Error::Answer(AnswerError::Decode {
            message: format!("Could not parse Anthropic SSE event {name}: {detail}; data={data}"),
        })
    };
    match parse_with_repair(data, scratch) {
        Ok(Json::Null) => Err(failure(&"not an event")),
        Ok(event) => Ok(event),
        Err(error) => Err(failure(&error)),
    }
}

/// An object that an event must have: one without it was cut or forged, and what is missing cannot be guessed.
fn part<'a, 'b>(event: &'a Json<'b>, name: &str, key: &str) -> Result<&'a Json<'b>, Error> {
    let part = &event[key];
    if part.is_object() {
        return Ok(part);
    }
    Err(Error::Answer(AnswerError::Decode { message: format!("Anthropic {name} event lacks {key}") }))
}

fn thinking(text: &str, signature: &str, redacted: Option<bool>) -> ThinkingContent {
    ThinkingContent {
        thinking: text.to_owned(),
        thinking_signature: Some(signature.to_owned()),
        redacted,
        extra: Extra::new(),
    }
}

fn sign(at: usize, piece: &str, message: &mut MessageBuilder) {
    message.edit_block(at, |block| {
        if let ContentBlock::Thinking(thinking) = block {
            thinking.thinking_signature.get_or_insert_default().push_str(piece);
        }
    });
}

fn end(block: Block, message: &mut MessageBuilder) {
    match block {
        Block::Text(at) => message.end_text(at),
        Block::Thinking(at) => message.end_thinking(at),
        Block::ToolCall(at) => message.end_tool_call(at),
    }
}

/// Our stop reason for the provider's, with the error text if it is a failure.
fn stop_reason(reason: &str, details: &Json<'_>) -> Result<(StopReason, Option<String>), Error> {
    Ok(match reason {
        "end_turn" | "pause_turn" | "stop_sequence" => (StopReason::Stop, None),
        "max_tokens" => (StopReason::Length, None),
        "tool_use" => (StopReason::ToolUse, None),
        "refusal" => {
            let explanation = details["explanation"].as_str().filter(|text| !text.is_empty());
            (StopReason::Error, Some(explanation.unwrap_or(REFUSED).to_owned()))
        }
        "sensitive" => (StopReason::Error, Some(FAILED.to_owned())),
        other => return Err(Error::Answer(AnswerError::UnhandledStopReason { reason: other.to_owned() })),
    })
}
