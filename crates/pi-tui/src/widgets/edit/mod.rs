//! What the editor and the input line share: text with a cursor, units, words, undo, the kill ring, pastes.
//!
//! Nothing here knows keys or draws rows.

mod breaks;
mod buffer;
mod kill_ring;
mod pastes;
mod text;
mod undo;
mod units;
mod words;

pub use buffer::Position;
pub(crate) use text::{Direction, EditText, Place};
pub(crate) use units::units;
