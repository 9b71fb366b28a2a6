//! One conversation: an agent, its session file, its settings.
//!
//! [`AgentSession`] is a thin handle with what every program needs; what belongs to one concern is on a handle of its own that
//! borrows it (`handles.rs`): `session.models().set(…)`, `session.tree().fork(…)`.
//!
//! Behind it are six parts with private fields. `run_control.rs`: the agent, and what decides when it runs. `store.rs`: the
//! session file, and who writes to it. `environment.rs`: directory, tools, settings, models. `extensions/`, `listeners.rs`,
//! `services.rs`. What needs several parts is a function in the file of its concern, and none needs more than four;
//! only `build.rs`, which puts a session together, names all.
//!
//! | Concern | Files |
//! |---|---|
//! | what the session is doing, and what may start | `activity/` |
//! | runs | `prompting` starts them, `event_pump` passes on what the agent does, `turn_update` prepares the next turn, `settlement` announces that nothing follows, `limits`, `queue`, `queue_change` |
//! | whether a run goes on | `retry`, `auto_compact`, `compaction_state` |
//! | what is written | `recorder` (messages), `effects` (tool calls under way), `name`, `shell` (the user's commands) |
//! | summaries | `compact`, `completion` |
//! | going elsewhere | `navigate` in this session; `replace` and `forking` to another one, by an `next_session`; `shutdown` before that and for good |
//! | model and thinking level | `starting_model`, `model_switch`, `thinking`, `stream` |
//! | tools and directory | `workspace`, `tool_catalog`, `tool_choice`, `session_env` |
//! | who hears of it | `listeners`, `callbacks`, `extensions/` |
//! | figures and copies | `stats`, `export` |
//!
//! Nothing here knows a terminal, a protocol or the command line.

mod activity;
mod auto_compact;
mod build;
mod callbacks;
mod compact;
mod compaction_state;
mod completion;
mod effects;
mod environment;
mod event_pump;
mod export;
mod extensions;
mod forking;
mod handles;
mod limits;
mod listeners;
mod model_switch;
mod name;
mod navigate;
mod next_session;
mod prompting;
mod queue;
mod queue_change;
mod recorder;
mod replace;
mod retry;
mod run_control;
mod services;
mod session_env;
mod settlement;
mod shell;
mod shutdown;
mod starting_model;
mod stats;
mod store;
mod stream;
mod thinking;
mod tool_catalog;
mod tool_choice;
mod turn_update;
mod workspace;

use std::path::PathBuf;
use std::sync::Arc;

use pi_agent_core::{Agent, AgentState};
use pi_ai::{Message, Model};
use pi_guard::lock;

use crate::config::settings::SettingsManager;
use crate::resources::prompt::PromptResources;

use environment::SessionEnvironment;
use extensions::Extensions;
use listeners::Listeners;
use run_control::RunControl;
use store::Store;

pub use crate::config::settings::{Limit, Limits};
pub use crate::events::Error;
pub use crate::events::{
    BashResult, CompactionOutcome, CompactionReason, ContextUsage, ForkPosition, LimitReached, LimitStatus,
    NavigateOptions, NavigateOutcome, Replacement, SessionEvent, SessionStats, StreamingBehavior, SummarySource,
    ToolSummary,
};
pub(crate) use build::{SessionParts, assemble};
pub use compact::CompactionHandle;
pub use export::ExportHandle;
pub(crate) use extensions::extension_tools;
pub use extensions::{ExtensionBindings, ExtensionsHandle, ToolsHandle};
pub use forking::ForkMessage;
pub use limits::LimitsHandle;
pub use listeners::{SessionListener, Subscription};
pub use model_switch::{CycleDirection, ModelCycle, ModelsHandle};
pub use name::NameHandle;
pub use navigate::TreeHandle;
pub(crate) use prompting::prompt_after;
#[cfg(feature = "acp")]
pub(crate) use prompting::prompt_noting;
pub use prompting::{OnAccepted, PromptDisposition, PromptOptions};
pub use queue::{QueueHandle, QueuedTexts};
pub use queue_change::{QueueChange, QueuedPrompt};
pub use replace::SwitchHandle;
pub use retry::RetryHandle;
pub use services::{SessionServices, WeakAgentSession};
pub(crate) use session_env::SessionFacts;
pub(crate) use settlement::abort_and_settle;
pub use shell::{BashOptions, OutputListener, PieceListener, ShellHandle};
pub(crate) use starting_model::{StartingChoice, StartingModel};
pub use stats::StatsHandle;
pub use store::StoreHandle;
pub(crate) use stream::{RequestHeaders, stream_fn};
pub use thinking::ThinkingHandle;
pub(crate) use workspace::{DirectoryState, WorkspaceFactory};
pub use workspace::{TrustDecision, tool_options};

