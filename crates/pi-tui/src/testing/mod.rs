//! A terminal to test screens against: an emulator with history and reflow.
//!
//! `terminal` feeds it and reads its rows; `styled` adds what they look like, for snapshots, and `glyphs` does so cell by
//! cell, for pictures. It is for tests only, and knows nothing of the engine.

mod glyphs;
mod styled;
mod terminal;

pub use glyphs::Glyph;
pub use terminal::Terminal;
