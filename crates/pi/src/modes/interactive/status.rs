//! What goes on: the row with the spinner above the editor.

use pi_tui::keymap::Keymap;
use pi_tui::text::Row;
use pi_tui::widgets::loader::{Loader, LoaderStyle};

use super::keys::INTERRUPT;
use super::theme_styles::ThemeStyles;

/// What goes on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Activity {
    /// Nothing.
    #[default]
    None,
    /// A model answers, or tools run.
    Working,
    /// A failed call is repeated at a time of the mode, in milliseconds.
    Retrying { attempt: u32, max_attempts: u32, at_ms: u64 },
    /// The history is summarised.
    Compacting(String),
    /// Something else is waited for.
    Waiting(String),
}

impl Activity {
    /// Whether something is shown that moves.
    pub(super) fn moves(&self) -> bool {
        *self != Self::None
    }

    /// Its rows: a blank one and the spinner, or none.
    pub(super) fn rows(&self, look: &ThemeStyles, keys: &Keymap, now_ms: u64, columns: u16) -> Vec<Row> {
        let cancel_key = || keys.hint(INTERRUPT);
        let (text, sign) = match self {
            Self::None => return Vec::new(),
            Self::Working => ("Working...".to_owned(), look.accent()),
            Self::Retrying { attempt, max_attempts, at_ms } => {
                let seconds = at_ms.saturating_sub(now_ms).div_ceil(1000);
                let text = format!("Retrying ({attempt}/{max_attempts}) in {seconds}s... ({} to cancel)", cancel_key());
                (text, look.warning())
            }
            Self::Compacting(what) => (format!("{what}... ({} to cancel)", cancel_key()), look.accent()),
            Self::Waiting(what) => (what.clone(), look.accent()),
        };
        let style = LoaderStyle { spinner: sign, text: look.muted(), padding: 1 };
        vec![Row::blank(), Loader::new(text, style).row(now_ms, columns)]
    }
}
