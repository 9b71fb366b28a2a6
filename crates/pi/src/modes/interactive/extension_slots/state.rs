//! What is remembered of the header, the editor and the row that tells that a model answers.

use pi_coding_agent::extension::WorkingChange;
use pi_tui::document::BlockId;

use super::places::Place;

/// The header.
#[derive(Debug, Default)]
pub(in crate::modes::interactive) struct Header {
    pub(in crate::modes::interactive) place: Place,
    /// The block of the conversation, the program's or that of a view.
    pub(in crate::modes::interactive) block: Option<BlockId>,
}

/// The place, and what its view knows of the text.
#[derive(Debug, Default)]
pub(in crate::modes::interactive) struct EditorPlace {
    pub(in crate::modes::interactive) place: Place,
    pub(in crate::modes::interactive) known: String,
    /// The revision of the program's editor for which that was found out.
    pub(in crate::modes::interactive) revision: Option<u64>,
}

/// What they said; what is not there is as the program has it.
#[derive(Debug, Default)]
pub(in crate::modes::interactive) struct Working {
    pub(in crate::modes::interactive) message: Option<String>,
    pub(in crate::modes::interactive) is_hidden: bool,
    pub(in crate::modes::interactive) signs: Option<Vec<String>>,
    pub(in crate::modes::interactive) interval: Option<u64>,
}

impl Working {
    pub(in crate::modes::interactive) fn change(&mut self, change: WorkingChange) {
        match change {
            WorkingChange::Message(text) => self.message = text,
            WorkingChange::Visible(is_visible) => self.is_hidden = !is_visible,
            WorkingChange::Indicator(signs, interval) => (self.signs, self.interval) = (signs, interval),
        }
    }
}
