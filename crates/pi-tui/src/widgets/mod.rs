//! Widgets: things that draw rows and handle input.
//!
//! `editor` is a multi-line editor and `input` a one-line field, both built on `edit`; `completion` is the list below an
//! editor; `select` is a list to choose from, with the selection state shared by all lists; `settings_list` is a searchable
//! list of settings.
//!
//! A widget is a struct with its state, `rows` that draws it, and `handle` that returns the outcome of an input; `Ignored`
//! leaves the input to others. A widget takes styles, never names of colours, and knows neither where on the screen it
//! stands nor who shows it.

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

/// The cursor in the rows of a widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Caret {
    /// Index of the row among the widget's rows.
    pub row: usize,
    /// Its column.
    pub column: u16,
}
