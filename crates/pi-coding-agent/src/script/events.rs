//! Events on their way to handlers in a script.

use std::sync::Arc;

use pi_script::{Callback, Data, WeakEngine};
use serde_json::Value;

use super::errors::to_handler;
use crate::extension::json::{JsonEvent, JsonHandler, JsonReply};
use crate::extension::{ExtensionContext, HandlerError};

/// Calls a function of the script for each event.
pub(super) fn handler(engine: WeakEngine, callback: Callback) -> Arc<JsonHandler> {
    Arc::new(move |event, _context: ExtensionContext| {
        let engine = engine.clone();
        Box::pin(async move { call(&engine, callback, event, Vec::new()).await })
    })
}

/// Calls a function of the script with an event, and reads what `js/bridge/events.js` makes of its answer.
pub(super) async fn call(
    engine: &WeakEngine,
    callback: Callback,
    event: JsonEvent,
    more: Vec<Data>,
) -> Result<JsonReply, HandlerError> {
    let JsonEvent { name, json, cancel } = event;
    let Some(engine) = engine.upgrade().filter(|engine| !engine.is_stopped()) else {
        // It was reported when it stopped. A guard that is gone must not let calls pass, though.
        return if name == "tool_call" { Err(HandlerError::new("The extension was stopped")) } else { Ok(JsonReply::default()) };
    };
    let signal = cancel.map_or(Data::Undefined, Data::Signal);
    let args = [Data::RawJson(json), signal].into_iter().chain(more).collect();
    let reply = engine.invoke(callback, args).await.map_err(|error| failure(name, error))?;
    Ok(read(reply))
}

/// What is thrown to block a call need not be an error.
fn failure(name: &str, error: pi_script::Error) -> HandlerError {
    match error {
        pi_script::Error::Script(thrown) if name == "tool_call" && !thrown.is_error => {
            HandlerError::new(format!("Extension failed, blocking execution: {}", thrown.message))
        }
        error => to_handler(error),
    }
}

fn read(reply: Data) -> JsonReply {
    let Some(Value::Object(mut fields)) = reply.into_json() else { return JsonReply::default() };
    JsonReply { result: fields.remove("result"), event: fields.remove("event"), ..JsonReply::default() }
}
