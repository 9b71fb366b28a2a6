//! The run in progress of an agent: takes its settings, feeds its events to state and listeners, cleans up.

use std::sync::Arc;

use pi_ai::Message;
use tokio_util::sync::CancellationToken;

use super::{Agent, lock};
use crate::context::AgentContext;
use crate::event::AgentEvent;
use crate::loop_config::AgentLoopConfig;
use crate::run::{Emission, EventSink, Queue, Run, Start};

/// How many messages a run mostly adds at most.
const ROOM: usize = 32;

/// The one run of an agent. Dropping it, finished or not, makes the agent idle again.
pub(super) struct RunGuard {
    pub(super) agent: Agent,
    pub(super) cancel: CancellationToken,
}

impl RunGuard {
    pub(super) async fn execute(&self, start: Start) {
        lock(&self.agent.0.state).begin_run();
        let (config, context) = self.snapshot();
        Run::new(config, context, self).giving_back(self.agent.0.queues.give_back()).run(start).await;
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

/// A copy that the messages of the run fit into, mostly: a long list that grows moves, and takes twice its room.
fn with_room(messages: &[Arc<Message>]) -> Vec<Arc<Message>> {
    let mut copy = Vec::with_capacity(messages.len() + ROOM);
    copy.extend_from_slice(messages);
    copy
}

impl EventSink for RunGuard {
    fn emit(&self, event: AgentEvent) -> Emission<'_> {
        lock(&self.agent.0.state).apply(&event);
        if let AgentEvent::MessageStart { message } = &event {
            self.agent.0.queues.delivered(message);
        }
        self.agent.0.listeners.tell(event, &self.cancel)
    }
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
