//! The table of what may start when: one row per request, one column per phase. Data and nothing else.
//!
//! Whoever wants to start something asks [`answer`] through [`Activity`](super::Activity); no other file of the session
//! decides that by itself.

use crate::compaction::BranchSummaryError;
use crate::events::Error;

/// What a session is doing. Of several things at once the one further down counts, but for the two that are named
/// together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing.
    Idle,
    /// A run of the agent is in progress.
    Running,
    /// A run is in progress, and history is summarised: between two of its turns, or while the run is being stopped.
    CompactingInRun,
    /// A run is over, and its prompt decides whether another one follows. Nobody else may begin one before that, or they
    /// would be told of each other's answers. Nothing is waited for meanwhile but the listeners of a retry.
    Deciding,
    /// Waiting for the next attempt after a failed model call; no run is in progress.
    Retrying,
    /// History is summarised; no run is in progress.
    Compacting,
    /// A branch that is left is summarised.
    SummarizingBranch,
    /// The conversation is being exchanged for another one, or moved to another place in its tree.
    Replacing,
    /// The session was closed for good.
    Closed,
}

/// What somebody wants to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Request {
    /// Showing a prompt to extensions, before it goes any further.
    TakeInput,
    /// A prompt that does not say what to do during a run.
    Prompt,
    /// A prompt that may be queued during a run.
    QueueablePrompt,
    /// A message for the queue of the next turn or of the end of the run.
    Queue,
    /// A message of an extension.
    CustomMessage,
    /// The run of a prompt that was accepted.
    BeginRun,
    /// One more run of the same prompt: a retry, a queued message, the repetition after a compaction.
    ContinueRun,
    /// A compaction that somebody asked for.
    Compact,
    /// An automatic compaction before a prompt.
    CompactBeforePrompt,
    /// An automatic compaction between two turns.
    CompactInRun,
    /// An automatic compaction after a run.
    CompactAfterRun,
    /// The summary of a branch, on the way to another place in the tree.
    SummarizeBranch,
    /// A command of the user.
    Command,
    /// Work of an extension that nobody waits for.
    Background,
    /// Beginning the session's extensions.
    BeginExtensions,
    /// Another session, a fork, a reload, another place in the tree.
    Replace,
    /// Arriving at the other session, once the old one is stopped.
    Arrive,
    /// The end of the extensions of a session that closes.
    Quit,
    /// Changing model, thinking level, tools, queue modes, name or labels; exporting; closing.
    Change,
}

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It starts now.
    Start,
    /// It asks again when the phase has changed.
    Wait,
    /// It ends the pause before a retry, and asks again when that is over.
    Interrupt,
    /// It goes into a queue of the run.
    Queue,
    /// It does not start.
    Refuse(Refusal),
}

/// Why something does not start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The session was closed.
    Closed,
    /// A run is in progress.
    Busy,
    /// A summary is being made.
    Compacting,
    /// The session is being closed; whoever asked is told that it was called off.
    Cancelled,
}

/// What of the session's doings a request is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// All of them.
    All,
    /// It belongs to what is being replaced, or to the replacement itself: an exchange does not count.
    Inside,
    /// It has to happen although the session was closed.
    Ending,
}

/// The number of phases.
const PHASES: usize = Phase::Closed as usize + 1;

type Row = (Request, View, [Verdict; PHASES]);

const BUSY: Verdict = Verdict::Refuse(Refusal::Busy);
const SUMMING: Verdict = Verdict::Refuse(Refusal::Compacting);
const CLOSED: Verdict = Verdict::Refuse(Refusal::Closed);
const CALLED_OFF: Verdict = Verdict::Refuse(Refusal::Cancelled);
/// In a column that the row's view leaves out.
const UNSEEN: Verdict = Wait;

use Verdict::{Interrupt, Queue, Start, Wait};

