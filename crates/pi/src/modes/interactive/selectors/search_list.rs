//! A list that is searched by typing: a label and a few words about each.

use pi_tui::fuzzy;
use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::Line;
use pi_tui::widgets::input::TextInput;
use pi_tui::widgets::select::{SelectItem, SelectList, SelectOptions};

use super::super::app::App;
use super::super::dialogs::{OnAnswer, answer, entries_below};
use super::super::panel::{Panel, PanelReply, PanelRows};
use super::super::styles;
use super::super::theme_styles::ThemeStyles;
use super::filtered_list::Searched;

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
    then: Option<OnAnswer<usize>>,
}

impl SearchList {
    /// A list of labels with words about each; the index of the choice is handed on.
    pub(super) fn new(
        look: &ThemeStyles,
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
}

impl Panel for SearchList {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        let mut out = PanelRows::titled(&self.title, look, columns);
        out.line(&Line::styled(&*self.text, look.muted()), columns);
        out.blank();
        out.field(self.search.rows(columns));
        out.blank();
        self.list.set_max_visible(entries_below(out.rows.len(), height));
        out.list(&mut self.list, columns);
        out.blank();
        let (confirm, cancel) = (keys.hint(action::SELECT_CONFIRM), keys.hint(action::SELECT_CANCEL));
        out.end(format!("{confirm} select · {cancel} cancel · type to search"), look, columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        let outcome = self.list.handle(input, keys);
        match Searched::of(outcome, &mut self.search, input, keys) {
            Searched::Chosen(at) => answer(&mut self.then, self.shown.get(at).copied()),
            Searched::Cancelled => answer(&mut self.then, None),
            Searched::Changed => {
                self.filter();
                PanelReply::Stay
            }
            Searched::Moved | Searched::Submitted => PanelReply::Stay,
            Searched::Ignored => PanelReply::Ignored,
        }
    }
}
