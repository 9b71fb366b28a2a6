//! A list whose entries are tried while they are selected.

use std::rc::Rc;

use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};
use pi_tui::widgets::select::{SelectItem, SelectList, SelectOptions, SelectOutcome};

use super::super::app::App;
use super::super::dialogs::{OnAnswer, answer};
use super::super::panel::{Panel, PanelReply, PanelRows};
use super::super::styles;
use super::super::theme_styles::ThemeStyles;

/// Entries that are seen at once, where the window is high enough.
const VISIBLE: usize = 10;
/// Rows of the window that everything else needs.
const OTHER_ROWS: usize = 10;

/// Tries an entry.
type TryIt = Rc<dyn Fn(&mut App, usize)>;

/// Lets one of several be chosen; `try_it` is called for each that is selected on the way. What was tried last is undone
/// by `then`, where it gets no answer.
pub(super) fn choose(
    app: &mut App,
    title: impl Into<String>,
    items: Vec<SelectItem>,
    first: usize,
    try_it: TryIt,
    then: impl FnOnce(&mut App, Option<usize>) + 'static,
) {
    let mut list = SelectList::new(items, SelectOptions::default(), styles::select(&app.shared.look()));
    list.select(first);
    try_it(app, first);
    app.open(Trying { title: title.into(), list, try_it, then: Some(Box::new(then)) });
}

struct Trying {
    title: String,
    list: SelectList,
    try_it: TryIt,
    then: Option<OnAnswer<usize>>,
}

impl Panel for Trying {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        let mut out = PanelRows::titled(&self.title, look, columns);
        out.blank();
        self.list.set_style(styles::select(look));
        self.list.set_max_visible(usize::from(height).saturating_sub(OTHER_ROWS).clamp(3, VISIBLE));
        out.rows.extend(self.list.rows(columns));
        out.blank();
        let (confirm, cancel) = (keys.hint(action::SELECT_CONFIRM), keys.hint(action::SELECT_CANCEL));
        out.end(format!("{confirm} select · {cancel} back"), look, columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        match self.list.handle(input, keys) {
            SelectOutcome::Chosen(index) => answer(&mut self.then, Some(index)),
            SelectOutcome::Cancelled => answer(&mut self.then, None),
            SelectOutcome::Ignored => PanelReply::Ignored,
            SelectOutcome::Moved => {
                let (try_it, selected) = (Rc::clone(&self.try_it), self.list.selected());
                PanelReply::act(move |app| {
                    if let Some(selected) = selected {
                        try_it(app, selected);
                    }
                })
            }
        }
    }
}
