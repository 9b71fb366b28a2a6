//! Reads the lines of an answer, one event each. A body that ends before the message does is a failure.

use std::sync::{Arc, OnceLock};

use http::HeaderMap;

use super::lines::UNFINISHED;
use super::rebuild::{Ending, Rebuild};
use super::wire::{MessageRest, PREFIX, WireEvent};
use crate::api::wire::{Decoder, Frame, Progress};
use crate::builder::MessageBuilder;
use crate::error::{AnswerError, Error};
use crate::json_partial::{SurrogateJoiner, repair_json};
use crate::message::{AssistantMessage, StopReason};

/// What a failure says that came without words.
const NAMELESS: &str = "An unknown error occurred";

/// Decoder of one answer.
#[derive(Debug)]
pub(super) struct ProxyDecoder {
    content_type: String,
    rebuild: Rebuild,
    halves: SurrogateJoiner,
    /// Whether there was an event at all.
    any_event: bool,
    /// How the message ends, once the proxy said so.
    ending: Option<Ending>,
    /// Where the words for an abort go that the proxy tells of.
    told_abort: Arc<OnceLock<String>>,
}

impl ProxyDecoder {
    /// A decoder at the start of an answer.
    pub(super) fn new(told_abort: Arc<OnceLock<String>>) -> Self {
        Self {
            content_type: "none".to_owned(),
            rebuild: Rebuild::default(),
            halves: SurrogateJoiner::default(),
            any_event: false,
            ending: None,
            told_abort,
        }
    }

    fn take_line(&mut self, line: &str, message: &mut MessageBuilder) -> Result<Progress, Error> {
        let Some(payload) = line.strip_prefix(PREFIX) else { return Ok(Progress::KeepAlive) };
        let payload = self.halves.join(payload.trim());
        if payload.is_empty() {
            return Ok(Progress::KeepAlive);
        }
        // Only a text that cannot be read is repaired: half a character would otherwise cost the whole message.
        self.ending = match serde_json::from_str(&payload) {
            Ok(event) => self.rebuild.apply(event, message)?,
            Err(error) => {
                let unreadable = |_| {
                    Error::Answer(AnswerError::Decode {
                        message: format!("The proxy sent an event that cannot be read: {error}"),
                    })
                };
                let repaired = repair_json(&payload);
                let event = serde_json::from_str::<WireEvent<'_>>(&repaired).map_err(unreadable)?;
                self.rebuild.apply(event, message)?
            }
        };
        self.any_event = true;
        Ok(if self.ending.is_some() { Progress::Finished } else { Progress::Meaningful })
    }

    fn incomplete(&self) -> Error {
        let message = if self.any_event {
            "The stream of the proxy ended before the message was complete".to_owned()
        } else {
            format!(
                "The proxy answered without a single event (content type: {}). Check the URL of the proxy.",
                self.content_type
            )
        };
        Error::Answer(AnswerError::Incomplete { message })
    }

    /// The error that an ending as a failure stands for. The words for an abort go their own way: the error has none.
    fn failure(&self, reason: &StopReason, words: Option<String>) -> Error {
        if *reason != StopReason::Aborted {
            return Error::Answer(AnswerError::Provider { message: words.unwrap_or_else(|| NAMELESS.to_owned()) });
        }
        // It is set once: an answer has one ending.
        let _ = self.told_abort.set(words.unwrap_or_else(|| Error::Aborted.to_string()));
        Error::Aborted
    }
}

impl Decoder for ProxyDecoder {
    fn accepted(&mut self, headers: &HeaderMap, _: &mut MessageBuilder) {
        // No `start`: that is an event of the proxy's.
        let content_type = headers.get(http::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if let Some(content_type) = content_type {
            content_type.clone_into(&mut self.content_type);
        }
    }

    fn feed(&mut self, frame: Frame<'_>, message: &mut MessageBuilder) -> Result<Progress, Error> {
        // The last line may lack its end. One that was cut in the middle is no event, and then the body is incomplete.
        let incomplete = (frame.event == Some(UNFINISHED)).then(|| self.incomplete());
        let outcome = self.take_line(frame.data, message);
        outcome.map_err(|cause| incomplete.unwrap_or(cause))
    }

    fn finish(&mut self, message: &mut MessageBuilder) -> Result<(), Error> {
        let Some(ending) = self.ending.take() else { return Err(self.incomplete()) };
        let Ending { reason, error, usage, rest } = ending;
        message.edit(|message| {
            write_rest(message, rest);
            if let Some(usage) = usage {
                message.usage = usage;
            }
        });
        if reason.is_failure() {
            return Err(self.failure(&reason, error));
        }
        message.edit(|message| message.stop_reason = reason);
        Ok(())
    }
}

fn write_rest(message: &mut AssistantMessage, rest: MessageRest) {
    message.response_id = rest.response_id;
    message.response_model = rest.response_model;
    message.diagnostics = rest.diagnostics;
    message.extra = rest.extra;
}
