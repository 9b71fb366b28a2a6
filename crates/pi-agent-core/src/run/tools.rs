//! One batch of tool calls: checked in source order, run one by one or concurrently, reported in source order.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use pi_ai::{AssistantMessage, Extra, Message, ToolCall, ToolResultMessage};
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use super::Run;
use crate::error::RunFailure;
use crate::event::AgentEvent;
use crate::tool::{Tool, ToolError, ToolExecutionMode, ToolInvocation, ToolOutput, ToolUpdates};

/// What a batch left behind.
pub(super) struct Batch {
    /// Tool-result messages in source order.
    pub(super) results: Vec<Arc<Message>>,
    /// Whether the model should see them: there were calls, and not all of them asked to stop.
    pub(super) calls_continue: bool,
}

/// A call with shared arguments.
#[derive(Clone)]
struct Call {
    id: String,
    name: String,
    args: Arc<Value>,
}

/// A settled call.
struct Settled {
    output: Arc<ToolOutput>,
    is_error: bool,
}

/// A call that passed its checks.
struct Prepared {
    tool: Arc<dyn Tool>,
    arguments: Value,
}

type Execution = BoxFuture<'static, (usize, Settled)>;
type Progress = mpsc::UnboundedReceiver<(usize, ToolOutput)>;

impl Run<'_> {
    /// Runs the calls of a message, adding their results to the transcript.
    pub(super) async fn run_tools(&mut self, message: &AssistantMessage) -> Result<Batch, RunFailure> {
        let calls: Vec<Call> = message.tool_calls().map(Call::new).collect();
        let sequential = self.config.tool_execution == ToolExecutionMode::Sequential
            || calls.iter().any(|call| self.config.tools.is_sequential(&call.name));
        let (results, terminate) =
            if sequential { self.one_by_one(&calls).await? } else { self.together(&calls).await? };
        // An aborted sequential batch may leave calls unanswered, so "all asked to stop" counts settled ones only.
        let all_terminate = !terminate.is_empty() && terminate.iter().all(|asked| *asked);
        Ok(Batch { results, calls_continue: !calls.is_empty() && !all_terminate })
    }

    async fn one_by_one(&mut self, calls: &[Call]) -> Result<(Vec<Arc<Message>>, Vec<bool>), RunFailure> {
        let mut results = Vec::new();
        let mut terminate = Vec::new();
        for call in calls {
            self.announce(call).await?;
            let settled = match self.prepare(call) {
                Ok(prepared) => self.execute_one(call, prepared).await?,
                Err(settled) => settled,
            };
            self.report(call, &settled).await?;
            terminate.push(settled.output.terminate);
            results.push(self.add_result(call, &settled).await?);
            if self.config.cancel.is_cancelled() {
                break;
            }
        }
        Ok((results, terminate))
    }

    async fn together(&mut self, calls: &[Call]) -> Result<(Vec<Arc<Message>>, Vec<bool>), RunFailure> {
        let (sender, mut progress) = mpsc::unbounded_channel();
        let mut settled: Vec<Option<Settled>> = Vec::with_capacity(calls.len());
        let mut prepared = Vec::new();
        for (index, call) in calls.iter().enumerate() {
            self.announce(call).await?;
            settled.push(match self.prepare(call) {
                Ok(ready) => {
                    prepared.push((index, ready));
                    None
                }
                Err(failed) => {
                    self.report(call, &failed).await?;
                    Some(failed)
                }
            });
            if self.config.cancel.is_cancelled() {
                break;
            }
        }
        let mut running: FuturesUnordered<Execution> = prepared
            .into_iter()
            .map(|(index, ready)| self.execution(index, &calls[index], ready, sender.clone()))
            .collect();
        while let Some((index, result)) = self.next_settled(calls, &mut running, &mut progress).await? {
            self.report(&calls[index], &result).await?;
            settled[index] = Some(result);
        }
        let mut results = Vec::new();
        let mut terminate = Vec::new();
        // Calls that were never checked because of an abort are beyond the end of `settled`.
        for (call, settled) in calls.iter().zip(settled) {
            let Some(settled) = settled else { continue };
            terminate.push(settled.output.terminate);
            results.push(self.add_result(call, &settled).await?);
        }
        Ok((results, terminate))
    }

    async fn execute_one(&self, call: &Call, prepared: Prepared) -> Result<Settled, RunFailure> {
        let (sender, mut progress) = mpsc::unbounded_channel();
        let mut running = FuturesUnordered::from_iter([self.execution(0, call, prepared, sender)]);
        let settled = self.next_settled(std::slice::from_ref(call), &mut running, &mut progress).await?;
        Ok(settled.map_or_else(|| Settled::error("Tool call was lost"), |(_, settled)| settled))
    }

    /// Waits for the next call to settle, emitting progress of all running calls meanwhile.
    async fn next_settled(
        &self,
        calls: &[Call],
        running: &mut FuturesUnordered<Execution>,
        progress: &mut Progress,
    ) -> Result<Option<(usize, Settled)>, RunFailure> {
        loop {
            tokio::select! {
                biased;
                Some((index, output)) = progress.recv() => self.report_progress(&calls[index], output).await?,
                settled = running.next() => {
                    // What was reported before the call settled still counts.
                    while let Ok((index, output)) = progress.try_recv() {
                        self.report_progress(&calls[index], output).await?;
                    }
                    return Ok(settled);
                }
            }
        }
    }

    /// Checks a call. `Err` is its result when it must not run.
    fn prepare(&self, call: &Call) -> Result<Prepared, Settled> {
        let (tool, arguments) =
            self.config.tools.check(&call.name, &call.args).map_err(|message| Settled::error(&message))?;
        if self.config.cancel.is_cancelled() {
            return Err(Settled::error(&ToolError::aborted().to_string()));
        }
        Ok(Prepared { tool, arguments })
    }

    /// The future that runs a call. Its progress stops counting once it is settled.
    fn execution(
        &self,
        index: usize,
        call: &Call,
        prepared: Prepared,
        progress: mpsc::UnboundedSender<(usize, ToolOutput)>,
    ) -> Execution {
        let invocation = ToolInvocation {
            id: call.id.clone(),
            arguments: prepared.arguments,
            cancel: self.config.cancel.child_token(),
            updates: ToolUpdates::new(move |output| {
                // The receiver is gone when the batch was dropped.
                let _ = progress.send((index, output));
            }),
            model: Arc::clone(&self.config.model),
        };
        let name = call.name.clone();
        async move {
            let result = AssertUnwindSafe(prepared.tool.execute(invocation)).catch_unwind().await;
            (index, Settled::of(&name, result))
        }
        .boxed()
    }

    async fn announce(&self, call: &Call) -> Result<(), RunFailure> {
        let Call { id, name, args } = call.clone();
        self.emit(AgentEvent::ToolExecutionStart { tool_call_id: id, tool_name: name, args }).await
    }

    async fn report_progress(&self, call: &Call, output: ToolOutput) -> Result<(), RunFailure> {
        let Call { id, name, args } = call.clone();
        let partial_result = Arc::new(output);
        self.emit(AgentEvent::ToolExecutionUpdate { tool_call_id: id, tool_name: name, args, partial_result }).await
    }

    async fn report(&self, call: &Call, settled: &Settled) -> Result<(), RunFailure> {
        self.emit(AgentEvent::ToolExecutionEnd {
            tool_call_id: call.id.clone(),
            tool_name: call.name.clone(),
            result: Arc::clone(&settled.output),
            is_error: settled.is_error,
        })
        .await
    }

    async fn add_result(&mut self, call: &Call, settled: &Settled) -> Result<Arc<Message>, RunFailure> {
        let message = Arc::new(Message::ToolResult(ToolResultMessage {
            tool_call_id: call.id.clone(),
            tool_name: call.name.clone(),
            content: settled.output.content.clone(),
            details: settled.output.details.clone(),
            is_error: settled.is_error,
            timestamp: self.config.clock.now_ms(),
            extra: Extra::new(),
        }));
        self.deliver(vec![Arc::clone(&message)]).await?;
        Ok(message)
    }
}

impl Call {
    fn new(call: &ToolCall) -> Self {
        Self { id: call.id.clone(), name: call.name.clone(), args: Arc::new(call.arguments.clone()) }
    }
}

impl Settled {
    fn error(message: &str) -> Self {
        let output = ToolOutput::text(message).with_details(Value::Object(Map::new()));
        Self { output: Arc::new(output), is_error: true }
    }

    fn of(name: &str, result: std::thread::Result<Result<ToolOutput, ToolError>>) -> Self {
        match result {
            Ok(Ok(output)) => Self { output: Arc::new(output), is_error: false },
            Ok(Err(error)) => Self::error(&error.to_string()),
            // The payload may be anything; the name is what helps to find the tool.
            Err(_) => Self::error(&format!("Tool {name} failed unexpectedly (it panicked)")),
        }
    }
}
