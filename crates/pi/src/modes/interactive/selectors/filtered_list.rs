//! Lists that are searched by typing: keys that mean nothing to the list are for the field of its search.

use pi_tui::input::Input;
use pi_tui::keymap::Keymap;
use pi_tui::widgets::input::{InputOutcome, TextInput};
use pi_tui::widgets::select::SelectOutcome;

/// What became of an input.
pub(super) enum Searched {
    /// It means nothing here.
    Ignored,
    /// Something may look otherwise.
    Moved,
    /// Another text is searched for.
    Changed,
    /// The entry with this index was chosen.
    Chosen(usize),
    /// The text of the search was submitted, by a key that chooses nothing.
    Submitted,
    /// No entry is wanted.
    Cancelled,
}

impl Searched {
    /// What the list made of an input; the field gets what the list ignored.
    pub(super) fn of(list: SelectOutcome, field: &mut TextInput, input: &Input, keys: &Keymap) -> Self {
        match list {
            SelectOutcome::Chosen(index) => Self::Chosen(index),
            SelectOutcome::Cancelled => Self::Cancelled,
            SelectOutcome::Moved => Self::Moved,
            SelectOutcome::Ignored => match field.handle(input, keys) {
                InputOutcome::Ignored => Self::Ignored,
                InputOutcome::Moved => Self::Moved,
                InputOutcome::Changed => Self::Changed,
                InputOutcome::Submit(_) => Self::Submitted,
            },
        }
    }
}
