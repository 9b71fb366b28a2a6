//! The execution of one call: the tool, then the hook that may change its result.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::call::{Call, Settled};
use super::nested::Nested;
use super::prepare::Prepared;
use super::report::{Reported, Reports, say};
use crate::error::RunFailure;
use crate::guard::{shielded, unless_overdue};
use crate::hooks::{AfterToolCall, AfterToolCallFn};
use crate::tool::{NestedCalls, Tool, ToolInvocation, ToolOutput, ToolUpdates};
use crate::tool_arguments::ToolArguments;

/// A call that is running, with its index.
pub(super) type Execution = BoxFuture<'static, (usize, Settled)>;

/// The question to `after_tool_call`, as far as it is known before the tool has run.
struct Review {
    hook: Arc<AfterToolCallFn>,
    question: AfterToolCall,
}

/// The future that runs a call of the model, which can make calls itself. Its progress stops counting once the tool
/// returned.
pub(super) fn execution(call: Call, index: usize, prepared: Prepared, reports: Reports) -> Execution {
    let nested = Nested::new(&call, index, reports.clone());
    let open = Arc::clone(&nested);
    let receive = move |output| say(&reports, index, Reported::Progress(output));
    async move {
        // Also when the tool is dropped because it takes too long after an abort.
        let ending = nested.end_when_dropped();
        let settled = execute(call, prepared, receive, NestedCalls::new(open), ending).await;
        (index, settled)
    }
    .boxed()
}

/// Runs a tool, and the hook behind it. `until_returned` is dropped in between.
pub(super) async fn execute(
    call: Call,
    prepared: Prepared,
    receive: impl Fn(ToolOutput) + Send + Sync + 'static,
    calls: NestedCalls,
    until_returned: impl Send,
) -> Settled {
    let review = review(&call, &prepared);
    let returned = Arc::new(AtomicBool::new(false));
    let invocation = ToolInvocation {
        id: call.call.id.clone(),
        arguments: prepared.arguments,
        cancel: call.cancel.clone(),
        updates: updates(receive, Arc::clone(&returned)),
        model: Arc::clone(&call.scope.model),
        calls,
    };
    let tool = prepared.tool;
    let work = async move {
        let settled = run(tool.as_ref(), invocation).await;
        returned.store(true, Ordering::Release);
        drop(until_returned);
        match review {
            Some(review) => {
                step_aside().await;
                review.look_at(settled).await
            }
            None => settled,
        }
    };
    unless_overdue(&call.cancel, call.scope.grace, work).await.unwrap_or_else(Settled::aborted)
}

fn review(call: &Call, prepared: &Prepared) -> Option<Review> {
    let scope = &call.scope;
    let question = AfterToolCall {
        message: Arc::clone(&scope.message),
        call: Arc::clone(&call.call),
        parent_tool_call_id: call.parent.clone(),
        arguments: ToolArguments::given(&call.call, &prepared.arguments),
        output: Arc::default(),
        is_error: false,
        context: scope.context.clone()?,
        cancel: call.cancel.clone(),
    };
    Some(Review { hook: Arc::clone(scope.after.as_ref()?), question })
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
    let call = async { Ok::<_, RunFailure>(tool.execute(invocation).await) };
    match shielded(&what, || call).await {
        Ok(Ok(output)) => Settled { output: Arc::new(output), is_error: false },
        Ok(Err(error)) => Settled::failed(&error),
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
fn updates(receive: impl Fn(ToolOutput) + Send + Sync + 'static, returned: Arc<AtomicBool>) -> ToolUpdates {
    ToolUpdates::new(move |output| {
        if !returned.load(Ordering::Acquire) {
            receive(output);
        }
    })
}
