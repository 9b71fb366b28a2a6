//! What takes the editor's place for a while: lists, questions, forms.

use pi_tui::input::Input;
use pi_tui::keymap::Keymap;
use pi_tui::text::{Line, Row};

use super::app::App;
use super::look::Look;

/// What is done by the one who shows a panel.
pub(super) type Act<H> = Box<dyn FnOnce(&mut H)>;

/// Something in the place of the editor, or alone on the terminal before there is an editor: `H` is who shows it.
pub(super) trait Panel<H = App> {
    /// Its rows for a window of this size, and where the caret stands in them: row and column.
    fn rows(&mut self, look: &Look, keys: &Keymap, columns: u16, height: u16) -> PanelRows;

    /// Something was typed.
    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply<H>;

    /// Milliseconds after which it looks otherwise by itself.
    fn moves_after_ms(&self) -> Option<u64> {
        None
    }
}

/// A panel that is shown, or waits below another.
pub(super) struct OpenPanel {
    pub(super) panel: Box<dyn Panel>,
    /// The question of an extension that it asks.
    pub(super) question: Option<u64>,
}

/// What a panel draws.
#[derive(Debug, Default)]
pub(super) struct PanelRows {
    pub(super) rows: Vec<Row>,
    pub(super) caret: Option<(usize, u16)>,
}

impl From<Vec<Row>> for PanelRows {
    fn from(rows: Vec<Row>) -> Self {
        Self { rows, caret: None }
    }
}

impl PanelRows {
    /// Adds a line.
    pub(super) fn line(&mut self, line: &Line, columns: u16) {
        self.rows.push(Row::new(line, columns));
    }

    /// Adds rows in which the caret stands.
    pub(super) fn with_caret(&mut self, rows: Vec<Row>, caret: Option<(usize, u16)>) {
        self.caret = caret.map(|(row, column)| (self.rows.len() + row, column)).or(self.caret);
        self.rows.extend(rows);
    }

    /// Adds a rule from edge to edge.
    pub(super) fn rule(&mut self, style: pi_tui::text::Style, columns: u16) {
        self.rows.push(Row::styled(&"─".repeat(usize::from(columns)), style, columns));
    }

    /// Adds an empty row.
    pub(super) fn blank(&mut self) {
        self.rows.push(Row::blank());
    }
}

/// What follows from input.
pub(super) enum PanelReply<H = App> {
    /// It is not for this panel.
    Ignored,
    /// Something may look otherwise.
    Stay,
    /// Something is done, the panel stays.
    Do(Act<H>),
    /// The panel goes away.
    Close,
    /// The panel goes away, then something is done.
    CloseAnd(Act<H>),
}

impl PanelReply {
    /// Goes away and does something.
    pub(super) fn close_and(act: impl FnOnce(&mut App) + 'static) -> Self {
        Self::CloseAnd(Box::new(act))
    }

    /// Stays and does something.
    pub(super) fn act(act: impl FnOnce(&mut App) + 'static) -> Self {
        Self::Do(Box::new(act))
    }
}
