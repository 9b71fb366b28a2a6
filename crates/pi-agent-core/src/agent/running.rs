//! The runs of an agent: begins one, takes the settings for it, cleans up. `listeners` receives its events.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures::future::BoxFuture;
use pi_ai::Message;
use tokio_util::sync::CancellationToken;

use super::{Agent, lock};
use crate::context::AgentContext;
use crate::error::Error;
use crate::guard::unless_cancelled;
use crate::loop_config::AgentLoopConfig;
use crate::prompt::Prompt;
use crate::run::{Queue, Run, RunStart};

/// Spare capacity: most runs add fewer messages.
const ROOM: usize = 32;

/// The one run of an agent. Dropping it, finished or not, makes the agent idle again.
pub(super) struct RunGuard {
    pub(super) agent: Agent,
    pub(super) cancel: CancellationToken,
}

impl Agent {
    /// Runs a prompt to its end. A failed model call is a message, not an error.
    ///
    /// The run lives in the returned future: dropping it stops the run where it is, without further events. Queued
    /// messages that were not delivered by then are back in their queue.
    ///
    /// # Errors
    /// [`Error::PromptWhileRunning`].
    pub async fn prompt(&self, prompt: impl Into<Prompt>) -> Result<(), Error> {
        let prompts = prompt.into().into_messages(self.0.clock.now_ms());
        let run = self.begin().ok_or(Error::PromptWhileRunning)?;
        run.execute(RunStart { prompts, origin: None }).await;
        Ok(())
    }

    /// Runs on from the transcript as it is, or from what is queued if the transcript ends in an answer.
    ///
    /// # Errors
    /// When a run is in progress, or there is nothing that the model could answer.
    #[doc(alias = "continue")]
    pub async fn continue_run(&self) -> Result<(), Error> {
        let run = self.begin().ok_or(Error::ContinueWhileRunning)?;
        let last = self.with_state(|state| state.messages.last().cloned()).ok_or(Error::NothingToContinue)?;
        let start = if last.as_assistant().is_some() {
            // Held messages may take their time; an abort ends the waiting.
            let queued = unless_cancelled(&run.cancel, self.0.queues.take()).await.flatten();
            let (prompts, queue) = queued.ok_or(Error::CannotContinueFrom { role: "assistant".into() })?;
            RunStart { prompts, origin: Some(queue) }
        } else {
            RunStart { prompts: Vec::new(), origin: None }
        };
        run.execute(start).await;
        Ok(())
    }

    fn begin(&self) -> Option<RunGuard> {
        let cancel = CancellationToken::new();
        let started = self.0.run.send_if_modified(|run| {
            let idle = run.is_none();
            if idle {
                self.0.runs.fetch_add(1, Ordering::Relaxed);
                *run = Some(cancel.clone());
            }
            idle
        });
        started.then(|| RunGuard { agent: self.clone(), cancel })
    }
}

impl RunGuard {
    fn execute(&self, start: RunStart) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            lock(&self.agent.0.state).begin_run();
            let (config, context) = self.snapshot();
            Run::new(config, context, self).giving_back(self.agent.0.queues.give_back()).run(start).await;
        })
    }

    /// Settings and transcript as they are now: later changes are for the next run.
    fn snapshot(&self) -> (AgentLoopConfig, AgentContext) {
        let agent = &self.agent;
        let state = lock(&agent.0.state);
        let settings = lock(&agent.0.settings);
        let config = AgentLoopConfig {
            model: Arc::clone(&state.model),
            stream: Arc::clone(&settings.stream),
            thinking_level: state.thinking_level,
            tool_execution: settings.tool_execution,
            stream_options: settings.stream_options.clone(),
            hooks: settings.hooks.clone(),
            steering: Some(agent.0.queues.source(Queue::Steering)),
            follow_ups: Some(agent.0.queues.source(Queue::FollowUps)),
            cancel: self.cancel.clone(),
            abort_grace: settings.abort_grace,
            clock: Arc::clone(&agent.0.clock),
        };
        let context = AgentContext {
            system_prompt: Arc::clone(&state.system_prompt),
            messages: with_room(&state.messages),
            tools: state.tools.clone(),
        };
        (config, context)
    }
}

/// A copy with spare capacity for the messages of the run: growing a long list copies it and doubles its memory.
fn with_room(messages: &[Arc<Message>]) -> Vec<Arc<Message>> {
    let mut copy = Vec::with_capacity(messages.len() + ROOM);
    copy.extend_from_slice(messages);
    copy
}

impl Drop for RunGuard {
    fn drop(&mut self) {
        // A run that is dropped half way must not leave requests or tools behind.
        self.cancel.cancel();
        lock(&self.agent.0.state).end_run();
        self.agent.0.queues.end_run();
        self.agent.0.run.send_replace(None);
    }
}
