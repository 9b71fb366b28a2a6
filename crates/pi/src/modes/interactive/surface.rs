//! The terminal, as the mode uses it: frames out, keys in, and handing it over for a while.

use std::time::{Duration, Instant};

use pi_tui::document::{Block, Document};
use pi_tui::screen::{Frame, Screen, ScreenOptions, Size, Turn};
use pi_tui::text::Row;

use super::term_stand_in::Term;

/// The terminal and what it shows of ours.
pub(super) struct Surface {
    term: Term,
    screen: Screen,
    began: Instant,
    /// Whether the window has the focus, as far as is known.
    pub(super) has_focus: bool,
    /// Whether the terminal's own cursor is shown.
    pub(super) shows_cursor: bool,
    title: String,
}

/// What became of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drawn {
    /// It is on its way.
    Yes,
    /// The window is changing its size: again at this time.
    Later(Duration),
}

impl Surface {
    pub(super) fn new(term: Term, options: ScreenOptions) -> Self {
        let screen = Screen::new(options);
        Self { term, screen, began: Instant::now(), has_focus: true, shows_cursor: false, title: String::new() }
    }

    /// Time since the mode began.
    pub(super) fn now(&self) -> Duration {
        self.began.elapsed()
    }

    pub(super) fn now_ms(&self) -> u64 {
        u64::try_from(self.now().as_millis()).unwrap_or(u64::MAX)
    }

    pub(super) fn size(&self) -> Size {
        self.term.size()
    }

    pub(super) fn columns(&self) -> u16 {
        self.size().columns
    }

    /// Begins a frame: what the terminal has got meanwhile is no longer the document's.
    pub(super) fn begin<B: Block>(&mut self, document: &mut Document<B>) -> Drawn {
        match self.screen.begin(self.term.size(), self.began.elapsed()) {
            Turn::Draw { sealed } => {
                document.sealed(sealed);
                Drawn::Yes
            }
            Turn::Wait { until } => Drawn::Later(until),
        }
    }

    /// Draws the document and what stands below it.
    pub(super) fn draw<B: Block>(&mut self, document: &mut Document<B>, below: &[Row], caret: Option<(usize, u16)>) {
        let size = self.size();
        let room = usize::from(size.rows).saturating_sub(below.len());
        let laid = document.rows(size.columns, room);
        let above = laid.rows.len();
        let mut rows = laid.rows;
        rows.extend(below);
        let frame = Frame {
            rows: &rows,
            final_rows: laid.final_rows,
            caret: caret.map(|(row, column)| (above + row, column)),
            show_cursor: self.shows_cursor,
        };
        let mut out = String::new();
        let sealed = self.screen.frame(&frame, &mut out);
        document.sealed(sealed);
        self.term.write(&out);
    }

    /// Sets the window's title.
    pub(super) fn set_title(&mut self, title: &str) {
        if self.title != title {
            self.title = title.to_owned();
            self.term.write(&format!("\x1b]0;{title}\x07"));
        }
    }

    /// Draws everything anew, from the top of the window.
    pub(super) fn replay(&mut self) {
        self.screen.replay(false);
    }

    /// Asks the terminal something, or for something to be told.
    pub(super) fn ask(&mut self, questions: &str) {
        self.term.write(questions);
    }

    /// An answer of the terminal to a question of ours.
    pub(super) fn reply(&mut self, _bytes: &[u8]) {}

    /// Puts a text into the terminal's clipboard.
    pub(super) fn copy(&mut self, text: &str) {
        self.term.write(&format!("\x1b]52;c;{}\x07", base64::Engine::encode(&base64::prelude::BASE64_STANDARD, text)));
    }

    /// Lets something else use the terminal.
    pub(super) fn hand_over<B: Block, T>(&mut self, document: &mut Document<B>, act: impl FnOnce() -> T) -> T {
        let mut out = String::new();
        let sealed = self.screen.withdraw(&mut out);
        document.sealed(sealed);
        self.term.write(&out);
        self.term.leave();
        let outcome = act();
        self.term.enter();
        outcome
    }

    /// Stops the program until the shell lets it go on.
    pub(super) fn suspend<B: Block>(&mut self, document: &mut Document<B>) {
        let mut out = String::new();
        let sealed = self.screen.leave(&mut out);
        document.sealed(sealed);
        self.term.write(&out);
        self.term.leave();
        // The whole group stops, as after the key in any other program.
        let _ = rustix::process::kill_process_group(rustix::process::getpgrp(), rustix::process::Signal::TSTP);
        self.term.enter();
    }

    /// Leaves the rows as they are, with the cursor on a free row below them.
    pub(super) fn leave<B: Block>(&mut self, document: &mut Document<B>) {
        let mut out = String::new();
        let sealed = self.screen.leave(&mut out);
        document.sealed(sealed);
        self.term.write(&out);
        self.term.leave();
    }
}
