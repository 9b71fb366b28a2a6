//! A searchable list of settings. A setting cycles through its values or opens a list of its own.

use super::Caret;
use super::input::{InputOutcome, InputStyle, TextInput};
use super::select::{SELECTED, SelectOutcome, Selection, UNSELECTED};
use crate::fuzzy;
use crate::input::Input;
use crate::keymap::Keymap;
use crate::text::{Line, Row, Style, width, wrap};

/// A setting.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SettingItem {
    /// Identifies it in outcomes.
    pub id: String,
    /// The first column; searched.
    pub label: String,
    /// Shown below the list while selected.
    pub description: String,
    /// The current value, as shown.
    pub value: String,
    /// Values to cycle through. Empty: the program shows a list for it, see [`SettingsOutcome::Open`].
    pub values: Vec<String>,
}

/// Styles of a settings list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SettingsStyle {
    /// Labels.
    pub label: Style,
    /// The label of the selected setting, and the arrow before it.
    pub selected_label: Style,
    /// Values.
    pub value: Style,
    /// The value of the selected setting.
    pub selected_value: Style,
    /// The description of the selected setting.
    pub description: Style,
    /// Scroll counter and hints.
    pub hint: Style,
    /// The search field.
    pub search: InputStyle,
}

/// Sizes and texts of a settings list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsOptions {
    /// Maximum number of visible settings.
    pub max_visible: usize,
    /// Shown if nothing matches the search.
    pub empty: String,
    /// Shown below the list.
    pub hint: String,
}

/// The outcome of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingsOutcome {
    /// Not handled.
    Ignored,
    /// Handled; the selection or the search may have changed.
    Moved,
    /// A setting was changed.
    Changed {
        /// The setting.
        id: String,
        /// The new value.
        value: String,
    },
    /// A setting without values was chosen: show its own list, then call [`SettingsList::set_value`].
    Open {
        /// The setting.
        id: String,
    },
    /// The list was cancelled.
    Cancelled,
}

/// A searchable list of settings.
#[derive(Debug, Clone)]
pub struct SettingsList {
    items: Vec<SettingItem>,
    /// Indices of the settings that match the search.
    shown: Vec<usize>,
    selection: Selection,
    search: TextInput,
    options: SettingsOptions,
    style: SettingsStyle,
}

const GAP: usize = 2;
const MAX_LABEL: usize = 30;

impl SettingsList {
    /// A list with its first setting selected.
    pub fn new(items: Vec<SettingItem>, options: SettingsOptions, style: SettingsStyle) -> Self {
        Self {
            shown: (0..items.len()).collect(),
            selection: Selection::new(items.len(), options.max_visible),
            items,
            search: TextInput::new("> ", style.search),
            options,
            style,
        }
    }

    /// The settings.
    pub fn items(&self) -> &[SettingItem] {
        &self.items
    }

    /// Changes the style.
    pub fn set_style(&mut self, style: SettingsStyle) {
        self.search.set_style(style.search);
        self.style = style;
    }

    /// Sets how many settings are visible at once.
    pub fn set_max_visible(&mut self, rows: usize) {
        self.options.max_visible = rows;
        self.selection.set_max_visible(rows);
    }

    /// Sets the value of a setting.
    pub fn set_value(&mut self, id: &str, value: &str) {
        if let Some(item) = self.items.iter_mut().find(|item| item.id == id) {
            value.clone_into(&mut item.value);
        }
    }

