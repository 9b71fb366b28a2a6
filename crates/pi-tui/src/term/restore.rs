//! Putting the terminal back, however the program ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, TryLockError};

use pi_guard::Unpoisoned;
use rustix::termios::Termios;

use super::RESTORE;
use super::tty::{Tty, milliseconds, write_all};

/// The terminal and how it was, while it is ours.
static SAVED: Mutex<Option<Saved>> = Mutex::new(None);

/// Whether the alternate screen is shown.
static IS_ALTERNATE: AtomicBool = AtomicBool::new(false);

struct Saved {
    tty: Tty,
    before: Termios,
}

/// Notes how the terminal was before it became ours.
pub(super) fn save(tty: Tty, before: Termios) {
    *SAVED.lock().unpoisoned() = Some(Saved { tty, before });
}

pub(super) fn note_alternate(is_shown: bool) {
    IS_ALTERNATE.store(is_shown, Ordering::Relaxed);
}

/// Puts the terminal back: modes off, the main screen, a cursor, the line discipline. Does nothing if it is not ours, or not
/// any more. For a panic hook, and for signals that end the program; a frame that is being written is cut.
pub fn restore_now() {
    restore(|_| {});
}

/// Puts the terminal back, with something between the modes and the line discipline.
pub(super) fn restore(between: impl FnOnce(&Tty)) {
    // Whoever holds the lock is about to do the same.
    let mut saved = match SAVED.try_lock() {
        Ok(saved) => saved,
        Err(TryLockError::Poisoned(saved)) => saved.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    if let Some(Saved { tty, before }) = saved.take() {
        // A terminal that takes nothing must not keep the program from ending.
        let _ = write_all(&tty.output, off().as_bytes(), Some(milliseconds(200)));
        between(&tty);
        let _ = tty.set(&before);
    }
}

/// What switches everything off. Each screen has its own stack of keyboard modes.
fn off() -> String {
    if IS_ALTERNATE.swap(false, Ordering::Relaxed) {
        return format!("{RESTORE}\x1b[?1049l{RESTORE}");
    }
    RESTORE.to_owned()
}
