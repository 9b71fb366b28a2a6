//! Where time comes from. No code below the program reads a clock by itself: a whole run can be replayed.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// A source of wall-clock time.
pub trait Clock: Debug + Send + Sync {
    /// Unix time in milliseconds.
    fn now_ms(&self) -> i64;
}

/// The operating system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the system clock")]
    fn now_ms(&self) -> i64 {
        // A clock before 1970 is a broken clock; 0 is the least surprising answer.
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as i64)
    }
}

/// A clock that always shows the same instant, for tests and replays.
#[derive(Debug, Clone, Copy)]
pub struct FixedClock(
    /// Unix time in milliseconds.
    pub i64,
);

impl Clock for FixedClock {
    fn now_ms(&self) -> i64 {
        self.0
    }
}

/// The clock of options that name none.
#[expect(clippy::disallowed_methods, reason = "the default of options; who wants a replay names a clock")]
pub(crate) fn default_clock() -> Arc<dyn Clock> {
    system_clock()
}

/// The system's clock, shared.
pub fn system_clock() -> Arc<dyn Clock> {
    Arc::new(SystemClock)
}
