//! What goes on: the rows with the spinner above the editor.

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

    /// Its rows: a blank one and those with the spinner, or none.
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
        let (loader, mut rows) = (Loader::new(text, style), vec![Row::blank()]);
        match self {
            // How long, and how it is ended, is said in narrow windows, too.
            Self::Retrying { .. } | Self::Compacting(_) => rows.extend(loader.rows(now_ms, columns)),
            _ => rows.push(loader.row(now_ms, columns)),
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use pi_coding_agent::env::Env;
    use pi_coding_agent::theme::Theme;
    use pi_tui::keymap::action;

    use super::super::keys::ACTIONS;
    use super::*;

    #[test]
    fn a_narrow_window_tells_how_long_and_how_to_end_it() {
        let look = ThemeStyles::of_terminal(Theme::dark(), &Env::fixed::<String, String>([]));
        let keys = Keymap::new(&[action::TABLE, ACTIONS]);
        let retrying = Activity::Retrying { attempt: 1, max_attempts: 3, at_ms: 2000 };
        for (activity, seen) in [
            (retrying, ["in 2s...", "to cancel)"]),
            (Activity::Compacting("Compacting".to_owned()), ["Compacting", "to cancel)"]),
        ] {
            for columns in [24, 40, 80] {
                let rows = activity.rows(&look, &keys, 0, columns);
                let text: Vec<String> =
                    rows.iter().map(|row| pi_tui::text::Line::from_ansi(row.text()).text()).collect();
                let text = text.iter().map(|row| row.trim()).collect::<Vec<_>>().join(" ");
                assert!(seen.iter().all(|seen| text.contains(seen)), "{columns}: {text}");
            }
        }
    }
}
