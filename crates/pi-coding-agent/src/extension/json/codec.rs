//! What a kind of event needs to be told in JSON, and how a handler is put between the event and its outcome.

use std::sync::Arc;

use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::answer::HandlerAnswer;
use super::{HandlerOf, JsonEvent, Late};
use crate::events::HandlerError;
use crate::extension::api::{ExtensionApi, Subscription};
use crate::extension::events::{Event, event_table};

/// An event as JSON text.
pub(super) trait ToJson: Event {
    /// The event, its name as `type` included, without its late fields.
    fn to_json(&self) -> Result<String, HandlerError>;
}

/// What handlers alone are told has its fields as its form.
impl<E: Event + Serialize> ToJson for E {
    fn to_json(&self) -> Result<String, HandlerError> {
        Ok(serde_json::to_string(&Named { name: E::NAME, event: self })?)
    }
}

/// An event that is told and answered as JSON.
pub(super) trait JsonForm: ToJson {
    /// The signal of the event, which is no part of its JSON.
    fn cancel(&self) -> Option<&CancellationToken> {
        None
    }

    /// What its late fields hold. They are no part of what is serialised.
    fn late(&self) -> Option<Late> {
        None
    }

    /// What an answer means.
    ///
    /// # Errors
    /// Says which part of it is not what it must be.
    fn outcome(&self, answer: HandlerAnswer) -> Result<Self::Outcome, HandlerError>;
}

/// An event with its name, which scripts tell events apart by.
#[derive(Serialize)]
struct Named<'a, E> {
    #[serde(rename = "type")]
    name: &'static str,
    #[serde(flatten)]
    event: &'a E,
}

/// An event that handlers of JSON can hear of.
pub(super) trait Listen: Event {
    /// Calls a handler for every such event.
    fn listen(api: &ExtensionApi, handler: Arc<HandlerOf<Self::Context>>) -> Subscription;
}

impl<E: JsonForm> Listen for E {
    fn listen(api: &ExtensionApi, handler: Arc<HandlerOf<E::Context>>) -> Subscription {
        api.on(move |event: E, context| {
            let handler = Arc::clone(&handler);
            async move {
                let (brief, late, cancel) = (event.to_json()?, event.late(), event.cancel().cloned());
                let told = JsonEvent { name: E::NAME, brief, late, cancel };
                let reply = handler(told, context).await?;
                event.outcome(HandlerAnswer::new(E::NAME, reply))
            }
        })
    }
}

/// Events whose answers mean nothing.
macro_rules! told {
    ($($event:ty),* $(,)?) => {$(
        impl $crate::extension::json::codec::JsonForm for $event {
            fn outcome(
                &self,
                _: $crate::extension::json::answer::HandlerAnswer,
            ) -> Result<(), $crate::events::HandlerError> {
                Ok(())
            }
        }
    )*};
}
#[cfg(test)]
pub(super) use told;

/// Implements the form of every event that the table declares without an answer and without late fields, so that such an
/// event needs no line in this folder.
macro_rules! told_by_table {
    (
        before_session { $($early:tt)* }
        session { $($event:ident = $name:literal => $outcome:tt { $($declared:tt)* })* }
    ) => {
        $(told_by_table!(@one $event $outcome { $($declared)* });)*
    };
    (@one $event:ident () { late: $($rest:tt)* }) => {};
    (@one $event:ident () { $($rest:tt)* }) => { told!(crate::extension::events::$event); };
    (@one $event:ident $outcome:tt { $($rest:tt)* }) => {};
}

event_table!(told_by_table);
