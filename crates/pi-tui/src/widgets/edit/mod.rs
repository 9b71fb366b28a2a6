//! Text editing shared by the editor and the one-line field: buffer, cursor, words, undo, kill ring, pastes, line breaking.
//!
//! No keys and no drawing here.

mod breaks;
mod buffer;
mod kill_ring;
mod motion;
mod pastes;
mod text;
mod undo;
mod units;
mod words;

pub use buffer::Position;
pub(crate) use motion::{Direction, Place};
pub(crate) use text::EditText;
pub(crate) use units::units;
