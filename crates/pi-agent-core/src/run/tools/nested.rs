//! Calls that a running call makes of other tools. They are checked one at a time, run side by side, and announced to the
//! listeners before they go on, like those of the model.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::{BoxFuture, Either};
use pi_ai::{Extra, ToolCall, ToolDefinition};
use pi_guard::Unpoisoned;
use serde_json::Value;
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard, oneshot};
use tokio_util::sync::CancellationToken;

use super::call::{Call, Scope, Settled};
use super::events;
use super::execution::execute;
use super::report::{Reported, Reports, say};
use crate::event::AgentEvent;
use crate::guard::unless_cancelled;
use crate::tool::{CallTools, NestedCalls, NestedOutcome};

/// The calls of one call.
pub(super) struct Nested {
    scope: Arc<Scope>,
    parent: String,
    /// The place of the parent in its batch.
    index: usize,
    /// Cancelled with the parent, and when it is settled.
    cancel: CancellationToken,
    reports: Reports,
    /// How many were made.
    made: AtomicUsize,
    /// Announced and not yet reported; `None` once the parent is settled.
    open: Mutex<Option<Vec<Arc<ToolCall>>>>,
    /// Held while a call is checked: hooks are asked about one at a time.
    checks: tokio::sync::Mutex<()>,
    /// Held alone by calls of sequential tools.
    order: RwLock<()>,
}

/// Ends the calls of a call when it is dropped.
pub(super) struct EndNested(Arc<Nested>);

impl Nested {
    pub(super) fn new(parent: &Call, index: usize, reports: Reports) -> Arc<Self> {
        Arc::new(Self {
            scope: Arc::clone(&parent.scope),
            parent: parent.call.id.clone(),
            index,
            cancel: parent.cancel.child_token(),
            reports,
            made: AtomicUsize::new(0),
            open: Mutex::new(Some(Vec::new())),
            checks: tokio::sync::Mutex::default(),
            order: RwLock::default(),
        })
    }

    pub(super) fn end_when_dropped(self: Arc<Self>) -> EndNested {
        EndNested(self)
    }

    async fn run(self: Arc<Self>, call: Arc<ToolCall>) -> NestedOutcome {
        let settled = match self.announce(&call).await {
            Ok(()) => self.settle(&call).await,
            Err(refused) => refused,
        };
        self.report(&call, &settled).await;
        NestedOutcome { tool_call_id: call.id.clone(), output: settled.output, is_error: settled.is_error }
    }

    /// Tells the listeners that a call begins.
    async fn announce(&self, call: &Arc<ToolCall>) -> Result<(), Settled> {
        let heard = {
            let mut open = self.open.lock().unpoisoned();
            let Some(open) = open.as_mut() else { return Err(Settled::aborted()) };
            open.push(Arc::clone(call));
            self.tell(events::start(call, Some(&self.parent)))
        };
        // Nobody listens any more: the run broke off.
        heard.await.map_err(|_| Settled::aborted())
    }

    /// Tells the listeners that a call is over, unless they were told so when the parent was.
    async fn report(&self, call: &Arc<ToolCall>, settled: &Settled) {
        let heard = {
            let mut open = self.open.lock().unpoisoned();
            let Some(open) = open.as_mut() else { return };
            let Some(place) = open.iter().position(|known| Arc::ptr_eq(known, call)) else { return };
            open.remove(place);
            self.tell(events::end(call, Some(&self.parent), settled))
        };
        // The result counts, whoever heard of it.
        let _ = heard.await;
    }

    fn tell(&self, event: AgentEvent) -> oneshot::Receiver<()> {
        let (heard, when_heard) = oneshot::channel();
        say(&self.reports, self.index, Reported::Nested(Box::new(event), Some(heard)));
        when_heard
    }

    async fn settle(self: &Arc<Self>, made: &Arc<ToolCall>) -> Settled {
        let (scope, parent) = (Arc::clone(&self.scope), Some(self.parent.clone()));
        let cancel = self.cancel.child_token();
        let call = Call { scope, call: Arc::clone(made), parent, cancel: cancel.clone() };
        let prepared = {
            let Some(_one_at_a_time) = unless_cancelled(&cancel, self.checks.lock()).await else {
                return Settled::aborted();
            };
            match call.prepare().await {
                Ok(prepared) => prepared,
                Err(refused) => return refused,
            }
        };
        let (nested, updated) = (Arc::clone(self), Arc::clone(made));
        let receive = move |output| {
            let open = nested.open.lock().unpoisoned();
            if open.as_ref().is_some_and(|open| open.iter().any(|known| Arc::ptr_eq(known, &updated))) {
                let event = events::update(&updated, Some(&nested.parent), output);
                say(&nested.reports, nested.index, Reported::Nested(Box::new(event), None));
            }
        };
        let Some(_turn) = unless_cancelled(&cancel, self.turn(&made.name)).await else { return Settled::aborted() };
        execute(call, prepared, receive, NestedCalls::none(), ()).await
    }

    /// Waits until a call of this tool may run: one of a sequential tool beside no other.
    async fn turn(&self, tool: &str) -> Either<RwLockReadGuard<'_, ()>, RwLockWriteGuard<'_, ()>> {
        if self.scope.tools.is_sequential(tool) {
            Either::Right(self.order.write().await)
        } else {
            Either::Left(self.order.read().await)
        }
    }
}

impl CallTools for Nested {
    fn definitions(&self) -> Vec<Arc<ToolDefinition>> {
        self.scope.tools.iter().map(|tool| Arc::clone(tool.definition())).collect()
    }

    fn call(self: Arc<Self>, name: &str, arguments: Value) -> BoxFuture<'static, NestedOutcome> {
        let number = self.made.fetch_add(1, Ordering::Relaxed) + 1;
        let (id, name) = (format!("{}:{number}", self.parent), name.to_owned());
        let call = ToolCall { id, name, arguments, thought_signature: None, extra: Extra::new() };
        self.run(Arc::new(call)).boxed()
    }
}

impl Drop for EndNested {
    fn drop(&mut self) {
        let nested = &self.0;
        let open = nested.open.lock().unpoisoned().take();
        nested.cancel.cancel();
        for call in open.into_iter().flatten() {
            let event = events::end(&call, Some(&nested.parent), &Settled::aborted());
            say(&nested.reports, nested.index, Reported::Nested(Box::new(event), None));
        }
    }
}
