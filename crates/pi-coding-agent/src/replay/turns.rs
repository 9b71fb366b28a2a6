//! The order of everything that tools do in a replay: that of the recording, also among calls that ran side by side.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pi_agent_core::ToolError;
use pi_ai::transport::cassette::{Divergence, Replayer, TapeClock};
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::lines::{CallLine, Moment};

/// Nothing waits that long in a replay, where no tool runs, unless what it waits for never comes.
const PATIENCE: Duration = Duration::from_secs(10);

/// The recorded calls that are still to be made, and whose turn it is.
#[derive(Debug)]
pub(super) struct Turns {
    /// In the order of the beginnings.
    calls: Mutex<VecDeque<CallLine>>,
    recorded: usize,
    /// The last step that was done.
    done: watch::Sender<u64>,
    replayer: Arc<Replayer>,
    divergence: Divergence,
    clock: Arc<TapeClock>,
}

impl Turns {
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
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The recorded call for one that begins, if it is the same.
    pub(super) fn begin(&self, name: &str, arguments: &Value) -> Result<CallLine, ToolError> {
        if let Some(message) = self.divergence.get() {
            return Err(message.into());
        }
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
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
