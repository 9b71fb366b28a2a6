//! The agent: a transcript with settings, one run at a time, listeners that are awaited.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use pi_ai::{Clock, Message, Model, StreamOptions, ThinkingLevel};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::config::{AgentOptions, Listener};
use crate::error::Error;
use crate::event::AgentEvent;
use crate::hooks::{Hooks, StreamFn};
use crate::prompt::Prompt;
use crate::queue::{MessageQueue, QueueMode};
use crate::run::RunConfig;
use crate::running::RunGuard;
use crate::state::AgentState;
use crate::tool::ToolExecutionMode;
use crate::tool_set::ToolSet;

/// An agent. Clones are handles to the same agent.
#[derive(Clone)]
pub struct Agent(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) state: Mutex<AgentState>,
    pub(crate) queues: Mutex<Queues>,
    pub(crate) listeners: Mutex<Vec<(u64, Arc<Listener>)>>,
    settings: Mutex<Settings>,
    stream: Arc<StreamFn>,
    clock: Arc<dyn Clock>,
    /// The cancellation of the current run; `None` when idle.
    pub(crate) run: watch::Sender<Option<CancellationToken>>,
}

struct Settings {
    hooks: Hooks,
    tool_execution: ToolExecutionMode,
    stream_options: StreamOptions,
    next_listener: u64,
}

#[derive(Default)]
pub(crate) struct Queues {
    pub(crate) steering: MessageQueue,
    pub(crate) follow_ups: MessageQueue,
}

