//! Things that draw rows and take keys.
//!
//! | Module | What is in it |
//! |---|---|
//! | [`padded_box`] | a background over the whole width, with room inside |
//! | [`code`] | lines of code with colours |
//! | [`completion`] | the list of completions below an editor |
//! | [`diff`] | differences between texts |
//! | [`editor`] | several lines of text, with history, undo and pastes behind markers |
//! | [`image`] | pictures, or what stands for them |
//! | [`input`] | one line of text |
//! | [`loader`] | a spinner with a text |
//! | [`markdown`] | Markdown, whole or as it grows |
//! | [`rule`] | horizontal rules |
//! | [`select`] | a list to choose from, and the selection that every list shares |
//! | [`settings_list`] | settings with their values |
//! | [`vim`] | the keys of vi over an editor |
//!
//! A widget is a struct with its state, `rows` that draws it, and `handle` that takes an input and returns what became of
//! it. Widgets look like the style structs they are given say; they know no themes. `edit` is what text fields share.

pub mod code;
pub mod completion;
pub mod diff;
mod edit;
pub mod editor;
pub mod image;
pub mod input;
pub mod loader;
pub mod markdown;
pub mod padded_box;
pub mod rule;
pub mod select;
pub mod settings_list;
#[cfg(test)]
mod tests;
pub mod vim;

/// The cursor in the rows of a widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Caret {
    /// Index of the row among the widget's rows.
    pub row: usize,
    /// Its column.
    pub column: u16,
}
