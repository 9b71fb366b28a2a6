//! What listeners are told of a call.

use std::sync::Arc;

use pi_ai::ToolCall;

use super::call::Settled;
use crate::event::AgentEvent;
use crate::tool::ToolOutput;
use crate::tool_arguments::ToolArguments;

pub(super) fn start(call: &Arc<ToolCall>, parent: Option<&String>) -> AgentEvent {
    AgentEvent::ToolExecutionStart {
        tool_call_id: call.id.clone(),
        tool_name: call.name.clone(),
        parent_tool_call_id: parent.cloned(),
        args: ToolArguments::of(call),
    }
}

pub(super) fn update(call: &Arc<ToolCall>, parent: Option<&String>, output: ToolOutput) -> AgentEvent {
    AgentEvent::ToolExecutionUpdate {
        tool_call_id: call.id.clone(),
        tool_name: call.name.clone(),
        parent_tool_call_id: parent.cloned(),
        args: ToolArguments::of(call),
        partial_result: Arc::new(output),
    }
}

pub(super) fn end(call: &ToolCall, parent: Option<&String>, settled: &Settled) -> AgentEvent {
    AgentEvent::ToolExecutionEnd {
        tool_call_id: call.id.clone(),
        tool_name: call.name.clone(),
        parent_tool_call_id: parent.cloned(),
        result: Arc::clone(&settled.output),
        is_error: settled.is_error,
    }
}
