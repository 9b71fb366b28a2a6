//! The extensions as a panel: a list, and below it what there is to say about the chosen one.

use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::{Line, wrap};
use pi_tui::widgets::select::{SelectOutcome, Selection};

use super::super::panel::{Panel, PanelReply, PanelRows};
use super::super::theme_styles::ThemeStyles;
use super::facts::Listed;

/// Rows of the panel beside list and facts, with those of the footer.
const ROWS_AROUND: usize = 10;
/// Extensions that are seen at once.
const MOST_VISIBLE: usize = 8;
/// Columns for what a fact is about.
const LABEL: usize = 15;

/// The list.
pub(super) struct ExtensionList {
    listed: Vec<Listed>,
    selection: Selection,
}

impl ExtensionList {
    pub(super) fn new(listed: Vec<Listed>) -> Self {
        let selection = Selection::new(listed.len(), MOST_VISIBLE);
        Self { listed, selection }
    }

    fn row(&self, at: usize, look: &ThemeStyles, columns: u16) -> Line {
        let listed = &self.listed[at];
        let (mark, style) = match (self.selection.selected() == Some(at), listed.is_failed) {
            (true, _) => ("→ ", look.accent()),
            (false, true) => ("  ", look.error()),
            (false, false) => ("  ", look.text()),
        };
        let line =
            Line::styled(mark, style).and(&listed.name, style).and(format!("  {}", listed.summary), look.muted());
        line.cut(usize::from(columns), "…")
    }

    fn facts(&self, look: &ThemeStyles, columns: u16) -> Vec<Line> {
        let chosen = self.selection.selected().and_then(|at| self.listed.get(at));
        let room = usize::from(columns).saturating_sub(LABEL + 2).max(10);
        let mut lines = Vec::new();
        for (about, text) in chosen.map(|listed| listed.facts.as_slice()).unwrap_or_default() {
            let style = if matches!(*about, "Problem" | "Failed") { look.error() } else { look.text() };
            let wrapped = text.lines().flat_map(|line| wrap(&Line::styled(line, style), room));
            for (at, line) in wrapped.enumerate() {
                let about = if at == 0 { about } else { "" };
                let mut row = Line::styled(format!("  {about:LABEL$}"), look.muted());
                row.append(&line);
                lines.push(row);
            }
        }
        lines
    }
}

impl Panel for ExtensionList {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        let room = usize::from(height).saturating_sub(ROWS_AROUND);
        self.selection.set_max_visible((room / 2).clamp(1, MOST_VISIBLE));
        let failed = self.listed.iter().filter(|listed| listed.is_failed).count();
        let title = match (self.listed.len() - failed, failed) {
            (loaded, 0) => format!("Extensions: {loaded}"),
            (loaded, failed) => format!("Extensions: {loaded}, and {failed} with problems"),
        };
        let mut out = PanelRows::titled(&title, look, columns);
        let rest = out.entries(&self.selection, look, columns, room, |at| self.row(at, look, columns));
        let facts = self.facts(look, columns);
        for line in facts.iter().take(rest) {
            out.line(line, columns);
        }
        if facts.len() > rest {
            out.line(&Line::styled(format!("  … {} more lines", facts.len() - rest), look.dim()), columns);
        }
        let cancel = keys.hint(action::SELECT_CANCEL);
        out.end(format!("{cancel} close · `pi config` switches extensions off and on"), look, columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        match self.selection.handle(input, keys) {
            SelectOutcome::Chosen(_) | SelectOutcome::Cancelled => PanelReply::Close,
            SelectOutcome::Moved => PanelReply::Stay,
            SelectOutcome::Ignored => PanelReply::Ignored,
        }
    }
}
