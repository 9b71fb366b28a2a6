//! The session's side of the extension seam: who its extensions are, and what they hear and change.
//!
//! `events` tells them what the agent does, `hooks` lets them change it, `input` takes what the user said through them,
//! `entries` stores data of theirs, `models` tells of the choice of model, `pending_input` lets runs wait for prompts,
//! `sending` puts messages of theirs into the conversation, `tools` says what tools there are, `lifecycle` begins and ends
//! them with the session, `tree` and `compaction` let them have their say there, `resources` and `providers` take what they
//! bring. `connection` is the session as they see it.

mod compaction;
mod connection;
mod entries;
mod events;
mod hooks;
mod input;
mod lifecycle;
mod models;
mod pending_input;
mod providers;
mod resources;
mod sending;
mod tools;
mod tree;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use pi_ai::Message;
use tokio_util::task::TaskTracker;

use super::{Inner, SessionEvent, lock};
use crate::extension::{
    ExtensionError, ExtensionRunner, ExtensionSources, ExtensionUi, LoadReport, Mode, NoUi, Surface,
};

pub(super) use compaction::{FailedPlan, emit_before_compaction, emit_compaction, emit_failed_compaction};
pub(super) use connection::connection;
pub(super) use events::emit as emit_to_extensions;
pub(super) use hooks::install as install_hooks;
pub(super) use input::{Input, expand, injected, take_input};
pub(super) use lifecycle::{arrive_extensions, enter_extensions, leave_extensions, quit_extensions, start_extensions};
pub(super) use models::emit_thinking_level;
pub use tools::ToolsHandle;
pub(crate) use tools::extension_tools;
pub(super) use tools::tools_of_extensions;
pub(super) use tree::{emit_before_tree, emit_tree};

/// The extensions of a session, and what belongs to them.
pub(crate) struct Extensions {
    runner: Mutex<Arc<ExtensionRunner>>,
    /// What is activated again for a session that takes the place of this one, and where more may be found.
    sources: Mutex<ExtensionSources>,
    /// Whether the agent lets extensions change what it does.
    is_hooked: AtomicBool,
    surface: Mutex<Surface>,
    /// Whether the extensions as they are now have begun and not ended.
    has_started: AtomicBool,
    /// The number of the turn in the run.
    turn_index: AtomicUsize,
    /// Messages that go with the next prompt of the user.
    next_turn: Mutex<Vec<Arc<Message>>>,
    /// What they have added to the session's resources.
    extended: Mutex<Option<resources::Extended>>,
    /// Runs and compactions that nobody waits for.
    background: TaskTracker,
    /// Prompts that were said during a run and are not in its queues yet.
    placings: pending_input::Placings,
}

/// Where a session is shown, for its extensions.
pub struct ExtensionBindings {
    /// In which mode.
    pub mode: Mode,
    /// How the user is asked and told.
    pub ui: Arc<dyn ExtensionUi>,
    /// Called when an extension asks the program to end. Must not block.
    pub on_shutdown: Arc<dyn Fn() + Send + Sync>,
}

impl ExtensionBindings {
    /// A mode whose user is asked and told by `ui`. Requests to end the program are ignored; set `on_shutdown` for
    /// them.
    pub(crate) fn with_user(mode: Mode, ui: Arc<dyn ExtensionUi>) -> Self {
        Self { mode, ui, on_shutdown: Arc::new(|| {}) }
    }

    /// A mode in which nobody answers.
    pub fn without_user(mode: Mode) -> Self {
        Self::with_user(mode, Arc::new(NoUi))
    }
}

impl std::fmt::Debug for ExtensionBindings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExtensionBindings").field("mode", &self.mode).finish_non_exhaustive()
    }
}

impl Extensions {
    pub(super) fn new(loaded: LoadReport) -> Self {
        Self {
            runner: Mutex::new(loaded.runner),
            sources: Mutex::new(loaded.sources),
            is_hooked: AtomicBool::new(false),
            surface: Mutex::default(),
            has_started: AtomicBool::new(false),
            turn_index: AtomicUsize::new(0),
            next_turn: Mutex::default(),
            extended: Mutex::default(),
            background: TaskTracker::new(),
            placings: pending_input::Placings::default(),
        }
    }

    /// Those of the session as it is now.
    pub(super) fn runner(&self) -> Arc<ExtensionRunner> {
        Arc::clone(&lock(&self.runner))
    }

    /// Whether there is none now. Another directory, or a look at the files as they are then, may bring some.
    pub(super) fn is_none(&self) -> bool {
        lock(&self.sources).is_empty()
    }

    /// Takes the messages that go with the next prompt.
    pub(super) fn take_next_turn(&self) -> Vec<Arc<Message>> {
        std::mem::take(&mut *lock(&self.next_turn))
    }

    /// Whether the caller is the one who begins the extensions as they are now.
    fn begins(&self) -> bool {
        !self.has_started.swap(true, Ordering::AcqRel)
    }
}

/// Extensions of a session: [`AgentSession::extensions`](crate::agent_session::AgentSession::extensions).
#[derive(Debug, Clone, Copy)]
pub struct ExtensionsHandle<'a>(pub(in crate::agent_session) &'a Arc<Inner>);

impl ExtensionsHandle<'_> {
    /// The session's extensions and what they registered.
    pub fn runner(self) -> Arc<ExtensionRunner> {
        self.0.extensions.runner()
    }

    /// Waits for what extensions have started in the background, and for what follows from that.
    pub async fn wait_for_background(self) {
        let tracker = &self.0.extensions.background;
        while !tracker.is_empty() {
            tracker.close();
            tracker.wait().await;
            tracker.reopen();
        }
    }
}

/// Tells the listeners what went wrong in an extension.
async fn emit_extension_error(session: &Inner, error: ExtensionError) {
    if session.run.activity().is_closed() && session.listeners.is_empty() {
        // The listeners are gone.
        session.store.warn(&error.to_string());
        return;
    }
    session.listeners.emit(SessionEvent::ExtensionError(error)).await;
}
