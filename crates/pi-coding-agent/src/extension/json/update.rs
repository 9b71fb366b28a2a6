//! `message_update`: the one event that is frequent and large. Each carries the message so far, twice.
//!
//! What arrived is passed on at once; the message is written when a handler looks at it, from a form that grows with each
//! event.
//! So a listener who reads what arrived costs no more the longer the message is. Where nobody listens nothing is followed.

use std::sync::{Arc, Mutex};

use pi_ai::{AssistantMessageEvent, Message, Partial};
use pi_guard::lock;

use super::codec::Listen;
use super::{JsonEvent, JsonHandler, Late};
use crate::events::HandlerError;
use crate::extension::api::{ExtensionApi, Subscription};
use crate::extension::events::{Event, MessageStartEvent, MessageUpdateEvent};
use crate::wire::{MessageJson, open_update};

impl Listen for MessageUpdateEvent {
    fn listen(api: &ExtensionApi, handler: Arc<JsonHandler>) -> Subscription {
        let followed = Arc::new(Mutex::new(None));
        let begun = Arc::clone(&followed);
        let begin = api.on(move |event: MessageStartEvent, _| {
            if event.message.as_assistant().is_some() {
                // Whoever still holds an event of the message before keeps that.
                *lock(&begun) = Some(Followed::default());
            }
            async { Ok(()) }
        });
        let update = api.on(move |event: MessageUpdateEvent, context| {
            // Followed before anything is awaited: what one handler misses must not be missing from its next event.
            let json = to_json(lock(&followed).clone(), &event.event);
            let handler = Arc::clone(&handler);
            async move {
                handler(json?, context).await?;
                Ok(())
            }
        });
        begin.and(update)
    }
}

/// The message that is being streamed, as one handler has followed it.
type Followed = Arc<Mutex<MessageJson>>;

/// The event for a handler. Who begins to listen in the middle of a message has not `followed` it.
fn to_json(followed: Option<Followed>, event: &AssistantMessageEvent) -> Result<JsonEvent, HandlerError> {
    let mut brief = Vec::new();
    open_update(event, &mut brief);
    brief.extend_from_slice(b"}}");
    let late = event.partial().cloned().map(|partial| match followed {
        Some(message) => {
            lock(&message).follow(event);
            Late::new(move || write(&message, &partial))
        }
        None => Late::new(move || Ok(serde_json::to_string(&Message::from((*partial.snapshot()).clone()))?)),
    });
    Ok(JsonEvent { name: MessageUpdateEvent::NAME, brief: text(brief)?, late, cancel: None })
}

/// The message as far as its events have told.
fn write(followed: &Mutex<MessageJson>, partial: &Partial) -> Result<String, HandlerError> {
    let mut json = Vec::new();
    // In this order, as where events are followed.
    let mut followed = lock(followed);
    partial.with(|message| followed.write_to(message, &mut json));
    text(json)
}

fn text(json: Vec<u8>) -> Result<String, HandlerError> {
    String::from_utf8(json).map_err(|error| HandlerError::new(error.to_string()))
}
