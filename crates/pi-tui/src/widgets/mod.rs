//! Things that draw rows and take keys.
//!
//! | Module | What is in it |
//! |---|---|
//! | [`code`] | lines of code with colours |
//! | [`markdown`] | Markdown, whole or as it grows |
//!
//! A widget is a struct with its state, `rows` that draws it, and `handle` that takes an input and returns what became of
//! it. Widgets look like the style structs they are given say; they know no themes.

pub mod code;
pub mod markdown;
