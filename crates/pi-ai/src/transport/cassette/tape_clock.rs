//! Time as a cassette tells it: it stands still between the things that are recorded, so that a replay shows the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::clock::Clock;

/// How far the clock may be behind while recording. Signatures and tokens need about the real time, also when nothing has
/// been recorded for long, because a user was thinking. A replay does not know of that.
const PATIENCE_MS: i64 = 60_000;

/// A clock that only moves when something is recorded or replayed.
///
/// While recording it is set to the real time then, and that is written down. A replay sets it to what was written, at
/// the same moments of the run. So whatever asks for the time in between gets the same answers in both.
#[derive(Debug)]
pub struct TapeClock {
    now: AtomicI64,
    /// The real time; absent in a replay.
    real: Option<Arc<dyn Clock>>,
}

impl TapeClock {
    /// For recording: begins with the real time.
    pub fn recording(real: Arc<dyn Clock>) -> Self {
        Self { now: AtomicI64::new(real.now_ms()), real: Some(real) }
    }

    /// For a replay: begins with this Unix time in milliseconds.
    pub fn replaying(start: i64) -> Self {
        Self { now: AtomicI64::new(start), real: None }
    }

    /// Goes on to the real time while recording, and returns what the clock shows then. Never goes back.
    pub fn tick(&self) -> i64 {
        match &self.real {
            Some(real) => {
                let now = real.now_ms();
                self.now.fetch_max(now, Ordering::Relaxed).max(now)
            }
            None => self.now_ms(),
        }
    }

    /// Shows a recorded time.
    pub fn show(&self, recorded: i64) {
        self.now.store(recorded, Ordering::Relaxed);
    }
}

impl Clock for TapeClock {
    fn now_ms(&self) -> i64 {
        let shown = self.now.load(Ordering::Relaxed);
        let behind = self.real.as_ref().is_some_and(|real| real.now_ms().saturating_sub(shown) > PATIENCE_MS);
        if behind { self.tick() } else { shown }
    }
}
