//! The emulator, and its rows as text.

use std::sync::{Arc, Mutex};

use alacritty_terminal::Term;
use alacritty_terminal::event::{Event, EventListener};
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::term::{Config, TermMode};
use alacritty_terminal::vte::ansi::Processor;
use pi_guard::Unpoisoned;

/// A terminal of so many columns and rows, with a history of 100,000.
pub struct Terminal {
    pub(super) term: Term<Answers>,
    parser: Processor,
    answers: Answers,
}

/// What the terminal sends and announces.
#[derive(Clone, Default)]
pub(super) struct Answers(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    written: String,
    title: Option<String>,
    clipboard: Option<String>,
    bells: usize,
}

impl Answers {
    fn with<T>(&self, read: impl FnOnce(&mut Heard) -> T) -> T {
        read(&mut self.0.lock().unpoisoned())
    }
}

impl EventListener for Answers {
    fn send_event(&self, event: Event) {
        self.with(|heard| match event {
            Event::PtyWrite(text) => heard.written.push_str(&text),
            Event::Title(title) => heard.title = Some(title),
            Event::ClipboardStore(_, text) => heard.clipboard = Some(text),
            Event::Bell => heard.bells += 1,
            _ => {}
        });
    }
}

#[derive(Clone, Copy)]
struct Window {
    columns: usize,
    rows: usize,
}

impl Dimensions for Window {
    fn total_lines(&self) -> usize {
        self.rows
    }

    fn screen_lines(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.columns
    }
}

impl Terminal {
    /// A terminal of this size.
    pub fn new(columns: u16, rows: u16) -> Self {
        let answers = Answers::default();
        let config = Config { scrolling_history: 100_000, kitty_keyboard: true, ..Config::default() };
        let term = Term::new(config, &window(columns, rows), answers.clone());
        Self { term, parser: Processor::new(), answers }
    }

    /// Writes to the terminal.
    pub fn feed(&mut self, bytes: impl AsRef<[u8]>) {
        self.parser.advance(&mut self.term, bytes.as_ref());
    }

    /// Changes the window's size. Text wraps anew.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.term.resize(window(columns, rows));
    }

    /// The window's columns.
    pub fn columns(&self) -> usize {
        self.term.columns()
    }

    /// The window's rows, without blanks at their ends.
    pub fn rows(&self) -> Vec<String> {
        (0..self.term.screen_lines()).map(|row| self.text_of(line(row))).collect()
    }

    /// The window as text, without empty rows at its end.
    pub fn screen(&self) -> String {
        self.rows().join("\n").trim_end_matches('\n').to_owned()
    }

    /// The rows that have left the window, the oldest first.
    pub fn history(&self) -> Vec<String> {
        self.history_lines().map(|line| self.text_of(line)).collect()
    }

    /// All rows, of the history and of the window, those that were wrapped put together again; without empty rows at the
    /// end.
    pub fn transcript(&self) -> Vec<String> {
        let mut rows: Vec<String> = Vec::new();
        let mut goes_on = false;
        for line in self.history_lines().chain((0..self.term.screen_lines()).map(line)) {
            let text = if self.wraps(line) { self.full_text_of(line) } else { self.text_of(line) };
            match rows.last_mut() {
                Some(last) if goes_on => last.push_str(&text),
                _ => rows.push(text),
            }
            goes_on = self.wraps(line);
        }
        rows.truncate(rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1));
        rows
    }

    /// Row and column of the cursor in the window.
    pub fn cursor(&self) -> (usize, usize) {
        let point = self.term.grid().cursor.point;
        (usize::try_from(point.line.0).unwrap_or_default(), point.column.0)
    }

    /// Whether the cursor is visible.
    pub fn shows_cursor(&self) -> bool {
        self.is_on(TermMode::SHOW_CURSOR)
    }

    /// The names of the modes that are on beside those of a new terminal, sorted.
    pub fn modes(&self) -> Vec<&'static str> {
        const NAMES: [(TermMode, &str); 7] = [
            (TermMode::ALT_SCREEN, "alternate screen"),
            (TermMode::BRACKETED_PASTE, "bracketed paste"),
            (TermMode::FOCUS_IN_OUT, "focus"),
            (TermMode::DISAMBIGUATE_ESC_CODES, "kitty keys"),
            (TermMode::MOUSE_DRAG, "mouse"),
            (TermMode::REPORT_ALTERNATE_KEYS, "kitty alternate keys"),
            (TermMode::REPORT_EVENT_TYPES, "kitty releases"),
        ];
        NAMES.into_iter().filter(|(mode, _)| self.is_on(*mode)).map(|(_, name)| name).collect()
    }

    /// What the terminal has sent since it was last asked.
    pub fn take_answers(&self) -> String {
        self.answers.with(|heard| std::mem::take(&mut heard.written))
    }

    /// The title that was set last.
    pub fn title(&self) -> Option<String> {
        self.answers.with(|heard| heard.title.clone())
    }

    /// What was put on the clipboard last.
    pub fn clipboard(&self) -> Option<String> {
        self.answers.with(|heard| heard.clipboard.clone())
    }

    /// How often the bell rang.
    pub fn bells(&self) -> usize {
        self.answers.with(|heard| heard.bells)
    }

    fn is_on(&self, mode: TermMode) -> bool {
        self.term.mode().contains(mode)
    }

    fn history_lines(&self) -> impl Iterator<Item = Line> {
        let history = i32::try_from(self.term.grid().history_size()).unwrap_or(i32::MAX);
        (-history..0).map(Line)
    }

    pub(super) fn cells(&self, line: Line) -> impl Iterator<Item = &Cell> {
        let row = &self.term.grid()[line];
        (0..self.term.columns()).map(|column| &row[Column(column)])
    }

    fn wraps(&self, line: Line) -> bool {
        self.cells(line).last().is_some_and(|cell| cell.flags.contains(Flags::WRAPLINE))
    }

    fn text_of(&self, line: Line) -> String {
        self.full_text_of(line).trim_end().to_owned()
    }

    fn full_text_of(&self, line: Line) -> String {
        let mut text = String::new();
        for cell in self.cells(line) {
            push_cell(cell, &mut text);
        }
        text
    }
}

/// Adds a cell's character; the second half of a wide one is none.
pub(super) fn push_cell(cell: &Cell, text: &mut String) {
    if !cell.flags.intersects(Flags::WIDE_CHAR_SPACER | Flags::LEADING_WIDE_CHAR_SPACER) {
        text.push(cell.c);
        text.extend(cell.zerowidth().into_iter().flatten());
    }
}

/// A row of the window.
pub(super) fn line(row: usize) -> Line {
    Line(i32::try_from(row).unwrap_or(i32::MAX))
}

/// With less than two columns the emulator never ends wrapping a wide character.
fn window(columns: u16, rows: u16) -> Window {
    Window { columns: usize::from(columns.max(2)), rows: usize::from(rows.max(1)) }
}

impl std::fmt::Debug for Terminal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Terminal({}x{})\n{}", self.term.columns(), self.term.screen_lines(), self.screen())
    }
}

impl std::fmt::Display for Terminal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.screen())
    }
}
