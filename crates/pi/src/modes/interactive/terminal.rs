//! The terminal on its way from the questions before a session to the mode: there is one reader, and nothing that was
//! typed is lost between them.

use std::io;

use tokio::sync::mpsc;

use super::term_stand_in::{self, Term};

/// The terminal, its reader, and what was typed and not taken yet.
pub(super) struct Terminal {
    pub(super) term: Term,
    pub(super) bytes: mpsc::UnboundedReceiver<Vec<u8>>,
    pub(super) typed: Vec<u8>,
}

impl Terminal {
    /// Takes the terminal.
    pub(super) fn open() -> io::Result<Self> {
        let (term, bytes) = term_stand_in::open()?;
        Ok(Self { term, bytes, typed: Vec::new() })
    }

    /// Takes it again.
    pub(super) fn again(self) -> Self {
        self.term.enter();
        self
    }

    /// Leaves it to others for a while.
    pub(super) fn rest(&self) {
        self.term.leave();
    }
}

impl std::fmt::Debug for Terminal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Terminal").finish_non_exhaustive()
    }
}
