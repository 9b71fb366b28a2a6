//! Things that draw rows and take keys.
//!
//! | Module | What is in it |
//! |---|---|
//! | `code`, `markdown` | code with colours; Markdown that grows |
//! | [`completion`] | the list of completions below an editor |
//! | [`editor`] | several lines of text, with history, undo and pastes behind markers |
//! | [`input`] | one line of text |
//! | [`select`] | a list to choose from, and the selection that every list shares |
//! | [`settings_list`] | settings with their values |
//!
//! A widget is a struct with its state, `rows` that draws it, and `handle` that takes an input and returns what became of
//! it. Widgets look like the style structs they are given say; they know no themes. `edit` is what text fields share.

mod code;
pub mod completion;
mod edit;
pub mod editor;
pub mod input;
mod markdown;
pub mod select;
pub mod settings_list;

pub use code::{CodeLines, CodeStyle};
pub use markdown::{Markdown, MarkdownStyle};

/// A cell of drawn rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Caret {
    /// Index of the row, from the first that the widget drew.
    pub row: usize,
    /// Its column.
    pub column: u16,
}
