//! The hooks between two turns.

use std::sync::Arc;

use pi_ai::Message;

use super::Run;
use super::tools::Batch;
use crate::error::RunFailure;
use crate::guard::{shielded, unless_cancelled, unless_overdue};
use crate::hooks::{FinishedTurn, NextTurn};

impl Run<'_> {
    /// Calls the hooks; true when they end the run.
    ///
    /// After an abort, `prepare_next_turn` has as long as a tool has, so that what it began is ended in order; a pending
    /// `should_stop_after_turn` is dropped at once. The run goes on as without them: where something is left to do, it
    /// then ends in an aborted message.
    pub(super) async fn after_turn(&mut self, message: &Arc<Message>, batch: &Batch) -> Result<bool, RunFailure> {
        let cancel = self.config.cancel.clone();
        if let Some(hook) = self.config.hooks.prepare_next_turn.clone() {
            let turn = self.finished_turn(message, batch);
            let work = shielded("The hook prepare_next_turn", || hook(turn));
            let next = unless_overdue(&cancel, self.config.abort_grace, work).await;
            self.apply(next.transpose()?.unwrap_or_default());
        }
        let Some(hook) = self.config.hooks.should_stop_after_turn.clone() else { return Ok(false) };
        let turn = self.finished_turn(message, batch);
        let stop = unless_cancelled(&cancel, shielded("The hook should_stop_after_turn", || hook(turn))).await;
        Ok(stop.transpose()?.unwrap_or(false))
    }

    fn finished_turn(&self, message: &Arc<Message>, batch: &Batch) -> FinishedTurn {
        FinishedTurn {
            message: Arc::clone(message),
            tool_results: batch.results.clone(),
            calls_continue: batch.calls_continue,
            context: self.context.clone(),
            new_messages: self.added.clone(),
            cancel: self.config.cancel.clone(),
        }
    }

    fn apply(&mut self, next: NextTurn) {
        let (config, context) = (&mut self.config, &mut self.context);
        config.thinking_level = next.thinking_level.unwrap_or(config.thinking_level);
        replace(&mut config.model, next.model);
        replace(&mut context.system_prompt, next.system_prompt);
        replace(&mut context.messages, next.messages);
        replace(&mut context.tools, next.tools);
    }
}

fn replace<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}
