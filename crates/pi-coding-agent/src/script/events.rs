//! Events on their way to handlers in a script.

use std::sync::Arc;

use pi_script::{Callback, Data, WeakEngine};
use serde_json::Value;

use super::errors::to_handler;
use super::link::Link;
use super::operations::ScriptBash;
use super::ops::Outputs;
use crate::extension::json::{JsonEvent, JsonHandler, JsonReply};
use crate::extension::{ExtensionContext, HandlerError};
use crate::tools::BashOperations;

/// Calls a function of the script for each event.
pub(super) fn handler(link: Link, callback: Callback, outputs: &Arc<Outputs>) -> Arc<JsonHandler> {
    let outputs = Arc::clone(outputs);
    Arc::new(move |event, _context: ExtensionContext| {
        let (link, outputs) = (link.clone(), Arc::clone(&outputs));
        Box::pin(async move { call(&link, callback, &outputs, event, Vec::new()).await })
    })
}

/// Calls a function of the script with an event, and reads what `js/bridge/events.js` makes of its answer.
pub(super) async fn call(
    link: &Link,
    callback: Callback,
    outputs: &Arc<Outputs>,
    event: JsonEvent,
    more: Vec<Data>,
) -> Result<JsonReply, HandlerError> {
    let JsonEvent { name, json, cancel } = event;
    // It was reported when it stopped. A guard that is gone must not let calls pass, though.
    if !link.is_open() && name != "tool_call" {
        return Ok(JsonReply::default());
    }
    let signal = cancel.map_or(Data::Undefined, Data::Signal);
    let args = [Data::RawJson(json), signal].into_iter().chain(more).collect();
    let reply = link.invoke(callback, args).await.map_err(|error| failure(name, error))?;
    Ok(read(reply, link.engine(), outputs))
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

fn read(reply: Data, engine: Option<WeakEngine>, outputs: &Arc<Outputs>) -> JsonReply {
    let Some(Value::Object(mut fields)) = reply.into_json() else { return JsonReply::default() };
    // Only `user_bash` is answered with functions: one that runs commands.
    let exec = fields.remove("exec").and_then(|exec| serde_json::from_value(exec).ok()).map(Callback);
    let operations = exec.zip(engine).map(|(callback, engine)| -> Arc<dyn BashOperations> {
        Arc::new(ScriptBash { engine, outputs: Arc::clone(outputs), callback: Some(callback) })
    });
    JsonReply { result: fields.remove("result"), event: fields.remove("event"), operations }
}
