//! Terminals, rows, widgets, keys.
//!
#![doc = include_str!("../README.md")]
//!
//! # Layout
//!
//! | Module | What is in it |
//! |---|---|
//! | [`document`] | blocks that become rows: what is final, what was given away |
//! | [`fuzzy`] | search by characters in order, ranked |
//! | [`input`] | bytes cut into sequences, and what each means |
//! | [`keymap`] | named actions and the keys that are bound to them |
//! | [`screen`] | the frame engine: final rows to the history, live rows below, the alternate screen |
//! | [`term`] | the terminal itself: raw mode, modes, size, one reader, one writer, what it can do |
//! | `testing` | with the feature of that name: a terminal with history and reflow to test screens against |
//! | [`text`] | styles, lines of styled text, widths, wrapping, rows |
//! | [`widgets`] | things that draw rows and take keys |
//!
//! Only this crate writes escape sequences. It knows no agent, no model, no session and no settings.

pub mod document;
pub mod fuzzy;
pub mod input;
pub mod keymap;
pub mod screen;
pub mod term;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
pub mod widgets;
