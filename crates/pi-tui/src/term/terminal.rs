//! The terminal as a whole.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::PollFlags;
use rustix::process::{Signal, kill_current_process_group};

use super::reader::{Chunk, OnInput, Reader};
use super::restore::{self, Alternate, Saved};
use super::tty::{Tty, is_ready, milliseconds};
use super::writer::Writer;
use super::{Keyboard, Modes};
use crate::screen::Size;

/// How long a terminal may take what is left to write before it is put back.
const LAST_FRAME: Duration = Duration::from_secs(1);

/// How long releases of keys are waited for at the end, and how long the terminal is quiet when no more will come.
const DRAIN: (Duration, u32) = (Duration::from_secs(1), 50);

/// Why a terminal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TermError {
    /// There is none.
    #[error("no terminal: {0}")]
    Open(#[source] io::Error),
    /// It is there, but does not do what it should.
    #[error("the terminal fails: {0}")]
    Use(#[from] io::Error),
}

/// The terminal while it is ours: raw, with its modes on. Dropping it puts everything back.
pub struct Term {
    tty: Tty,
    modes: Modes,
    writer: Writer,
    reader: Option<Reader>,
    on_input: OnInput,
    owner: Owner,
}

/// Whose terminal it is.
enum Owner {
    /// That of this process.
    Process,
    /// That of another process; how it was, while it is ours.
    Other(Option<Saved>),
}

impl Term {
    /// Takes the terminal. `on_input` gets what is typed, on a thread of its own; `on_free` is called on another thread when
    /// everything is written.
    pub fn open(
        modes: Modes,
        on_input: impl Fn(Chunk<'_>) + Send + Sync + 'static,
        on_free: impl Fn() + Send + 'static,
    ) -> Result<Self, TermError> {
        let tty = Tty::open().map_err(TermError::Open)?;
        Self::on(tty, Owner::Process, modes, Arc::new(on_input), on_free)
    }

    /// Takes the terminal of another process, which has lent the descriptors that it reads and writes ([`Loan`]). The rest is
    /// as in [`open`](Self::open), but a panic or a signal that ends this process leaves the terminal to its own.
    ///
    /// [`Loan`]: super::Loan
    pub fn open_lent(
        descriptors: [OwnedFd; 2],
        modes: Modes,
        on_input: impl Fn(Chunk<'_>) + Send + Sync + 'static,
        on_free: impl Fn() + Send + 'static,
    ) -> Result<Self, TermError> {
        let tty = Tty::lent(descriptors).map_err(TermError::Open)?;
        Self::on(tty, Owner::Other(None), modes, Arc::new(on_input), on_free)
    }

    fn on(
        tty: Tty,
        owner: Owner,
        modes: Modes,
        on_input: OnInput,
        on_free: impl Fn() + Send + 'static,
    ) -> Result<Self, TermError> {
        let writer = Writer::start(tty.output.try_clone()?, on_free)?;
        let mut term = Self { tty, modes, writer, reader: None, on_input, owner };
        term.take_back()?;
        Ok(term)
    }

    /// The window's size; what terminals mostly have if it cannot be told.
    pub fn size(&self) -> Size {
        self.tty.size().unwrap_or(Size { columns: 80, rows: 24 })
    }

    /// What frames are given to.
    pub fn writer(&self) -> &Writer {
        &self.writer
    }

    /// The modes that are on.
    pub fn modes(&self) -> Modes {
        self.modes
    }

    /// The terminal has told what its keyboard reports.
    pub fn set_keyboard(&mut self, keyboard: Keyboard) {
        if keyboard == Keyboard::ModifyOtherKeys && self.modes.keyboard != keyboard {
            self.writer.send(Modes::MODIFY_OTHER_KEYS);
        }
        self.modes.keyboard = keyboard;
    }

    /// Puts the terminal back for another program. When this returns no byte is read any more.
    pub fn hand_over(&mut self) {
        if let Some(reader) = self.reader.take() {
            reader.stop();
        }
        self.writer.flush(LAST_FRAME);
        let releases_keys = matches!(self.modes.keyboard, Keyboard::Kitty);
        let saved = match &mut self.owner {
            Owner::Process => restore::take(),
            Owner::Other(saved) => saved.take(),
        };
        if let Some(saved) = saved {
            saved.put_back(|tty| {
                if releases_keys {
                    drain(tty);
                }
            });
        }
    }

    /// Takes the terminal again.
    pub fn take_back(&mut self) -> Result<(), TermError> {
        if self.reader.is_none() {
            let alternate = Alternate::Noted(self.writer.is_alternate());
            let saved = Saved::new(self.tty.try_clone()?, self.tty.make_raw()?, alternate);
            match &mut self.owner {
                Owner::Process => saved.keep(),
                Owner::Other(place) => *place = Some(saved),
            }
            self.writer.send(&self.modes.enter());
            self.reader = Some(Reader::start(self.tty.input.try_clone()?, Arc::clone(&self.on_input))?);
        }
        Ok(())
    }

    /// Stops the program, as Ctrl+Z does, and goes on when it is continued. For the terminal of this process.
    pub fn suspend(&mut self) -> Result<(), TermError> {
        self.hand_over();
        kill_current_process_group(Signal::TSTP).map_err(io::Error::from)?;
        // With several threads the call may return before the process is stopped.
        thread::sleep(Duration::from_millis(20));
        self.take_back()
    }
}

impl Drop for Term {
    fn drop(&mut self) {
        self.hand_over();
        self.writer.close();
    }
}

/// Reads and drops what comes: keys that are released while the program ends would be typed into the shell.
fn drain(tty: &Tty) {
    let (most, quiet) = DRAIN;
    let end = Instant::now() + most;
    let mut buffer = [0; 1024];
    while Instant::now() < end && is_ready(tty.input.as_fd(), PollFlags::IN, Some(milliseconds(quiet))).unwrap_or(false)
    {
        if !rustix::io::read(&tty.input, &mut buffer).is_ok_and(|count| count > 0) {
            return;
        }
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Term").field("modes", &self.modes).field("size", &self.size()).finish_non_exhaustive()
    }
}
