//! A list that is searched by typing: a label and a few words about each.

use pi_coding_agent::theme::Token;
use pi_tui::fuzzy;
use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::Line;
use pi_tui::widgets::input::{InputOutcome, TextInput};
use pi_tui::widgets::select::{SelectItem, SelectList, SelectOptions, SelectOutcome};

use super::super::app::App;
use super::super::look::Look;
use super::super::panel::{Panel, PanelReply, PanelRows};
use super::super::styles;

/// What is done with the choice; `None` when there is none.
type Then = Box<dyn FnOnce(&mut App, Option<usize>)>;

/// The list.
pub(super) struct SearchList {
    title: String,
    text: String,
    items: Vec<SelectItem>,
    /// What is searched, for each item.
    words: Vec<String>,
    /// The items that fit, the best first.
    shown: Vec<usize>,
    search: TextInput,
    list: SelectList,
    then: Option<Then>,
}

impl SearchList {
    /// A list of labels with words about each; the index of the choice is handed on.
    pub(super) fn new(
        look: &Look,
        title: &str,
        text: &str,
        items: Vec<SelectItem>,
        then: impl FnOnce(&mut App, Option<usize>) + 'static,
    ) -> Self {
        // Names of providers are long, what is said about them is not.
        let options = SelectOptions { max_label: 56, ..SelectOptions::default() };
        let of = |item: &SelectItem| format!("{} {}", item.label, item.description.as_deref().unwrap_or_default());
        Self {
            title: title.to_owned(),
            text: text.to_owned(),
            words: items.iter().map(of).collect(),
            shown: (0..items.len()).collect(),
            search: TextInput::new("> ", styles::input(look)),
            list: SelectList::new(items.clone(), options, styles::select(look)),
            items,
            then: Some(Box::new(then)),
        }
    }

    fn filter(&mut self) {
        self.shown = match self.search.text().trim() {
            "" => (0..self.items.len()).collect(),
            text => fuzzy::rank(text, &self.words, |words| words),
        };
        self.list.set_items(self.shown.iter().filter_map(|&index| self.items.get(index).cloned()).collect());
    }

    fn answer(&mut self, index: Option<usize>) -> PanelReply {
        match self.then.take() {
            Some(then) => PanelReply::close_and(move |app| then(app, index)),
            None => PanelReply::Close,
        }
    }
}

impl Panel for SearchList {
    fn rows(&mut self, look: &Look, keys: &Keymap, columns: u16, _height: u16) -> PanelRows {
        let mut out = PanelRows::default();
        out.rule(look.style(Token::BorderAccent), columns);
        out.line(&Line::styled(&*self.title, look.accent().bold()), columns);
        out.line(&Line::styled(&*self.text, look.muted()), columns);
        out.blank();
        let (rows, caret) = self.search.rows(columns);
        out.with_caret(rows, Some((caret.row, caret.column)));
        out.blank();
        out.rows.extend(self.list.rows(columns));
        out.blank();
        let (confirm, cancel) = (keys.hint(action::SELECT_CONFIRM), keys.hint(action::SELECT_CANCEL));
        out.line(&Line::styled(format!("{confirm} select · {cancel} cancel · type to search"), look.dim()), columns);
        out.rule(look.style(Token::BorderAccent), columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        match self.list.handle(input, keys) {
            SelectOutcome::Chosen(at) => {
                let index = self.shown.get(at).copied();
                self.answer(index)
            }
            SelectOutcome::Cancelled => self.answer(None),
            SelectOutcome::Moved => PanelReply::Stay,
            SelectOutcome::Ignored => match self.search.handle(input, keys) {
                InputOutcome::Ignored => PanelReply::Ignored,
                InputOutcome::Changed => {
                    self.filter();
                    PanelReply::Stay
                }
                InputOutcome::Moved | InputOutcome::Submit(_) => PanelReply::Stay,
            },
        }
    }
}
