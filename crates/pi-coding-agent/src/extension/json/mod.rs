//! Events by their names, as JSON: for hosts of extensions that are not Rust.
//!
//! A host subscribes by name. Its handler gets the event as one JSON object, `type` included, in the shape in which
//! scripts know it, and answers with JSON; what the answer means, and what is wrong with it, is found out here. How the
//! answers of several handlers are put together is the runner's affair, as for handlers in Rust. No engine and no
//! script is known here.
//!
//! ```
//! use std::sync::Arc;
//! use pi_coding_agent::extension::extension_fn;
//! use pi_coding_agent::extension::json::{JsonHandler, JsonReply, subscribe};
//!
//! let gate = extension_fn("no-shell", |pi| async move {
//!     let handler: Arc<JsonHandler> = Arc::new(|event, _ctx| Box::pin(async move {
//!         let call: serde_json::Value = serde_json::from_str(&event.json()?)?;
//!         let is_shell = call["toolName"] == "bash";
//!         Ok(JsonReply::with(serde_json::json!({ "block": is_shell, "reason": "No shell today." })))
//!     }));
//!     assert!(subscribe(&pi, "tool_call", handler.clone()).is_some());
//!     assert!(subscribe(&pi, "tool_cal", handler).is_none());
//!     Ok(())
//! });
//! # assert_eq!(gate.name(), "no-shell");
//! ```
//!
//! # What JSON cannot say
//!
//! | Where | In the JSON | What a script expects |
//! |---|---|---|
//! | `session_before_compact`, `session_before_tree` | nothing; [`JsonEvent::cancel`] | `signal`, an abort signal |
//! | `session_before_compact` `preparation.fileOps` | sorted arrays `read`, `written`, `edited` | sets |
//! | `user_bash` answers | nothing; [`JsonReply::operations`] | `operations`, an object of functions |
//! | fields without a value | absent | present and `undefined` |
//!
//! # What is made late
//!
//! Some events carry much that hardly anybody looks at: each `message_update` the whole message so far. Such
//! [fields](events::EventInfo::late) are not serialised before somebody asks for them. [`JsonEvent::json`] does; a host that can
//! make values when they are read takes [`JsonEvent::brief`] and [`JsonEvent::late`] instead.
//!
//! # Layout
//!
//! `codec`: what a kind of event needs to be told in JSON. `agent`: events whose form is that of lines, too. `event_object`: an event
//! as a handler gets it. `session`, `prompt`,
//! `provider`, `tool`, `startup`: what may be answered to each event. `update`: the message that is being streamed.
//! `answer`, `message`: reading answers. [`views`]: the session as scripts see it, which is part of the wire form.

mod agent;
mod answer;
mod codec;
mod event_object;
mod message;
mod prompt;
mod provider;
mod session;
mod startup;
#[cfg(test)]
mod tests;
mod tool;
mod update;

use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::Value;

use self::codec::Listen;
use super::api::{ExtensionApi, Subscription};
use super::context::{ExtensionContext, TrustContext};
use super::events::{self, event_table};
use crate::events::HandlerError;
use crate::tools::BashOperations;

pub use self::event_object::{JsonEvent, Late};
pub use crate::wire::views;

/// A handler of one kind of event, whatever it is given besides.
type HandlerOf<C> = dyn Fn(JsonEvent, C) -> BoxFuture<'static, Result<JsonReply, HandlerError>> + Send + Sync;

/// A handler of events of a session.
pub type JsonHandler = HandlerOf<ExtensionContext>;

/// A handler of `project_trust`, for which there is no session yet.
pub type JsonTrustHandler = HandlerOf<TrustContext>;

/// What a handler answers.
#[derive(Debug, Clone, Default)]
pub struct JsonReply {
    /// What it returned; `None` is `undefined`.
    pub result: Option<Value>,
    /// The event as the handler left it, for events that [are mutable](events::EventInfo::mutable). `None` says that it is as it was:
    /// whoever sees that the text is the same should not have it read once more.
    ///
    /// Scripts change what is *in* a field; a host that can tell keeps hold of the field's first value and reports
    /// that.
    pub event: Option<Value>,
    /// The `operations` of an answer to `user_bash`: they are functions, so `result` cannot hold them.
    pub operations: Option<Arc<dyn BashOperations>>,
}

impl JsonReply {
    /// A handler that returned something and changed nothing.
    pub fn with(result: Value) -> Self {
        Self { result: Some(result), ..Self::default() }
    }
}

/// Subscribes by name, to the events of a session.
macro_rules! by_name {
    (
        before_session { $($early:tt)* }
        session { $($event:ident = $name:literal => $outcome:ty { $($declared:tt)* })* }
    ) => {
        /// Calls `handler` for every event of this name. `None` when there is no such event; nothing happens then.
        /// `project_trust` is not among them: see [`subscribe_trust`].
        pub fn subscribe(api: &ExtensionApi, name: &str, handler: Arc<JsonHandler>) -> Option<Subscription> {
            match name {
                $($name => Some(events::$event::listen(api, handler)),)*
                _ => None,
            }
        }
    };
}

event_table!(by_name);

/// Calls `handler` when it is asked whether a project is trusted: the event `project_trust`.
pub fn subscribe_trust(api: &ExtensionApi, handler: Arc<JsonTrustHandler>) -> Subscription {
    events::ProjectTrustEvent::listen(api, handler)
}
