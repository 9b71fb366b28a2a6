//! `/settings`: all settings of the interface in a list that is searched by typing. A change holds at once and is stored.
//!
//! `entry` says what a setting is, `table` has all of them; `thinking` and `themes` are lists of their own.

mod entry;
mod table;
mod themes;
mod thinking;

use std::cell::RefCell;
use std::rc::Rc;

use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};
use pi_tui::widgets::settings_list::{SettingsList, SettingsOptions, SettingsOutcome};

use super::super::app::App;
use super::super::chat::NoteKind;
use super::super::panel::{Panel, PanelReply, PanelRows};
use super::super::styles;
use super::super::theme_styles::ThemeStyles;
use entry::{Entry, Kind};
pub(in crate::modes::interactive) use themes::{theme, theme_names};

/// Settings that are seen at once, where the window is high enough.
const VISIBLE: usize = 10;
/// Rows of the window that everything else needs.
const OTHER_ROWS: usize = 16;

/// The list, as lists that are opened from it share it.
type Shown = Rc<RefCell<SettingsList>>;

/// Shows all settings.
pub(in crate::modes::interactive) fn settings(app: &mut App) {
    open(app, "Settings", table::ALL);
}

fn open(app: &mut App, title: &'static str, entries: &'static [Entry]) {
    let items = entries.iter().map(|entry| entry.item(app)).collect();
    let (change, close) = (app.key(action::SELECT_CONFIRM), app.key(action::SELECT_CANCEL));
    let options = SettingsOptions {
        max_visible: VISIBLE,
        empty: "No matches".to_owned(),
        hint: format!("Type to search · {change}/space change · {close} close"),
    };
    let list = SettingsList::new(items, options, styles::settings(&app.shared.look()));
    app.open(SettingsPanel { title, entries, list: Rc::new(RefCell::new(list)) });
}

struct SettingsPanel {
    title: &'static str,
    entries: &'static [Entry],
    list: Shown,
}

impl SettingsPanel {
    fn entry(&self, id: &str) -> Option<&'static Entry> {
        self.entries.iter().find(|entry| entry.key == id)
    }
}

impl Panel for SettingsPanel {
    fn rows(&mut self, look: &ThemeStyles, _keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        let mut out = PanelRows::titled(self.title, look, columns);
        let mut list = self.list.borrow_mut();
        list.set_style(styles::settings(look));
        list.set_max_visible(usize::from(height).saturating_sub(OTHER_ROWS).clamp(3, VISIBLE));
        out.field(list.rows(columns));
        out.rule(look, columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        let outcome = self.list.borrow_mut().handle(input, keys);
        match outcome {
            SettingsOutcome::Ignored => PanelReply::Ignored,
            SettingsOutcome::Moved => PanelReply::Stay,
            SettingsOutcome::Cancelled => PanelReply::Close,
            SettingsOutcome::Changed { id, value } => {
                let Some(entry) = self.entry(&id) else { return PanelReply::Stay };
                let list = Rc::clone(&self.list);
                PanelReply::act(move |app| change(app, entry, &value, &list))
            }
            SettingsOutcome::Open { id } => {
                let Some(Kind::Own { open, .. }) = self.entry(&id).map(|entry| &entry.kind) else {
                    return PanelReply::Stay;
                };
                let list = Rc::clone(&self.list);
                PanelReply::act(move |app| open(app, list))
            }
        }
    }
}

/// Stores a value and shows what is in force then.
fn change(app: &mut App, entry: &Entry, value: &str, list: &Shown) {
    if let Err(error) = entry.store(app, value) {
        app.error(error);
    }
    let in_force = entry.shown(app);
    list.borrow_mut().set_value(entry.key, &in_force);
    if in_force != value {
        app.note(NoteKind::Warning, format!("{}: the project or this run sets it to {in_force}", entry.label));
    }
}
