//! Reads the chunks of an answer. A block ends where a part of another kind begins, and with the body.

use std::sync::Arc;

use crate::api::http_error::is_truthy;
use crate::api::wire::{Decoder, Frame, Progress};
use crate::builder::MessageBuilder;
use crate::context::Context;
use crate::error::{AnswerError, Error};
use crate::json_partial::{SurrogateJoiner, parse_with_repair};
use crate::json_view::Json;
use crate::message::{ContentBlock, StopReason, ThinkingContent};
use crate::model::Model;
use crate::options::StreamOptions;

use super::calls::{self, OpenCall};
use super::ids::CallIds;
use super::{error, usage};

const INCOMPLETE: &str = "Stream ended without finishReason";

/// Finish reasons that are failures. Others that we do not know end the answer at once.
const FAILURES: [&str; 15] = [
    "FINISH_REASON_UNSPECIFIED",
    "SAFETY",
    "RECITATION",
    "LANGUAGE",
    "OTHER",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "MALFORMED_FUNCTION_CALL",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
    "IMAGE_OTHER",
    "NO_IMAGE",
    "UNEXPECTED_TOOL_CALL",
];

/// Those of them, and reasons to take no prompt, that are about what was asked or said.
const REFUSALS: [&str; 6] =
    ["SAFETY", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT"];

/// Decoder of one answer.
#[derive(Debug)]
pub(crate) struct GoogleDecoder {
    model: Arc<Model>,
    ids: CallIds,
    halves: SurrogateJoiner,
    open: Option<Open>,
    /// A finish reason, or the reason why there is no answer, arrived.
    finished: bool,
    /// The answer ended with a reason that is a failure.
    failure: Option<String>,
}

/// The block that is open.
#[derive(Debug)]
enum Open {
    Text(usize),
    Thinking(usize),
    Call(Box<OpenCall>),
}

impl Decoder for GoogleDecoder {
    fn feed(&mut self, frame: Frame<'_>, message: &mut MessageBuilder) -> Result<Progress, Error> {
        let data = frame.data.trim();
        if data.is_empty() {
            return Ok(Progress::KeepAlive);
        }
        let data = self.halves.join(data);
        let mut scratch = String::new();
        let chunk = parse(&data, &mut scratch)?;
        let news = match &chunk {
            // Endpoints that were not asked for events send all chunks as one array.
            Json::Array(chunks) => {
                chunks.iter().try_fold(false, |news, chunk| Ok::<_, Error>(self.chunk(chunk, message)? | news))?
            }
            chunk => self.chunk(chunk, message)?,
        };
        Ok(if news { Progress::Meaningful } else { Progress::KeepAlive })
    }

    fn is_complete(&self) -> bool {
        self.finished
    }

    fn finish(&mut self, message: &mut MessageBuilder) -> Result<(), Error> {
        if !self.finished {
            return Err(Error::Answer(AnswerError::Incomplete { message: INCOMPLETE.to_owned() }));
        }
        let is_cut = matches!(self.open, Some(Open::Call(_)));
        self.close(message);
        // Calls are to be answered also when a reason to fail was given after them, but not half a call.
        let has_calls = message.partial().with(|message| message.tool_calls().next().is_some());
        let ended_well = message.edit(|message| message.stop_reason == StopReason::Stop);
        if has_calls && (ended_well || !is_cut) {
            message.edit(|message| message.stop_reason = StopReason::ToolUse);
            return Ok(());
        }
        self.failure.take().map_or(Ok(()), |message| Err(Error::Answer(AnswerError::Provider { message })))
    }
}

impl GoogleDecoder {
    pub(in crate::api) fn new(model: &Arc<Model>, context: &Context, options: &StreamOptions) -> Self {
        Self {
            model: Arc::clone(model),
            ids: CallIds::new(context, options.clock.now_ms()),
            halves: SurrogateJoiner::default(),
            open: None,
            finished: false,
            failure: None,
        }
    }

    /// Reads a chunk; false when there is nothing in it.
    fn chunk(&mut self, chunk: &Json<'_>, message: &mut MessageBuilder) -> Result<bool, Error> {
        if is_truthy(&chunk["error"]) {
            return Err(Error::Answer(AnswerError::Provider { message: error::in_stream(chunk) }));
        }
        let mut news = identify(chunk, message);
        let candidate = &chunk["candidates"][0];
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            news |= self.part(part, message)?;
        }
        if let Some(reason) = candidate["finishReason"].as_str().filter(|reason| !reason.is_empty()) {
            self.finish_reason(reason, &candidate["finishMessage"], message)?;
            news = true;
        }
        if let report @ Json::Object(_) = &chunk["usageMetadata"] {
            message.edit(|message| message.usage = usage::read(report, &self.model));
            news = true;
        }
        let feedback = &chunk["promptFeedback"];
        if let Some(reason) = feedback["blockReason"].as_str().filter(|reason| !reason.is_empty()) {
            self.fail("The prompt was blocked", reason, &feedback["blockReasonMessage"], message);
            news = true;
        }
        Ok(news)
    }

    fn part(&mut self, part: &Json<'_>, message: &mut MessageBuilder) -> Result<bool, Error> {
        let mut news = false;
        if let Some(text) = part["text"].as_str() {
            self.text(text, part, message);
            news = true;
        }
        if part["functionCall"].is_object() {
            news |= self.call(part, message)?;
        }
        Ok(news)
    }

    fn text(&mut self, text: &str, part: &Json<'_>, message: &mut MessageBuilder) {
        let is_thought = part["thought"].as_bool() == Some(true);
        let at = match &self.open {
            Some(Open::Text(at)) if !is_thought => *at,
            Some(Open::Thinking(at)) if is_thought => *at,
            // Nothing comes between the pieces of a call but the empty text that some chunks carry.
            Some(Open::Call(_)) if text.is_empty() => return,
            _ => self.start_text(is_thought, message),
        };
        if is_thought {
            message.thinking_delta(at, text);
        } else {
            message.text_delta(at, text);
        }
        if let Some(signature) = part["thoughtSignature"].as_str().filter(|signature| !signature.is_empty()) {
            message.edit_block(at, |block| match block {
                ContentBlock::Text(text) => text.text_signature = Some(signature.to_owned()),
                ContentBlock::Thinking(thinking) => thinking.thinking_signature = Some(signature.to_owned()),
                _ => {}
            });
        }
    }

    fn start_text(&mut self, is_thought: bool, message: &mut MessageBuilder) -> usize {
        self.close(message);
        let (at, open) = if is_thought {
            let at = message.start_thinking(ThinkingContent::default());
            (at, Open::Thinking(at))
        } else {
            let at = message.start_text();
            (at, Open::Text(at))
        };
        self.open = Some(open);
        at
    }

    /// Reads a part of a function call: one with a name begins a call, one without goes on with it.
    fn call(&mut self, part: &Json<'_>, message: &mut MessageBuilder) -> Result<bool, Error> {
        let call = &part["functionCall"];
        let name = call["name"].as_str().filter(|name| !name.is_empty());
        let going_on = self.open.take_if(|open| match open {
            Open::Call(open) => name.is_none() || open.is(call),
            _ => false,
        });
        let open = match (going_on, name) {
            (Some(Open::Call(open)), _) => open.resume(part, message)?,
            (_, Some(name)) => {
                self.close(message);
                calls::start(part, name, &mut self.ids, message)?
            }
            (_, None) if is_truthy(&call["args"]) || call["partialArgs"].as_array().is_some() => {
                return Err(Error::Answer(AnswerError::Decode {
                    message: format!("A function call has no name: {call}"),
                }));
            }
            (_, None) => return Ok(false),
        };
        if let Some(open) = open {
            self.open = Some(Open::Call(Box::new(open)));
        }
        Ok(true)
    }

    fn finish_reason(&mut self, reason: &str, words: &Json<'_>, message: &mut MessageBuilder) -> Result<(), Error> {
        match reason {
            "STOP" => self.stop(StopReason::Stop, message),
            "MAX_TOKENS" => self.stop(StopReason::Length, message),
            known if FAILURES.contains(&known) => self.fail("The model stopped", known, words, message),
            unknown => return Err(Error::Answer(AnswerError::UnhandledStopReason { reason: unknown.to_owned() })),
        }
        Ok(())
    }

    fn stop(&mut self, reason: StopReason, message: &mut MessageBuilder) {
        self.finished = true;
        self.failure = None;
        message.edit(|message| message.stop_reason = reason);
    }

    fn fail(&mut self, what: &str, reason: &str, words: &Json<'_>, message: &mut MessageBuilder) {
        self.stop(StopReason::Error, message);
        message.edit(|message| message.refused = REFUSALS.contains(&reason));
        let words = words.as_str().filter(|words| !words.is_empty());
        self.failure =
            Some(words.map_or_else(|| format!("{what}: {reason}"), |words| format!("{what}: {reason} ({words})")));
    }

    /// Ends the open block.
    fn close(&mut self, message: &mut MessageBuilder) {
        match self.open.take() {
            Some(Open::Text(at)) => message.end_text(at),
            Some(Open::Thinking(at)) => message.end_thinking(at),
            Some(Open::Call(call)) => call.close(message),
            None => {}
        }
    }
}

/// Takes over the response's id from the first chunk that has one.
fn identify(chunk: &Json<'_>, message: &mut MessageBuilder) -> bool {
    let Some(id) = chunk["responseId"].as_str().filter(|id| !id.is_empty()) else { return false };
    message.edit(|message| {
        let is_first = message.response_id.is_none();
        message.response_id.get_or_insert_with(|| id.to_owned());
        is_first
    })
}

fn parse<'a>(data: &'a str, scratch: &'a mut String) -> Result<Json<'a>, Error> {
    parse_with_repair(data, scratch).map_err(|error| {
        // A chunk is cut where the body is.
        if error.is_eof() {
            return Error::Answer(AnswerError::Incomplete { message: format!("{INCOMPLETE}: its last chunk is cut") });
        }
        Error::Answer(AnswerError::Decode {
            message: format!("Could not parse a chunk of the stream: {error}; data={data}"),
        })
    })
}
