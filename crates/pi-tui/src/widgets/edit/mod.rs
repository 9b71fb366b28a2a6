//! Text editing shared by the editor and the one-line field: buffer, cursor, words, undo, kill ring, pastes, line breaking.
//!
//! Of keys, only `command` knows: the actions that both fields have. No drawing here.

mod breaks;
mod buffer;
mod command;
mod kill_ring;
mod motion;
mod pastes;
mod text;
mod undo;
mod units;
mod words;

pub use buffer::Position;
pub(crate) use command::EditCommand;
pub(crate) use motion::{Direction, MotionTarget};
pub(crate) use text::EditText;
pub(crate) use units::{shown_in_cell, units};
