//! What the tests share: a document of simple blocks, a screen and a terminal.

use std::time::Duration;

use pi_tui::document::{Block, Document};
use pi_tui::screen::{Frame, Insert, Reflow, Screen, ScreenOptions, Size, Turn};
use pi_tui::testing::Terminal;
use pi_tui::text::{Line, Row, Style, width, wrap};

/// A block of lines, of which the first are final; lines given away are gone.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    lines: Vec<String>,
    final_lines: usize,
    revision: u64,
    /// Rows of each line as drawn last.
    heights: Vec<usize>,
    /// Rows of the first line that were given away, at that width.
    given: usize,
    width: u16,
    done: bool,
}

impl Lines {
    pub(crate) fn settled(lines: &[impl AsRef<str>]) -> Self {
        let lines: Vec<String> = lines.iter().map(|line| line.as_ref().to_owned()).collect();
        Self { final_lines: lines.len(), lines, done: true, ..Self::default() }
    }

    pub(crate) fn live(lines: &[impl AsRef<str>]) -> Self {
        Self { final_lines: 0, done: false, ..Self::settled(lines) }
    }

    /// Replaces the lines that are not final, and sets how many of the new ones are.
    pub(crate) fn grow(&mut self, lines: &[impl AsRef<str>], newly_final: usize, done: bool) {
        self.lines.truncate(self.final_lines);
        self.lines.extend(lines.iter().map(|line| line.as_ref().to_owned()));
        self.final_lines = (self.final_lines + newly_final).min(self.lines.len());
        self.done = done;
        if done {
            self.final_lines = self.lines.len();
        }
        self.revision += 1;
    }

    fn rows_of(line: &str, columns: u16) -> Vec<Row> {
        wrap(&Line::from(line), columns.into()).iter().map(|line| Row::new(line, columns)).collect()
    }
}

impl Block for Lines {
    fn revision(&self) -> u64 {
        self.revision
    }

    fn draw(&mut self, columns: u16, out: &mut Vec<Row>) -> usize {
        if columns != self.width {
            (self.given, self.width) = (0, columns);
        }
        self.heights.clear();
        let mut rows = Vec::new();
        let mut final_rows = 0;
        for (index, line) in self.lines.iter().enumerate() {
            let drawn = Self::rows_of(line, columns);
            self.heights.push(drawn.len());
            rows.extend(drawn);
            if index < self.final_lines {
                final_rows = rows.len();
            }
        }
        out.extend(rows.into_iter().skip(self.given));
        final_rows - self.given.min(final_rows)
    }

    fn seal(&mut self, rows: usize) {
        self.given += rows;
        while let Some(height) = self.heights.first().copied().filter(|height| *height <= self.given) {
            self.given -= height;
            self.heights.remove(0);
            self.lines.remove(0);
            self.final_lines -= 1;
        }
    }

    fn is_done(&self) -> bool {
        self.done
    }
}

/// Something that happened to a terminal.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    Written(String),
    /// To these columns and rows. Rows above the caret that are not final take so many rows in it.
    Resized(u16, u16, usize),
}

/// A screen with a document above and some rows below, in a terminal.
pub(crate) struct Stage {
    pub(crate) terminal: Terminal,
    pub(crate) screen: Screen,
    pub(crate) document: Document<Lines>,
    pub(crate) chrome: Vec<Row>,
    /// Row of the chrome and column.
    pub(crate) caret: Option<(usize, u16)>,
    pub(crate) size: Size,
    pub(crate) now: Duration,
    /// All that happened to the terminal, for replay on another.
    pub(crate) log: Vec<Event>,
    /// The rows that were sealed, in order.
    pub(crate) given: Vec<String>,
    /// The rows of the last frame that are still ours.
    pub(crate) shown: Vec<String>,
    /// How many of these are final.
    pub(crate) final_rows: usize,
    /// The caret in the rows of the last frame.
    pub(crate) caret_row: Option<usize>,
    /// Whether no change of size is under way.
    pub(crate) is_still: bool,
}

impl Stage {
    pub(crate) fn new(columns: u16, rows: u16, insert: Insert) -> Self {
        Self::on(columns, rows, insert, Reflow::Filled)
    }

