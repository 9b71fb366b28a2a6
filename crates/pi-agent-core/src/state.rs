//! What an agent knows: settings for the next run, the transcript, and how far the current run is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pi_ai::{AssistantMessageEvent, Message, Model, Partial, ThinkingLevel};

use crate::event::AgentEvent;
use crate::tool::ToolOutput;
use crate::tool_set::ToolSet;

/// A snapshot of an agent. Cloning copies references, not messages.
#[derive(Debug, Clone)]
pub struct AgentState {
    /// Instructions for the model; empty means none.
    pub system_prompt: Arc<str>,
    /// The model that answers.
    pub model: Arc<Model>,
    /// How much it should think.
    pub thinking_level: ThinkingLevel,
    /// The tools that it may call.
    pub tools: ToolSet,
    /// The transcript, oldest first.
    pub messages: Vec<Arc<Message>>,
    /// Whether a run is in progress; true until the last listener of its `agent_end` returned.
    pub is_streaming: bool,
    /// The message that is being received or delivered.
    pub streaming_message: Option<StreamingMessage>,
    /// Ids of tool calls that are running.
    pub pending_tool_calls: BTreeSet<String>,
    /// What calls that are running have told so far, by their ids: the newest partial result of each.
    pub partial_results: BTreeMap<String, Arc<ToolOutput>>,
    /// Error text of the last failed message.
    pub error_message: Option<String>,
}

/// A message in progress.
#[derive(Debug, Clone)]
pub enum StreamingMessage {
    /// Announced, whole or in its first state.
    Whole(Arc<Message>),
    /// An assistant message that is still arriving.
    Partial(Partial),
}

impl Default for AgentState {
    fn default() -> Self {
        Self {
            system_prompt: Arc::from(""),
            model: Model::unknown(),
            thinking_level: ThinkingLevel::Off,
            tools: ToolSet::default(),
            messages: Vec::new(),
            is_streaming: false,
            streaming_message: None,
            pending_tool_calls: BTreeSet::new(),
            partial_results: BTreeMap::new(),
            error_message: None,
        }
    }
}

impl AgentState {
    pub(crate) fn begin_run(&mut self) {
        self.is_streaming = true;
        self.streaming_message = None;
        self.error_message = None;
    }

    pub(crate) fn end_run(&mut self) {
        self.is_streaming = false;
        self.streaming_message = None;
        self.pending_tool_calls.clear();
        self.partial_results.clear();
    }

    /// Takes in an event, before listeners see it.
    pub(crate) fn apply(&mut self, event: &AgentEvent) {
        match event {
            AgentEvent::MessageStart { message } => {
                self.streaming_message = Some(StreamingMessage::Whole(Arc::clone(message)));
            }
            AgentEvent::MessageUpdate { event } => {
                self.streaming_message = AssistantMessageEvent::partial(event).cloned().map(StreamingMessage::Partial);
            }
            AgentEvent::MessageEnd { message } => {
                self.streaming_message = None;
                self.messages.push(Arc::clone(message));
            }
            AgentEvent::ToolExecutionStart { tool_call_id, .. } => {
                self.pending_tool_calls.insert(tool_call_id.clone());
            }
            AgentEvent::ToolExecutionEnd { tool_call_id, .. } => {
                self.pending_tool_calls.remove(tool_call_id);
                self.partial_results.remove(tool_call_id);
            }
            AgentEvent::ToolExecutionUpdate { tool_call_id, partial_result, .. } => {
                // One that comes after the end tells nothing any more.
                if self.pending_tool_calls.contains(tool_call_id) {
                    self.partial_results.insert(tool_call_id.clone(), Arc::clone(partial_result));
                }
            }
            AgentEvent::TurnEnd { message, .. } => {
                self.take_corrections(message);
                if let Some(error) = message.as_assistant().and_then(|m| m.error_message.clone()) {
                    self.error_message = Some(error);
                }
            }
            AgentEvent::AgentEnd { .. } => self.streaming_message = None,
            AgentEvent::AgentStart | AgentEvent::TurnStart => {}
        }
    }

    /// Tools may have corrected the calls of the message since it was added.
    fn take_corrections(&mut self, message: &Arc<Message>) {
        let Some(known) = self.messages.iter_mut().rfind(|known| known.as_assistant().is_some()) else { return };
        if !Arc::ptr_eq(known, message) && is_same_answer(known, message) {
            *known = Arc::clone(message);
        }
    }
}

/// Whether two messages differ in the arguments of their calls at most.
fn is_same_answer(a: &Message, b: &Message) -> bool {
    let (Some(a), Some(b)) = (a.as_assistant(), b.as_assistant()) else { return false };
    let same_calls = a.tool_calls().map(|call| &call.id).eq(b.tool_calls().map(|call| &call.id));
    a.timestamp == b.timestamp && a.content.len() == b.content.len() && same_calls
}
