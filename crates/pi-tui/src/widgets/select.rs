//! A selection list, and the selection state shared by all lists.

use crate::input::Input;
use crate::keymap::{Keymap, action};
use crate::text::{Line, Row, Style, width};

/// Selected index and visible window of a list. Lists with rows of their own use it alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    selected: usize,
    count: usize,
    max_visible: usize,
}

/// The outcome of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelectOutcome {
    /// Not handled.
    Ignored,
    /// Handled; the selection may have moved.
    Moved,
    /// The item with this index was chosen.
    Chosen(usize),
    /// The list was cancelled.
    Cancelled,
}

impl Selection {
    /// Selects the first of `count` items, at most `max_visible` of which are visible.
    pub fn new(count: usize, max_visible: usize) -> Self {
        Self { selected: 0, count, max_visible: max_visible.max(1) }
    }

    /// The selected index; `None` if the list is empty.
    pub fn selected(&self) -> Option<usize> {
        (self.count > 0).then_some(self.selected)
    }

    /// Selects an item; past the end, the last.
    pub fn select(&mut self, index: usize) {
        self.selected = index.min(self.count.saturating_sub(1));
    }

    /// Changes the number of items.
    pub fn set_count(&mut self, count: usize) {
        self.count = count;
        self.select(self.selected);
    }

    /// Changes the number of visible items.
    pub fn set_max_visible(&mut self, rows: usize) {
        self.max_visible = rows.max(1);
    }

    /// The visible items, the selected one in the middle unless near an end.
    pub fn visible(&self) -> std::ops::Range<usize> {
        let last = self.count.saturating_sub(self.max_visible);
        let start = self.selected.saturating_sub(self.max_visible / 2).min(last);
        start..self.count.min(start + self.max_visible)
    }

    /// The selected item's place among the visible ones.
    pub fn selected_row(&self) -> Option<usize> {
        self.selected()?.checked_sub(self.visible().start)
    }

    /// The scroll counter, `(2/7)`; `None` if all items are visible.
    pub fn counter(&self) -> Option<String> {
        (self.visible().len() < self.count).then(|| format!("({}/{})", self.selected + 1, self.count))
    }

    /// Handles an input. Single steps wrap around, pages stop at the ends.
    pub fn handle(&mut self, input: &Input, keys: &Keymap) -> SelectOutcome {
        let Input::Key(event) = input else { return SelectOutcome::Ignored };
        if event.is_release() {
            return SelectOutcome::Ignored;
        }
        let last = self.count.saturating_sub(1);
        let target = if keys.is(event, action::SELECT_UP) {
            self.selected.checked_sub(1).unwrap_or(last)
        } else if keys.is(event, action::SELECT_DOWN) {
            if self.selected == last { 0 } else { self.selected + 1 }
        } else if keys.is(event, action::SELECT_PAGE_UP) {
            self.selected.saturating_sub(self.max_visible)
        } else if keys.is(event, action::SELECT_PAGE_DOWN) {
            self.selected + self.max_visible
        } else if keys.is(event, action::SELECT_CONFIRM) {
            return self.selected().map_or(SelectOutcome::Moved, SelectOutcome::Chosen);
        } else if keys.is(event, action::SELECT_CANCEL) {
            return SelectOutcome::Cancelled;
        } else {
            return SelectOutcome::Ignored;
        };
        self.select(target);
        SelectOutcome::Moved
    }
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SelectItem {
    /// The first column.
    pub label: String,
    /// The second column; line ends are shown as blanks.
    pub description: Option<String>,
}

/// Styles of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SelectStyle {
    /// Labels.
    pub label: Style,
    /// Descriptions.
    pub description: Style,
    /// The selected row, over the others.
    pub selected: Style,
    /// The scroll counter.
    pub counter: Style,
    /// The text of an empty list.
    pub empty: Style,
}

/// Sizes and texts of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectOptions {
    /// Maximum number of visible items.
    pub max_visible: usize,
    /// Minimum width of the label column, gap included.
    pub min_label: usize,
    /// Maximum width of the label column, gap included.
    pub max_label: usize,
    /// Blank columns before each row.
    pub indent: usize,
    /// Shown if there are no items.
    pub empty: String,
}

impl Default for SelectOptions {
    fn default() -> Self {
        Self { max_visible: 10, min_label: 32, max_label: 32, indent: 0, empty: "No matches".to_owned() }
    }
}

/// A list in two columns: labels and descriptions.
#[derive(Debug, Clone)]
pub struct SelectList {
    items: Vec<SelectItem>,
    /// Width of the widest label; measured once, lists may be long.
    widest: usize,
    selection: Selection,
    options: SelectOptions,
    style: SelectStyle,
}

