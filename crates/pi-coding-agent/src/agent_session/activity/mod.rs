//! What a session is doing, and so what may start: the only owner of that state.
//!
//! All of it is plain data ([`ActivityState`]) behind one lock; a change wakes those who wait. Only the agent
//! itself knows whether it runs, because programs that embed it may start a run beside the session.
//!
//! Whoever wants to start something names a [`Request`]. The phase is looked up, `table.rs` says what becomes of the request
//! in it, and what starts is marked as going on in the same moment, under the lock. Each activity is a guard: dropping it,
//! finished or not, ends the activity. The guards are in `run.rs` (a run that begins, a prompt with what follows from it),
//! `summary.rs`, `pause.rs` (before a retry), `exchange.rs` (of the conversation) and `command.rs`; `settlement.rs` is how
//! far the end of a prompt was announced. Nothing here knows what is done meanwhile, or tells anybody of it.

mod command;
mod exchange;
mod pause;
mod run;
mod settlement;
mod summary;
mod table;

use pi_agent_core::Agent;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

pub(super) use exchange::Exchange;
pub(super) use run::RunClaim;
pub(super) use summary::{ActiveSummary, SummaryKind};
pub(crate) use table::{Phase, Refusal, Request, Verdict};

use table::View;

/// What a session is doing.
pub(crate) struct Activity {
    agent: Agent,
    state: watch::Sender<ActivityState>,
}

/// The parts of it that the agent does not know.
#[derive(Default)]
struct ActivityState {
    /// Nothing starts any more.
    is_closed: bool,
    /// The conversation is being exchanged, or moved to another place.
    is_exchanging: bool,
    /// The number of the conversation: what belongs to another one must not go on in this one.
    conversation: u64,
    /// A run that was granted, until its prompt knows what follows from it.
    claim: Option<run::Claim>,
    /// How many runs were granted.
    claims: u64,
    /// Prompts that are being worked on, with all that follows from them.
    prompts: usize,
    /// Prompts among them that wait until their next run may begin.
    waiting_prompts: usize,
    /// The summary that is being made.
    summary: Option<summary::Active>,
    retry: pause::Retry,
    /// Commands of the user that run, in the order in which they were started.
    commands: Vec<CancellationToken>,
    settlement: settlement::Settlement,
}

impl ActivityState {
    /// The phase, as somebody with this view sees it.
    fn phase(&self, view: View, agent_runs: bool) -> Phase {
        if self.is_closed && view != View::Ending {
            return Phase::Closed;
        }
        if self.is_exchanging && view != View::Inside {
            return Phase::Replacing;
        }
        self.doing(agent_runs)
    }

    /// The phase of the conversation itself, whether or not it is being left or closed.
    fn doing(&self, agent_runs: bool) -> Phase {
        match (agent_runs || self.is_about_to_run(), &self.summary) {
            (true, None) => Phase::Running,
            (true, Some(_)) => Phase::CompactingInRun,
            (false, Some(summary)) => match summary.kind {
                SummaryKind::History => Phase::Compacting,
                SummaryKind::Branch => Phase::SummarizingBranch,
            },
            (false, None) if self.claim.is_some() => Phase::Deciding,
            (false, None) if self.retry.is_pausing() => Phase::Retrying,
            (false, None) => Phase::Idle,
        }
    }

    /// Whether a run was granted that the agent has not begun.
    fn is_about_to_run(&self) -> bool {
        self.claim.as_ref().is_some_and(|claim| !claim.has_begun())
    }

    /// What becomes of a request now.
    fn answer(&self, request: Request, agent_runs: bool) -> Verdict {
        table::answer(request, self.phase(table::view(request), agent_runs))
    }
}

impl Activity {
    pub(super) fn new(agent: Agent) -> Self {
        Self { agent, state: watch::Sender::new(ActivityState::default()) }
    }

