//! Every event that extensions can subscribe to: what it says, what a handler may answer, and what becomes of the answers.
//!
//! Handlers are called in the order in which their extensions were loaded, inside an extension in the order of
//! subscription, one after the other; what caused the event waits for all of them (`thinking_level_select` excepted).
//! A handler that fails is reported and the next one is called. The exception is `tool_call`: it fails closed, the call
//! is then blocked.
//!
//! | Event | Answer | Several answers |
//! |---|---|---|
//! | [`ProjectTrustEvent`] | [`TrustOutcome`] | the first yes or no counts |
//! | [`ResourcesDiscoverEvent`] | [`ResourcesOutcome`] | all are taken |
//! | [`SessionBeforeSwitchEvent`] | [`CancelOutcome`] | the first that cancels ends it |
//! | [`SessionBeforeForkEvent`] | [`ForkOutcome`] | the first that cancels ends it; else the last one counts |
//! | [`SessionBeforeCompactEvent`] | [`BeforeCompactOutcome`] | the first that cancels ends it, else the last one counts |
//! | [`SessionBeforeTreeEvent`] | [`BeforeTreeOutcome`] | the same |
//! | [`InputEvent`] | [`InputOutcome`] | each sees what the one before made; `Handled` ends it |
//! | [`BeforeAgentStartEvent`] | [`BeforeAgentStartOutcome`] | all messages are taken; each sees the prompt of the one before |
//! | [`ContextEvent`], [`BeforeProviderHeadersEvent`], [`BeforeProviderRequestEvent`], [`MessageEndEvent`], [`ToolResultEvent`] | changes | each sees what the one before made |
//! | [`ToolCallEvent`] | [`ToolCallOutcome`] | the first that blocks ends it; each sees the arguments of the one before |
//! | [`UserBashEvent`] | [`UserBashOutcome`] | the first answer counts |
//! | all others | none | |

mod agent;
mod provider;
mod session;
mod startup;
mod tool;

use crate::extension::context::ExtensionContext;
pub use crate::resources::prompt::SystemPromptOptions;

pub use agent::{
    AgentEndEvent, AgentSettledEvent, AgentStartEvent, BeforeAgentStartEvent, BeforeAgentStartOutcome, ContextEvent,
    ContextOutcome, InputEvent, InputOutcome, InputSource, MessageEndEvent, MessageEndOutcome, MessageStartEvent,
    MessageUpdateEvent, TurnEndEvent, TurnStartEvent,
};
pub use provider::{
    AfterProviderResponseEvent, BeforeProviderHeadersEvent, BeforeProviderRequestEvent, HeadersOutcome,
    ModelSelectEvent, ModelSelectSource, PayloadOutcome, ThinkingLevelSelectEvent,
};
pub use session::{
    BeforeCompactOutcome, BeforeTreeOutcome, CancelOutcome, ForkOutcome, SessionBeforeCompactEvent,
    SessionBeforeForkEvent, SessionBeforeSwitchEvent, SessionBeforeTreeEvent, SessionCompactEvent,
    SessionCompactFailedEvent, SessionShutdownEvent, SessionStartEvent, SessionTreeEvent, ShutdownReason, StartReason,
    SuppliedSummary, SwitchReason, TreePreparation,
};
pub use startup::{
    DiscoverReason, ProjectTrustEvent, ResourcesDiscoverEvent, ResourcesOutcome, TrustAnswer, TrustOutcome,
};
pub use tool::{
    ToolCallEvent, ToolCallOutcome, ToolExecutionEndEvent, ToolExecutionStartEvent, ToolExecutionUpdateEvent,
    ToolResultEvent, ToolResultOutcome, UserBashEvent, UserBashOutcome,
};

/// Something that handlers can be subscribed to. Cloning is cheap: every handler gets its own copy.
pub trait Event: Clone + Send + Sync + 'static {
    /// The name, as in reports.
    const NAME: &'static str;
    /// What a handler answers; its default changes nothing.
    type Outcome: Default + Send + 'static;
    /// What a handler is given besides the event.
    type Context: Clone + Send + Sync + 'static;
}

/// Declares the events that the handlers of a session hear of.
macro_rules! events {
    ($($event:ident = $name:literal => $outcome:ty),* $(,)?) => {
        /// The names of all events that the handlers of a session hear of: all but `project_trust`, which comes before
        /// there is one.
        pub const NAMES: &[&str] = &[$($name),*];
        $(
        impl Event for $event {
            const NAME: &'static str = $name;
            type Outcome = $outcome;
            type Context = ExtensionContext;
        }
        )*
    };
}

events! {
    ResourcesDiscoverEvent = "resources_discover" => ResourcesOutcome,
    SessionStartEvent = "session_start" => (),
    SessionBeforeSwitchEvent = "session_before_switch" => CancelOutcome,
    SessionBeforeForkEvent = "session_before_fork" => ForkOutcome,
    SessionShutdownEvent = "session_shutdown" => (),
    SessionBeforeCompactEvent = "session_before_compact" => BeforeCompactOutcome,
    SessionCompactEvent = "session_compact" => (),
    SessionCompactFailedEvent = "session_compact_failed" => (),
    SessionBeforeTreeEvent = "session_before_tree" => BeforeTreeOutcome,
    SessionTreeEvent = "session_tree" => (),
    InputEvent = "input" => InputOutcome,
    BeforeAgentStartEvent = "before_agent_start" => BeforeAgentStartOutcome,
    AgentStartEvent = "agent_start" => (),
    AgentEndEvent = "agent_end" => (),
    AgentSettledEvent = "agent_settled" => (),
    TurnStartEvent = "turn_start" => (),
    TurnEndEvent = "turn_end" => (),
    ContextEvent = "context" => ContextOutcome,
    BeforeProviderHeadersEvent = "before_provider_headers" => HeadersOutcome,
    BeforeProviderRequestEvent = "before_provider_request" => PayloadOutcome,
    AfterProviderResponseEvent = "after_provider_response" => (),
    MessageStartEvent = "message_start" => (),
    MessageUpdateEvent = "message_update" => (),
    MessageEndEvent = "message_end" => MessageEndOutcome,
    ModelSelectEvent = "model_select" => (),
    ThinkingLevelSelectEvent = "thinking_level_select" => (),
    ToolExecutionStartEvent = "tool_execution_start" => (),
    ToolCallEvent = "tool_call" => ToolCallOutcome,
    ToolExecutionUpdateEvent = "tool_execution_update" => (),
    ToolResultEvent = "tool_result" => ToolResultOutcome,
    ToolExecutionEndEvent = "tool_execution_end" => (),
    UserBashEvent = "user_bash" => UserBashOutcome,
}
