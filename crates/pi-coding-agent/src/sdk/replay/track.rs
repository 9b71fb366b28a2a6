//! The order of everything that tools do while they are recorded.

use std::sync::{Arc, Mutex};

use pi_agent_core::{ToolError, ToolOutput, ToolUpdates};
use pi_ai::transport::cassette::{Notes, TapeClock};
use pi_guard::Unpoisoned;
use serde_json::Value;

use super::lines::{CallEnd, CallLine, CallResult, Moment, TOOL, Update};

/// What all calls of a run have in common.
#[derive(Debug)]
pub(super) struct Track {
    notes: Notes,
    clock: Arc<TapeClock>,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    calls: u64,
    steps: u64,
}

impl Track {
    pub(super) fn new(notes: Notes, clock: Arc<TapeClock>) -> Self {
        Self { notes, clock, counts: Mutex::default() }
    }

    fn moment(&self, counts: &mut Counts) -> Moment {
        counts.steps += 1;
        Moment { step: counts.steps, at: self.clock.tick() }
    }

    fn with_counts<T>(&self, work: impl FnOnce(&mut Counts) -> T) -> T {
        work(&mut self.counts.lock().unpoisoned())
    }
}

/// A call that is under way. It is written when it ends, or when nobody waits for it any more.
#[derive(Debug)]
pub(super) struct Take {
    track: Arc<Track>,
    /// `None` when it has been written.
    line: Arc<Mutex<Option<CallLine>>>,
}

impl Take {
    pub(super) fn begin(track: &Arc<Track>, name: &str, arguments: &Value) -> Self {
        let line = track.with_counts(|counts| {
            counts.calls += 1;
            let began = track.moment(counts);
            let (name, arguments) = (name.to_owned(), arguments.clone());
            CallLine { n: counts.calls, name, arguments, began, updates: Vec::new(), end: None }
        });
        Self { track: Arc::clone(track), line: Arc::new(Mutex::new(Some(line))) }
    }

    /// Passes progress on and writes it down, both at once: the order of events is that of the steps.
    pub(super) fn updates(&self, to: ToolUpdates) -> ToolUpdates {
        let (track, line) = (Arc::clone(&self.track), Arc::clone(&self.line));
        ToolUpdates::new(move |output| {
            let mut line = line.lock().unpoisoned();
            // What comes behind the end counts nowhere.
            let Some(line) = &mut *line else { return };
            track.with_counts(|counts| {
                counts.steps += 1;
                line.updates.push(Update { step: counts.steps, output: output.clone() });
                to.send(output);
            });
        })
    }

    pub(super) fn end(&self, result: &Result<ToolOutput, ToolError>) {
        let result = CallResult::of(result);
        self.write(|track| {
            let moment = track.with_counts(|counts| track.moment(counts));
            Some(CallEnd { moment, result })
        });
    }

    /// Only the first end counts.
    fn write(&self, end: impl FnOnce(&Track) -> Option<CallEnd>) {
        let Some(mut line) = self.line.lock().unpoisoned().take() else { return };
        line.end = end(&self.track);
        self.track.notes.write(TOOL, &line);
    }
}

impl Drop for Take {
    fn drop(&mut self) {
        self.write(|_| None);
    }
}
