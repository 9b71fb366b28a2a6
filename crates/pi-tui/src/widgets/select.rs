//! A list to choose from, and the selection that every list shares.

use crate::input::{Input, KeyKind};
use crate::keymap::{Keymap, action};
use crate::text::{Line, Row, Style, width};

/// Which of many items is selected, and which are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    selected: usize,
    count: usize,
    max_visible: usize,
}

/// What became of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelectOutcome {
    /// It means nothing here.
    Ignored,
    /// Another item may be selected.
    Moved,
    /// The item with this index was chosen.
    Chosen(usize),
    /// The list was left.
    Cancelled,
}

impl Selection {
    /// The first of so many items, of which at most `max_visible` are seen at once.
    pub fn new(count: usize, max_visible: usize) -> Self {
        Self { selected: 0, count, max_visible: max_visible.max(1) }
    }

    /// The index of the selected item; `None` when there are none.
    pub fn selected(&self) -> Option<usize> {
        (self.count > 0).then_some(self.selected)
    }

    /// Selects an item, the last when there are fewer.
    pub fn select(&mut self, index: usize) {
        self.selected = index.min(self.count.saturating_sub(1));
    }

    /// There are so many items now.
    pub fn set_count(&mut self, count: usize) {
        self.count = count;
        self.select(self.selected);
    }

    /// So many are seen at once.
    pub fn set_max_visible(&mut self, rows: usize) {
        self.max_visible = rows.max(1);
    }

    /// The items that are seen: the selected one is in the middle, as far as there are others.
    pub fn visible(&self) -> std::ops::Range<usize> {
        let last = self.count.saturating_sub(self.max_visible);
        let start = self.selected.saturating_sub(self.max_visible / 2).min(last);
        start..self.count.min(start + self.max_visible)
    }

    /// `(2/7)`, where not all items are seen.
    pub fn counter(&self) -> Option<String> {
        (self.visible().len() < self.count).then(|| format!("({}/{})", self.selected + 1, self.count))
    }

    /// Moves; behind the last item comes the first. Pages stop at the ends.
    pub fn handle(&mut self, input: &Input, keys: &Keymap) -> SelectOutcome {
        let Input::Key(event) = input else { return SelectOutcome::Ignored };
        if event.kind == KeyKind::Release {
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

/// Something to choose.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SelectItem {
    /// What it is called.
    pub label: String,
    /// What it is; on one line.
    pub description: Option<String>,
}

/// What a list looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SelectStyle {
    /// Labels.
    pub label: Style,
    /// Descriptions.
    pub description: Style,
    /// The whole row of the selected item.
    pub selected: Style,
    /// The counter.
    pub counter: Style,
    /// The row that says that there are no items.
    pub empty: Style,
}

/// Measures and words of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectOptions {
    /// How many items are seen at once.
    pub max_visible: usize,
    /// The fewest columns of labels, with the gap behind them, when there are descriptions.
    pub min_label: usize,
    /// The most.
    pub max_label: usize,
    /// Blank columns before each row.
    pub indent: usize,
    /// What is shown when there are no items.
    pub empty: String,
}

impl Default for SelectOptions {
    fn default() -> Self {
        Self { max_visible: 10, min_label: 32, max_label: 32, indent: 0, empty: "No matches".to_owned() }
    }
}

/// A list with a selected item, labels and descriptions in two columns.
#[derive(Debug, Clone)]
pub struct SelectList {
    items: Vec<SelectItem>,
    selection: Selection,
    options: SelectOptions,
    style: SelectStyle,
}

const SELECTED: &str = "→ ";
const UNSELECTED: &str = "  ";
const GAP: usize = 2;
/// In narrower windows, or when fewer columns are left for them, descriptions are left out.
const MIN_COLUMNS: usize = 40;
const MIN_DESCRIPTION: usize = 10;

impl SelectList {
    /// A list with its first item selected.
    pub fn new(items: Vec<SelectItem>, options: SelectOptions, style: SelectStyle) -> Self {
        let selection = Selection::new(items.len(), options.max_visible);
        Self { items, selection, options, style }
    }

    /// The items.
    pub fn items(&self) -> &[SelectItem] {
        &self.items
    }

    /// Replaces the items; the first is selected.
    pub fn set_items(&mut self, items: Vec<SelectItem>) {
        self.selection = Selection::new(items.len(), self.options.max_visible);
        self.items = items;
    }

    /// The index of the selected item.
    pub fn selected(&self) -> Option<usize> {
        self.selection.selected()
    }

    /// Selects an item.
    pub fn select(&mut self, index: usize) {
        self.selection.select(index);
    }

    /// Changes how it looks.
    pub fn set_style(&mut self, style: SelectStyle) {
        self.style = style;
    }

    /// So many items are seen at once.
    pub fn set_max_visible(&mut self, rows: usize) {
        self.options.max_visible = rows;
        self.selection.set_max_visible(rows);
    }

    /// Changes the blank columns before each row.
    pub fn set_indent(&mut self, columns: usize) {
        self.options.indent = columns;
    }

    /// Takes an input.
    pub fn handle(&mut self, input: &Input, keys: &Keymap) -> SelectOutcome {
        self.selection.handle(input, keys)
    }

    /// Draws the items around the selected one, and a counter when these are not all.
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
        let widest = self.items.iter().map(|item| width(&item.label)).max().unwrap_or_default();
        (widest + GAP).min(self.options.max_label).max(self.options.min_label)
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

/// A text without line ends.
pub(super) fn on_one_line(text: &str) -> String {
    text.split(['\r', '\n']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ").trim().to_owned()
}
