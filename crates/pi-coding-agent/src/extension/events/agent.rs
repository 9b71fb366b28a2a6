//! Prompts and runs: what the user says, what the agent does.

use std::sync::Arc;

use pi_ai::{AssistantMessageEvent, ContentBlock, Message};
use serde::Serialize;

use crate::events::StreamingBehavior;
use crate::resources::prompt::SystemPromptOptions;
use crate::session::CustomMessageContent;
use crate::wire::views::shapes;

/// The user said something; commands were told apart already, skills and templates are expanded afterwards.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InputEvent {
    /// The text.
    pub text: String,
    /// Images that go with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<ContentBlock>,
    /// Where it came from.
    pub source: InputSource,
    /// Where it goes, while a run is in progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streaming_behavior: Option<StreamingBehavior>,
}

/// Where a prompt came from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InputSource {
    /// A user, or the command line.
    #[default]
    Interactive,
    /// A client of the protocol.
    Rpc,
    /// An extension.
    Extension,
}

/// What becomes of what the user said.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum InputOutcome {
    /// It is sent.
    #[default]
    Continue,
    /// Something else is sent.
    Transform {
        /// The text.
        text: String,
        /// The images; `None` keeps them.
        images: Option<Vec<ContentBlock>>,
    },
    /// Nothing is sent: the extension has dealt with it.
    Handled,
}

/// A run is about to begin.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BeforeAgentStartEvent {
    /// What is sent, expanded.
    pub prompt: String,
    /// Images that go with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<ContentBlock>,
    /// The system prompt of the run, as far as it is known.
    pub system_prompt: Arc<str>,
    /// What the usual one is made of.
    #[serde(serialize_with = "shapes::system_prompt_options")]
    pub system_prompt_options: Arc<SystemPromptOptions>,
}

/// What a run begins with. What is absent stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BeforeAgentStartOutcome {
    /// A message that follows the user's.
    pub message: Option<CustomMessageContent>,
    /// The system prompt of this run; an empty one counts as absent.
    pub system_prompt: Option<String>,
}

/// A run begins. One prompt may cause several: retries, and what follows a compaction.
#[derive(Debug, Clone, Copy)]
pub struct AgentStartEvent;

/// A run is over. It is not decided yet whether there is another one.
#[derive(Debug, Clone)]
pub struct AgentEndEvent {
    /// What the run added.
    pub messages: Vec<Arc<Message>>,
}

/// A prompt is done, with all the runs that followed from it: nothing follows by itself any more.
#[derive(Debug, Clone, Copy)]
pub struct AgentSettledEvent {
    /// Whether the last answer was aborted.
    pub aborted: bool,
}

/// A model call is about to begin.
#[derive(Debug, Clone, Copy)]
pub struct TurnStartEvent {
    /// From 0 in each run.
    pub turn_index: usize,
    /// Unix time in milliseconds.
    pub timestamp: i64,
}

/// A model call and its tool calls are complete.
#[derive(Debug, Clone)]
pub struct TurnEndEvent {
    /// From 0 in each run.
    pub turn_index: usize,
    /// The answer.
    pub message: Arc<Message>,
    /// Results in the order of the calls.
    pub tool_results: Vec<Arc<Message>>,
}

/// A model call gets its messages. The session keeps its own.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextEvent {
    /// What the model would see, in the roles of the session.
    pub messages: Vec<Arc<Message>>,
}

/// What the model shall see instead.
#[derive(Debug, Clone, Default)]
pub struct ContextOutcome {
    /// All of it; `None` keeps it.
    pub messages: Option<Vec<Arc<Message>>>,
}

/// A message begins.
#[derive(Debug, Clone)]
pub struct MessageStartEvent {
    /// The message; of an answer the first state.
    pub message: Arc<Message>,
}

/// An answer grew.
#[derive(Debug, Clone)]
pub struct MessageUpdateEvent {
    /// What arrived, with a handle to the message so far.
    pub event: AssistantMessageEvent,
}

/// A message is complete. It is not part of the conversation yet.
#[derive(Debug, Clone)]
pub struct MessageEndEvent {
    /// The message.
    pub message: Arc<Message>,
}

/// A message instead of the one that is complete.
#[derive(Debug, Clone, Default)]
pub struct MessageEndOutcome {
    /// It must have the same role; `None` keeps the message.
    pub message: Option<Arc<Message>>,
}
