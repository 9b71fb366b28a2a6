//! What takes the editor's place for a while: lists, questions, forms.

use pi_coding_agent::theme::Token;
use pi_tui::input::Input;
use pi_tui::keymap::Keymap;
use pi_tui::text::{Line, Row, Style, wrap};
use pi_tui::widgets::Caret;
use pi_tui::widgets::select::{SelectList, Selection};

use super::app::App;
use super::extension_slots::Slot;
use super::theme_styles::ThemeStyles;

/// What is done by the one who shows a panel.
pub(super) type Act<H> = Box<dyn FnOnce(&mut H)>;

/// Something in the place of the editor, or alone on the terminal before there is an editor: `H` is who shows it.
pub(super) trait Panel<H = App> {
    /// Its rows for a window of this size, and where the caret stands in them: row and column.
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows;

    /// Something was typed.
    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply<H>;

    /// Milliseconds after which it looks otherwise by itself.
    fn moves_after_ms(&self) -> Option<u64> {
        None
    }

    /// The view of an extension that it shows.
    fn slot(&self) -> Option<Slot> {
        None
    }
}

/// A panel that is shown, or waits below another.
pub(super) struct OpenPanel {
    pub(super) panel: Box<dyn Panel>,
    /// The question that it asks, where that may be taken back.
    pub(super) question: Option<Question>,
}

/// A question that is taken back when its answer is no longer wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// One of an extension, by its number.
    Extension(u64),
    /// Those of a sign-in.
    SignIn,
    /// The list of what waits, once it has nothing more to ask.
    Queue,
}

/// Questions that are taken back.
impl App {
    /// The panel that was just opened asks this question.
    pub(super) fn asked(&mut self, question: Question) {
        if let Some(open) = self.panels.last_mut() {
            open.question = Some(question);
        }
    }

    /// Takes the panel away that asks this question, if it is still there.
    pub(super) fn take_back(&mut self, question: Question) {
        self.panels.retain(|open| open.question != Some(question));
    }
}

/// What a panel draws.
#[derive(Debug, Default)]
pub(super) struct PanelRows {
    pub(super) rows: Vec<Row>,
    pub(super) caret: Option<(usize, u16)>,
    /// The row of the title, and that of the chosen entry: where there is no room for all they are seen, too.
    pub(super) title: Option<usize>,
    pub(super) chosen: Option<usize>,
}

impl PanelRows {
    /// What most panels begin with: a rule and a title.
    pub(super) fn titled(title: &str, look: &ThemeStyles, columns: u16) -> Self {
        let mut out = Self::default();
        out.rule(look, columns);
        out.title = Some(out.rows.len());
        out.line(&Line::styled(title, look.accent().bold()), columns);
        out
    }

    /// What they end with: a line about keys, and a rule.
    pub(super) fn end(&mut self, hint: String, look: &ThemeStyles, columns: u16) {
        self.line(&Line::styled(hint, look.dim()), columns);
        self.rule(look, columns);
    }

    /// Adds a line.
    pub(super) fn line(&mut self, line: &Line, columns: u16) {
        self.rows.push(Row::new(line, columns));
    }

    /// Adds a text that may need several rows.
    pub(super) fn paragraph(&mut self, text: &str, style: Style, columns: u16) {
        for line in text.lines().flat_map(|line| wrap(&Line::styled(line, style), usize::from(columns))) {
            self.line(&line, columns);
        }
    }

    /// Adds the rows of a field, in which the caret stands.
    pub(super) fn field(&mut self, (rows, caret): (Vec<Row>, Caret)) {
        self.caret = Some((self.rows.len() + caret.row, caret.column));
        self.rows.extend(rows);
    }

    /// Adds the rows of a list.
    pub(super) fn list(&mut self, list: &mut SelectList, columns: u16) {
        let (above, rows) = (self.rows.len(), list.rows(columns));
        self.chosen = list.selected_row().map(|row| above + row);
        self.rows.extend(rows);
    }

    /// Adds a rule from edge to edge.
    pub(super) fn rule(&mut self, look: &ThemeStyles, columns: u16) {
        self.rows.push(Row::styled(&"─".repeat(usize::from(columns)), look.style(Token::BorderAccent), columns));
    }

    /// The entries of a list that are seen, its counter and a blank row; returns how many rows `room` has left for what
    /// belongs to the chosen entry, at least one.
    pub(super) fn entries(
        &mut self,
        selection: &Selection,
        look: &ThemeStyles,
        columns: u16,
        room: usize,
        row: impl Fn(usize) -> Line,
    ) -> usize {
        let visible = selection.visible();
        let shown = visible.len();
        for at in visible {
            self.line(&row(at), columns);
        }
        self.rows.extend(selection.counter().map(|text| Row::styled(&format!("  {text}"), look.dim(), columns)));
        self.blank();
        room.saturating_sub(shown).max(1)
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

impl<H> PanelReply<H> {
    /// Goes away and does something.
    pub(super) fn close_and(act: impl FnOnce(&mut H) + 'static) -> Self {
        Self::CloseAnd(Box::new(act))
    }
}

impl PanelReply {
    /// Stays and does something.
    pub(super) fn act(act: impl FnOnce(&mut App) + 'static) -> Self {
        Self::Do(Box::new(act))
    }
}
