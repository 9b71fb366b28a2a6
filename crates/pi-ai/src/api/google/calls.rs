//! Function calls, whole or in pieces: one tool call per function, whatever the number of parts.

use std::sync::Arc;

use serde_json::Value;

use crate::api::http_error::is_truthy;
use crate::builder::MessageBuilder;
use crate::error::{AnswerError, Error};
use crate::json_view::Json;
use crate::message::ContentBlock;

use super::arguments::Arguments;
use super::ids::CallIds;
use super::json_path::{self, Step};

/// The values that a piece may carry.
const VALUES: [&str; 4] = ["stringValue", "numberValue", "boolValue", "nullValue"];

/// A call whose further pieces are awaited.
#[derive(Debug)]
pub(super) struct OpenCall {
    /// Content index.
    at: usize,
    /// The provider's id; empty when it sent none.
    id: String,
    arguments: Arguments,
}

impl OpenCall {
    /// Whether a part with a name goes on with this call.
    pub(super) fn is(&self, call: &Json<'_>) -> bool {
        !self.id.is_empty() && call["id"].as_str() == Some(&self.id)
    }

    /// Reads a further part; the call is given back when more will come.
    pub(super) fn resume(mut self, part: &Json<'_>, message: &mut MessageBuilder) -> Result<Option<Self>, Error> {
        let call = &part["functionCall"];
        sign(self.at, part, message);
        if let Json::Object(members) = &call["args"] {
            for (name, value) in members {
                self.arguments.put(vec![Step::Key(name.to_string())], value.to_value());
            }
        }
        for piece in call["partialArgs"].as_array().into_iter().flatten() {
            self.piece(piece)?;
        }
        if is_truthy(&call["willContinue"]) {
            let text = self.arguments.take_text();
            if !text.is_empty() {
                message.tool_call_delta(self.at, &text);
            }
            return Ok(Some(self));
        }
        self.close(message);
        Ok(None)
    }

    fn piece(&mut self, piece: &Json<'_>) -> Result<(), Error> {
        let Some((kind, value)) = VALUES.iter().find_map(|kind| Some((*kind, piece.get(kind)?))) else {
            return Ok(());
        };
        let path = json_path::parse(piece["jsonPath"].as_str().unwrap_or(""));
        let path = path.ok_or_else(|| {
            Error::Answer(AnswerError::Decode {
                message: format!("A piece of tool call arguments has the unreadable path {}", piece["jsonPath"]),
            })
        })?;
        let value = if kind == "nullValue" { Value::Null } else { value.to_value() };
        self.arguments.put(path, value);
        Ok(())
    }

    /// Ends the call with what arrived.
    pub(super) fn close(self, message: &mut MessageBuilder) {
        message.tool_call_delta(self.at, &self.arguments.finish());
        message.end_tool_call(self.at);
    }
}

/// Reads the first part of a call, which names its function. The call is given back when more will come.
pub(super) fn start(
    part: &Json<'_>,
    name: &str,
    ids: &mut CallIds,
    message: &mut MessageBuilder,
) -> Result<Option<OpenCall>, Error> {
    let call = &part["functionCall"];
    let id = call["id"].as_str().unwrap_or("");
    let at = message.start_tool_call(ids.take(id, name), name);
    if call["partialArgs"].as_array().is_some() || is_truthy(&call["willContinue"]) {
        return OpenCall { at, id: id.to_owned(), arguments: Arguments::default() }.resume(part, message);
    }
    sign(at, part, message);
    let arguments = match &call["args"] {
        Json::Null => "{}".to_owned(),
        arguments => arguments.to_string(),
    };
    message.tool_call_delta(at, &arguments);
    message.end_tool_call(at);
    Ok(None)
}

/// Keeps the signature of a part; a missing one does not replace what is there.
fn sign(at: usize, part: &Json<'_>, message: &mut MessageBuilder) {
    let Some(signature) = part["thoughtSignature"].as_str().filter(|signature| !signature.is_empty()) else { return };
    message.edit_block(at, |block| {
        if let ContentBlock::ToolCall(call) = block {
            Arc::make_mut(call).thought_signature = Some(signature.to_owned());
        }
    });
}
