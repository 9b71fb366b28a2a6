//! What the tests share: a document of simple blocks, a screen and a terminal.

use std::time::Duration;

use pi_tui::document::{Block, Document};
use pi_tui::screen::{Frame, Insert, Reflow, Screen, ScreenOptions, Size, Turn};
use pi_tui::testing::Terminal;
use pi_tui::text::{Line, Row, Style, wrap};

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
    pub(crate) fn settled(lines: &[&str]) -> Self {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        Self { final_lines: lines.len(), lines, done: true, ..Self::default() }
    }

    pub(crate) fn live(lines: &[&str]) -> Self {
        Self { final_lines: 0, done: false, ..Self::settled(lines) }
    }

    /// Replaces what is not final, and says how much of it is.
    pub(crate) fn grow(&mut self, lines: &[&str], newly_final: usize, done: bool) {
        self.lines.truncate(self.final_lines);
        self.lines.extend(lines.iter().map(|line| (*line).to_owned()));
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
    /// Everything that was written.
    pub(crate) written: String,
}

impl Stage {
    pub(crate) fn new(columns: u16, rows: u16, insert: Insert) -> Self {
        let options = ScreenOptions { insert, reflow: Reflow::Filled, synchronized: true };
        Self {
            terminal: Terminal::new(columns, rows),
            screen: Screen::new(options),
            document: Document::new(|count, columns| Row::styled(&format!("+{count}"), Style::PLAIN, columns)),
            chrome: Vec::new(),
            caret: None,
            size: Size::new(columns, rows),
            now: Duration::ZERO,
            written: String::new(),
        }
    }

    pub(crate) fn chrome(&mut self, rows: &[&str]) {
        self.chrome = rows.iter().map(|row| Row::styled(row, Style::PLAIN, self.size.columns)).collect();
    }

    /// Draws a frame if it is time; returns what was written.
    pub(crate) fn draw(&mut self) -> String {
        self.now += Duration::from_millis(16);
        match self.screen.begin(self.size, self.now) {
            Turn::Wait { .. } => return String::new(),
            Turn::Draw { sealed } => self.document.sealed(sealed),
        }
        let room = usize::from(self.size.rows).saturating_sub(self.chrome.len());
        let laid = self.document.rows(self.size.columns, room);
        let above = laid.rows.len();
        let rows: Vec<&Row> = laid.rows.into_iter().chain(&self.chrome).collect();
        let caret = self.caret.map(|(row, column)| (above + row, column));
        let mut out = String::new();
        let frame = Frame { rows: &rows, final_rows: laid.final_rows, caret, show_cursor: false };
        let sealed = self.screen.frame(&frame, &mut out);
        self.document.sealed(sealed);
        self.terminal.feed(&out);
        self.written.push_str(&out);
        out
    }

    /// The window has another size, and the signal for it has come.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.terminal.resize(columns, rows);
        self.size = Size::new(columns, rows);
    }

    /// Waits until the size counts.
    pub(crate) fn rest(&mut self) {
        self.draw();
        self.now += Duration::from_millis(150);
        self.draw();
    }
}
