//! A closure as the place where events go.

use futures::FutureExt;
use futures::future::Either;

use crate::error::RunFailure;
use crate::event::AgentEvent;
use crate::guard::shielded;
use crate::run::{Emission, EventSink};

/// A closure that takes events.
pub(super) struct SinkFn<S>(pub(super) S);

impl<S, F> EventSink for SinkFn<S>
where
    S: Fn(AgentEvent) -> F + Send + Sync,
    F: Future<Output = Result<(), RunFailure>> + Send + 'static,
{
    fn emit(&self, event: AgentEvent) -> Emission<'_> {
        Either::Right(shielded("The event sink", || (self.0)(event)).boxed())
    }
}
