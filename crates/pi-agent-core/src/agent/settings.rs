//! Settings of an agent. A run works with what they were when it started; changes count for the next one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pi_ai::{Message, Model, StreamOptions, ThinkingLevel};

use super::{Agent, lock};
use crate::config::AgentOptions;
use crate::hooks::{Hooks, StreamFn};
use crate::tool::ToolExecutionMode;
use crate::tool_set::ToolSet;

/// What is not part of the state.
pub(super) struct Settings {
    pub(super) stream: Arc<StreamFn>,
    pub(super) hooks: Hooks,
    pub(super) tool_execution: ToolExecutionMode,
    pub(super) stream_options: StreamOptions,
    pub(super) abort_grace: Option<Duration>,
}

impl Settings {
    pub(super) fn new(options: &AgentOptions) -> Self {
        Self {
            stream: Arc::clone(&options.stream),
            hooks: options.hooks.clone(),
            tool_execution: options.tool_execution,
            stream_options: options.stream_options.clone(),
            abort_grace: options.abort_grace,
        }
    }
}

impl Agent {
    /// Sets the system prompt of the next run.
    pub fn set_system_prompt(&self, prompt: impl Into<Arc<str>>) {
        lock(&self.0.state).system_prompt = prompt.into();
    }

    /// Sets the model of the next run.
    pub fn set_model(&self, model: Arc<Model>) {
        lock(&self.0.state).model = model;
    }

    /// Sets the thinking level of the next run.
    pub fn set_thinking_level(&self, level: ThinkingLevel) {
        lock(&self.0.state).thinking_level = level;
    }

    /// Sets the tools of the next run.
    pub fn set_tools(&self, tools: ToolSet) {
        lock(&self.0.state).tools = tools;
    }

    /// Replaces the transcript. A run in progress keeps its own copy.
    #[doc(alias = "replaceMessages")]
    pub fn set_messages(&self, messages: Vec<Arc<Message>>) {
        lock(&self.0.state).messages = messages;
    }

    /// Appends to the transcript without events.
    #[doc(alias = "appendMessage")]
    pub fn push_message(&self, message: Arc<Message>) {
        lock(&self.0.state).messages.push(message);
    }

    /// The hooks of the next run.
    pub fn hooks(&self) -> Hooks {
        lock(&self.0.settings).hooks.clone()
    }

    /// Replaces the hooks of the next run. To change one, take [`Agent::hooks`], change it and set the result.
    pub fn set_hooks(&self, hooks: Hooks) {
        lock(&self.0.settings).hooks = hooks;
    }

    /// Options of the model calls of the next run: session id, transport, thinking budgets, limits, `on_payload`,
    /// `on_response`.
    pub fn stream_options(&self) -> StreamOptions {
        lock(&self.0.settings).stream_options.clone()
    }

    /// Changes the options of the next run's model calls. Do not call back into the agent from `change`.
    pub fn edit_stream_options(&self, change: impl FnOnce(&mut StreamOptions)) {
        change(&mut lock(&self.0.settings).stream_options);
    }

    /// Replaces what starts model calls, from the next run on.
    pub fn set_stream(&self, stream: Arc<StreamFn>) {
        lock(&self.0.settings).stream = stream;
    }

    /// How tools of the next run are run.
    pub fn tool_settings(&self) -> AgentToolSettings<'_> {
        AgentToolSettings(&self.0.settings)
    }
}

/// How tools of an agent are run: [`Agent::tool_settings`].
#[derive(Clone, Copy)]
pub struct AgentToolSettings<'a>(&'a Mutex<Settings>);

impl AgentToolSettings<'_> {
    /// Whether the calls of one message run concurrently, in the next run.
    pub fn execution(self) -> ToolExecutionMode {
        lock(self.0).tool_execution
    }

    /// Sets whether the calls of one message run concurrently, in the next run.
    pub fn set_execution(self, mode: ToolExecutionMode) {
        lock(self.0).tool_execution = mode;
    }

    /// How long tools of the next run may go on after an abort; `None` waits for ever.
    pub fn abort_grace(self) -> Option<Duration> {
        lock(self.0).abort_grace
    }

    /// Sets how long tools of the next run may go on after an abort; `None` waits for ever.
    pub fn set_abort_grace(self, grace: Option<Duration>) {
        lock(self.0).abort_grace = grace;
    }
}

impl std::fmt::Debug for AgentToolSettings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("AgentToolSettings");
        debug.field("execution", &self.execution()).field("abort_grace", &self.abort_grace()).finish()
    }
}