    /// What becomes of a request now.
    fn answer(&self, request: Request) -> Verdict {
        self.state.borrow().answer(request, self.agent.is_running())
    }

    /// Looks whether a request is refused now.
    ///
    /// # Errors
    /// When it is.
    pub(super) fn check(&self, request: Request) -> Result<(), Refusal> {
        match self.answer(request) {
            Verdict::Refuse(refusal) => Err(refusal),
            _ => Ok(()),
        }
    }

    /// Waits until a request may start, be queued, or interrupt. Nothing is marked as going on by that.
    ///
    /// # Errors
    /// When it is refused.
    pub(super) async fn admitted(&self, request: Request) -> Result<Verdict, Refusal> {
        self.poll(|state, agent_runs| match state.answer(request, agent_runs) {
            Verdict::Wait => None,
            Verdict::Refuse(refusal) => Some(Err(refusal)),
            answer => Some(Ok(answer)),
        })
        .await
    }

    /// Waits until a request may start, and marks it as going on.
    ///
    /// # Errors
    /// When it is refused.
    async fn start<T>(&self, request: Request, mut mark: impl FnMut(&mut ActivityState) -> T) -> Result<T, Refusal> {
        loop {
            let mut changes = self.state.subscribe();
            let mut agent_runs = false;
            let mut outcome = None;
            self.state.send_if_modified(|state| {
                agent_runs = self.agent.is_running();
                match state.answer(request, agent_runs) {
                    Verdict::Start => outcome = Some(Ok(mark(state))),
                    Verdict::Refuse(refusal) => outcome = Some(Err(refusal)),
                    Verdict::Wait | Verdict::Interrupt | Verdict::Queue => {}
                }
                matches!(outcome, Some(Ok(_)))
            });
            match outcome {
                Some(outcome) => return outcome,
                None => self.changed(&mut changes, agent_runs).await,
            }
        }
    }

    /// Marks a request as going on if it may start now.
    ///
    /// # Errors
    /// When it may not.
    fn start_now<T>(&self, request: Request, mark: impl FnOnce(&mut ActivityState) -> T) -> Result<T, Refusal> {
        let mut outcome = Err(Refusal::Busy);
        self.state.send_if_modified(|state| {
            match state.answer(request, self.agent.is_running()) {
                Verdict::Start => outcome = Ok(mark(state)),
                Verdict::Refuse(refusal) => outcome = Err(refusal),
                Verdict::Wait | Verdict::Interrupt | Verdict::Queue => {}
            }
            outcome.is_ok()
        });
        outcome
    }

    /// Looks at the state, again after each change, until there is something to return.
    async fn poll<T>(&self, mut look: impl FnMut(&ActivityState, bool) -> Option<T>) -> T {
        loop {
            let mut changes = self.state.subscribe();
            let agent_runs = self.agent.is_running();
            let found = look(&self.state.borrow(), agent_runs);
            match found {
                Some(found) => return found,
                None => self.changed(&mut changes, agent_runs).await,
            }
        }
    }

    /// Waits for a change, or for the end of the run that was seen.
    async fn changed(&self, changes: &mut watch::Receiver<ActivityState>, agent_ran: bool) {
        let run_is_over =
            async { if agent_ran { self.agent.wait_for_idle().await } else { std::future::pending().await } };
        tokio::select! {
            // The sender lives in `self`, so the channel cannot close.
            _ = changes.changed() => {}
            () = run_is_over => {}
        }
    }

    /// Waits until no run, no pause before a retry and no summary goes on. Their futures have to be polled meanwhile.
    pub(super) async fn idle(&self) {
        self.poll(|state, agent_runs| (state.doing(agent_runs) == Phase::Idle).then_some(())).await;
    }

    /// Nothing starts from now on.
    pub(super) fn close(&self) {
        self.state.send_modify(|state| state.is_closed = true);
    }

    /// Whether the session was closed.
    pub(super) fn is_closed(&self) -> bool {
        self.state.borrow().is_closed
    }
}
