//! What keys do in the list of sessions.

use std::path::PathBuf;

use pi_tui::input::{Input, KeyEvent, KeyKind};
use pi_tui::keymap::{Keymap, action};
use pi_tui::widgets::input::{InputOutcome, TextInput};

use super::super::super::dialogs::cancels;
use super::super::super::keys;
use super::super::filtered_list::Searched;
use super::picker::{Doing, Picker, PickerNotice, PickerResult};
use super::work::{Change, Changed, Scope};

impl Picker {
    /// Takes a key or a paste.
    pub(super) fn handle(&mut self, input: &Input, keys: &Keymap) -> PickerResult {
        if matches!(input, Input::Key(event) if event.kind == KeyKind::Release) {
            return PickerResult::Ignored;
        }
        self.refresh();
        match std::mem::replace(&mut self.doing, Doing::List) {
            Doing::List => self.in_list(input, keys),
            Doing::Remove(file) => self.in_question(file, input, keys),
            Doing::Rename(file, field) => self.in_name(file, field, input, keys),
        }
    }

    fn in_list(&mut self, input: &Input, keys: &Keymap) -> PickerResult {
        if let Input::Key(event) = input {
            self.told = None;
            if self.own_key(event, keys) {
                return PickerResult::Stay;
            }
        }
        let outcome = self.selection.handle(input, keys);
        match Searched::of(outcome, &mut self.input, input, keys) {
            Searched::Chosen(_) => {
                self.selected().map_or(PickerResult::Stay, |session| PickerResult::Chosen(Box::new(session.clone())))
            }
            Searched::Cancelled => PickerResult::Cancelled,
            Searched::Changed => {
                self.typed();
                PickerResult::Stay
            }
            Searched::Moved | Searched::Submitted => PickerResult::Stay,
            Searched::Ignored => PickerResult::Ignored,
        }
    }

    /// Handles a key that only this list has; `false` if it is none of them.
    fn own_key(&mut self, event: &KeyEvent, keys: &Keymap) -> bool {
        if keys.is(event, action::INPUT_TAB) {
            self.go_to(if self.scope == Scope::Folder { Scope::All } else { Scope::Folder });
        } else if keys.is(event, keys::SESSION_TOGGLE_SORT) {
            self.sort = self.sort.next();
            self.arrange_from_top();
        } else if keys.is(event, keys::SESSION_TOGGLE_NAMED) {
            self.named_only = !self.named_only;
            self.arrange_from_top();
        } else if keys.is(event, keys::SESSION_TOGGLE_PATH) {
            self.shows_paths = !self.shows_paths;
        } else if keys.is(event, keys::SESSION_RENAME) && self.may_rename {
            self.ask_name();
        } else if keys.is(event, keys::SESSION_DELETE)
            || (keys.is(event, keys::SESSION_DELETE_NONINVASIVE) && self.input.is_empty())
        {
            self.ask_removal();
        } else {
            return false;
        }
        true
    }

    fn in_question(&mut self, file: PathBuf, input: &Input, keys: &Keymap) -> PickerResult {
        let Input::Key(event) = input else {
            self.doing = Doing::Remove(file);
            return PickerResult::Stay;
        };
        if keys.is(event, action::SELECT_CONFIRM) {
            self.change = Some(Change::remove(&self.source, file));
        } else if !keys.is(event, action::SELECT_CANCEL) {
            self.doing = Doing::Remove(file);
        }
        PickerResult::Stay
    }

    fn in_name(&mut self, file: PathBuf, mut field: Box<TextInput>, input: &Input, keys: &Keymap) -> PickerResult {
        if cancels(input, keys) {
            return PickerResult::Stay;
        }
        match field.handle(input, keys) {
            InputOutcome::Submit(name) if name.trim().is_empty() => {
                self.told = Some(PickerNotice::Failed("A name is not empty; nothing was changed".to_owned()));
                PickerResult::Stay
            }
            InputOutcome::Submit(name) if self.current.as_ref() == Some(&file) => {
                let name = name.trim().to_owned();
                self.changed(Ok(Changed::Renamed(file, name.clone())));
                PickerResult::NameCurrent(name)
            }
            InputOutcome::Submit(name) => {
                self.change = Some(Change::rename(&self.source, file, name.trim().to_owned()));
                PickerResult::Stay
            }
            _ => {
                self.doing = Doing::Rename(file, field);
                PickerResult::Stay
            }
        }
    }

    fn ask_name(&mut self) {
        let Some(session) = self.selected() else { return };
        let mut field = TextInput::new("> ", pi_tui::widgets::input::InputStyle::default());
        field.set_text(session.name.as_deref().unwrap_or_default());
        self.doing = Doing::Rename(session.path.clone(), Box::new(field));
    }

    fn ask_removal(&mut self) {
        let Some(session) = self.selected() else { return };
        let file = session.path.clone();
        if self.current.as_ref() == Some(&file) {
            self.told = Some(PickerNotice::Failed("This session is open: it cannot be deleted".to_owned()));
        } else if self.change.is_none() {
            self.doing = Doing::Remove(file);
        }
    }
}
