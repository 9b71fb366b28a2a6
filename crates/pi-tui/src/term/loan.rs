//! The terminal of this process while another one draws on it.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::thread;
use std::time::Duration;

use rustix::process::{Signal, kill_current_process_group};

use super::TermError;
use super::restore::{self, Alternate, Saved};
use super::tty::Tty;

/// The terminal of this process, lent to another one that takes it with [`Term::open_lent`](super::Term::open_lent). However
/// this process ends, or that one, the terminal is put back.
#[derive(Debug)]
pub struct Loan {
    tty: Tty,
}

impl Loan {
    /// Notes how the terminal is. Nothing is changed.
    pub fn open() -> Result<Self, TermError> {
        let loan = Self { tty: Tty::open().map_err(TermError::Open)? };
        loan.keep()?;
        Ok(loan)
    }

    /// What the other process reads and writes.
    pub fn descriptors(&self) -> [BorrowedFd<'_>; 2] {
        [self.tty.input.as_fd(), self.tty.output.as_fd()]
    }

    /// The other process has put the terminal back.
    pub fn returned(self) {
        if let Some(saved) = restore::take() {
            saved.put_line_discipline_back();
        }
    }

    /// Stops this process, as Ctrl+Z does, while the other one leaves the terminal alone; returns when it is continued.
    pub fn suspend(&self) -> Result<(), TermError> {
        kill_current_process_group(Signal::TSTP).map_err(io::Error::from)?;
        // With several threads the call may return before the process is stopped.
        thread::sleep(Duration::from_millis(20));
        // The shell may have changed it.
        self.keep()
    }

    fn keep(&self) -> Result<(), TermError> {
        Saved::new(self.tty.try_clone()?, self.tty.get()?, Alternate::Unknown).keep();
        Ok(())
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        restore::restore_now();
    }
}
