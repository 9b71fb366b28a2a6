//! The changes as a panel: a list, and below it what the chosen one changed.

use std::cell::OnceCell;

use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::Line;
use pi_tui::widgets::select::{SelectOutcome, Selection};

use super::super::app::App;
use super::super::panel::{Panel, PanelReply, PanelRows};
use super::super::theme_styles::ThemeStyles;
use super::super::{dialogs, keys, styles};
use super::recorded::Change;
use super::take_back;

/// Rows of the panel beside list and preview, with those of the footer.
const ROWS_AROUND: usize = 10;
/// Changes that are seen at once.
const MOST_VISIBLE: usize = 8;

/// The changes of the session.
pub(super) struct ChangesPanel {
    changes: Vec<Change>,
    /// Lines that each of them added and removed, once that was counted.
    counts: Vec<OnceCell<(usize, usize)>>,
    selection: Selection,
    /// What was drawn of the chosen one: its number, the width, the lines.
    preview: Option<(usize, u16, Vec<Line>)>,
    /// The first line of it that is shown.
    top: usize,
}

impl ChangesPanel {
    /// The newest one is chosen.
    pub(super) fn new(changes: Vec<Change>) -> Self {
        let mut selection = Selection::new(changes.len(), MOST_VISIBLE);
        selection.select(changes.len().saturating_sub(1));
        let counts = changes.iter().map(|_| OnceCell::new()).collect();
        Self { changes, counts, selection, preview: None, top: 0 }
    }

    fn selected(&self) -> Option<&Change> {
        self.changes.get(self.selection.selected()?)
    }

    fn title(&self) -> String {
        let mut files: Vec<&str> = self.changes.iter().map(|change| &*change.path).collect();
        files.dedup();
        let plural = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        format!("Changes: {} in {}", plural(self.changes.len(), "place"), plural(files.len(), "file"))
    }

    fn row(&self, at: usize, look: &ThemeStyles, columns: u16) -> Line {
        let change = &self.changes[at];
        let is_selected = self.selection.selected() == Some(at);
        let (mark, style) = if is_selected { ("→ ", look.accent()) } else { ("  ", look.text()) };
        let (added, removed) = *self.counts[at].get_or_init(|| change.counts());
        let state = match (change.old.is_none(), change.is_undo, change.is_undone) {
            (_, _, true) => "  taken back",
            (_, true, _) => "  takes an edit back",
            (true, ..) => "  written anew",
            _ => "",
        };
        let line = Line::styled(mark, style)
            .and(format!("{}:{}", change.path, change.first_line()), style)
            .and(format!("  +{added} −{removed}"), look.muted())
            .and(state, look.dim());
        line.cut(usize::from(columns), "…")
    }

    /// The lines of what the chosen one changed.
    fn preview(&mut self, look: &ThemeStyles, columns: u16) -> &[Line] {
        let at = self.selection.selected().unwrap_or_default();
        if self.preview.as_ref().is_none_or(|(drawn, width, _)| (*drawn, *width) != (at, columns)) {
            let lines = match self.changes.get(at) {
                None => Vec::new(),
                Some(Change { old: Some(old), new, .. }) => styles::replacement(look, old, new, columns),
                Some(change) => styles::code(look, &change.path, &change.new),
            };
            if self.preview.as_ref().is_none_or(|(drawn, ..)| *drawn != at) {
                self.top = 0;
            }
            self.preview = Some((at, columns, lines));
        }
        self.preview.as_ref().map_or(&[], |(_, _, lines)| lines)
    }

    fn scroll(&mut self, forward: bool) -> PanelReply {
        let last = self.preview.as_ref().map_or(0, |(_, _, lines)| lines.len().saturating_sub(1));
        self.top = if forward { (self.top + 1).min(last) } else { self.top.saturating_sub(1) };
        PanelReply::Stay
    }
}

impl Panel for ChangesPanel {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        let room = usize::from(height).saturating_sub(ROWS_AROUND);
        self.selection.set_max_visible((room / 2).clamp(1, MOST_VISIBLE));
        let mut out = PanelRows::titled(&self.title(), look, columns);
        let rest = out.entries(&self.selection, look, columns, room, |at| self.row(at, look, columns));
        let top = self.top;
        let lines = self.preview(look, columns);
        let top = top.min(lines.len().saturating_sub(rest));
        for line in lines.iter().skip(top).take(rest) {
            out.line(line, columns);
        }
        let hidden = lines.len().saturating_sub(top + rest);
        if hidden > 0 {
            out.line(&Line::styled(format!("  … {hidden} more lines"), look.dim()), columns);
        }
        let hint = |action| keys.hint(action);
        let hints = format!(
            "{} quote · {} take back · {}, {} scroll · {} close",
            hint(action::SELECT_CONFIRM),
            hint(keys::CHANGES_TAKE_BACK),
            hint(keys::CHANGES_SCROLL_UP),
            hint(keys::CHANGES_SCROLL_DOWN),
            hint(action::SELECT_CANCEL)
        );
        out.end(hints, look, columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        if let (Input::Key(event), Some(change)) = (input, self.selected()) {
            if keys.is(event, keys::CHANGES_TAKE_BACK) {
                let change = change.clone();
                return PanelReply::close_and(move |app| ask(app, change));
            } else if keys.is(event, keys::CHANGES_SCROLL_UP) {
                return self.scroll(false);
            } else if keys.is(event, keys::CHANGES_SCROLL_DOWN) {
                return self.scroll(true);
            }
        }
        match self.selection.handle(input, keys) {
            SelectOutcome::Chosen(_) => match self.selected().map(quoted) {
                Some(text) => PanelReply::close_and(move |app: &mut App| app.prompt.editor.insert(&text)),
                None => PanelReply::Close,
            },
            SelectOutcome::Cancelled => PanelReply::Close,
            SelectOutcome::Moved => PanelReply::Stay,
            SelectOutcome::Ignored => PanelReply::Ignored,
        }
    }
}

/// A change as it stands in a message.
fn quoted(change: &Change) -> String {
    format!("{}:{}\n```diff\n{}```\n", change.path, change.first_line(), change.patch())
}

/// Asks before a file is changed.
fn ask(app: &mut App, change: Change) {
    if change.old.is_none() {
        let path = &change.path;
        return app.error(format!("What was in {path} before it was written is not recorded: it cannot be taken back"));
    }
    let title = format!("Take back the edit of {}?", change.path);
    let text = format!("Line {}: the old lines come back, and the model is told.", change.first_line());
    dialogs::confirm(app, title, text, move |app, is_wanted| {
        if is_wanted {
            take_back::take_back(app, change);
        }
    });
}
