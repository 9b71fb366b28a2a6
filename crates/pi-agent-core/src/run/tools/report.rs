//! What the world hears of a tool call: its events and its result message.

use std::sync::Arc;

use pi_ai::{Extra, Message, ToolResultMessage};

use super::{Call, Results, Run, Settled};
use crate::error::RunFailure;
use crate::event::AgentEvent;
use crate::run::Emission;
use crate::tool::ToolOutput;

impl Run<'_> {
    pub(super) fn announce(&self, call: &Call) -> Emission<'_> {
        let Call { id, name, args } = call.clone();
        self.emit(AgentEvent::ToolExecutionStart { tool_call_id: id, tool_name: name, args })
    }

    pub(super) fn report_progress(&self, call: &Call, output: ToolOutput) -> Emission<'_> {
        let Call { id, name, args } = call.clone();
        let partial_result = Arc::new(output);
        self.emit(AgentEvent::ToolExecutionUpdate { tool_call_id: id, tool_name: name, args, partial_result })
    }

    pub(super) fn report(&self, call: &Call, settled: &Settled) -> Emission<'_> {
        self.emit(AgentEvent::ToolExecutionEnd {
            tool_call_id: call.id.clone(),
            tool_name: call.name.clone(),
            result: Arc::clone(&settled.output),
            is_error: settled.is_error,
        })
    }

    pub(super) async fn add_result(
        &mut self,
        call: &Call,
        settled: &Settled,
        results: &mut Results,
    ) -> Result<(), RunFailure> {
        let message = Arc::new(Message::from(ToolResultMessage {
            tool_call_id: call.id.clone(),
            tool_name: call.name.clone(),
            content: settled.output.content.clone(),
            details: settled.output.details.clone(),
            is_error: settled.is_error,
            timestamp: self.config.clock.now_ms(),
            extra: Extra::new(),
        }));
        results.all_terminate &= settled.output.terminate;
        let message = self.add(message).await?;
        results.messages.push(message);
        Ok(())
    }
}
