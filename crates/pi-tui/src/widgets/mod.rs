//! Things that draw rows and take keys.
//!
//! | Module | What is in it |
//! |---|---|
//! | [`boxed`] | a background over the whole width, with room inside |
//! | [`code`] | lines of code with colours |
//! | [`diff`] | differences between texts |
//! | [`image`] | pictures, or what stands for them |
//! | [`loader`] | a spinner with a text |
//! | [`markdown`] | Markdown, whole or as it grows |
//! | [`rule`] | horizontal rules |
//!
//! A widget is a struct with its state, `rows` that draws it, and `handle` that takes an input and returns what became of
//! it. Widgets look like the style structs they are given say; they know no themes.

pub mod boxed;
pub mod code;
pub mod diff;
pub mod image;
pub mod loader;
pub mod markdown;
pub mod rule;
