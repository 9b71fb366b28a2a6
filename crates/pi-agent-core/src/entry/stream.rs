//! A run as a stream: it goes on when its next event is asked for.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use futures::future::{BoxFuture, Either};
use futures::{FutureExt, Stream, StreamExt, future};
use pi_ai::Message;
use pi_guard::Unpoisoned;
use tokio_util::sync::DropGuard;

use crate::context::AgentContext;
use crate::event::AgentEvent;
use crate::loop_config::AgentLoopConfig;
use crate::run::{Emission, EventSink, Run, RunStart};

/// The events of one run. It does its work while it is polled; dropping it stops the run where it is.
#[must_use = "the run does nothing unless it is polled"]
pub struct AgentEventStream {
    /// The run; absent once it is over. Nobody ever waits for the lock: it is there so that the stream can be shared.
    run: Mutex<Option<BoxFuture<'static, Vec<Arc<Message>>>>>,
    hand_over: Arc<HandOver>,
    messages: Option<Vec<Arc<Message>>>,
    /// Tells requests and tools when the stream is dropped.
    _cancel: DropGuard,
}

impl AgentEventStream {
    pub(super) fn start(start: RunStart, context: AgentContext, mut config: AgentLoopConfig) -> Self {
        // The caller's token belongs to the caller: a dropped stream must not cancel it.
        config.cancel = config.cancel.child_token();
        let guard = config.cancel.clone().drop_guard();
        let hand_over = Arc::new(HandOver::default());
        let sink = Arc::clone(&hand_over);
        let run = async move { Run::new(config, context, sink.as_ref()).run(start).await };
        Self { run: Mutex::new(Some(run.boxed())), hand_over, messages: None, _cancel: guard }
    }

    /// Runs to the end and returns what the run added, prompts included, oldest first.
    pub async fn result(mut self) -> Vec<Arc<Message>> {
        while self.next().await.is_some() {}
        self.messages.take().unwrap_or_default()
    }

    fn run(&mut self) -> &mut Option<BoxFuture<'static, Vec<Arc<Message>>>> {
        self.run.get_mut().unpoisoned()
    }

    /// What the run added, once its last event has been delivered.
    pub fn messages(&self) -> Option<&[Arc<Message>]> {
        self.messages.as_deref()
    }
}

impl Stream for AgentEventStream {
    type Item = AgentEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<AgentEvent>> {
        loop {
            if let Some(event) = self.hand_over.take() {
                return Poll::Ready(Some(event));
            }
            // Taken out while it is polled: a run that unwinds is not polled again.
            let Some(mut run) = self.run().take() else { return Poll::Ready(None) };
            match run.poll_unpin(cx) {
                Poll::Ready(messages) => self.messages = Some(messages),
                Poll::Pending => {
                    *self.run() = Some(run);
                    if self.hand_over.is_empty() {
                        return Poll::Pending;
                    }
                }
            }
        }
    }
}

impl std::fmt::Debug for AgentEventStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentEventStream").field("ended", &self.messages.is_some()).finish_non_exhaustive()
    }
}

/// One event on its way from the run to the consumer.
#[derive(Default)]
struct HandOver(Mutex<Option<AgentEvent>>);

impl HandOver {
    fn take(&self) -> Option<AgentEvent> {
        self.0.lock().unpoisoned().take()
    }

    fn is_empty(&self) -> bool {
        self.0.lock().unpoisoned().is_none()
    }
}

impl EventSink for HandOver {
    /// Waits until the event was taken. Nobody has to be woken for that: the stream polls the run after it took one.
    fn emit(&self, event: AgentEvent) -> Emission<'_> {
        *self.0.lock().unpoisoned() = Some(event);
        let taken = future::poll_fn(|_| if self.is_empty() { Poll::Ready(Ok(())) } else { Poll::Pending });
        Either::Right(taken.boxed())
    }
}
