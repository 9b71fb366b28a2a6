//! Events of a run, in the order in which listeners see them.

use std::sync::Arc;

use pi_ai::{AssistantMessageEvent, Message};

use crate::tool::ToolOutput;
use crate::tool_arguments::ToolArguments;

/// One step of a run. Cloning is cheap: messages and arguments are shared.
#[derive(Debug, Clone)]
pub enum AgentEvent {
    /// The run started.
    AgentStart,
    /// The run is over; always the last event.
    AgentEnd {
        /// Messages that this run added, prompts included.
        messages: Vec<Arc<Message>>,
    },
    /// A model call is about to start.
    TurnStart,
    /// A model call and its tool calls are complete.
    TurnEnd {
        /// The assistant message.
        message: Arc<Message>,
        /// Results in the order of the calls.
        tool_results: Vec<Arc<Message>>,
    },
    /// A message begins: for an assistant message its first state, for all others the whole.
    MessageStart {
        /// The message.
        message: Arc<Message>,
    },
    /// The assistant message grew. Never `start`, `done` or `error`.
    MessageUpdate {
        /// What arrived, with a handle to the message so far.
        event: AssistantMessageEvent,
    },
    /// A message is complete and part of the transcript.
    MessageEnd {
        /// The message.
        message: Arc<Message>,
    },
    /// A tool call is about to be checked and run.
    ToolExecutionStart {
        /// Id of the call.
        tool_call_id: String,
        /// Name of the tool.
        tool_name: String,
        /// The call that made this one; `None` for calls of the model.
        parent_tool_call_id: Option<String>,
        /// Arguments as the model produced them.
        args: ToolArguments,
    },
    /// A running call reported progress.
    ToolExecutionUpdate {
        /// Id of the call.
        tool_call_id: String,
        /// Name of the tool.
        tool_name: String,
        /// The call that made this one; `None` for calls of the model.
        parent_tool_call_id: Option<String>,
        /// Arguments as the model produced them.
        args: ToolArguments,
        /// The result so far, cumulative.
        partial_result: Arc<ToolOutput>,
    },
    /// A call is settled.
    ToolExecutionEnd {
        /// Id of the call.
        tool_call_id: String,
        /// Name of the tool.
        tool_name: String,
        /// The call that made this one; `None` for calls of the model.
        parent_tool_call_id: Option<String>,
        /// Its result.
        result: Arc<ToolOutput>,
        /// Whether it failed.
        is_error: bool,
    },
}
