//! A run that begins, and the prompt that it belongs to.
//!
//! A run is granted before the agent begins it, and from that moment on no other run and no summary starts. Once the agent
//! has begun, the agent itself is the one who knows whether the run goes on. When it is over, it is still the turn of its
//! prompt, until that knows what follows: a pause before a retry, a compaction, another run, or nothing.

use super::{Activity, ActivityState, Phase, Refusal, Request};

/// A run that was granted.
pub(super) struct Claim {
    number: u64,
    stage: Stage,
}

/// How far it is.
#[derive(PartialEq, Eq)]
enum Stage {
    /// It was granted.
    Granted,
    /// It was granted, and aborted before it began.
    Aborted,
    /// The agent has begun it, and may be through with it.
    Begun,
}

impl Claim {
    pub(super) fn has_begun(&self) -> bool {
        self.stage == Stage::Begun
    }
}

impl ActivityState {
    /// What follows from a run that is over has begun.
    pub(super) fn decided(&mut self) {
        self.claim.take_if(|claim| claim.has_begun());
    }
}

/// The right to begin a run of the agent and to decide what follows from it, until this is dropped.
pub(in crate::agent_session) struct RunClaim<'a> {
    activity: &'a Activity,
    number: u64,
    conversation: u64,
}

impl RunClaim<'_> {
    /// The number of the conversation that the run is one of.
    pub(in crate::agent_session) fn conversation(&self) -> u64 {
        self.conversation
    }

    /// What follows from the run is known: others may begin one.
    pub(in crate::agent_session) fn give_up(&self) {
        self.activity.state.send_if_modified(|state| {
            let is_own = state.claim.as_ref().is_some_and(|claim| claim.number == self.number);
            if is_own {
                state.claim = None;
            }
            is_own
        });
    }
}

impl Drop for RunClaim<'_> {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// A prompt waits for its next run, until this is dropped.
pub(super) struct WaitingPrompt<'a>(&'a Activity);

impl Drop for WaitingPrompt<'_> {
    fn drop(&mut self) {
        self.0.state.send_modify(|state| state.waiting_prompts -= 1);
    }
}

impl Activity {
    /// Waits until a run may begin, and is the one who begins it.
    ///
    /// # Errors
    /// When it may not any more.
    pub(in crate::agent_session) async fn claim_run(&self, request: Request) -> Result<RunClaim<'_>, Refusal> {
        // Until it is granted: whoever stops the session must not wait for what waits for the end of that.
        let _waiting = self.wait_for_run();
        let granted = self.start(request, |state| {
            state.claims += 1;
            state.claim = Some(Claim { number: state.claims, stage: Stage::Granted });
            (state.claims, state.conversation)
        });
        let (number, conversation) = granted.await?;
        Ok(RunClaim { activity: self, number, conversation })
    }

    /// The agent has begun a run. Aborts it if that was wanted meanwhile.
    pub(in crate::agent_session) fn run_has_begun(&self) {
        let mut is_aborted = false;
        self.state.send_if_modified(|state| {
            let Some(claim) = state.claim.as_mut().filter(|claim| !claim.has_begun()) else { return false };
            is_aborted = std::mem::replace(&mut claim.stage, Stage::Begun) == Stage::Aborted;
            true
        });
        if is_aborted {
            self.agent.abort();
        }
    }

    /// Aborts the run in progress, or the one that is about to begin.
    pub(in crate::agent_session) fn abort_run(&self) {
        self.state.send_if_modified(|state| {
            if let Some(claim) = state.claim.as_mut().filter(|claim| !claim.has_begun()) {
                claim.stage = Stage::Aborted;
            }
            // Nothing that somebody waits for.
            false
        });
        self.agent.abort();
    }

    /// Whether a run of the agent is in progress or about to begin.
    pub(in crate::agent_session) fn is_running(&self) -> bool {
        let agent_runs = self.agent.is_running();
        matches!(self.state.borrow().doing(agent_runs), Phase::Running | Phase::CompactingInRun)
    }

    /// Waits until no run is in progress, and it is known what follows from the last one.
    pub(in crate::agent_session) async fn run_is_over(&self) {
        self.poll(|state, agent_runs| (!agent_runs && state.claim.is_none()).then_some(())).await;
    }

    /// A prompt is being worked on from now on.
    pub(in crate::agent_session) fn begin_prompt(&self) {
        self.state.send_modify(|state| state.prompts += 1);
    }

    /// Whether a prompt is being worked on.
    pub(in crate::agent_session) fn has_prompt(&self) -> bool {
        self.state.borrow().prompts > 0
    }

    /// A prompt is done with. Says whether it was the last one.
    pub(in crate::agent_session) fn end_prompt(&self) -> bool {
        let mut is_last = false;
        self.state.send_modify(|state| {
            state.prompts -= 1;
            is_last = state.prompts == 0;
        });
        is_last
    }

    /// A prompt waits for what has to be over before its next run.
    pub(super) fn wait_for_run(&self) -> WaitingPrompt<'_> {
        self.state.send_modify(|state| state.waiting_prompts += 1);
        WaitingPrompt(self)
    }
}
