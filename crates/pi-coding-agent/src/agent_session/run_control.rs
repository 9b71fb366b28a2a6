//! The agent of a session, and what decides when it runs.

use std::sync::Arc;

use pi_agent_core::{Agent, StreamFn};
use pi_ai::{Message, Model, ThinkingLevel};

use super::activity::Activity;
use super::compaction_state::CompactionState;
use super::event_pump::Pump;
use super::limits::LimitState;
use super::queue::PromptQueue;
use super::retry::RetryState;
use crate::config::settings::Limits;

/// The agent, its queues, and the states that runs go through.
pub(crate) struct RunControl {
    agent: Agent,
    /// What the session is doing, and what may start.
    activity: Activity,
    queue: PromptQueue,
    retry: RetryState,
    compaction: CompactionState,
    pump: Pump,
    limits: LimitState,
    /// Calls models outside of a run, for summaries.
    stream: Arc<StreamFn>,
}

impl RunControl {
    pub(super) fn new(agent: Agent, stream: Arc<StreamFn>, limits: Limits) -> Self {
        Self {
            activity: Activity::new(agent.clone()),
            queue: PromptQueue::new(agent.clone()),
            agent,
            retry: RetryState::default(),
            compaction: CompactionState::default(),
            pump: Pump::default(),
            limits: LimitState::new(limits),
            stream,
        }
    }

    /// The agent.
    pub(super) fn agent(&self) -> &Agent {
        &self.agent
    }

    /// What the session is doing, and what may start.
    pub(super) fn activity(&self) -> &Activity {
        &self.activity
    }

    /// Prompts that wait.
    pub(super) fn queue(&self) -> &PromptQueue {
        &self.queue
    }

    /// How far retrying is.
    pub(super) fn retry(&self) -> &RetryState {
        &self.retry
    }

    /// What automatic compaction has attempted.
    pub(super) fn compaction(&self) -> &CompactionState {
        &self.compaction
    }

    /// What waits to be told.
    pub(super) fn pump(&self) -> &Pump {
        &self.pump
    }

    /// Limits, and what of them is used.
    pub(super) fn limits(&self) -> &LimitState {
        &self.limits
    }

    /// Calls models outside of a run, for summaries.
    pub(super) fn stream(&self) -> &StreamFn {
        &*self.stream
    }

    /// The current model.
    pub(super) fn model(&self) -> Arc<Model> {
        self.agent.with_state(|state| Arc::clone(&state.model))
    }

    /// The current thinking level.
    pub(super) fn thinking_level(&self) -> ThinkingLevel {
        self.agent.with_state(|state| state.thinking_level)
    }

    /// The messages of the current context.
    pub(super) fn messages(&self) -> Vec<Arc<Message>> {
        self.agent.with_state(|state| state.messages.clone())
    }

    /// Asks whatever is going on to stop, without waiting for it.
    pub(super) fn request_abort(&self) {
        self.activity.cancel_retry();
        self.activity.abort_run();
    }

    /// Stops whatever is going on and waits until it is over. Queued messages are kept.
    pub(super) async fn abort(&self) {
        self.request_abort();
        self.activity.run_is_over().await;
        // The run may have failed in the same instant, and a retry may have been announced.
        self.activity.cancel_retry();
        self.activity.pause_is_over().await;
    }

    /// The context is that of another place: what is remembered of runs in the old one does not count any more.
    pub(super) fn forget_attempts(&self) {
        self.retry.end();
        self.compaction.new_user_message();
    }

    /// Makes another conversation the agent's; what waits is dropped.
    pub(super) fn enter(&self, messages: Vec<Arc<Message>>, model: Arc<Model>, level: ThinkingLevel) {
        self.forget_attempts();
        self.queue.take_all();
        self.agent.reset();
        self.agent.set_messages(messages);
        self.agent.set_model(model);
        self.agent.set_thinking_level(level);
    }
}
