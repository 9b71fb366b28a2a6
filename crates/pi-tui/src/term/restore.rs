//! Putting the terminal back, however the program ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, TryLockError};

use pi_guard::Unpoisoned;
use rustix::termios::Termios;

use super::RESTORE;
use super::tty::{Tty, milliseconds, write_all};

/// The terminal of this process and how it was, while it is ours: a panic hook finds it here.
static SAVED: Mutex<Option<Saved>> = Mutex::new(None);

/// A terminal and how it was.
pub(super) struct Saved {
    tty: Tty,
    before: Termios,
    alternate: Alternate,
}

/// Whether the alternate screen is shown.
pub(super) enum Alternate {
    /// Whoever writes notes it.
    Noted(Arc<AtomicBool>),
    /// Another process writes.
    Unknown,
}

impl Saved {
    pub(super) fn new(tty: Tty, before: Termios, alternate: Alternate) -> Self {
        Self { tty, before, alternate }
    }

    /// Keeps it for however the process ends.
    pub(super) fn keep(self) {
        *SAVED.lock().unpoisoned() = Some(self);
    }

    /// Puts the terminal back, with something between the modes and the line discipline.
    pub(super) fn put_back(self, between: impl FnOnce(&Tty)) {
        // A terminal that takes nothing must not keep the program from ending.
        let _ = write_all(&self.tty.output, self.alternate.off().as_bytes(), Some(milliseconds(200)));
        between(&self.tty);
        self.put_line_discipline_back();
    }

    /// The same where the modes are off already.
    pub(super) fn put_line_discipline_back(self) {
        let _ = self.tty.set(&self.before);
    }
}

/// Puts the terminal back: modes off, the main screen, a cursor, the line discipline. Does nothing if it is not ours, or not
/// any more. For a panic hook, and for signals that end the program; a frame that is being written is cut.
pub fn restore_now() {
    if let Some(saved) = take() {
        saved.put_back(|_| {});
    }
}

/// Whether the terminal of this process is ours now: what others write to it stands across what we show. For a panic hook.
pub fn is_taken() -> bool {
    match SAVED.try_lock() {
        Ok(saved) => saved.is_some(),
        Err(TryLockError::Poisoned(saved)) => saved.into_inner().is_some(),
        // It is being taken or put back.
        Err(TryLockError::WouldBlock) => true,
    }
}

/// What was kept, for somebody who puts it back.
pub(super) fn take() -> Option<Saved> {
    // Whoever holds the lock is about to do the same.
    match SAVED.try_lock() {
        Ok(mut saved) => saved.take(),
        Err(TryLockError::Poisoned(saved)) => saved.into_inner().take(),
        Err(TryLockError::WouldBlock) => None,
    }
}

impl Alternate {
    /// What switches everything off. Each screen has its own stack of keyboard modes.
    fn off(&self) -> String {
        match self {
            Self::Noted(is_shown) if is_shown.swap(false, Ordering::Relaxed) => {
                format!("{RESTORE}\x1b[?1049l{RESTORE}")
            }
            Self::Noted(_) => RESTORE.to_owned(),
            // Leaving the alternate screen moves the cursor to where it was saved; on the main screen that is where it is now.
            // What stood below it was the other process's, and is erased.
            Self::Unknown => format!("{RESTORE}\x1b7\x1b[?1049l{RESTORE}\r\n\x1b[J"),
        }
    }
}