/// Before the selected row of a list, and before the others.
pub(super) const SELECTED: &str = "→ ";
pub(super) const UNSELECTED: &str = "  ";
const GAP: usize = 2;
/// Descriptions are left out in narrower windows, and where they would get fewer columns.
const MIN_COLUMNS: usize = 40;
const MIN_DESCRIPTION: usize = 10;

impl SelectList {
    /// A list with its first item selected.
    pub fn new(items: Vec<SelectItem>, options: SelectOptions, style: SelectStyle) -> Self {
        let mut list = Self { items: Vec::new(), widest: 0, selection: Selection::new(0, 1), options, style };
        list.set_items(items);
        list
    }

    /// The items.
    pub fn items(&self) -> &[SelectItem] {
        &self.items
    }

    /// Replaces the items and selects the first.
    pub fn set_items(&mut self, items: Vec<SelectItem>) {
        self.selection = Selection::new(items.len(), self.options.max_visible);
        self.widest = items.iter().map(|item| width(&item.label)).max().unwrap_or_default();
        self.items = items;
    }

    /// The selected index.
    pub fn selected(&self) -> Option<usize> {
        self.selection.selected()
    }

    /// Selects an item.
    pub fn select(&mut self, index: usize) {
        self.selection.select(index);
    }

    /// The selected item's row among those that are drawn.
    pub fn selected_row(&self) -> Option<usize> {
        self.selection.selected_row()
    }

    /// Changes the style.
    pub fn set_style(&mut self, style: SelectStyle) {
        self.style = style;
    }

    /// Sets how many items are visible at once.
    pub fn set_max_visible(&mut self, rows: usize) {
        self.options.max_visible = rows;
        self.selection.set_max_visible(rows);
    }

    /// Sets the blank columns before each row.
    pub fn set_indent(&mut self, columns: usize) {
        self.options.indent = columns;
    }

    /// Handles an input.
    pub fn handle(&mut self, input: &Input, keys: &Keymap) -> SelectOutcome {
        self.selection.handle(input, keys)
    }

    /// Draws the visible items, and the scroll counter.
    pub fn rows(&mut self, columns: u16) -> Vec<Row> {
        let indent = " ".repeat(self.options.indent);
        let row = |line: &Line| {
            let mut indented = Line::from(indent.as_str());
            indented.append(line);
            Row::new(&indented, columns)
        };
        let remark = |text: &str, style| row(&Line::styled(format!("{UNSELECTED}{text}"), style));
        if self.items.is_empty() {
            return vec![remark(&self.options.empty, self.style.empty)];
        }
        let (label, inner) = (self.label_columns(), usize::from(columns).saturating_sub(self.options.indent));
        let mut rows: Vec<Row> = self.selection.visible().map(|index| row(&self.line(index, label, inner))).collect();
        rows.extend(self.selection.counter().map(|text| remark(&text, self.style.counter)));
        rows
    }

    fn label_columns(&self) -> usize {
        (self.widest + GAP).min(self.options.max_label).max(self.options.min_label)
    }

    fn line(&self, index: usize, label: usize, columns: usize) -> Line {
        let Some(item) = self.items.get(index) else { return Line::new() };
        let is_selected = self.selection.selected() == Some(index);
        let style = |style: Style| if is_selected { style.patch(self.style.selected) } else { style };
        let prefix = if is_selected { SELECTED } else { UNSELECTED };
        let mut line = Line::styled(prefix, style(Style::PLAIN));
        let label = label.min(columns.saturating_sub(GAP + 4)).max(1);
        let rest = columns.saturating_sub(GAP + label + GAP);
        let is_described = columns > MIN_COLUMNS && rest > MIN_DESCRIPTION;
        match item.description.as_deref().map(on_one_line).filter(|text| is_described && !text.is_empty()) {
            Some(description) => {
                let name = Line::from(item.label.as_str()).cut(label.saturating_sub(GAP).max(1), "");
                let space = label.saturating_sub(name.width());
                line.push(&name.text(), style(self.style.label));
                line.push(&" ".repeat(space), style(self.style.label));
                line.append(&Line::styled(description, style(self.style.description)).cut(rest, ""));
            }
            None => {
                let name = Line::styled(item.label.as_str(), style(self.style.label));
                line.append(&name.cut(columns.saturating_sub(GAP + 2), ""));
            }
        }
        line
    }
}

/// Replaces line ends by blanks.
pub(super) fn on_one_line(text: &str) -> String {
    text.split(['\r', '\n']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ").trim().to_owned()
}
