//! Single lines between the messages: what happened, what went wrong.

use pi_tui::text::{Line, Row};

use super::super::shared::Shared;
use super::super::theme_styles::ThemeStyles;
use super::block::Picture;
use super::indented::{Margins, indented};

/// How a note is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::modes::interactive) enum NoteKind {
    /// Good to know. One that follows another takes its place.
    Status,
    /// The same, of an extension: it takes the place of another one of an extension only.
    Notice,
    /// Something was done.
    Done,
    /// Worth a look.
    Warning,
    /// Something failed.
    Error,
    /// Something was ended before its time.
    Aborted,
}

/// A note, with a blank row above.
#[derive(Debug)]
pub(in crate::modes::interactive) struct Note {
    kind: NoteKind,
    text: String,
}

impl Note {
    pub(in crate::modes::interactive) fn new(kind: NoteKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }

    fn lines(&self, look: &ThemeStyles) -> Vec<Line> {
        let (prefix, style) = match self.kind {
            NoteKind::Status | NoteKind::Notice => ("", look.dim()),
            NoteKind::Done => ("✓ ", look.accent()),
            NoteKind::Warning => ("Warning: ", look.warning()),
            NoteKind::Error => ("Error: ", look.error()),
            NoteKind::Aborted => ("", look.error()),
        };
        let lines = self.text.trim_end().lines();
        // Extensions bring colours with them, and what scripts write to their console other sequences, too.
        let mut lines: Vec<Line> = lines.map(|line| Line::from_ansi(line).over(style)).collect();
        if let Some(first) = lines.first_mut().filter(|_| !prefix.is_empty()) {
            let mut begun = Line::styled(prefix, style);
            begun.append(first);
            *first = begun;
        }
        lines
    }
}

impl Picture for Note {
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        let mut rows = vec![Row::blank()];
        rows.extend(indented(&self.lines(&shared.look()), Margins::BOTH, columns));
        rows
    }
}
