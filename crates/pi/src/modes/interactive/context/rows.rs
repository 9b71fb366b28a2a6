//! Draws it: a bar for the window, a row for each source, a bar for each of the last turns.

use pi_coding_agent::events::ContextUsage;
use pi_coding_agent::theme::Token;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::{Line, Style};

use super::super::numbers;
use super::super::panel::PanelRows;
use super::super::theme_styles::ThemeStyles;
use super::breakdown::{Source, Turn};
use crate::common::one_line::cut_line;

/// Everything that is shown.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) model: String,
    pub(super) usage: Option<ContextUsage>,
    /// Kept free for the next answer, in tokens; 0 where nothing is.
    pub(super) reserve: u64,
    pub(super) sources: Vec<Source>,
    pub(super) turns: Vec<Turn>,
}

const FULL: &str = "█";
const EMPTY: &str = "░";
/// Columns of a bar at most.
const BAR: usize = 40;
/// Columns for names of sources.
const NAME: usize = 24;
/// Turns that are shown at most.
const TURNS: usize = 8;

impl Shown {
    pub(super) fn rows(&self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        let mut out = PanelRows::titled("Context", look, columns);
        self.window(&mut out, look, columns);
        let mut rest = usize::from(height).saturating_sub(12);
        let (shown, hidden) = self.sources.split_at(self.sources.len().min(rest.max(3)));
        let most = self.sources.iter().map(|source| source.tokens).max().unwrap_or(1).max(1);
        for source in shown {
            out.line(&self.source(source, most, look, usize::from(columns)), columns);
        }
        if !hidden.is_empty() {
            let tokens = hidden.iter().map(|source| source.tokens).sum();
            let text = format!("  and {} more, {} tokens", hidden.len(), numbers::short(tokens));
            out.line(&Line::styled(text, look.dim()), columns);
        }
        rest = rest.saturating_sub(shown.len() + 2);
        self.costs(&mut out, rest.min(TURNS), look, columns);
        let cancel = keys.hint(action::SELECT_CANCEL);
        out.end(format!("Sizes of parts are estimates · {cancel} close"), look, columns);
        out
    }

    fn window(&self, out: &mut PanelRows, look: &ThemeStyles, columns: u16) {
        let counted: u64 = self.sources.iter().map(|source| source.tokens).sum();
        let Some(usage) = &self.usage else {
            let text = format!("{}: about {} tokens; its window is not known", self.model, numbers::short(counted));
            out.line(&Line::styled(text, look.text()), columns);
            out.blank();
            return;
        };
        let used = usage.tokens.filter(|tokens| *tokens > 0).unwrap_or(counted);
        let window = usage.context_window.max(1);
        let text = format!(
            "{}: {} of {} tokens ({:.1}%)",
            self.model,
            numbers::short(used),
            numbers::short(window),
            used as f64 / window as f64 * 100.0
        );
        out.line(&Line::styled(text, look.text()), columns);
        let width = usize::from(columns).saturating_sub(2).max(1);
        let of = |tokens: u64| (tokens as f64 / window as f64 * width as f64).round() as usize;
        let full = of(used).min(width).max(usize::from(used > 0));
        let kept = of(self.reserve).min(width - full);
        let style = if full + kept >= width { look.warning() } else { look.accent() };
        let bar = Line::styled(FULL.repeat(full), style)
            .and(EMPTY.repeat(width - full - kept), look.dim())
            .and("▒".repeat(kept), look.dim());
        out.line(&bar, columns);
        if self.reserve > 0 {
            let text = format!("▒ {} tokens are kept free for the answer", numbers::short(self.reserve));
            out.line(&Line::styled(text, look.dim()), columns);
        }
        out.blank();
    }

    fn source(&self, source: &Source, most: u64, look: &ThemeStyles, columns: usize) -> Line {
        let total: u64 = self.sources.iter().map(|source| source.tokens).sum();
        let percent = source.tokens as f64 / total.max(1) as f64 * 100.0;
        let name = Line::styled(&*source.name, look.text()).cut(NAME, "…");
        let pad = " ".repeat(NAME.saturating_sub(name.width()));
        let mut line = Line::styled("  ", Style::PLAIN);
        line.append(&name);
        let figures = format!("{pad} {:>6} {percent:>5.1}% ", numbers::short(source.tokens));
        let room = columns.saturating_sub(NAME + 20).min(BAR);
        line.and(figures, look.muted()).and(bar(source.tokens as f64 / most as f64, room), look.style(Token::Accent))
    }

    fn costs(&self, out: &mut PanelRows, count: usize, look: &ThemeStyles, columns: u16) {
        let most = self.turns.iter().map(|turn| turn.cost).fold(0.0, f64::max);
        if count == 0 || most <= 0.0 {
            return;
        }
        out.blank();
        out.line(&Line::styled("Cost of the last turns", look.muted().bold()), columns);
        for turn in self.turns.iter().skip(self.turns.len().saturating_sub(count)) {
            let name = Line::styled(cut_line(&turn.text, NAME), look.text()).cut(NAME, "…");
            let pad = " ".repeat(NAME.saturating_sub(name.width()));
            let mut line = Line::styled("  ", Style::PLAIN);
            line.append(&name);
            let figures = format!("{pad} ${:<7.3} {:>6} ", turn.cost, numbers::short(turn.tokens));
            let room = usize::from(columns).saturating_sub(NAME + 22).min(BAR);
            out.line(&line.and(figures, look.muted()).and(bar(turn.cost / most, room), look.accent()), columns);
        }
    }
}

/// A bar for a share of the room; what is not nothing has one cell at least.
fn bar(share: f64, room: usize) -> String {
    let cells = (share * room as f64).round() as usize;
    FULL.repeat(cells.max(usize::from(share > 0.0)).min(room))
}

#[cfg(test)]
mod tests {
    use pi_coding_agent::theme::{ColourMode, Theme};
    use pi_tui::text::Row;

    use super::super::super::keys;
    use super::*;

    fn screen(shown: &Shown, columns: u16, height: u16) -> String {
        let look = ThemeStyles::new(Theme::dark(), ColourMode::TrueColour, false);
        let keys = Keymap::new(&[action::TABLE, keys::ACTIONS]);
        let plain = |row: &Row| Line::from_ansi(row.text()).text().trim_end().to_owned();
        shown.rows(&look, &keys, columns, height).rows.iter().map(plain).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn it_fits_windows_of_any_size() {
        let source = |name: &str, tokens| Source { name: name.to_owned(), tokens };
        let turn = |text: &str, cost, tokens| Turn { text: text.to_owned(), cost, tokens };
        let shown = Shown {
            model: "a-model".to_owned(),
            usage: Some(ContextUsage { tokens: Some(52_000), context_window: 200_000, percent: Some(26.0) }),
            reserve: 16_384,
            sources: vec![
                source("System prompt", 900),
                source("Context files", 2_100),
                source("Tool definitions", 1_400),
                source("Your messages", 3_000),
                source("Answers", 12_000),
                source("Results of read", 31_000),
            ],
            turns: vec![turn("first", 0.02, 9_000), turn("a rather long prompt that has to be cut", 0.1, 40_000)],
        };
        let unknown =
            Shown { usage: None, turns: Vec::new(), ..Shown { sources: shown.sources.clone(), ..Shown::default() } };
        let screens = [screen(&shown, 90, 30), screen(&shown, 40, 10), screen(&unknown, 60, 20)];
        insta::assert_snapshot!(screens.join("\n\n"));
    }
}
