//! `/fork`: a message of the user to begin a new session in front of.

use pi_coding_agent::agent_session::{ForkMessage, ForkPosition};
use pi_tui::fuzzy;
use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::{Line, Row};
use pi_tui::widgets::input::TextInput;
use pi_tui::widgets::select::Selection;

use super::super::app::App;
use super::super::chat::NoteKind;
use super::super::jobs::flat;
use super::super::panel::{Panel, PanelReply, PanelRows};
use super::super::styles;
use super::super::switch_session::replaced;
use super::super::theme_styles::ThemeStyles;
use super::filtered_list::Searched;
use crate::common::one_line::one_line;

/// Rows of a message in the list, and those around the list.
const ROWS_EACH: usize = 3;
const ROWS_AROUND: usize = 14;
const MOST_VISIBLE: usize = 10;

/// Lets the user choose one of the messages, the newest first chosen.
pub(in crate::modes::interactive) fn fork(app: &mut App, messages: Vec<ForkMessage>) {
    app.open(Fork::new(messages));
}

struct Fork {
    messages: Vec<ForkMessage>,
    /// Those that fit the search, in their order.
    shown: Vec<usize>,
    search: TextInput,
    selection: Selection,
}

impl Fork {
    fn new(messages: Vec<ForkMessage>) -> Self {
        let (search, selection) = (TextInput::new("> ", Default::default()), Selection::new(0, MOST_VISIBLE));
        let mut list = Self { messages, shown: Vec::new(), search, selection };
        list.filter();
        list
    }

    /// Shows what fits the search, the newest chosen.
    fn filter(&mut self) {
        let query = fuzzy::Query::new(self.search.text());
        let fits = |message: &ForkMessage| query.score(&message.text).is_some();
        self.shown = (0..self.messages.len()).filter(|&index| self.messages.get(index).is_some_and(fits)).collect();
        self.selection = Selection::new(self.shown.len(), MOST_VISIBLE);
        self.selection.select(self.shown.len().saturating_sub(1));
    }

    fn list(&mut self, out: &mut PanelRows, look: &ThemeStyles, columns: u16, height: u16) {
        let visible = usize::from(height).saturating_sub(ROWS_AROUND) / ROWS_EACH;
        self.selection.set_max_visible(visible.clamp(1, MOST_VISIBLE));
        if self.shown.is_empty() {
            out.line(&Line::styled("  No matches", look.dim()), columns);
            out.blank();
        }
        for at in self.selection.visible() {
            let Some(&index) = self.shown.get(at) else { continue };
            let is_selected = self.selection.selected() == Some(at);
            let text = self.messages.get(index).map(|message| one_line(&message.text)).unwrap_or_default();
            let (mark, style) = if is_selected { ("› ", look.accent().bold()) } else { ("  ", look.text()) };
            out.line(&Line::styled(mark, style).and(text, style).cut(usize::from(columns), "…"), columns);
            let place = format!("  Message {} of {}", index + 1, self.messages.len());
            out.line(&Line::styled(place, look.dim()), columns);
            out.blank();
        }
        out.rows.extend(self.selection.counter().map(|text| Row::styled(&format!("  {text}"), look.dim(), columns)));
    }
}

impl Panel for Fork {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        let mut out = PanelRows::default();
        out.rule(look, columns);
        out.blank();
        out.line(&Line::styled("Fork from a message", look.accent().bold()), columns);
        let text = "A new session begins in front of the chosen message; this one stays as it is.";
        out.line(&Line::styled(text, look.muted()), columns);
        out.blank();
        self.search.set_style(styles::input(look));
        out.field(self.search.rows(columns));
        out.blank();
        self.list(&mut out, look, columns, height);
        let (confirm, cancel) = (keys.hint(action::SELECT_CONFIRM), keys.hint(action::SELECT_CANCEL));
        out.end(format!("{confirm} fork · {cancel} cancel · type to search"), look, columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        let outcome = self.selection.handle(input, keys);
        match Searched::of(outcome, &mut self.search, input, keys) {
            Searched::Chosen(at) => {
                let message = self.shown.get(at).and_then(|&index| self.messages.get(index)).cloned();
                message.map_or(PanelReply::Stay, |message| PanelReply::close_and(move |app| fork_at(app, message)))
            }
            Searched::Cancelled => PanelReply::Close,
            Searched::Changed => {
                self.filter();
                PanelReply::Stay
            }
            Searched::Moved | Searched::Submitted => PanelReply::Stay,
            Searched::Ignored => PanelReply::Ignored,
        }
    }
}

fn fork_at(app: &mut App, message: ForkMessage) {
    let session = app.session.clone();
    let work = tokio::spawn(async move { session.tree().fork(&message.entry_id, ForkPosition::Before).await });
    app.spawn(work, |app, result| {
        if replaced(app, flat(result)).is_some() {
            app.note(NoteKind::Done, "This is a new session; the message is in the editor");
        }
    });
}
