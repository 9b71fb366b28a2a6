//! One run: turns until the model stops, the queues are empty, or something fails.
//!
//! The loop knows neither the `Agent` nor where events go: it is given a snapshot of settings, a sink and a source
//! of queued messages.

mod tools;
mod turn;

use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::{Clock, Message, Model, StreamOptions, ThinkingLevel};
use tokio_util::sync::CancellationToken;

use crate::error::RunFailure;
use crate::event::AgentEvent;
use crate::hooks::{Hooks, StreamFn};
use crate::tool::ToolExecutionMode;
use crate::tool_set::ToolSet;

/// Settings of a run, fixed at its start: later changes apply to the next run.
#[derive(Clone)]
pub(crate) struct RunConfig {
    pub(crate) system_prompt: Arc<str>,
    pub(crate) model: Arc<Model>,
    pub(crate) thinking_level: ThinkingLevel,
    pub(crate) tools: ToolSet,
    pub(crate) tool_execution: ToolExecutionMode,
    pub(crate) stream: Arc<StreamFn>,
    pub(crate) stream_options: StreamOptions,
    pub(crate) hooks: Hooks,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) cancel: CancellationToken,
}

/// Where events go. Each emission is awaited before the run goes on.
pub(crate) trait EventSink: Send + Sync {
    fn emit(&self, event: AgentEvent) -> BoxFuture<'_, Result<(), RunFailure>>;
}

/// Messages that were queued while the run is going on.
pub(crate) trait QueueSource: Send + Sync {
    /// Messages to deliver before the next model call.
    fn steering(&self) -> Vec<Arc<Message>>;
    /// Messages to deliver instead of stopping.
    fn follow_ups(&self) -> Vec<Arc<Message>>;
}

/// The state of one run.
pub(crate) struct Run<'a> {
    config: &'a RunConfig,
    sink: &'a dyn EventSink,
    queues: &'a dyn QueueSource,
    /// The transcript as the model will see it.
    transcript: Vec<Arc<Message>>,
    /// What this run added.
    added: Vec<Arc<Message>>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        config: &'a RunConfig,
        sink: &'a dyn EventSink,
        queues: &'a dyn QueueSource,
        transcript: Vec<Arc<Message>>,
    ) -> Self {
        Self { config, sink, queues, transcript, added: Vec::new() }
    }

    /// Runs to the end. `prompts` may be empty: then the transcript is continued. `poll_first` is false when the
    /// prompts themselves came from the steering queue.
    pub(crate) async fn run(mut self, prompts: Vec<Arc<Message>>, poll_first: bool) -> Result<(), RunFailure> {
        self.emit(AgentEvent::AgentStart).await?;
        self.emit(AgentEvent::TurnStart).await?;
        self.deliver(prompts).await?;
        let mut pending = if poll_first { self.queues.steering() } else { Vec::new() };
        let mut first = true;
        loop {
            let mut go_on = true;
            while go_on || !pending.is_empty() {
                if !std::mem::take(&mut first) {
                    self.emit(AgentEvent::TurnStart).await?;
                }
                self.deliver(std::mem::take(&mut pending)).await?;
                let Some(calls_continue) = self.turn().await? else {
                    return self.end().await;
                };
                go_on = calls_continue;
                pending = self.queues.steering();
            }
            pending = self.queues.follow_ups();
            if pending.is_empty() {
                return self.end().await;
            }
        }
    }

    async fn end(self) -> Result<(), RunFailure> {
        self.sink.emit(AgentEvent::AgentEnd { messages: self.added }).await
    }

    async fn emit(&self, event: AgentEvent) -> Result<(), RunFailure> {
        self.sink.emit(event).await
    }

    /// Announces messages and adds them to the transcript.
    async fn deliver(&mut self, messages: Vec<Arc<Message>>) -> Result<(), RunFailure> {
        for message in messages {
            self.emit(AgentEvent::MessageStart { message: Arc::clone(&message) }).await?;
            self.complete(message).await?;
        }
        Ok(())
    }

    /// Adds a message that was already announced.
    async fn complete(&mut self, message: Arc<Message>) -> Result<(), RunFailure> {
        self.transcript.push(Arc::clone(&message));
        self.added.push(Arc::clone(&message));
        self.emit(AgentEvent::MessageEnd { message }).await
    }
}