    /// Handles an input: Enter and Space change the selected setting, other characters search.
    pub fn handle(&mut self, input: &Input, keys: &Keymap) -> SettingsOutcome {
        match self.selection.handle(input, keys) {
            SelectOutcome::Moved => return SettingsOutcome::Moved,
            SelectOutcome::Cancelled => return SettingsOutcome::Cancelled,
            SelectOutcome::Chosen(_) => return self.activate(),
            SelectOutcome::Ignored => {}
        }
        if is_blank(input) {
            return self.activate();
        }
        match self.search.handle(input, keys) {
            InputOutcome::Changed => {
                self.shown = fuzzy::rank(self.search.text(), &self.items, |item| &item.label);
                self.selection = Selection::new(self.shown.len(), self.options.max_visible);
                SettingsOutcome::Moved
            }
            InputOutcome::Moved => SettingsOutcome::Moved,
            InputOutcome::Submit(_) => self.activate(),
            InputOutcome::Ignored => SettingsOutcome::Ignored,
        }
    }

    fn activate(&mut self) -> SettingsOutcome {
        let index = self.selection.selected().and_then(|selected| self.shown.get(selected));
        let Some(item) = index.and_then(|index| self.items.get_mut(*index)) else { return SettingsOutcome::Moved };
        let at = item.values.iter().position(|value| *value == item.value);
        let next = at.map_or(0, |at| (at + 1) % item.values.len());
        let Some(value) = item.values.get(next) else { return SettingsOutcome::Open { id: item.id.clone() } };
        item.value.clone_from(value);
        SettingsOutcome::Changed { id: item.id.clone(), value: value.clone() }
    }

    /// Draws the search field, the visible settings, the description of the selected one and the hint.
    pub fn rows(&mut self, columns: u16) -> (Vec<Row>, Caret) {
        let (mut rows, caret) = self.search.rows(columns);
        rows.push(Row::blank());
        if self.shown.is_empty() {
            rows.push(self.hint(&self.options.empty, columns));
        }
        let label = self.items.iter().map(|item| width(&item.label)).max().unwrap_or_default().min(MAX_LABEL);
        rows.extend(
            self.selection.visible().map(|index| Row::new(&self.line(index, label, usize::from(columns)), columns)),
        );
        rows.extend(self.selection.counter().map(|counter| self.hint(&counter, columns)));
        rows.extend(self.description(columns));
        rows.extend([Row::blank(), self.hint(&self.options.hint, columns)]);
        (rows, caret)
    }

    fn item(&self, index: usize) -> Option<&SettingItem> {
        self.items.get(*self.shown.get(index)?)
    }

    fn line(&self, index: usize, label: usize, columns: usize) -> Line {
        let Some(item) = self.item(index) else { return Line::new() };
        let style = &self.style;
        let (prefix, label_style, value_style) = match self.selection.selected() == Some(index) {
            true => (SELECTED, style.selected_label, style.selected_value),
            false => (UNSELECTED, style.label, style.value),
        };
        let name = Line::from(item.label.as_str()).cut(label, "…").text();
        let space = " ".repeat(label.saturating_sub(width(&name)) + GAP);
        let mut line = Line::styled(prefix, label_style).and(&name, label_style).and(&space, label_style);
        let rest = columns.saturating_sub(line.width() + GAP);
        line.append(&Line::styled(item.value.as_str(), value_style).cut(rest, "…"));
        line
    }

    fn description(&self, columns: u16) -> Vec<Row> {
        let text = self.selection.selected().and_then(|index| self.item(index)).map_or("", |item| &item.description);
        if text.is_empty() {
            return Vec::new();
        }
        let lines = wrap(&Line::styled(text, self.style.description), usize::from(columns).saturating_sub(2 * GAP));
        let rows = lines.iter().map(|line| {
            let mut row = Line::from(UNSELECTED);
            row.append(line);
            Row::new(&row, columns)
        });
        std::iter::once(Row::blank()).chain(rows).collect()
    }

    fn hint(&self, text: &str, columns: u16) -> Row {
        Row::styled(&format!("{UNSELECTED}{text}"), self.style.hint, columns)
    }
}

/// Space changes a value, so it cannot be part of a search.
fn is_blank(input: &Input) -> bool {
    matches!(input, Input::Key(event) if !event.is_release() && event.text.as_deref() == Some(" "))
}
