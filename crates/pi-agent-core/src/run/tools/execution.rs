//! The execution of one call: the tool, then the hook that may change its result.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::prepare::Prepared;
use super::{Run, Shared};
use crate::error::RunFailure;
use crate::guard::{shielded, unless_overdue};
use crate::hooks::{AfterToolCall, AfterToolCallFn};
use crate::tool::{Tool, ToolInvocation, ToolOutput, ToolUpdates};
use crate::tool_arguments::ToolArguments;

/// A call that is running, with its index.
pub(super) type Execution = BoxFuture<'static, (usize, Settled)>;

/// A settled call.
pub(super) struct Settled {
    pub(super) output: Arc<ToolOutput>,
    pub(super) is_error: bool,
}

impl Settled {
    pub(super) fn error(message: &str) -> Self {
        let output = ToolOutput::text(message).with_details(Value::Object(Map::new()));
        Self { output: Arc::new(output), is_error: true }
    }
}

/// The question to `after_tool_call`, as far as it is known before the tool has run.
struct Review {
    hook: Arc<AfterToolCallFn>,
    question: AfterToolCall,
}

impl Run<'_> {
    /// The future that runs a call. Its progress stops counting once the tool returned.
    pub(super) fn execution(
        &self,
        batch: &Shared,
        index: usize,
        prepared: Prepared,
        progress: mpsc::UnboundedSender<(usize, ToolOutput)>,
    ) -> Execution {
        let cancel = batch.call_cancels[index].clone();
        let review = self.review(batch, index, &prepared, &cancel);
        let returned = Arc::new(AtomicBool::new(false));
        let invocation = ToolInvocation {
            id: batch.calls[index].id.clone(),
            arguments: prepared.arguments,
            cancel: cancel.clone(),
            updates: updates(index, progress, Arc::clone(&returned)),
            model: Arc::clone(&self.config.model),
        };
        let (tool, grace) = (prepared.tool, self.config.abort_grace);
        async move {
            let work = async {
                let settled = run(tool.as_ref(), invocation).await;
                returned.store(true, Ordering::Release);
                match review {
                    Some(review) => {
                        step_aside().await;
                        review.look_at(settled).await
                    }
                    None => settled,
                }
            };
            let settled = unless_overdue(&cancel, grace, work).await;
            (index, settled.unwrap_or_else(Settled::aborted))
        }
        .boxed()
    }

    fn review(&self, batch: &Shared, index: usize, prepared: &Prepared, cancel: &CancellationToken) -> Option<Review> {
        let (hook, call) = (Arc::clone(self.config.hooks.after_tool_call.as_ref()?), &batch.calls[index]);
        let question = AfterToolCall {
            message: Arc::clone(&batch.message),
            call: Arc::clone(call),
            arguments: ToolArguments::given(call, &prepared.arguments),
            output: Arc::default(),
            is_error: false,
            context: batch.context.clone()?,
            cancel: cancel.clone(),
        };
        Some(Review { hook, question })
    }
}

impl Review {
    async fn look_at(self, settled: Settled) -> Settled {
        let Settled { output, is_error } = settled;
        let question = AfterToolCall { output: Arc::clone(&output), is_error, ..self.question };
        match shielded("The hook after_tool_call", || (self.hook)(question)).await {
            Ok(patch) => {
                let (output, is_error) = patch.apply(output, is_error);
                Settled { output, is_error }
            }
            Err(failure) => Settled::error(&failure.to_string()),
        }
    }
}

async fn run(tool: &dyn Tool, invocation: ToolInvocation) -> Settled {
    let what = format!("Tool {}", tool.definition().name);
    let call = async { tool.execute(invocation).await.map_err(|error| RunFailure::new(error.to_string())) };
    match shielded(&what, || call).await {
        Ok(output) => Settled { output: Arc::new(output), is_error: false },
        Err(failure) => Settled::error(&failure.to_string()),
    }
}

/// Yields, so that the run emits the tool's progress before the hook sees the result. Twice, because a future that wakes
/// itself may be polled again at once.
async fn step_aside() {
    let mut left = 2_u8;
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Reports that come after the tool returned are dropped, whoever still holds the handle.
fn updates(
    index: usize,
    progress: mpsc::UnboundedSender<(usize, ToolOutput)>,
    returned: Arc<AtomicBool>,
) -> ToolUpdates {
    ToolUpdates::new(move |output| {
        if !returned.load(Ordering::Acquire) {
            // The receiver is gone when the batch was dropped.
            let _ = progress.send((index, output));
        }
    })
}
