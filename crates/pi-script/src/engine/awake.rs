//! Waiting without going to sleep, for what comes sooner than a thread is put to sleep and woken again: most calls of a
//! script take a tenth of that.

use std::time::{Duration, Instant};

/// Whoever has waited so long goes to sleep.
const PATIENCE: Duration = Duration::from_micros(50);

/// Looks again and again, for a short time. Other threads that want the processor get it.
pub(super) fn look<T>(mut ready: impl FnMut() -> Option<T>) -> Option<T> {
    let began = Instant::now();
    loop {
        let found = ready();
        if found.is_some() || began.elapsed() > PATIENCE {
            return found;
        }
        std::thread::yield_now();
    }
}