    /// The same for a terminal that reflows in another way.
    pub(crate) fn on(columns: u16, rows: u16, insert: Insert, reflow: Reflow) -> Self {
        let options = ScreenOptions { insert, reflow, synchronized: true };
        Self {
            terminal: Terminal::new(columns, rows),
            screen: Screen::new(options),
            document: Document::new(|count, columns| Row::styled(&format!("+{count}"), Style::PLAIN, columns)),
            chrome: Vec::new(),
            caret: None,
            size: Size::new(columns, rows),
            now: Duration::ZERO,
            log: Vec::new(),
            given: Vec::new(),
            shown: Vec::new(),
            final_rows: 0,
            caret_row: None,
            is_still: true,
        }
    }

    pub(crate) fn chrome(&mut self, rows: &[impl AsRef<str>]) {
        self.chrome = rows.iter().map(|row| Row::styled(row.as_ref(), Style::PLAIN, self.size.columns)).collect();
    }

    /// Draws a frame if it is time; returns what was written.
    pub(crate) fn draw(&mut self) -> String {
        self.now += Duration::from_millis(16);
        match self.screen.begin(self.size, self.now) {
            Turn::Wait { .. } => {
                self.is_still = false;
                return String::new();
            }
            Turn::Draw { sealed } => self.seal(sealed),
        }
        self.is_still = true;
        let room = usize::from(self.size.rows).saturating_sub(self.chrome.len());
        let laid = self.document.rows(self.size.columns, room);
        let above = laid.rows.len();
        let rows: Vec<&Row> = laid.rows.into_iter().chain(&self.chrome).collect();
        let caret = self.caret.map(|(row, column)| (above + row, column));
        let mut out = String::new();
        let frame = Frame { rows: &rows, final_rows: laid.final_rows, caret, show_cursor: false };
        let sealed = self.screen.frame(&frame, &mut out);
        self.shown = rows.iter().map(|row| row.text().trim_end().to_owned()).collect();
        (self.final_rows, self.caret_row) = (laid.final_rows, caret.map(|(row, _)| row));
        self.seal(sealed);
        self.terminal.feed(&out);
        self.log.push(Event::Written(out.clone()));
        out
    }

    fn seal(&mut self, rows: usize) {
        self.document.sealed(rows);
        self.given.extend(self.shown.drain(..rows));
        self.final_rows -= rows;
        self.caret_row = self.caret_row.map(|row| row - rows);
    }

    /// Another program prints a row.
    pub(crate) fn hand_over(&mut self, withdraws: bool) {
        let mut out = String::new();
        let sealed = if withdraws { self.screen.withdraw(&mut out) } else { self.screen.leave(&mut out) };
        self.seal(sealed);
        if !withdraws {
            // The picture stays, now as rows of nobody.
            self.given.append(&mut self.shown);
        }
        self.shown.clear();
        (self.final_rows, self.caret_row) = (0, None);
        self.given.push("$ ls".to_owned());
        out.push_str("$ ls\r\n");
        self.terminal.feed(&out);
        self.log.push(Event::Written(out));
    }

    /// The window has another size, and the signal for it has come.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.terminal.resize(columns, rows);
        self.log_resize(columns, rows);
        self.size = Size::new(columns, rows);
    }

    /// Puts the terminal's new size into the log.
    pub(crate) fn log_resize(&mut self, columns: u16, rows: u16) {
        self.log.push(Event::Resized(columns, rows, self.live_height_above_caret()));
    }

    /// How many rows those above the caret take in the terminal that are not final.
    pub(crate) fn live_height_above_caret(&self) -> usize {
        let columns = self.terminal.columns();
        let above = &self.shown[self.final_rows..self.caret_row.unwrap_or(self.final_rows)];
        // Wide characters may leave a column free at the end of a row.
        let height = |row: &String| width(row).div_ceil(if row.is_ascii() { columns } else { columns - 1 }).max(1);
        above.iter().map(height).sum()
    }

    /// Waits until the size counts.
    pub(crate) fn rest(&mut self) {
        self.draw();
        self.now += Duration::from_millis(150);
        self.draw();
    }
}
