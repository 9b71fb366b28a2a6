//! Lines of text. Replacing a range is the only change there is; nothing here knows a cursor.

use std::cell::OnceCell;

/// A place in a text: always at the edge of a grapheme cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Position {
    /// Index of the line.
    pub line: usize,
    /// Byte offset in it.
    pub byte: usize,
}

impl Position {
    /// A place in a line.
    pub const fn new(line: usize, byte: usize) -> Self {
        Self { line, byte }
    }
}

/// A line, and where it breaks at the present width.
#[derive(Debug, Clone, Default)]
struct BufferLine {
    text: String,
    /// Emptied when the line changes, so that a key costs what its own line costs.
    breaks: OnceCell<Vec<usize>>,
}

impl BufferLine {
    fn new(text: &str) -> Self {
        Self { text: text.to_owned(), breaks: OnceCell::new() }
    }
}

/// What a replacement did.
#[derive(Debug)]
pub(super) struct Replaced {
    /// The text that is gone.
    pub(super) removed: String,
    /// Where the new text ends.
    pub(super) end: Position,
}

/// At least one line.
#[derive(Debug, Clone)]
pub(super) struct Buffer {
    lines: Vec<BufferLine>,
}

impl Buffer {
    pub(super) fn new() -> Self {
        Self { lines: vec![BufferLine::default()] }
    }

    /// A line; empty beyond the last.
    pub(super) fn line(&self, index: usize) -> &str {
        self.lines.get(index).map_or("", |line| &line.text)
    }

    pub(super) fn line_count(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.len() == 1 && self.lines[0].text.is_empty()
    }

    pub(super) fn end(&self) -> Position {
        let line = self.lines.len() - 1;
        Position::new(line, self.line(line).len())
    }

    pub(super) fn text(&self) -> String {
        self.between(Position::default(), self.end())
    }

    pub(super) fn between(&self, from: Position, to: Position) -> String {
        if from.line == to.line {
            return self.line(from.line)[from.byte..to.byte].to_owned();
        }
        let mut out = self.line(from.line)[from.byte..].to_owned();
        for line in &self.lines[from.line + 1..to.line] {
            out.push('\n');
            out.push_str(&line.text);
        }
        out.push('\n');
        out.push_str(&self.line(to.line)[..to.byte]);
        out
    }

    /// Puts a text where a range was.
    pub(super) fn replace(&mut self, from: Position, to: Position, text: &str) -> Replaced {
        let removed = self.between(from, to);
        if from.line == to.line && !text.contains('\n') {
            let line = &mut self.lines[from.line];
            line.text.replace_range(from.byte..to.byte, text);
            line.breaks.take();
            return Replaced { removed, end: Position::new(from.line, from.byte + text.len()) };
        }
        let tail = self.line(to.line)[to.byte..].to_owned();
        let mut parts = text.split('\n');
        let first = &mut self.lines[from.line];
        first.text.truncate(from.byte);
        first.text.push_str(parts.next().unwrap_or_default());
        first.breaks.take();
        let added: Vec<BufferLine> = parts.map(BufferLine::new).collect();
        let line = from.line + added.len();
        self.lines.splice(from.line + 1..=to.line, added);
        let last = &mut self.lines[line];
        let end = Position::new(line, last.text.len());
        last.text.push_str(&tail);
        Replaced { removed, end }
    }

    /// Where a line breaks, found by `find` unless it is known.
    pub(super) fn breaks(&self, index: usize, find: impl FnOnce(&str) -> Vec<usize>) -> &[usize] {
        self.lines.get(index).map_or(&[], |line| line.breaks.get_or_init(|| find(&line.text)))
    }

    /// Drops what is known of breaks: the width is another.
    pub(super) fn forget_breaks(&mut self) {
        for line in &mut self.lines {
            line.breaks.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_within_and_across_lines() {
        let mut buffer = Buffer::new();
        let all = buffer.replace(Position::default(), Position::default(), "one\ntwo\nthree");
        assert_eq!(all.end, Position::new(2, 5));
        let cut = buffer.replace(Position::new(0, 1), Position::new(2, 2), "-\n+");
        assert_eq!((cut.removed.as_str(), cut.end), ("ne\ntwo\nth", Position::new(1, 1)));
        assert_eq!(buffer.text(), "o-\n+ree");
        let back = buffer.replace(Position::new(0, 1), cut.end, &cut.removed);
        assert_eq!((buffer.text().as_str(), back.end), ("one\ntwo\nthree", Position::new(2, 2)));
    }
}
