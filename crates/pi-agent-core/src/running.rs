//! The run in progress of an agent: feeds events to state and listeners, serves the queues, cleans up.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::{AssistantMessage, ContentBlock, Error as AiError, Message, StopReason};
use tokio_util::sync::CancellationToken;

use crate::agent::{Agent, lock};
use crate::error::RunFailure;
use crate::event::AgentEvent;
use crate::run::{EventSink, QueueSource, Run, RunConfig};

/// The one run of an agent. Dropping it, finished or not, makes the agent idle again.
pub(crate) struct RunGuard {
    pub(crate) agent: Agent,
    pub(crate) cancel: CancellationToken,
}

impl RunGuard {
    pub(crate) async fn execute(&self, prompts: Vec<Arc<Message>>, poll_first: bool) {
        let (config, transcript) = self.agent.run_config(&self.cancel);
        let result = Run::new(&config, self, self, transcript).run(prompts, poll_first).await;
        if let Err(failure) = result {
            self.report_failure(&config, &failure).await;
        }
    }

    /// Ends a broken run in an orderly way: the failure becomes an assistant message.
    async fn report_failure(&self, config: &RunConfig, failure: &RunFailure) {
        let aborted = self.cancel.is_cancelled();
        let message = Arc::new(Message::Assistant(AssistantMessage {
            content: vec![ContentBlock::text("")],
            api: config.model.api.clone(),
            provider: config.model.provider.clone(),
            model: config.model.id.clone(),
            stop_reason: if aborted { StopReason::Aborted } else { StopReason::Error },
            timestamp: config.clock.now_ms(),
            error_message: Some(if aborted { AiError::Aborted.to_string() } else { failure.to_string() }),
            ..AssistantMessage::default()
        }));
        let events = [
            AgentEvent::MessageStart { message: Arc::clone(&message) },
            AgentEvent::MessageEnd { message: Arc::clone(&message) },
            AgentEvent::TurnEnd { message: Arc::clone(&message), tool_results: Vec::new() },
            AgentEvent::AgentEnd { messages: vec![message] },
        ];
        for event in events {
            // A listener that fails again has been heard; the others still get their events.
            let _ = self.emit(event).await;
        }
    }
}

impl EventSink for RunGuard {
    fn emit(&self, event: AgentEvent) -> BoxFuture<'_, Result<(), RunFailure>> {
        async move {
            lock(&self.agent.0.state).apply(&event);
            let listeners = lock(&self.agent.0.listeners).clone();
            let mut outcome = Ok(());
            for (_, listener) in listeners {
                // Every listener sees every event, also after another one failed.
                let result = listener(event.clone(), self.cancel.clone()).await;
                outcome = outcome.and(result);
            }
            outcome
        }
        .boxed()
    }
}

impl QueueSource for RunGuard {
    fn steering(&self) -> Vec<Arc<Message>> {
        lock(&self.agent.0.queues).steering.drain()
    }

    fn follow_ups(&self) -> Vec<Arc<Message>> {
        lock(&self.agent.0.queues).follow_ups.drain()
    }
}

impl Drop for RunGuard {
    fn drop(&mut self) {
        // A run that is dropped half way must not leave requests or tools behind.
        self.cancel.cancel();
        lock(&self.agent.0.state).end_run();
        self.agent.0.run.send_replace(None);
    }
}
