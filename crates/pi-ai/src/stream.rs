//! The stream handle: next event, result, abort by drop.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::stream::{BoxStream, Stream, StreamExt};

use crate::event::AssistantMessageEvent;
use crate::message::AssistantMessage;

/// The events of one model call. It does its work while it is polled; dropping it aborts the request.
pub struct AssistantMessageStream {
    events: BoxStream<'static, AssistantMessageEvent>,
    result: Option<Arc<AssistantMessage>>,
}

impl AssistantMessageStream {
    /// Wraps a sequence of events that ends in exactly one terminal event.
    pub fn new(events: impl Stream<Item = AssistantMessageEvent> + Send + 'static) -> Self {
        Self { events: events.boxed(), result: None }
    }

    /// Runs the stream to its end and returns the final message, also after a failure.
    ///
    /// A stream that was already polled to its end returns the message it ended with. An implementation that
    /// breaks the contract and ends without a terminal event yields an empty message.
    pub async fn result(mut self) -> Arc<AssistantMessage> {
        while self.next().await.is_some() {}
        self.result.unwrap_or_default()
    }

    /// The final message, once the terminal event has been delivered.
    pub fn final_message(&self) -> Option<&Arc<AssistantMessage>> {
        self.result.as_ref()
    }
}

impl Stream for AssistantMessageStream {
    type Item = AssistantMessageEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.result.is_some() {
            return Poll::Ready(None);
        }
        let event = std::task::ready!(self.events.poll_next_unpin(cx));
        if let Some(message) = event.as_ref().and_then(AssistantMessageEvent::final_message) {
            self.result = Some(Arc::clone(message));
        }
        Poll::Ready(event)
    }
}

impl std::fmt::Debug for AssistantMessageStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AssistantMessageStream").field("ended", &self.result.is_some()).finish_non_exhaustive()
    }
}
