//! One batch of tool calls: checked in source order (`prepare`), run one by one or concurrently (`execution`), reported
//! in source order.

mod execution;
mod prepare;

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use pi_ai::{ContentBlock, Extra, Message, ToolCall, ToolResultMessage};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Emission, Run};
use crate::context::AgentContext;
use crate::error::RunFailure;
use crate::event::AgentEvent;
use crate::tool::{ToolExecutionMode, ToolOutput};
use crate::tool_arguments::ToolArguments;
use execution::{Execution, Settled};

/// What a batch left behind.
pub(super) struct Batch {
    /// Tool-result messages in source order.
    pub(super) results: Vec<Arc<Message>>,
    /// Whether the model should see them: there were calls, and not all of them asked to stop.
    pub(super) calls_continue: bool,
}

/// What the calls of a batch have in common.
struct Shared {
    /// The assistant message.
    message: Arc<Message>,
    /// Its calls, shared with it.
    calls: Vec<Arc<ToolCall>>,
    /// What hooks are shown; absent where there are none.
    context: Option<Arc<AgentContext>>,
    /// Fires when the run is aborted, or when the batch is dropped before its end.
    cancel: CancellationToken,
    /// A child of it for each call.
    call_cancels: Vec<CancellationToken>,
}

/// Progress of a call, by its index.
type Progress = mpsc::UnboundedReceiver<(usize, ToolOutput)>;

/// Result messages so far, and whether each call asked to stop.
#[derive(Default)]
struct Results {
    messages: Vec<Arc<Message>>,
    all_terminate: bool,
}

impl Run<'_> {
    /// Runs the calls of a message, adding their results to the transcript.
    pub(super) async fn run_tools(&mut self, message: &Arc<Message>) -> Result<Batch, RunFailure> {
        let batch = self.shared(message);
        if batch.calls.is_empty() {
            return Ok(Batch { results: Vec::new(), calls_continue: false });
        }
        // Tasks that a tool started watch its token; when a batch breaks off, nobody else tells them.
        let guard = batch.cancel.clone().drop_guard();
        let results =
            if self.is_sequential(&batch) { self.one_by_one(&batch).await? } else { self.together(&batch).await? };
        guard.disarm();
        Ok(Batch { results: results.messages, calls_continue: !results.all_terminate })
    }

    fn shared(&self, message: &Arc<Message>) -> Shared {
        let hooks = &self.config.hooks;
        let has_hooks = hooks.before_tool_call.is_some() || hooks.after_tool_call.is_some();
        let calls = calls_of(message);
        let cancel = self.config.cancel.child_token();
        // Children hear of an abort in the reverse order of their making; calls should end in source order.
        let mut call_cancels: Vec<_> = calls.iter().map(|_| cancel.child_token()).collect();
        call_cancels.reverse();
        Shared {
            message: Arc::clone(message),
            context: (has_hooks && !calls.is_empty()).then(|| Arc::new(self.context.clone())),
            calls,
            cancel,
            call_cancels,
        }
    }

    fn is_sequential(&self, batch: &Shared) -> bool {
        self.config.tool_execution == ToolExecutionMode::Sequential
            || batch.calls.iter().any(|call| self.context.tools.is_sequential(&call.name))
    }

    /// Each call from its check to its result message. An abort leaves the calls behind the current one unanswered.
    async fn one_by_one(&mut self, batch: &Shared) -> Result<Results, RunFailure> {
        let mut results = Results { all_terminate: true, ..Results::default() };
        for (index, call) in batch.calls.iter().enumerate() {
            self.announce(call).await?;
            let (sender, mut progress) = mpsc::unbounded_channel();
            let settled = match self.prepare(batch, index).await {
                Err(refused) => refused,
                Ok(prepared) => {
                    let mut running = FuturesUnordered::from_iter([self.execution(batch, index, prepared, sender)]);
                    let settled = self.next_settled(batch, &mut running, &mut progress, &|_| false).await?;
                    settled.map_or_else(|| Settled::error("Tool call was lost"), |(_, settled)| settled)
                }
            };
            self.report(call, &settled).await?;
            self.add_result(call, &settled, &mut results).await?;
            if self.config.cancel.is_cancelled() {
                break;
            }
        }
        Ok(results)
    }

    /// All checks, then all executions at once, then all result messages.
    async fn together(&mut self, batch: &Shared) -> Result<Results, RunFailure> {
        let (sender, mut progress) = mpsc::unbounded_channel();
        let mut settled: Vec<Option<Settled>> = Vec::with_capacity(batch.calls.len());
        let mut running = FuturesUnordered::new();
        for (index, call) in batch.calls.iter().enumerate() {
            self.announce(call).await?;
            settled.push(match self.prepare(batch, index).await {
                Ok(prepared) => {
                    running.push(self.execution(batch, index, prepared, sender.clone()));
                    None
                }
                Err(refused) => {
                    self.report(call, &refused).await?;
                    Some(refused)
                }
            });
            if self.config.cancel.is_cancelled() {
                break;
            }
        }
        let is_over = |settled: &[Option<Settled>], index: usize| settled.get(index).is_some_and(Option::is_some);
        while let Some((index, result)) =
            self.next_settled(batch, &mut running, &mut progress, &|index| is_over(&settled, index)).await?
        {
            self.report(&batch.calls[index], &result).await?;
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

    /// Waits for the next call to settle, emitting progress of all running calls meanwhile.
    async fn next_settled(
        &self,
        batch: &Shared,
        running: &mut FuturesUnordered<Execution>,
        progress: &mut Progress,
        is_over: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Option<(usize, Settled)>, RunFailure> {
        loop {
            let settled = tokio::select! {
                biased;
                Some((index, output)) = progress.recv() => {
                    if !is_over(index) {
                        self.report_progress(&batch.calls[index], output).await?;
                    }
                    continue;
                }
                settled = running.next() => settled,
            };
            // What was reported before the call settled still counts.
            while let Ok((index, output)) = progress.try_recv() {
                if !is_over(index) {
                    self.report_progress(&batch.calls[index], output).await?;
                }
            }
            return Ok(settled);
        }
    }
}

/// What listeners are told of a call: its events and its result message.
impl Run<'_> {
    fn announce(&self, call: &Arc<ToolCall>) -> Emission<'_> {
        let (tool_call_id, tool_name) = (call.id.clone(), call.name.clone());
        self.emit(AgentEvent::ToolExecutionStart { tool_call_id, tool_name, args: ToolArguments::of(call) })
    }

    fn report_progress(&self, call: &Arc<ToolCall>, output: ToolOutput) -> Emission<'_> {
        let (tool_call_id, tool_name, args) = (call.id.clone(), call.name.clone(), ToolArguments::of(call));
        let partial_result = Arc::new(output);
        self.emit(AgentEvent::ToolExecutionUpdate { tool_call_id, tool_name, args, partial_result })
    }

    fn report(&self, call: &ToolCall, settled: &Settled) -> Emission<'_> {
        self.emit(AgentEvent::ToolExecutionEnd {
            tool_call_id: call.id.clone(),
            tool_name: call.name.clone(),
            result: Arc::clone(&settled.output),
            is_error: settled.is_error,
        })
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

fn calls_of(message: &Message) -> Vec<Arc<ToolCall>> {
    let blocks = message.as_assistant().into_iter().flat_map(|answer| &answer.content);
    let calls = blocks.filter_map(|block| match block {
        ContentBlock::ToolCall(call) => Some(Arc::clone(call)),
        _ => None,
    });
    calls.collect()
}