/// A poisoned lock only means that a listener panicked; the data behind it is still consistent.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Agent {
    /// An idle agent.
    pub fn new(options: AgentOptions) -> Self {
        let queues = Queues {
            steering: MessageQueue::new(options.steering_mode),
            follow_ups: MessageQueue::new(options.follow_up_mode),
        };
        let settings = Settings {
            hooks: options.hooks,
            tool_execution: options.tool_execution,
            stream_options: options.stream_options,
            next_listener: 0,
        };
        Self(Arc::new(Inner {
            state: Mutex::new(options.initial_state),
            queues: Mutex::new(queues),
            listeners: Mutex::default(),
            settings: Mutex::new(settings),
            stream: options.stream,
            clock: options.clock,
            run: watch::Sender::new(None),
        }))
    }

    /// A snapshot of the state.
    pub fn state(&self) -> AgentState {
        lock(&self.0.state).clone()
    }

    /// Looks at the state without copying it. Do not call back into the agent from `look`.
    pub fn with_state<R>(&self, look: impl FnOnce(&AgentState) -> R) -> R {
        look(&lock(&self.0.state))
    }

    /// Whether a run is in progress.
    pub fn is_running(&self) -> bool {
        self.0.run.borrow().is_some()
    }

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
    pub fn set_messages(&self, messages: Vec<Arc<Message>>) {
        lock(&self.0.state).messages = messages;
    }

    /// Appends to the transcript without events.
    pub fn push_message(&self, message: Arc<Message>) {
        lock(&self.0.state).messages.push(message);
    }

    /// Changes the options of later model calls.
    pub fn edit_stream_options(&self, change: impl FnOnce(&mut StreamOptions)) {
        change(&mut lock(&self.0.settings).stream_options);
    }

    /// Adds a listener. Dropping the subscription does nothing; [`Subscription::cancel`] removes the listener.
    pub fn subscribe(&self, listener: Arc<Listener>) -> Subscription {
        let mut settings = lock(&self.0.settings);
        settings.next_listener += 1;
        let id = settings.next_listener;
        lock(&self.0.listeners).push((id, listener));
        Subscription { agent: self.clone(), id }
    }

    /// Adds a listener that is done when it returns and cannot break the run off. It must not block.
    pub fn on_event(&self, look: impl Fn(&AgentEvent) + Send + Sync + 'static) -> Subscription {
        self.subscribe(Arc::new(move |event, _cancel| {
            look(&event);
            std::future::ready(Ok(())).boxed()
        }))
    }

    /// Queues a message for the next turn of a run.
    pub fn steer(&self, message: impl Into<Message>) {
        lock(&self.0.queues).steering.push(Arc::new(message.into()));
    }

    /// Queues a message for when the run would stop.
    pub fn follow_up(&self, message: impl Into<Message>) {
        lock(&self.0.queues).follow_ups.push(Arc::new(message.into()));
    }

    /// Whether messages wait in either queue.
    pub fn has_queued_messages(&self) -> bool {
        let queues = lock(&self.0.queues);
        !queues.steering.is_empty() || !queues.follow_ups.is_empty()
    }

    /// Empties both queues.
    pub fn clear_queues(&self) {
        let mut queues = lock(&self.0.queues);
        queues.steering.clear();
        queues.follow_ups.clear();
    }

    /// How much of the steering queue a turn takes.
    pub fn steering_mode(&self) -> QueueMode {
        lock(&self.0.queues).steering.mode
    }

    /// How much of the follow-up queue a stop takes.
    pub fn follow_up_mode(&self) -> QueueMode {
        lock(&self.0.queues).follow_ups.mode
    }

    /// Changes how much of the steering queue a turn takes, from the next drain on.
    pub fn set_steering_mode(&self, mode: QueueMode) {
        lock(&self.0.queues).steering.mode = mode;
    }

    /// Changes how much of the follow-up queue a stop takes, from the next drain on.
    pub fn set_follow_up_mode(&self, mode: QueueMode) {
        lock(&self.0.queues).follow_ups.mode = mode;
    }

    /// Runs a prompt to its end. A failed model call is a message, not an error.
    ///
    /// The run lives in the returned future: dropping it stops the run where it is, without further events.
    ///
    /// # Errors
    /// [`Error::PromptWhileRunning`].
    pub async fn prompt(&self, prompt: impl Into<Prompt>) -> Result<(), Error> {
        let messages = prompt.into().into_messages(self.0.clock.now_ms());
        let run = self.begin().ok_or(Error::PromptWhileRunning)?;
        run.execute(messages, true).await;
        Ok(())
    }

    /// Runs on from the transcript as it is, or from what is queued if the transcript ends in an answer.
    ///
    /// # Errors
    /// When a run is in progress, or there is nothing that the model could answer.
    pub async fn continue_run(&self) -> Result<(), Error> {
        let run = self.begin().ok_or(Error::ContinueWhileRunning)?;
        let role = self.with_state(|state| state.messages.last().map(|message| message.role().to_owned()));
        let (prompts, poll_first) = match role.as_deref() {
            None => return Err(Error::NothingToContinue),
            Some("assistant") => self.queued_prompts().ok_or(Error::CannotContinueFrom { role: "assistant".into() })?,
            Some(_) => (Vec::new(), true),
        };
        run.execute(prompts, poll_first).await;
        Ok(())
    }

    /// Messages to run as prompts, and whether the first steering poll still has to happen.
    fn queued_prompts(&self) -> Option<(Vec<Arc<Message>>, bool)> {
        let mut queues = lock(&self.0.queues);
        let steering = queues.steering.drain();
        if !steering.is_empty() {
            return Some((steering, false));
        }
        let follow_ups = queues.follow_ups.drain();
        (!follow_ups.is_empty()).then_some((follow_ups, true))
    }

    /// Asks the current run to stop; it ends with an aborted message. Queues are kept.
    pub fn abort(&self) {
        if let Some(cancel) = &*self.0.run.borrow() {
            cancel.cancel();
        }
    }

    /// Waits until no run is in progress and all its listeners returned.
    pub async fn wait_for_idle(&self) {
        // The sender lives in `self`, so the channel cannot close.
        let _ = self.0.run.subscribe().wait_for(Option::is_none).await;
    }

    /// Forgets transcript, error and queues; keeps model, tools and prompt. Does not abort.
    pub fn reset(&self) {
        self.clear_queues();
        let mut state = lock(&self.0.state);
        state.messages.clear();
        state.end_run();
        state.error_message = None;
    }

    fn begin(&self) -> Option<RunGuard> {
        let cancel = CancellationToken::new();
        let started = self.0.run.send_if_modified(|run| {
            let idle = run.is_none();
            if idle {
                *run = Some(cancel.clone());
            }
            idle
        });
        if started {
            lock(&self.0.state).begin_run();
        }
        started.then(|| RunGuard { agent: self.clone(), cancel })
    }

    pub(crate) fn run_config(&self, cancel: &CancellationToken) -> (RunConfig, Vec<Arc<Message>>) {
        let state = lock(&self.0.state);
        let settings = lock(&self.0.settings);
        let config = RunConfig {
            system_prompt: Arc::clone(&state.system_prompt),
            model: Arc::clone(&state.model),
            thinking_level: state.thinking_level,
            tools: state.tools.clone(),
            tool_execution: settings.tool_execution,
            stream: Arc::clone(&self.0.stream),
            stream_options: settings.stream_options.clone(),
            hooks: settings.hooks.clone(),
            clock: Arc::clone(&self.0.clock),
            cancel: cancel.clone(),
        };
        (config, state.messages.clone())
    }
}

impl std::fmt::Debug for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Agent").field("running", &self.is_running()).finish_non_exhaustive()
    }
}

/// A registered listener.
#[derive(Debug)]
pub struct Subscription {
    agent: Agent,
    id: u64,
}

impl Subscription {
    /// Removes the listener; it is not called again.
    pub fn cancel(self) {
        lock(&self.agent.0.listeners).retain(|(id, _)| *id != self.id);
    }
}
