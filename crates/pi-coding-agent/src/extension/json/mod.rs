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
//! [fields](late_fields) are not serialised before somebody asks for them. [`JsonEvent::json`] does; a host that can
//! make values when they are read takes [`JsonEvent::brief`] and [`JsonEvent::late`] instead.
//!
//! # Layout
//!
//! `form`: what a kind of event needs to be told in JSON. `told`: an event as a handler gets it. `session`, `prompt`,
//! `provider`, `tool`, `startup`: what may be answered to each event. `update`: the message that is being streamed.
//! `answer`, `message`: reading answers. [`views`]: the session as scripts see it, which is part of the wire form.

mod answer;
mod form;
mod message;
mod prompt;
mod provider;
mod session;
mod startup;
#[cfg(test)]
mod tests;
mod told;
mod tool;
mod update;

use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::Value;

use self::form::listen;
use super::api::{ExtensionApi, Subscription};
use super::context::{ExtensionContext, TrustContext};
use super::events::{
    AfterProviderResponseEvent, AgentEndEvent, AgentSettledEvent, AgentStartEvent, BeforeAgentStartEvent,
    BeforeProviderHeadersEvent, BeforeProviderRequestEvent, ContextEvent, Event, InputEvent, MessageEndEvent,
    MessageStartEvent, MessageUpdateEvent, ModelSelectEvent, ProjectTrustEvent, ResourcesDiscoverEvent,
    SessionBeforeCompactEvent, SessionBeforeForkEvent, SessionBeforeSwitchEvent, SessionBeforeTreeEvent,
    SessionCompactEvent, SessionCompactFailedEvent, SessionShutdownEvent, SessionStartEvent, SessionTreeEvent,
    ThinkingLevelSelectEvent, ToolCallEvent, ToolExecutionEndEvent, ToolExecutionStartEvent, ToolExecutionUpdateEvent,
    ToolResultEvent, TurnEndEvent, TurnStartEvent, UserBashEvent,
};
use crate::events::HandlerError;
use crate::tools::BashOperations;

pub use self::told::{JsonEvent, Late};
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
    /// The event as the handler left it, for events that [are mutable](is_mutable). `None` says that it is as it was:
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

/// The events whose changes in place count, with the fields in which they do. A returned field goes before a changed
/// one.
const MUTABLE: &[(&str, &[&str])] = &[
    (ContextEvent::NAME, &["messages"]),
    (BeforeProviderHeadersEvent::NAME, &["headers"]),
    (BeforeProviderRequestEvent::NAME, &["payload"]),
    (MessageEndEvent::NAME, &["message"]),
    (ToolCallEvent::NAME, &["input"]),
    (ToolResultEvent::NAME, &["content", "details", "isError"]),
];

/// Whether changes in place count that a handler makes to such events.
pub fn is_mutable(name: &str) -> bool {
    !mutable_fields(name).is_empty()
}

/// The fields of such events in which changes in place count.
pub fn mutable_fields(name: &str) -> &'static [&'static str] {
    MUTABLE.iter().find(|(event, _)| *event == name).map_or(&[], |(_, fields)| fields)
}

/// The events whose handlers are asked something. What others return means nothing.
const ASKED: &[&str] = &[
    BeforeAgentStartEvent::NAME,
    BeforeProviderHeadersEvent::NAME,
    BeforeProviderRequestEvent::NAME,
    ContextEvent::NAME,
    InputEvent::NAME,
    MessageEndEvent::NAME,
    ProjectTrustEvent::NAME,
    ResourcesDiscoverEvent::NAME,
    SessionBeforeCompactEvent::NAME,
    SessionBeforeForkEvent::NAME,
    SessionBeforeSwitchEvent::NAME,
    SessionBeforeTreeEvent::NAME,
    ToolCallEvent::NAME,
    ToolResultEvent::NAME,
    UserBashEvent::NAME,
];

/// Whether it matters what handlers of such events return.
pub fn takes_answers(name: &str) -> bool {
    ASKED.contains(&name)
}

/// The events with fields that are made late, and where these are: names from the outside inwards, with dots between.
/// All of an event show one value.
const LATE: &[(&str, &[&str])] = &[
    (MessageUpdateEvent::NAME, &["assistantMessageEvent.partial", "message"]),
    (ToolExecutionUpdateEvent::NAME, &["partialResult"]),
];

/// The fields of such events that are made when somebody looks at them, in their order: each is the last of its object.
pub fn late_fields(name: &str) -> &'static [&'static str] {
    LATE.iter().find(|(event, _)| *event == name).map_or(&[], |(_, fields)| fields)
}

/// Subscribes by name, and stops at the first of these events that is meant.
macro_rules! by_name {
    ($name:expr, $api:expr, $handler:expr, [$($event:ty),* $(,)?]) => {
        match $name {
            $(<$event as Event>::NAME => Some(listen::<$event>($api, $handler)),)*
            _ => None,
        }
    };
}

/// Calls `handler` for every event of this name. `None` when there is no such event; nothing happens then.
/// `project_trust` is not among them: see [`subscribe_trust`].
pub fn subscribe(api: &ExtensionApi, name: &str, handler: Arc<JsonHandler>) -> Option<Subscription> {
    if name == MessageUpdateEvent::NAME {
        return Some(update::listen(api, handler));
    }
    by_name!(
        name,
        api,
        handler,
        [
            ResourcesDiscoverEvent,
            SessionStartEvent,
            SessionBeforeSwitchEvent,
            SessionBeforeForkEvent,
            SessionShutdownEvent,
            SessionBeforeCompactEvent,
            SessionCompactEvent,
            SessionCompactFailedEvent,
            SessionBeforeTreeEvent,
            SessionTreeEvent,
            InputEvent,
            BeforeAgentStartEvent,
            AgentStartEvent,
            AgentEndEvent,
            AgentSettledEvent,
            TurnStartEvent,
            TurnEndEvent,
            ContextEvent,
            BeforeProviderHeadersEvent,
            BeforeProviderRequestEvent,
            AfterProviderResponseEvent,
            MessageStartEvent,
            MessageEndEvent,
            ModelSelectEvent,
            ThinkingLevelSelectEvent,
            ToolExecutionStartEvent,
            ToolCallEvent,
            ToolExecutionUpdateEvent,
            ToolResultEvent,
            ToolExecutionEndEvent,
            UserBashEvent,
        ]
    )
}

/// Calls `handler` when it is asked whether a project is trusted: the event `project_trust`.
pub fn subscribe_trust(api: &ExtensionApi, handler: Arc<JsonTrustHandler>) -> Subscription {
    listen::<ProjectTrustEvent>(api, handler)
}
