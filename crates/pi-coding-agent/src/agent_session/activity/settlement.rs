//! How far the announcement of the end of a prompt is. It is made exactly once, after everything else about the prompt.

use super::Activity;

/// Each value says whether the last run was aborted. It moves from one field to the next.
#[derive(Default)]
pub(super) struct Settlement {
    /// Runs have begun since the last announcement.
    ran: Option<bool>,
    /// Nothing follows any more; nobody has been told.
    over: Option<bool>,
    /// Extensions have been told, or are being told.
    unannounced: Option<bool>,
}

impl Activity {
    /// A run of the agent begins.
    pub(in crate::agent_session) fn note_run(&self) {
        self.state.send_modify(|state| state.settlement.ran = Some(false));
    }

    /// A run of the agent is over; others may follow.
    pub(in crate::agent_session) fn note_end_of_run(&self, aborted: bool) {
        self.state.send_if_modified(|state| {
            if let Some(ran) = &mut state.settlement.ran {
                *ran = aborted;
            }
            // Nothing that somebody waits for.
            false
        });
    }

    /// The last prompt that was being worked on is done.
    pub(in crate::agent_session) fn note_end_of_prompts(&self) {
        self.state.send_modify(|state| {
            let settlement = &mut state.settlement;
            settlement.over = settlement.ran.take().or(settlement.over);
        });
    }

    /// Whoever gets it tells the extensions whether the last run was aborted.
    pub(in crate::agent_session) fn take_end(&self) -> Option<bool> {
        self.take(|settlement| {
            let aborted = settlement.over.take()?;
            settlement.unannounced = Some(aborted);
            Some(aborted)
        })
    }

    /// Whoever gets it tells the listeners.
    pub(in crate::agent_session) fn take_announcement(&self) -> Option<bool> {
        self.take(|settlement| settlement.unannounced.take())
    }

    fn take(&self, take: impl FnOnce(&mut Settlement) -> Option<bool>) -> Option<bool> {
        let mut taken = None;
        self.state.send_if_modified(|state| {
            taken = take(&mut state.settlement);
            // Nothing that somebody waits for.
            false
        });
        taken
    }

    /// Waits until nothing follows from the runs that there were, or something does: another run, or a summary. The
    /// futures of the prompts have to be polled meanwhile.
    pub(in crate::agent_session) async fn prompts_are_over(&self) {
        self.poll(|state, agent_runs| {
            let follows = agent_runs
                || state.is_about_to_run()
                || state.summary.is_some()
                || state.waiting_prompts > 0
                || self.agent.has_queued_messages();
            (follows || state.settlement.ran.is_none()).then_some(())
        })
        .await;
    }
}
