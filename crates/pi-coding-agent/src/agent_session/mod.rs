//! One conversation: an agent, its session file, its settings. One small owner per concern.
//!
//! [`AgentSession`] is a thin handle. What happens lives beside it: `activity/` knows what the session is doing and what may
//! start, `prompting.rs` starts runs, `pump.rs` passes on what the agent does, `recorder.rs` writes it down, `retry.rs` and `auto_compact.rs` decide whether a run goes on, `between_turns.rs` what
//! its next turn works with, `settlement.rs` announces that nothing follows any more, `compact.rs` makes summaries,
//! `model_switch.rs` changes model and thinking level, `queue.rs` how queued messages are taken, `start.rs` chooses
//! the first ones, `workspace.rs` makes what depends on the directory, `shell.rs` runs the user's own commands,
//! `name.rs` knows the display name, `replace.rs` and `forking.rs` go to another session, `navigate.rs`
//! to another place in this one, `toolbox.rs` says what tools there are and `tool_choice.rs` which are active, `extensions/` is what extensions hear and change,
//! `effects.rs` notes which calls are under way, `stats.rs` counts, `export.rs` makes pages and files of the
//! conversation, `listeners.rs` knows who is told of it, `callbacks.rs` those of them that no run waits for. Nothing here
//! knows a terminal, a protocol or the command line.

mod activity;
mod auto_compact;
mod between_turns;
mod callbacks;
mod compact;
mod compaction_state;
mod completion;
mod effects;
mod export;
mod extensions;
mod facts;
mod forking;
mod handles;
mod limits;
mod listeners;
mod model_switch;
mod name;
mod navigate;
mod prompting;
mod pump;
mod queue;
mod recorder;
mod replace;
mod retry;
mod settlement;
mod shell;
mod start;
mod stats;
mod stopping;
mod store;
mod stream;
mod surroundings;
mod thinking;
mod tool_choice;
mod toolbox;
mod workspace;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pi_agent_core::{Agent, AgentState, StreamFn};
use pi_ai::transport::HttpTransport;
use pi_ai::{ApiRegistry, Clock, Message, Model, ThinkingLevel};

use crate::config::models::ModelRegistry;
use crate::config::settings::SettingsManager;
use crate::extension::LoadReport;
use crate::resources::prompt::PromptResources;
use crate::session::SessionManager;

pub use crate::config::settings::{Limit, Limits};
pub use crate::events::Error;
pub use crate::events::{
    BashResult, CompactionOutcome, CompactionReason, ContextUsage, ForkPosition, LimitReached, LimitStatus,
    NavigateOptions, NavigateOutcome, Replacement, SessionEvent, SessionStats, StreamingBehavior, SummarySource,
    ToolSummary,
};
pub use compact::CompactionHandle;
pub use export::ExportHandle;
pub(crate) use extensions::extension_tools;
pub use extensions::{ExtensionBindings, ExtensionsHandle, ToolsHandle};
pub(crate) use facts::SessionFacts;
pub use forking::ForkMessage;
pub use limits::LimitsHandle;
pub use listeners::{SessionListener, Subscription};
pub use model_switch::{CycleDirection, ModelCycle, ModelsHandle};
pub use name::NameHandle;
pub use navigate::TreeHandle;
pub(crate) use prompting::prompt_after;
pub use prompting::{OnAccepted, PromptDisposition, PromptOptions};
pub use queue::{QueueHandle, QueuedTexts};
pub use replace::SwitchHandle;
pub use retry::RetryHandle;
pub(crate) use settlement::abort_and_settle;
pub use shell::{BashOptions, OutputListener, PieceListener, ShellHandle};
pub(crate) use start::{Start, StartingChoice};
pub use stats::StatsHandle;
pub use store::StoreHandle;
pub(crate) use stream::{RequestHeaders, stream_fn};
pub use surroundings::{Surroundings, WeakAgentSession};
pub use thinking::ThinkingHandle;
pub use workspace::TrustDecision;
pub(crate) use workspace::{Furnishing, Workspace};

/// A conversation. Clones are handles to the same one.
#[derive(Clone)]
pub struct AgentSession(Arc<Inner>);

pub(crate) struct Inner {
    agent: Agent,
    /// What the session is doing, and what may start.
    activity: activity::Activity,
    /// Calls models outside of a run, for summaries.
    stream: Arc<StreamFn>,
    /// Wire formats, which may hold connections for the session.
    apis: Arc<ApiRegistry>,
    /// Replaces the network, for calls that extensions make by themselves, too.
    http: Option<Arc<dyn HttpTransport>>,
    manager: Mutex<SessionManager>,
    settings: Arc<SettingsManager>,
    models: Arc<ModelRegistry>,
    furnishing: Furnishing,
    workspace: Mutex<Workspace>,
    choice: StartingChoice,
    clock: Arc<dyn Clock>,
    listeners: listeners::Listeners,
    retry: retry::RetryState,
    compaction: compaction_state::CompactionState,
    recorder: recorder::Recorder,
    pump: pump::Pump,
    effects: effects::EffectJournal,
    queue: queue::PromptQueue,
    shell: shell::HeldMessages,
    extensions: extensions::Extensions,
    name: name::NameState,
    limits: limits::LimitState,
}

