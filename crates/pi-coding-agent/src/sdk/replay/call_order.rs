//! The order of everything that tools do in a replay: that of the recording, also among calls that ran side by side.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pi_agent_core::ToolError;
use pi_ai::transport::cassette::{Divergence, Replayer, TapeClock};
use pi_guard::Unpoisoned;
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::lines::{CallLine, Moment};

/// Nothing waits that long in a replay, where no tool runs, unless what it waits for never comes.
const PATIENCE: Duration = Duration::from_secs(10);

/// The recorded calls that are still to be made, and whose turn it is.
#[derive(Debug)]
pub(super) struct CallOrder {
    /// In the order of the beginnings.
    calls: Mutex<VecDeque<CallLine>>,
    recorded: usize,
    /// The last step that was done.
    done: watch::Sender<u64>,
    replayer: Arc<Replayer>,
    divergence: Divergence,
    clock: Arc<TapeClock>,
}

impl CallOrder {
    pub(super) fn new(mut calls: Vec<CallLine>, replayer: Arc<Replayer>, clock: Arc<TapeClock>) -> Self {
        calls.sort_by_key(|call| call.n);
        Self {
            recorded: calls.len(),
            calls: Mutex::new(calls.into()),
            done: watch::Sender::new(0),
            divergence: replayer.divergence(),
            replayer,
            clock,
        }
    }

    /// Calls that nobody has made yet.
    pub(super) fn remaining(&self) -> usize {
        self.calls.lock().unpoisoned().len()
    }

    /// The recorded call for one that begins, if it is the same.
    pub(super) fn begin(&self, name: &str, arguments: &Value) -> Result<CallLine, ToolError> {
        if let Some(message) = self.divergence.get() {
            return Err(message.into());
        }
        let mut calls = self.calls.lock().unpoisoned();
        let Some(recorded) = calls.pop_front() else {
            let recorded = self.recorded;
            return Err(self.diverged(
                recorded as u64 + 1,
                name,
                &format!("the recording ends after {recorded} tool calls"),
            ));
        };
        let difference = if recorded.name == name {
            self.replayer.difference(&recorded.arguments, arguments)
        } else {
            Some(format!("the tool was \"{}\" in the recording and is \"{name}\" now", recorded.name))
        };
        match difference {
            Some(difference) => Err(self.diverged(recorded.n, name, &difference)),
            None => Ok(recorded),
        }
    }

    /// Waits until everything has happened that came before a step.
    pub(super) async fn reach(&self, call: &CallLine, step: u64, cancel: &CancellationToken) -> Result<(), ToolError> {
        let mut done = self.done.subscribe();
        let turn = tokio::time::timeout(PATIENCE, done.wait_for(|done| done + 1 >= step));
        tokio::select! {
            biased;
            turn = turn => match turn {
                Ok(_) => Ok(()),
                Err(_) => Err(self.diverged(call.n, &call.name, "what other calls did before it in the recording does not happen now")),
            },
            () = cancel.cancelled() => Err(ToolError::aborted()),
        }
    }

    /// A step has been done.
    pub(super) fn done(&self, step: u64) {
        self.done.send_modify(|done| *done = step.max(*done));
    }

    /// The same of one that has a time.
    pub(super) fn passed(&self, moment: Moment) {
        self.clock.show(moment.at);
        self.done(moment.step);
    }

    /// Stops the replay, unless it was stopped before.
    pub(super) fn diverged(&self, n: u64, name: &str, difference: &str) -> ToolError {
        let message = format!("Cassette {}, tool call {n} ({name}): {difference}.", self.replayer.name());
        self.divergence.report(message).into()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn turns() -> CallOrder {
        let call = |n: u64, step: u64| CallLine {
            n,
            name: "bash".to_owned(),
            arguments: json!({ "n": n }),
            began: Moment { step, at: 10 },
            updates: Vec::new(),
            end: None,
        };
        let replayer = Arc::new(Replayer::parse("", "tape").unwrap());
        CallOrder::new(vec![call(2, 4), call(1, 2)], replayer, Arc::new(TapeClock::replaying(1)))
    }

    #[tokio::test(start_paused = true)]
    async fn what_never_happens_is_not_waited_for_without_end() {
        let turns = turns();
        let call = turns.begin("bash", &json!({ "n": 1 })).unwrap();
        let stuck = turns.reach(&call, call.began.step, &CancellationToken::new()).await.unwrap_err().to_string();
        let expected =
            "Cassette tape, tool call 1 (bash): what other calls did before it in the recording does not happen now.";
        assert_eq!(stuck, expected);
        let next = turns.begin("bash", &json!({ "n": 2 })).unwrap_err().to_string();
        assert_eq!(next, expected, "the first difference explains the later ones");
        assert_eq!(turns.remaining(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn an_abort_ends_the_waiting() {
        let turns = turns();
        let call = turns.begin("bash", &json!({ "n": 1 })).unwrap();
        let cancel = CancellationToken::new();
        cancel.cancel();
        assert_eq!(turns.reach(&call, 2, &cancel).await, Err(ToolError::aborted()));
        turns.done(1);
        assert_eq!(turns.reach(&call, 2, &cancel).await, Ok(()), "its turn counts");
        assert!(turns.divergence.get().is_none());
    }
}
