//! Widgets: things that draw rows and take keys.
//!
//! `editor` holds several lines of text, `input` one; `completion` is the list of completions below an editor; `select` is
//! a list to choose from, and the selection that all lists share; `settings_list` is settings with their values. `edit` is
//! what text fields share.
//!
//! A widget is a struct with its state, `rows` that draws it, and `handle` that takes an input and returns what became of
//! it: `Ignored` leaves the input to others. A widget takes styles, never names of colours, and knows neither where on the
//! screen it stands nor who shows it.

mod completion;
mod edit;
mod editor;
mod input;
mod select;
mod settings_list;
#[cfg(test)]
mod tests;

pub use completion::{Completion, CompletionItem, CompletionKind, CompletionOptions, CompletionRequest};
pub use editor::{Editor, EditorOutcome, EditorStyle, Position};
pub use input::{InputOutcome, InputStyle, TextInput};
pub use select::{SelectItem, SelectList, SelectOptions, SelectOutcome, SelectStyle, Selection};
pub use settings_list::{SettingItem, SettingsList, SettingsOptions, SettingsOutcome, SettingsStyle};

/// Where the cursor is in the rows of a widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Caret {
    /// Index of the row, from the first that the widget drew.
    pub row: usize,
    /// Its column.
    pub column: u16,
}