/// Rows in the order of [`Request`], columns in that of [`Phase`].
#[rustfmt::skip]
const TABLE: [Row; Request::Change as usize + 1] = [
    //                                            Idle   Running CompactingInRun Deciding Retrying Compacting SummarizingBranch Replacing Closed
    (Request::TakeInput,           View::All,    [Start, Start,  Start,   Start,   Start,     Start,   Start,   Wait,   CLOSED]),
    (Request::Prompt,              View::All,    [Start, BUSY,   BUSY,    Wait,    Interrupt, Wait,    Wait,    Wait,   CLOSED]),
    (Request::QueueablePrompt,     View::All,    [Start, Queue,  Queue,   Wait,    Interrupt, Wait,    Wait,    Wait,   CLOSED]),
    // What nobody takes out of a queue any more stays there, and whoever empties the queue gets it back.
    (Request::Queue,               View::Ending, [Queue, Queue,  Queue,   Queue,   Queue,     Queue,   Queue,   Queue,  UNSEEN]),
    (Request::CustomMessage,       View::Inside, [Start, Queue,  Queue,   Start,   Start,     Start,   Start,   UNSEEN, CLOSED]),
    (Request::BeginRun,            View::All,    [Start, Wait,   Wait,    Wait,    Start,     Wait,    Wait,    Wait,   CLOSED]),
    // Somebody else's run has taken up what there was to go on with.
    (Request::ContinueRun,         View::All,    [Start, BUSY,   Wait,    Wait,    Start,     Wait,    Wait,    Wait,   CLOSED]),
    // It aborts the run itself, so that no other one gets in between.
    (Request::Compact,             View::All,    [Start, Start,  SUMMING, Wait,    Start,     SUMMING, SUMMING, Wait,   CLOSED]),
    // The run of somebody else makes its own compactions.
    (Request::CompactBeforePrompt, View::All,    [Start, BUSY,   SUMMING, BUSY,    Start,     SUMMING, SUMMING, BUSY,   CLOSED]),
    // What goes on goes on while another session is being read, which may fail.
    (Request::CompactInRun,        View::Inside, [Start, Start,  SUMMING, BUSY,    Start,     SUMMING, SUMMING, UNSEEN, CLOSED]),
    (Request::CompactAfterRun,     View::Inside, [Start, BUSY,   SUMMING, Start,   Start,     SUMMING, SUMMING, UNSEEN, CLOSED]),
    (Request::SummarizeBranch,     View::Inside, [Start, Start,  SUMMING, Start,   Start,     SUMMING, SUMMING, UNSEEN, CALLED_OFF]),
    (Request::Command,             View::All,    [Start, Start,  Start,   Start,   Start,     Start,   Start,   Wait,   CLOSED]),
    (Request::Background,          View::Ending, [Start, Start,  Start,   Start,   Start,     Start,   Start,   Wait,   UNSEEN]),
    (Request::BeginExtensions,     View::Inside, [Start, Start,  Start,   Start,   Start,     Start,   Start,   UNSEEN, CLOSED]),
    (Request::Replace,             View::All,    [Start, Start,  Start,   Start,   Start,     Start,   Start,   Wait,   CLOSED]),
    (Request::Arrive,              View::Inside, [Start, Start,  Start,   Start,   Start,     Start,   Start,   UNSEEN, CLOSED]),
    (Request::Quit,                View::Ending, [Start, Start,  Start,   Start,   Start,     Start,   Start,   Wait,   UNSEEN]),
    (Request::Change,              View::Ending, [Start, Start,  Start,   Start,   Start,     Start,   Start,   Start,  UNSEEN]),
];

/// What becomes of a request in a phase.
pub(super) fn answer(request: Request, phase: Phase) -> Verdict {
    TABLE[request as usize].2[phase as usize]
}

/// What a request is held against.
pub(super) fn view(request: Request) -> View {
    TABLE[request as usize].1
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Closed => Self::SessionClosed,
            Refusal::Busy => Self::AlreadyProcessing,
            Refusal::Compacting => Self::CompactionInProgress,
            Refusal::Cancelled => BranchSummaryError::Cancelled.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_requests() {
        for (at, (request, view, answers)) in TABLE.iter().enumerate() {
            assert_eq!(*request as usize, at, "{request:?}");
            let unseen = match view {
                View::All => None,
                View::Inside => Some(Phase::Replacing),
                View::Ending => Some(Phase::Closed),
            };
            if let Some(phase) = unseen {
                // `Change` and `Queue` start even while the conversation is replaced.
                assert_eq!(answers[phase as usize], UNSEEN, "{request:?}");
            }
        }
    }

    #[test]
    fn nothing_but_what_ends_a_session_starts_in_a_closed_one() {
        for (request, view, answers) in TABLE {
            if view != View::Ending {
                assert!(matches!(answers[Phase::Closed as usize], Verdict::Refuse(_)), "{request:?}");
            }
        }
    }

    #[test]
    fn no_two_runs_and_no_two_summaries_go_on_at_once() {
        use Request::{
            BeginRun, Compact, CompactAfterRun, CompactBeforePrompt, CompactInRun, ContinueRun, SummarizeBranch,
        };
        for request in [BeginRun, ContinueRun] {
            for phase in
                [Phase::Running, Phase::CompactingInRun, Phase::Deciding, Phase::Compacting, Phase::SummarizingBranch]
            {
                assert_ne!(answer(request, phase), Start, "{request:?} {phase:?}");
            }
        }
        for request in [Compact, CompactBeforePrompt, CompactInRun, CompactAfterRun, SummarizeBranch] {
            for phase in [Phase::CompactingInRun, Phase::Compacting, Phase::SummarizingBranch] {
                assert_eq!(answer(request, phase), SUMMING, "{request:?} {phase:?}");
            }
        }
    }

    #[test]
    fn refusals_are_the_errors_that_callers_know() {
        assert!(matches!(Error::from(Refusal::Closed), Error::SessionClosed));
        assert!(matches!(Error::from(Refusal::Busy), Error::AlreadyProcessing));
        assert!(matches!(Error::from(Refusal::Compacting), Error::CompactionInProgress));
        assert!(matches!(Error::from(Refusal::Cancelled), Error::BranchSummary(BranchSummaryError::Cancelled)));
    }
}
