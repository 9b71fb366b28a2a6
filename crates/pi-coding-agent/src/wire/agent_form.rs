//! The JSON form of what an agent does: one declaration for lines (JSON mode, RPC) and for handlers in scripts. What only
//! one of them is told is absent for the other. `message_update` is written piece by piece, in `event_json`.

use std::sync::Arc;

use pi_agent_core::{AgentEvent, ToolOutput};
use pi_ai::Message;
use serde::Serialize;
use serde_json::Value;

/// An event of an agent.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(crate) enum AgentForm<'a> {
    AgentStart,
    AgentEnd {
        messages: &'a [Arc<Message>],
        /// Of lines.
        #[serde(skip_serializing_if = "Option::is_none")]
        will_retry: Option<bool>,
    },
    AgentSettled {
        aborted: bool,
    },
    TurnStart {
        /// Of scripts.
        #[serde(skip_serializing_if = "Option::is_none")]
        turn_index: Option<usize>,
        /// Of scripts.
        #[serde(skip_serializing_if = "Option::is_none")]
        timestamp: Option<i64>,
    },
    TurnEnd {
        /// Of scripts.
        #[serde(skip_serializing_if = "Option::is_none")]
        turn_index: Option<usize>,
        message: &'a Message,
        tool_results: &'a [Arc<Message>],
    },
    MessageStart {
        message: &'a Message,
    },
    MessageEnd {
        message: &'a Message,
    },
    ToolExecutionStart {
        tool_call_id: &'a str,
        tool_name: &'a str,
        /// Of calls that another call makes.
        #[serde(skip_serializing_if = "Option::is_none")]
        parent_tool_call_id: Option<&'a str>,
        args: &'a Value,
    },
    ToolExecutionUpdate {
        tool_call_id: &'a str,
        tool_name: &'a str,
        /// Of calls that another call makes.
        #[serde(skip_serializing_if = "Option::is_none")]
        parent_tool_call_id: Option<&'a str>,
        args: &'a Value,
        /// Of lines; scripts are told when they ask.
        #[serde(skip_serializing_if = "Option::is_none")]
        partial_result: Option<&'a ToolOutput>,
    },
    ToolExecutionEnd {
        tool_call_id: &'a str,
        tool_name: &'a str,
        /// Of calls that another call makes.
        #[serde(skip_serializing_if = "Option::is_none")]
        parent_tool_call_id: Option<&'a str>,
        result: &'a ToolOutput,
        is_error: bool,
    },
}

impl<'a> AgentForm<'a> {
    /// The form of a line. `None` for an update, which has none.
    pub(super) fn of_line(event: &'a AgentEvent) -> Option<Self> {
        Some(match event {
            AgentEvent::AgentStart => Self::AgentStart,
            AgentEvent::AgentEnd { messages } => Self::AgentEnd { messages, will_retry: Some(false) },
            AgentEvent::TurnStart => Self::TurnStart { turn_index: None, timestamp: None },
            AgentEvent::TurnEnd { message, tool_results } => Self::TurnEnd { turn_index: None, message, tool_results },
            AgentEvent::MessageStart { message } => Self::MessageStart { message },
            AgentEvent::MessageUpdate { .. } => return None,
            AgentEvent::MessageEnd { message } => Self::MessageEnd { message },
            AgentEvent::ToolExecutionStart { tool_call_id, tool_name, parent_tool_call_id, args } => {
                let parent_tool_call_id = parent_tool_call_id.as_deref();
                Self::ToolExecutionStart { tool_call_id, tool_name, parent_tool_call_id, args }
            }
            AgentEvent::ToolExecutionUpdate { tool_call_id, tool_name, parent_tool_call_id, args, partial_result } => {
                let (parent_tool_call_id, partial_result) = (parent_tool_call_id.as_deref(), Some(&**partial_result));
                Self::ToolExecutionUpdate { tool_call_id, tool_name, parent_tool_call_id, args, partial_result }
            }
            AgentEvent::ToolExecutionEnd { tool_call_id, tool_name, parent_tool_call_id, result, is_error } => {
                let (parent_tool_call_id, is_error) = (parent_tool_call_id.as_deref(), *is_error);
                Self::ToolExecutionEnd { tool_call_id, tool_name, parent_tool_call_id, result, is_error }
            }
        })
    }
}
