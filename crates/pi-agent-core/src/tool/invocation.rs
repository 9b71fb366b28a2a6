//! What a call is given.

use std::fmt::{Debug, Formatter};
use std::sync::Arc;

use pi_ai::Model;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::nested_calls::NestedCalls;
use super::output::ToolOutput;

/// One call, validated.
#[derive(Debug, Clone)]
pub struct ToolInvocation {
    /// The provider's id of the call.
    pub id: String,
    /// Arguments after preparation, coercion and validation.
    pub arguments: Value,
    /// Fires when the run is aborted.
    pub cancel: CancellationToken,
    /// Where to report progress.
    pub updates: ToolUpdates,
    /// The model that made the call.
    pub model: Arc<Model>,
    /// Makes calls of other tools for this one.
    pub calls: NestedCalls,
}

/// Reports progress of a running call. Reports after the call has settled are dropped.
#[doc(alias = "AgentToolUpdateCallback")]
#[derive(Clone)]
pub struct ToolUpdates(Option<Arc<dyn Fn(ToolOutput) + Send + Sync>>);

impl ToolUpdates {
    /// A reporter that hands every report to `receive`, which must not block.
    pub fn new(receive: impl Fn(ToolOutput) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(receive)))
    }

    /// A reporter and the queue that it fills.
    pub fn channel() -> (Self, mpsc::UnboundedReceiver<ToolOutput>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let updates = Self::new(move |output| {
            // A closed queue means that nobody waits for the call any more.
            let _ = sender.send(output);
        });
        (updates, receiver)
    }

    /// A reporter that nobody listens to.
    pub fn ignored() -> Self {
        Self(None)
    }

    /// Reports the result so far: cumulative, not a delta. Throttle calls; each one becomes an event.
    pub fn send(&self, output: ToolOutput) {
        if let Some(receive) = &self.0 {
            receive(output);
        }
    }
}

impl Debug for ToolUpdates {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ToolUpdates").field(&self.0.is_some()).finish()
    }
}
