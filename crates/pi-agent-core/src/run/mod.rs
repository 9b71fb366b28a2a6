//! One run: turns until the model stops, the queues are empty, or something fails.
//!
//! The loop knows neither the `Agent` nor where events go: it is given settings, a context and a sink. `answer` is
//! the model call of a turn, `tools` its tool calls, `after_turn` the hooks behind it, `waiting` the messages that are on
//! their way into the transcript, `corrections` what tools set right in it, `failure` the end of a run that broke.

mod after_turn;
mod answer;
mod corrections;
mod failure;
mod tools;
mod waiting;

use std::sync::Arc;

use futures::future::{BoxFuture, Either, Ready, ready};
use pi_ai::Message;

use crate::context::AgentContext;
use crate::error::RunFailure;
use crate::event::AgentEvent;
use crate::guard::shielded;
use crate::loop_config::AgentLoopConfig;

pub(crate) use waiting::{GiveBack, PendingMessages, Queue};

/// What emitting an event takes: often nothing, and then nothing is allocated.
pub(crate) type Emission<'a> = Either<Ready<Result<(), RunFailure>>, BoxFuture<'a, Result<(), RunFailure>>>;

/// An emission that is over.
pub(crate) fn emitted<'a>(outcome: Result<(), RunFailure>) -> Emission<'a> {
    Either::Left(ready(outcome))
}

/// Where events go. Each emission is awaited before the run goes on; what it does to state happens before it returns.
pub(crate) trait EventSink: Send + Sync {
    fn emit(&self, event: AgentEvent) -> Emission<'_>;
}

/// How a run begins.
pub(crate) struct RunStart {
    /// Messages to begin with. Empty: the transcript is continued as it is.
    pub(crate) prompts: Vec<Arc<Message>>,
    /// The queue that the prompts were taken from. Steering is then not asked for again before the first model call.
    pub(crate) origin: Option<Queue>,
}

/// How a turn ended.
enum Outcome {
    /// With it the run is over.
    Over,
    /// The run may go on.
    Done {
        /// Whether tool results wait for the model.
        calls_continue: bool,
    },
}

/// The state of one run.
pub(crate) struct Run<'a> {
    config: AgentLoopConfig,
    /// What the model will see.
    context: AgentContext,
    sink: &'a dyn EventSink,
    /// What this run added.
    added: Vec<Arc<Message>>,
    /// What was taken from a queue and is not yet in the transcript.
    waiting: PendingMessages,
}

impl<'a> Run<'a> {
    pub(crate) fn new(config: AgentLoopConfig, context: AgentContext, sink: &'a dyn EventSink) -> Self {
        Self { config, context, sink, added: Vec::new(), waiting: PendingMessages::default() }
    }

    /// Messages that are never delivered, because the run broke off or was dropped, are given back.
    pub(crate) fn giving_back(mut self, give_back: GiveBack) -> Self {
        self.waiting = PendingMessages::returning(give_back);
        self
    }

    /// Runs to the end, whatever happens, and returns what was added to the transcript.
    pub(crate) async fn run(mut self, start: RunStart) -> Vec<Arc<Message>> {
        if let Err(failure) = self.turns(start).await {
            self.break_off(&failure).await;
        }
        std::mem::take(&mut self.added)
    }

    async fn turns(&mut self, start: RunStart) -> Result<(), RunFailure> {
        let poll_first = start.origin != Some(Queue::Steering);
        self.waiting.put(start.prompts, start.origin);
        self.emit(AgentEvent::AgentStart).await?;
        self.emit(AgentEvent::TurnStart).await?;
        self.deliver().await?;
        if poll_first {
            self.poll(Queue::Steering).await?;
        }
        let mut first = true;
        loop {
            let mut go_on = true;
            while go_on || !self.waiting.is_empty() {
                if !std::mem::take(&mut first) {
                    self.emit(AgentEvent::TurnStart).await?;
                }
                self.deliver().await?;
                match self.turn().await? {
                    Outcome::Over => return self.end().await,
                    Outcome::Done { calls_continue } => go_on = calls_continue,
                }
                self.poll(Queue::Steering).await?;
            }
            self.poll(Queue::FollowUps).await?;
            if self.waiting.is_empty() {
                return self.end().await;
            }
        }
    }

    /// Announces the messages that wait and adds them to the transcript.
    async fn deliver(&mut self) -> Result<(), RunFailure> {
        while let Some(message) = self.waiting.first() {
            self.emit(AgentEvent::MessageStart { message: Arc::clone(&message) }).await?;
            self.waiting.drop_first();
            self.complete(message).await?;
        }
        Ok(())
    }

    /// Runs a turn: an answer of the model, the tool calls in it, and the hooks behind them.
    async fn turn(&mut self) -> Result<Outcome, RunFailure> {
        let message = self.answer().await?;
        if message.as_assistant().is_none_or(|assistant| assistant.stop_reason.is_failure()) {
            self.emit(AgentEvent::TurnEnd { message, tool_results: Vec::new() }).await?;
            return Ok(Outcome::Over);
        }
        let batch = self.run_tools(&message).await?;
        let message = self.remember_corrections(message);
        let (turn_message, tool_results) = (message.clone(), batch.results.clone());
        self.emit(AgentEvent::TurnEnd { message: turn_message, tool_results }).await?;
        let stop = self.after_turn(&message, &batch).await?;
        Ok(if stop { Outcome::Over } else { Outcome::Done { calls_continue: batch.calls_continue } })
    }

    async fn end(&self) -> Result<(), RunFailure> {
        self.emit(AgentEvent::AgentEnd { messages: self.added.clone() }).await
    }

    fn emit(&self, event: AgentEvent) -> Emission<'_> {
        self.sink.emit(event)
    }

    /// Adds a message that was already announced, and returns what was added: a hook may have changed it.
    async fn complete(&mut self, message: Arc<Message>) -> Result<Arc<Message>, RunFailure> {
        // A hook that fails loses nothing: the message stays as it was.
        let (message, outcome) = match self.finished(Arc::clone(&message)).await {
            Ok(finished) => (finished, Ok(())),
            Err(failure) => (message, Err(failure)),
        };
        self.context.messages.push(Arc::clone(&message));
        self.added.push(Arc::clone(&message));
        self.emit(AgentEvent::MessageEnd { message: Arc::clone(&message) }).await?;
        outcome.map(|()| message)
    }

    async fn finished(&self, message: Arc<Message>) -> Result<Arc<Message>, RunFailure> {
        let Some(hook) = &self.config.hooks.finish_message else { return Ok(message) };
        shielded("The hook finish_message", || hook(message, self.config.cancel.clone())).await
    }

    /// Announces and adds a message.
    async fn add(&mut self, message: Arc<Message>) -> Result<Arc<Message>, RunFailure> {
        self.emit(AgentEvent::MessageStart { message: Arc::clone(&message) }).await?;
        self.complete(message).await
    }
}
