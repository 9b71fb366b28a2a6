//! Tells extensions what the agent does, before other listeners hear of it.

use std::sync::atomic::Ordering;

use pi_agent_core::AgentEvent;
use tokio_util::sync::CancellationToken;

use crate::agent_session::Inner;
use crate::extension::ExtensionRunner;
use crate::extension::events::{
    AgentEndEvent, AgentStartEvent, MessageStartEvent, MessageUpdateEvent, ToolExecutionEndEvent,
    ToolExecutionStartEvent, ToolExecutionUpdateEvent, TurnEndEvent, TurnStartEvent,
};

/// Tells the extensions of an event of the agent. `message_end` is not among them: extensions may change the message, so
/// they hear of it earlier (`hooks.rs`).
pub(in crate::agent_session) async fn emit(session: &Inner, event: &AgentEvent) {
    // Sessions that have none pay one look at a list.
    if session.extensions.is_none() {
        return;
    }
    let runner = session.extensions.runner();
    let cancel = session.run.agent().cancellation();
    let cancel = cancel.as_ref();
    let turn = &session.extensions.turn_index;
    match event {
        AgentEvent::AgentStart => {
            turn.store(0, Ordering::Relaxed);
            runner.notify(AgentStartEvent, cancel).await;
        }
        AgentEvent::AgentEnd { messages } => {
            runner.notify(AgentEndEvent { messages: messages.clone() }, cancel).await;
        }
        AgentEvent::TurnStart => {
            let timestamp = session.store.now_ms();
            runner.notify(TurnStartEvent { turn_index: turn.load(Ordering::Relaxed), timestamp }, cancel).await;
        }
        AgentEvent::TurnEnd { message, tool_results } => {
            let turn_index = turn.fetch_add(1, Ordering::Relaxed);
            let (message, tool_results) = (message.clone(), tool_results.clone());
            runner.notify(TurnEndEvent { turn_index, message, tool_results }, cancel).await;
        }
        AgentEvent::MessageStart { message } => {
            runner.notify(MessageStartEvent { message: message.clone() }, cancel).await;
        }
        AgentEvent::MessageUpdate { event } if runner.listens::<MessageUpdateEvent>() => {
            runner.notify(MessageUpdateEvent { event: event.clone() }, cancel).await;
        }
        AgentEvent::MessageUpdate { .. } | AgentEvent::MessageEnd { .. } => {}
        AgentEvent::ToolExecutionStart { .. }
        | AgentEvent::ToolExecutionUpdate { .. }
        | AgentEvent::ToolExecutionEnd { .. } => of_call(&runner, event, cancel).await,
    }
    session.extensions.placings.settled(cancel, runner.runtime().dialogs()).await;
}

/// Tells them of a tool call.
async fn of_call(runner: &ExtensionRunner, event: &AgentEvent, cancel: Option<&CancellationToken>) {
    match event {
        AgentEvent::ToolExecutionStart { tool_call_id, tool_name, parent_tool_call_id, args } => {
            let event = ToolExecutionStartEvent {
                tool_call_id: tool_call_id.clone(),
                tool_name: tool_name.clone(),
                parent_tool_call_id: parent_tool_call_id.clone(),
                args: args.clone(),
            };
            runner.notify(event, cancel).await;
        }
        AgentEvent::ToolExecutionUpdate { tool_call_id, tool_name, parent_tool_call_id, args, partial_result } => {
            let event = ToolExecutionUpdateEvent {
                tool_call_id: tool_call_id.clone(),
                tool_name: tool_name.clone(),
                parent_tool_call_id: parent_tool_call_id.clone(),
                args: args.clone(),
                partial_result: partial_result.clone(),
            };
            runner.notify(event, cancel).await;
        }
        AgentEvent::ToolExecutionEnd { tool_call_id, tool_name, parent_tool_call_id, result, is_error } => {
            let event = ToolExecutionEndEvent {
                tool_call_id: tool_call_id.clone(),
                tool_name: tool_name.clone(),
                parent_tool_call_id: parent_tool_call_id.clone(),
                result: result.clone(),
                is_error: *is_error,
            };
            runner.notify(event, cancel).await;
        }
        _ => {}
    }
}
