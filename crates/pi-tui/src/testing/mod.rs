//! A terminal to test screens against: an emulator with history and reflow.
//!
//! `terminal` feeds it and reads its rows; `styled` adds what they look like, for snapshots. It is for tests only, and
//! knows nothing of the engine.

mod styled;
mod terminal;

pub use terminal::Terminal;
