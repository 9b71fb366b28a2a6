//! `message_update`: the one event that is frequent and large. Each carries the message so far, twice.
//!
//! The growing message is kept in serialised form, as for clients of the protocol: an event costs a copy of it and not
//! the work of serialising it anew. Where nobody listens nothing is followed.

use std::sync::{Arc, Mutex};

use pi_agent_core::AgentEvent;
use pi_ai::{AssistantMessageEvent, Message, Partial};
use serde_json::Value;

use super::{JsonEvent, JsonHandler};
use crate::agent_session::SessionEvent;
use crate::extension::api::ExtensionApi;
use crate::extension::events::{Event, MessageStartEvent, MessageUpdateEvent};
use crate::extension::report::HandlerError;
use crate::extension::runtime::lock;
use crate::rpc::{EventDetail, EventDetailSwitch, EventJson};

/// Calls a handler for every update.
pub(super) fn listen(api: &ExtensionApi, handler: Arc<JsonHandler>) {
    let line = Arc::new(Mutex::new(Line::default()));
    let begun = Arc::clone(&line);
    api.on(move |event: MessageStartEvent, _| {
        if event.message.as_assistant().is_some() {
            *lock(&begun) = Line { writer: EventJson::default(), is_complete: true };
        }
        async { Ok(()) }
    });
    api.on(move |event: MessageUpdateEvent, context| {
        // Followed before anything is awaited: what one handler misses must not be missing from its next event.
        let json = lock(&line).of(event);
        let handler = Arc::clone(&handler);
        async move {
            handler(JsonEvent { name: MessageUpdateEvent::NAME, json: json?, cancel: None }, context).await?;
            Ok(())
        }
    });
}

/// The message that is being streamed, as one handler has followed it.
#[derive(Default)]
struct Line {
    writer: EventJson,
    /// Whether it was followed from its beginning. Who begins to listen in the middle of a message has no past to go by.
    is_complete: bool,
}

impl Line {
    fn of(&mut self, event: MessageUpdateEvent) -> Result<String, HandlerError> {
        let MessageUpdateEvent { event } = event;
        if !self.is_complete {
            return anew(event);
        }
        line(&mut self.writer, event)
    }
}

/// The update with a message that nobody followed.
fn anew(event: AssistantMessageEvent) -> Result<String, HandlerError> {
    let partial = event.partial().map(Partial::snapshot);
    let detail = EventDetailSwitch::default();
    detail.set(EventDetail::Delta);
    let mut update: Value = serde_json::from_str(&line(&mut EventJson::with_detail(detail), event)?)?;
    let message = partial.map(|message| serde_json::to_value(Message::from((*message).clone()))).transpose()?;
    if let (Some(message), Some(detail)) = (message, update["assistantMessageEvent"].as_object_mut()) {
        // Only those who put deltas together themselves are told of it.
        detail.remove("block");
        detail.insert("partial".to_owned(), message.clone());
        update["message"] = message;
    }
    Ok(update.to_string())
}

fn line(writer: &mut EventJson, event: AssistantMessageEvent) -> Result<String, HandlerError> {
    let mut line = Vec::new();
    writer.write(&SessionEvent::Agent(AgentEvent::MessageUpdate { event }), &mut line);
    // A line ends; an object does not.
    line.pop();
    String::from_utf8(line).map_err(|error| HandlerError::new(error.to_string()))
}