/// What a session is put together from.
pub(crate) struct Parts {
    pub(crate) agent: Agent,
    pub(crate) stream: Arc<StreamFn>,
    pub(crate) apis: Arc<ApiRegistry>,
    pub(crate) http: Option<Arc<dyn HttpTransport>>,
    pub(crate) manager: SessionManager,
    pub(crate) settings: Arc<SettingsManager>,
    pub(crate) models: Arc<ModelRegistry>,
    pub(crate) furnishing: Furnishing,
    pub(crate) workspace: Workspace,
    pub(crate) choice: StartingChoice,
    pub(crate) extensions: LoadReport,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limits: Limits,
    /// Told in one sentence about what went wrong without stopping the session.
    pub(crate) warn: Arc<dyn Fn(&str) + Send + Sync>,
}

/// A poisoned lock only means that a listener panicked; the data behind it is still consistent.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl AgentSession {
    /// Puts a session together and connects it to its agent.
    pub(crate) fn new(parts: Parts) -> Self {
        let inner = Arc::new(Inner {
            activity: activity::Activity::new(parts.agent.clone()),
            queue: queue::PromptQueue::new(parts.agent.clone()),
            agent: parts.agent,
            stream: parts.stream,
            apis: parts.apis,
            http: parts.http,
            manager: Mutex::new(parts.manager),
            settings: parts.settings,
            models: parts.models,
            furnishing: parts.furnishing,
            workspace: Mutex::new(parts.workspace),
            choice: parts.choice,
            clock: parts.clock,
            listeners: listeners::Listeners::default(),
            retry: retry::RetryState::default(),
            compaction: compaction_state::CompactionState::default(),
            recorder: recorder::Recorder::new(parts.warn),
            pump: pump::Pump::default(),
            effects: effects::EffectJournal::default(),
            shell: shell::HeldMessages::default(),
            extensions: extensions::Extensions::new(parts.extensions),
            name: name::NameState::default(),
            limits: limits::LimitState::new(parts.limits),
        });
        pump::connect(&inner);
        inner.furnishing.facts.bind(&inner);
        inner.extensions.runner().runtime().bind(extensions::connection(&inner));
        extensions::install_hooks(&inner);
        limits::install(&inner);
        between_turns::install(&inner);
        Self(inner)
    }

    /// The agent behind the session. What is changed there directly is not recorded in the session.
    pub fn agent(&self) -> &Agent {
        &self.0.agent
    }

    /// A snapshot of the agent.
    pub fn state(&self) -> AgentState {
        self.0.agent.state()
    }

    /// The messages of the current context.
    pub fn messages(&self) -> Vec<Arc<Message>> {
        self.0.agent.with_state(|state| state.messages.clone())
    }

    /// The current model; its identity is `unknown` when none is selected.
    pub fn model(&self) -> Arc<Model> {
        self.0.model()
    }

    /// The system prompt in force.
    pub fn system_prompt(&self) -> Arc<str> {
        self.0.agent.with_state(|state| Arc::clone(&state.system_prompt))
    }

    /// Whether a run of the agent is in progress; false while waiting for a retry or compacting.
    pub fn is_streaming(&self) -> bool {
        self.0.agent.is_running()
    }

    /// The settings in force.
    pub fn settings(&self) -> &Arc<SettingsManager> {
        &self.0.settings
    }

    /// What the model is told besides the conversation, and what the user can call with a slash.
    pub fn resources(&self) -> Arc<PromptResources> {
        Arc::clone(&lock(&self.0.workspace).resources)
    }

    /// The session's file, also before it exists; `None` for a session in memory.
    pub fn session_file(&self) -> Option<PathBuf> {
        store::session_file(&self.0)
    }

    /// The session id.
    pub fn session_id(&self) -> String {
        lock(&self.0.manager).session_id().to_owned()
    }

    /// Stops whatever is going on and waits until it is over. Queued messages are kept.
    pub async fn abort(&self) {
        stopping::abort(&self.0).await;
    }

    /// Waits until no run, no pause before a retry and no summary goes on. Their futures have to be polled meanwhile.
    pub async fn wait_for_idle(&self) {
        self.0.activity.idle().await;
    }

    /// Asks whatever is going on to stop, without waiting for it.
    pub fn request_abort(&self) {
        self.0.activity.request_abort();
    }

    /// Whether the session was closed.
    pub fn is_closed(&self) -> bool {
        self.0.activity.is_closed()
    }

    /// Stops everything for good and makes sure that what was said so far is on disk. Listeners hear nothing of it,
    /// and prompts are refused from now on.
    ///
    /// A run lives in the future of its prompt, a compaction in that of its call: they have to be polled meanwhile.
    pub async fn dispose(&self) {
        self.0.activity.close();
        self.0.listeners.retire();
        stopping::stop(&self.0).await;
        self.0.quit_extensions().await;
        self.0.listeners.clear();
        recorder::flush(&self.0).await;
        self.0.apis.cleanup_session_resources(Some(&self.session_id()));
    }
}

impl std::fmt::Debug for AgentSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Inner {
    fn model(&self) -> Arc<Model> {
        self.agent.with_state(|state| Arc::clone(&state.model))
    }

    fn thinking_level(&self) -> ThinkingLevel {
        self.agent.with_state(|state| state.thinking_level)
    }

    fn messages(&self) -> Vec<Arc<Message>> {
        self.agent.with_state(|state| state.messages.clone())
    }
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentSession").field("agent", &self.agent).finish_non_exhaustive()
    }
}
