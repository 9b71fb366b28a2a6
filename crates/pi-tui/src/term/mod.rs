//! The terminal itself: raw mode, modes on and off, size, one reader, one writer, and what it can do.
//!
//! `capabilities` decides what a terminal can do, by its environment and its answers; `background` tells dark from light; `announce` builds the sequences for
//! titles, progress, notifications and the clipboard; `modes` has what is switched on, and the constant that switches all of
//! it off. Behind them, on Unix: `tty` opens the terminal, `reader` and `writer` are a thread each, `restore` puts everything
//! back however the program ends, and [`Term`] is all of these together; `loan` lends the terminal to another process. Nothing here knows what is drawn.

mod announce;
mod background;
mod capabilities;
#[cfg(unix)]
mod loan;
mod modes;
#[cfg(unix)]
mod reader;
#[cfg(unix)]
mod restore;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod tty;
#[cfg(unix)]
mod writer;

pub use announce::{Notification, copy, notify, progress, through_tmux, title};
pub use background::Ground;
pub use capabilities::{Capabilities, Images, Keyboard, Query, queries};
#[cfg(unix)]
pub use loan::Loan;
pub use modes::{Modes, RESTORE};
#[cfg(unix)]
pub use reader::Chunk;
#[cfg(unix)]
pub use restore::{is_taken, restore_now};
#[cfg(unix)]
pub use terminal::{Term, TermError};
#[cfg(unix)]
pub use writer::Writer;
