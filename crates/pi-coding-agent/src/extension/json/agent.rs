//! Events of the agent as handlers are told: in the form that they have in lines, too, which is `wire`'s.

use super::codec::ToJson;
use crate::events::HandlerError;
use crate::extension::events::{
    AgentEndEvent, AgentSettledEvent, AgentStartEvent, MessageEndEvent, MessageStartEvent, ToolExecutionEndEvent,
    ToolExecutionStartEvent, ToolExecutionUpdateEvent, TurnEndEvent, TurnStartEvent,
};
use crate::wire::AgentForm;

/// Says which form an event has.
macro_rules! forms {
    ($($event:ident $fields:tt => $form:ident $told:tt),* $(,)?) => {$(
        impl ToJson for $event {
            fn to_json(&self) -> Result<String, HandlerError> {
                let Self $fields = self;
                Ok(serde_json::to_string(&AgentForm::$form $told)?)
            }
        }
    )*};
}

forms! {
    AgentStartEvent {} => AgentStart {},
    AgentEndEvent { messages } => AgentEnd { messages, will_retry: None },
    AgentSettledEvent { aborted } => AgentSettled { aborted: *aborted },
    TurnStartEvent { turn_index, timestamp } => TurnStart { turn_index: Some(*turn_index), timestamp: Some(*timestamp) },
    TurnEndEvent { turn_index, message, tool_results } => TurnEnd { turn_index: Some(*turn_index), message, tool_results },
    MessageStartEvent { message } => MessageStart { message },
    MessageEndEvent { message } => MessageEnd { message },
    ToolExecutionStartEvent { tool_call_id, tool_name, parent_tool_call_id, args } => ToolExecutionStart {
        tool_call_id, tool_name, parent_tool_call_id: parent_tool_call_id.as_deref(), args
    },
    // The result so far is made late.
    ToolExecutionUpdateEvent { tool_call_id, tool_name, parent_tool_call_id, args, partial_result: _ } => ToolExecutionUpdate {
        tool_call_id, tool_name, parent_tool_call_id: parent_tool_call_id.as_deref(), args, partial_result: None
    },
    ToolExecutionEndEvent { tool_call_id, tool_name, parent_tool_call_id, result, is_error } => ToolExecutionEnd {
        tool_call_id, tool_name, parent_tool_call_id: parent_tool_call_id.as_deref(), result, is_error: *is_error
    },
}
