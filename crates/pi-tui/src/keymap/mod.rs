//! What keys do: named actions and the keys that are bound to them.
//!
//! `action` has the actions of the widgets here. A program adds its own.

mod action;

pub use action::Action;
