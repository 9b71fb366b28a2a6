//! Prepares a transcript for a model that may not have written it: what every wire format does before its own
//! conversion.
//!
//! Images that the model cannot see become text (`images`), blocks of other models become plain ones (`blocks`) and
//! their calls get ids that the target accepts (`ids`), every call gets exactly one result (`pairing`). Failed answers
//! go, and with them the results of their calls. Unchanged messages are shared, never copied. Messages of unknown
//! roles are left out. What comes of a message depends on those before it only, so that appending to a transcript leaves
//! the earlier part of a request as it was. Nothing here knows the shape of a request.

mod blocks;
mod ids;
mod images;
mod pairing;

use std::sync::Arc;

use self::ids::CallIds;
use self::pairing::Pairing;
use crate::message::{AssistantMessage, Message, ToolResultMessage};
use crate::model::Model;
use crate::provider::is_same_provider;

/// Rewrites the transcript for `model`.
///
/// `normalise_id` makes the id of a foreign tool call legal for the target; it gets the message that holds the call.
/// Where the outcome is taken or empty it is asked again, with a number at both ends of the id.
/// `now` is the Unix time in milliseconds that synthetic tool results carry.
pub(crate) fn transform(
    messages: &[Arc<Message>],
    model: &Model,
    normalise_id: impl Fn(&str, &AssistantMessage) -> String,
    now: i64,
) -> Vec<Arc<Message>> {
    let mut pairing = Pairing::new(messages.len(), now);
    let mut call_ids = CallIds::default();
    for message in messages {
        let unchanged = || Arc::clone(message);
        match &**message {
            Message::User(user) => {
                pairing.flush();
                pairing.push(images::of_user(user, model).map_or_else(unchanged, changed));
            }
            Message::Assistant(answer) => {
                pairing.flush();
                if answer.stop_reason.is_failure() {
                    continue;
                }
                let is_own = is_own(answer, model);
                let ids = match is_own {
                    true => call_ids.own(answer),
                    false => call_ids.foreign(answer, |id| normalise_id(id, answer)),
                };
                pairing.push(blocks::adapt(answer, is_own, &ids).map_or_else(unchanged, changed));
                pairing.expect(answer, ids);
            }
            Message::ToolResult(result) => {
                if let Some(id) = pairing.answered(&result.tool_call_id) {
                    let result = of_result(result, model, id);
                    pairing.push(result.map_or_else(unchanged, changed));
                }
            }
            Message::Other(_) => {}
        }
    }
    pairing.finish()
}

fn changed(message: impl Into<Message>) -> Arc<Message> {
    Arc::new(message.into())
}

/// A tool result with this id and without images that the model cannot see; `None` when it stays as it is.
fn of_result(result: &ToolResultMessage, model: &Model, id: &str) -> Option<ToolResultMessage> {
    let content = images::of_result(&result.content, model);
    (id != result.tool_call_id || content.is_some()).then(|| ToolResultMessage {
        tool_call_id: id.to_owned(),
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
    is_same_provider(&message.provider, &model.provider) && message.api == model.api && message.model == model.id
}
