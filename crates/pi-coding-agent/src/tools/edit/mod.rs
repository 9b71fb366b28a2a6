//! The `edit` tool: exact replacements in one file, with a forgiving second try.
//!
//! `tool` ties it together: `args` reads what models send, `text` handles line ends and the byte-order mark, `matching`
//! finds the places, `fuzzy` compares text that differs in looks only, `apply` builds the new text.

mod apply;
mod args;
mod fuzzy;
mod matching;
mod text;
mod tool;

pub use tool::EditTool;
