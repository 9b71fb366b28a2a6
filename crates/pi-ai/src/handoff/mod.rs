//! Prepares a transcript for a model that may not have written it: what every wire format does before its own
//! conversion.
//!
//! Three passes: images that the model cannot see become text, blocks of other models become plain ones, and every
//! tool call gets an answer while failed answers go. Unchanged messages are borrowed, never copied. Messages of
//! unknown roles are left out. Nothing here knows the shape of a request.

mod blocks;
mod images;
mod pairing;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::message::{AssistantMessage, Message, ToolResultMessage};
use crate::model::Model;

/// Rewrites the transcript for `model`.
///
/// `normalise_id` makes the id of a foreign tool call legal for the target; it gets the message that holds the call.
/// `now` is the Unix time in milliseconds that synthetic tool results carry.
pub(crate) fn transform<'a>(
    messages: &'a [Arc<Message>],
    model: &Model,
    normalise_id: impl Fn(&str, &AssistantMessage) -> String,
    now: i64,
) -> Vec<Cow<'a, Message>> {
    let mut new_ids = HashMap::new();
    let adapted = messages.iter().filter_map(|message| match &**message {
        Message::User(user) => Some(images::of_user(user, model).map_or(Cow::Borrowed(&**message), owned)),
        Message::Assistant(assistant) => {
            let adapted = blocks::adapt(assistant, model, &normalise_id, &mut new_ids);
            Some(adapted.map_or(Cow::Borrowed(&**message), owned))
        }
        Message::ToolResult(result) => {
            let result = of_result(result, model, &new_ids);
            Some(result.map_or(Cow::Borrowed(&**message), owned))
        }
        Message::Other(_) => None,
    });
    pairing::pair(adapted, now)
}

fn owned<'a>(message: impl Into<Message>) -> Cow<'a, Message> {
    Cow::Owned(message.into())
}

/// A tool result with a new id or without images; `None` when it stays as it is.
fn of_result(
    result: &ToolResultMessage,
    model: &Model,
    new_ids: &HashMap<String, String>,
) -> Option<ToolResultMessage> {
    let id = new_ids.get(&result.tool_call_id);
    let content = images::of_result(&result.content, model);
    (id.is_some() || content.is_some()).then(|| ToolResultMessage {
        tool_call_id: id.unwrap_or(&result.tool_call_id).clone(),
        tool_name: result.tool_name.clone(),
        content: content.unwrap_or_else(|| result.content.clone()),
        // Programs' data never travels to a model.
        details: None,
        is_error: result.is_error,
        timestamp: result.timestamp,
        extra: result.extra.clone(),
    })
}

/// Whether both are the same model of the same provider, spoken to in the same wire format.
fn is_own(message: &AssistantMessage, model: &Model) -> bool {
    message.provider == model.provider && message.api == model.api && message.model == model.id
}
