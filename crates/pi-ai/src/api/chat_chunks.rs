//! Reading the chunks of chat completions, as far as the formats that stream them agree.

use std::sync::Arc;

use std::borrow::Cow;

use crate::builder::MessageBuilder;
use crate::error::{AnswerError, Error};
use crate::json_partial::parse_with_repair;
use crate::json_view::Json;
use crate::message::{ContentBlock, ToolCall};

/// The error for a stream without the reason why the model stopped. Retry detection knows this wording.
pub(crate) fn incomplete() -> Error {
    Error::Answer(AnswerError::Incomplete { message: "Stream ended without finish_reason".to_owned() })
}

/// Whether the data of a frame ends the stream.
pub(crate) fn is_done(data: &str) -> bool {
    data.starts_with("[DONE]")
}

/// The JSON of a chunk, repaired where gateways break it; `scratch` holds the repaired text.
///
/// # Errors
/// [`AnswerError::Decode`] for what is no JSON even then.
pub(crate) fn parse<'a>(data: &'a str, scratch: &'a mut String) -> Result<Json<'a>, Error> {
    parse_with_repair(data, scratch).map_err(|error| {
        Error::Answer(AnswerError::Decode {
            message: format!("Could not parse a chunk of the stream: {error}; data={data}"),
        })
    })
}

/// A piece of a call's arguments as JSON text. Endpoints that do not stream arguments may send them as a value.
pub(crate) fn arguments_text<'a>(value: &'a Json<'_>) -> Cow<'a, str> {
    match value {
        Json::String(text) => Cow::Borrowed(text),
        Json::Object(_) => Cow::Owned(value.to_string()),
        _ => Cow::Borrowed(""),
    }
}

/// Sets a field that was not known before.
pub(crate) fn fill(field: &mut String, value: &str) {
    if field.is_empty() {
        field.push_str(value);
    }
}

/// Changes a tool call without an event.
pub(crate) fn edit_call(message: &mut MessageBuilder, at: usize, change: impl FnOnce(&mut ToolCall)) {
    message.edit_block(at, |block| {
        if let ContentBlock::ToolCall(call) = block {
            change(Arc::make_mut(call));
        }
    });
}
