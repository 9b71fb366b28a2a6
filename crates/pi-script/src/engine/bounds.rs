//! What keeps a script within its limits: how long code runs, how much memory it takes, and what becomes of it then.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::handle::Stop;
use super::limits::Limits;
use super::memory::Memory;
use crate::error::ScriptError;

/// The limits of one engine, and what it used up of them.
#[derive(Debug)]
pub(super) struct Bounds {
    pub(super) limits: Limits,
    pub(super) memory: Rc<Memory>,
    stop: Arc<Stop>,
    /// When code that runs now has run too long.
    deadline: Cell<Option<Instant>>,
    interruptions: Cell<u32>,
}

impl Bounds {
    pub(super) fn new(limits: Limits, stop: Arc<Stop>) -> Self {
        let memory = Memory::new(limits.memory);
        Self { limits, memory, stop, deadline: Cell::new(None), interruptions: Cell::new(0) }
    }

    /// The script's code begins to run.
    pub(super) fn begin(&self) {
        self.deadline.set(Some(Instant::now() + self.limits.turn));
    }

    /// It has returned.
    pub(super) fn end(&self) {
        self.deadline.set(None);
    }

    /// How often code was interrupted so far.
    pub(super) fn interruptions(&self) -> u32 {
        self.interruptions.get()
    }

    /// Does something for the script that does not count as time of its own.
    pub(super) fn outside<T>(&self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let result = work();
        if let Some(deadline) = self.deadline.get() {
            self.deadline.set(Some(deadline + began.elapsed()));
        }
        result
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stop.is_requested.load(Ordering::Acquire)
    }

    /// Whether nothing of the script may run any more.
    pub(super) fn is_over(&self) -> bool {
        self.is_stopping() || self.memory.is_spent()
    }

    /// Whether it stops for another reason than its limits, such as `process.exit`. Calls then end with the engine.
    pub(super) fn was_told_to_stop(&self) -> bool {
        self.is_stopping() && self.interruptions.get() < self.limits.interruptions
    }

    /// Whether it had twice the time that it may have.
    pub(super) fn is_long_overdue(&self) -> bool {
        self.deadline.get().is_some_and(|deadline| Instant::now() > deadline + self.limits.turn)
    }

    /// Whether code is to be interrupted now.
    pub(super) fn interrupts(&self) -> bool {
        if self.is_over() {
            return true;
        }
        if self.deadline.get().is_none_or(|deadline| Instant::now() <= deadline) {
            return false;
        }
        let count = self.interruptions.get() + 1;
        self.interruptions.set(count);
        if count >= self.limits.interruptions {
            self.stop.request(&format!("It was interrupted {count} times because it ran for too long"));
        }
        // Code that catches this has as long again.
        self.deadline.set(Some(Instant::now() + self.limits.turn.max(Duration::from_millis(1))));
        true
    }

    /// What calls end with that lost their answer for want of memory.
    pub(super) fn no_memory(&self) -> ScriptError {
        ScriptError::new(format!("It needs more than {} MiB of memory", self.limits.memory >> 20))
    }

    /// What calls end with that were interrupted.
    pub(super) fn too_long(&self) -> ScriptError {
        let seconds = self.limits.turn.as_secs_f64();
        ScriptError::new(format!("It ran for more than {seconds} s without a pause and was interrupted"))
    }

    /// Says what the engine's own words for its limits mean.
    pub(super) fn explained(&self, mut error: ScriptError) -> ScriptError {
        // Without memory there may be no error to throw either.
        let is_nothing = !error.is_error && matches!(error.message.as_str(), "null" | "undefined");
        if self.memory.is_spent() || (is_nothing && self.memory.is_short()) {
            return ScriptError { stack: error.stack, ..self.no_memory() };
        }
        match (error.name.as_str(), error.message.as_str()) {
            ("InternalError", "interrupted") => error.message = self.too_long().message,
            ("InternalError", "out of memory") => error.message = self.no_memory().message,
            _ => {}
        }
        error
    }
}
