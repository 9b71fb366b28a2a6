//! One batch of tool calls: checked in source order (`prepare`), run one by one or concurrently (`execution`), reported
//! in source order. `nested` has the calls that calls make; `call`, `report` and `events` are what both kinds share.

mod call;
mod events;
mod execution;
mod nested;
mod prepare;
mod report;

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use pi_ai::{ContentBlock, Extra, Message, ToolCall, ToolResultMessage};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Run;
use crate::error::RunFailure;
use crate::tool::ToolExecutionMode;
use call::{Call, Scope, Settled};
use execution::{Execution, execution};
use report::{Report, Reported};

/// What a batch left behind.
pub(super) struct Batch {
    /// Tool-result messages in source order.
    pub(super) results: Vec<Arc<Message>>,
    /// Whether the model should see them: there were calls, and not all of them asked to stop.
    pub(super) calls_continue: bool,
}

/// The calls of an answer.
struct CallBatch {
    scope: Arc<Scope>,
    /// Shared with the answer.
    calls: Vec<Arc<ToolCall>>,
    /// Fires when the run is aborted, or when the batch is dropped before its end.
    cancel: CancellationToken,
    /// A child of it for each call.
    call_cancels: Vec<CancellationToken>,
}

/// Result messages so far, and whether each call asked to stop.
#[derive(Default)]
struct Results {
    messages: Vec<Arc<Message>>,
    all_terminate: bool,
}

impl Run<'_> {
    /// Runs the calls of a message, adding their results to the transcript.
    pub(super) async fn run_tools(&mut self, message: &Arc<Message>) -> Result<Batch, RunFailure> {
        let calls = calls_of(message);
        if calls.is_empty() {
            return Ok(Batch { results: Vec::new(), calls_continue: false });
        }
        let batch = self.call_batch(message, calls);
        // Tasks that a tool started watch its token; when a batch breaks off, nobody else tells them.
        let guard = batch.cancel.clone().drop_guard();
        let results =
            if self.is_sequential(&batch) { self.one_by_one(&batch).await? } else { self.together(&batch).await? };
        guard.disarm();
        Ok(Batch { results: results.messages, calls_continue: !results.all_terminate })
    }

    fn call_batch(&self, message: &Arc<Message>, calls: Vec<Arc<ToolCall>>) -> CallBatch {
        let cancel = self.config.cancel.child_token();
        // Children hear of an abort in the reverse order of their making; calls should end in source order.
        let mut call_cancels: Vec<_> = calls.iter().map(|_| cancel.child_token()).collect();
        call_cancels.reverse();
        CallBatch { scope: Arc::new(Scope::new(self, message)), calls, cancel, call_cancels }
    }

    fn is_sequential(&self, batch: &CallBatch) -> bool {
        self.config.tool_execution == ToolExecutionMode::Sequential
            || batch.calls.iter().any(|call| self.context.tools.is_sequential(&call.name))
    }

    /// Each call from its check to its result message. An abort leaves the calls behind the current one unanswered.
    async fn one_by_one(&mut self, batch: &CallBatch) -> Result<Results, RunFailure> {
        let mut results = Results { all_terminate: true, ..Results::default() };
        for (index, call) in batch.calls.iter().enumerate() {
            self.emit(events::start(call, None)).await?;
            let (sender, mut reports) = mpsc::unbounded_channel();
            let one = batch.call(index);
            let settled = match one.prepare().await {
                Err(refused) => refused,
                Ok(prepared) => {
                    let mut running = FuturesUnordered::from_iter([execution(one, index, prepared, sender)]);
                    let settled = self.next_settled(batch, &mut running, &mut reports, &|_| false).await?;
                    settled.map_or_else(|| Settled::error("Tool call was lost"), |(_, settled)| settled)
                }
            };
            self.emit(events::end(call, None, &settled)).await?;
            self.add_result(call, &settled, &mut results).await?;
            if self.config.cancel.is_cancelled() {
                break;
            }
        }
        Ok(results)
    }

    /// All checks, then all executions at once, then all result messages.
    async fn together(&mut self, batch: &CallBatch) -> Result<Results, RunFailure> {
        let (sender, mut reports) = mpsc::unbounded_channel();
        let mut settled: Vec<Option<Settled>> = Vec::with_capacity(batch.calls.len());
        let mut running = FuturesUnordered::new();
        for (index, call) in batch.calls.iter().enumerate() {
            self.emit(events::start(call, None)).await?;
            let one = batch.call(index);
            settled.push(match one.prepare().await {
                Ok(prepared) => {
                    running.push(execution(one, index, prepared, sender.clone()));
                    None
                }
                Err(refused) => {
                    self.emit(events::end(call, None, &refused)).await?;
                    Some(refused)
                }
            });
            if self.config.cancel.is_cancelled() {
                break;
            }
        }
        let is_over = |settled: &[Option<Settled>], index: usize| settled.get(index).is_some_and(Option::is_some);
        while let Some((index, result)) =
            self.next_settled(batch, &mut running, &mut reports, &|index| is_over(&settled, index)).await?
        {
            self.emit(events::end(&batch.calls[index], None, &result)).await?;
            settled[index] = Some(result);
        }
        let mut results = Results { all_terminate: true, ..Results::default() };
        // Calls that were never checked because of an abort are beyond the end of `settled`.
        for (call, settled) in batch.calls.iter().zip(settled) {
            if let Some(settled) = settled {
                self.add_result(call, &settled, &mut results).await?;
            }
        }
        Ok(results)
    }

    /// Waits for the next call to settle, telling meanwhile what all running calls say.
    async fn next_settled(
        &self,
        batch: &CallBatch,
        running: &mut FuturesUnordered<Execution>,
        reports: &mut mpsc::UnboundedReceiver<Report>,
        is_over: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Option<(usize, Settled)>, RunFailure> {
        loop {
            let settled = tokio::select! {
                biased;
                Some(report) = reports.recv() => {
                    if !is_over(report.index) {
                        self.tell(batch, report).await?;
                    }
                    continue;
                }
                settled = running.next() => settled,
            };
            // What was reported before the call settled still counts.
            while let Ok(report) = reports.try_recv() {
                if !is_over(report.index) {
                    self.tell(batch, report).await?;
                }
            }
            return Ok(settled);
        }
    }

    async fn tell(&self, batch: &CallBatch, report: Report) -> Result<(), RunFailure> {
        match report.what {
            Reported::Progress(output) => self.emit(events::update(&batch.calls[report.index], None, output)).await,
            Reported::Nested(event, waiting) => {
                self.emit(*event).await?;
                if let Some(waiting) = waiting {
                    // A call that was dropped waits no more.
                    let _ = waiting.send(());
                }
                Ok(())
            }
        }
    }

    async fn add_result(
        &mut self,
        call: &ToolCall,
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

impl CallBatch {
    fn call(&self, index: usize) -> Call {
        let (scope, call) = (Arc::clone(&self.scope), Arc::clone(&self.calls[index]));
        Call { scope, call, parent: None, cancel: self.call_cancels[index].clone() }
    }
}

fn calls_of(message: &Message) -> Vec<Arc<ToolCall>> {
    let blocks = message.as_assistant().into_iter().flat_map(|answer| &answer.content);
    let calls = blocks.filter_map(|block| match block {
        ContentBlock::ToolCall(call) => Some(Arc::clone(call)),
        _ => None,
    });
    calls.collect()
}
