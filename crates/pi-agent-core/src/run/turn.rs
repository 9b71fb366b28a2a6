//! One turn: an answer of the model, the tool calls in it, and the hooks behind them.

use super::Run;
use crate::error::RunFailure;
use crate::event::AgentEvent;

/// How a turn ended.
pub(super) enum Outcome {
    /// With it the run is over.
    Over,
    /// The run may go on.
    Done {
        /// Whether tool results wait for the model.
        calls_continue: bool,
    },
}

impl Run<'_> {
    /// Runs a turn.
    pub(super) async fn turn(&mut self) -> Result<Outcome, RunFailure> {
        let message = self.answer().await?;
        if message.as_assistant().is_none_or(|assistant| assistant.stop_reason.is_failure()) {
            self.emit(AgentEvent::TurnEnd { message, tool_results: Vec::new() }).await?;
            return Ok(Outcome::Over);
        }
        let batch = self.run_tools(&message).await?;
        let message = self.remember_corrections(message);
        let (turn_message, tool_results) = (message.clone(), batch.results.clone());
        self.emit(AgentEvent::TurnEnd { message: turn_message, tool_results }).await?;
        let stop = self.after_turn(&message, &batch).await?;
        Ok(if stop { Outcome::Over } else { Outcome::Done { calls_continue: batch.calls_continue } })
    }
}
