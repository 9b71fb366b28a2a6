//! The agent: a transcript with settings, one run at a time, listeners that are awaited.
//!
//! `settings` and `queues` hold what can be changed, `listeners` the receivers of events, `running` the runs.

mod listeners;
mod queues;
mod running;
mod settings;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use pi_ai::Clock;
use pi_guard::lock;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::config::AgentOptions;
use crate::state::AgentState;
use listeners::Listeners;
use queues::Queues;
use settings::Settings;

pub use listeners::Subscription;
pub use queues::{AgentQueue, QueueHold};
pub use settings::AgentToolSettings;

/// An agent. Clones are handles to the same agent.
#[derive(Clone)]
pub struct Agent(Arc<Inner>);

struct Inner {
    state: Mutex<AgentState>,
    queues: Queues,
    listeners: Listeners,
    settings: Mutex<Settings>,
    clock: Arc<dyn Clock>,
    /// The cancellation of the current run; `None` when idle.
    run: watch::Sender<Option<CancellationToken>>,
    /// Number of runs so far, the current one included. Changes only together with `run`.
    runs: AtomicU64,
}

impl Agent {
    /// An idle agent.
    pub fn new(options: AgentOptions) -> Self {
        Self(Arc::new(Inner {
            settings: Mutex::new(Settings::new(&options)),
            state: Mutex::new(options.initial_state),
            queues: Queues::new(options.steering_mode, options.follow_up_mode),
            listeners: Listeners::default(),
            clock: options.clock,
            run: watch::Sender::new(None),
            runs: AtomicU64::new(0),
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

    /// The cancellation of the current run; `None` when idle. Cancelling it is what [`Agent::abort`] does.
    pub fn cancellation(&self) -> Option<CancellationToken> {
        self.0.run.borrow().clone()
    }

    /// Which run is in progress, counted from 1; `None` when idle. Tells one run from the next.
    pub fn run_number(&self) -> Option<u64> {
        let run = self.0.run.borrow();
        run.is_some().then(|| self.0.runs.load(Ordering::Relaxed))
    }

    /// Asks the current run to stop; it ends with an aborted message. Queues are kept.
    ///
    /// Model calls and hooks are dropped at once, tools get a grace period to end by themselves
    /// ([`AgentOptions::abort_grace`]).
    pub fn abort(&self) {
        // Outside the lock: cancelling wakes tasks that may take it.
        if let Some(cancel) = self.cancellation() {
            cancel.cancel();
        }
    }

    /// Waits until no run is in progress and all its listeners returned.
    pub async fn wait_for_idle(&self) {
        // The sender lives in `self`, so the channel cannot close.
        let _ = self.0.run.subscribe().wait_for(Option::is_none).await;
    }

    /// Waits until the run with this number is over and all its listeners returned; another one may be in progress then.
    pub async fn wait_for_end_of(&self, run: u64) {
        let is_over =
            |current: &Option<CancellationToken>| current.is_none() || self.0.runs.load(Ordering::Relaxed) != run;
        // The sender lives in `self`, so the channel cannot close.
        let _ = self.0.run.subscribe().wait_for(is_over).await;
    }

    /// Forgets transcript, error and queues; keeps model, tools, prompt, hooks and options. Does not abort.
    pub fn reset(&self) {
        self.clear_queues();
        let mut state = lock(&self.0.state);
        state.messages.clear();
        state.end_run();
        state.error_message = None;
    }
}

impl std::fmt::Debug for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Agent").field("running", &self.is_running()).finish_non_exhaustive()
    }
}
