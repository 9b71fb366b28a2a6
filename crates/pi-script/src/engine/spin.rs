//! Waiting without going to sleep, for what comes sooner than a thread is put to sleep and woken again: most calls of a
//! script take a fraction of that.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// How long is waited in this way where nothing is known of what comes.
const PATIENCE: Duration = Duration::from_micros(50);

/// How long a script waits that is called again and again: for as long as it takes to call some others in between.
const LONG_PATIENCE: Duration = Duration::from_micros(500);

thread_local! {
    static IS_SCRIPT_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Says that a script runs on this thread: as long as it waits here there is no answer.
pub(super) fn note_script_thread() {
    IS_SCRIPT_THREAD.set(true);
}

/// Waits for the answer of a script.
pub(super) fn for_answer<T>(ready: impl FnMut() -> Option<T>) -> Option<T> {
    if IS_SCRIPT_THREAD.get() { None } else { look(PATIENCE, ready) }
}

/// How long a script waits for its next call, after one that it was called for after this pause.
pub(super) fn patience(pause: Duration) -> Duration {
    if pause < LONG_PATIENCE { LONG_PATIENCE } else { PATIENCE }
}

/// Looks again and again, for so long. Other threads that want the processor get it.
pub(super) fn look<T>(patience: Duration, mut ready: impl FnMut() -> Option<T>) -> Option<T> {
    let began = Instant::now();
    loop {
        let found = ready();
        if found.is_some() || began.elapsed() > patience {
            return found;
        }
        std::thread::yield_now();
    }
}