/// A conversation. Clones are handles to the same one.
#[derive(Clone)]
pub struct AgentSession(Arc<Inner>);

/// The parts of a session. Each owns its fields; what needs several of them is a function of its own file.
pub(crate) struct Inner {
    run: RunControl,
    store: Store,
    place: SessionEnvironment,
    surroundings: SessionServices,
    listeners: Listeners,
    extensions: Extensions,
}

impl AgentSession {
    /// The agent behind the session. What is changed there directly is not recorded in the session.
    pub fn agent(&self) -> &Agent {
        self.0.run.agent()
    }

    /// A snapshot of the agent.
    pub fn state(&self) -> AgentState {
        self.0.run.agent().state()
    }

    /// The messages of the current context.
    pub fn messages(&self) -> Vec<Arc<Message>> {
        self.0.run.messages()
    }

    /// The current model; its identity is `unknown` when none is selected.
    pub fn model(&self) -> Arc<Model> {
        self.0.run.model()
    }

    /// The system prompt in force.
    pub fn system_prompt(&self) -> Arc<str> {
        self.0.run.agent().with_state(|state| Arc::clone(&state.system_prompt))
    }

    /// Whether a run of the agent is in progress; false while waiting for a retry or compacting.
    pub fn is_streaming(&self) -> bool {
        self.0.run.agent().is_running()
    }

    /// The settings in force.
    pub fn settings(&self) -> &Arc<SettingsManager> {
        self.0.place.settings()
    }

    /// What the model is told besides the conversation, and what the user can call with a slash.
    pub fn resources(&self) -> Arc<PromptResources> {
        self.0.place.resources()
    }

    /// The session's file, also before it exists; `None` for a session in memory.
    pub fn session_file(&self) -> Option<PathBuf> {
        self.0.store.session_file()
    }

    /// The session id.
    pub fn session_id(&self) -> String {
        self.0.store.session_id()
    }

    /// Stops whatever is going on and waits until it is over. Queued messages are kept.
    pub async fn abort(&self) {
        self.0.run.abort().await;
    }

    /// Waits until no run, no pause before a retry and no summary goes on. Their futures have to be polled meanwhile.
    pub async fn wait_for_idle(&self) {
        self.0.run.activity().idle().await;
    }

    /// Asks whatever is going on to stop, without waiting for it.
    pub fn request_abort(&self) {
        self.0.run.request_abort();
    }

    /// Whether the session was closed.
    pub fn is_closed(&self) -> bool {
        self.0.run.activity().is_closed()
    }

    /// Stops everything for good and makes sure that what was said so far is on disk. Listeners hear nothing of it,
    /// and prompts are refused from now on.
    ///
    /// A run lives in the future of its prompt, a compaction in that of its call: they have to be polled meanwhile.
    pub async fn dispose(&self) {
        shutdown::dispose(&self.0).await;
    }
}

impl std::fmt::Debug for AgentSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentSession").field("agent", self.run.agent()).finish_non_exhaustive()
    }
}
