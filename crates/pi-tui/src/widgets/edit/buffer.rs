//! Lines of text with their row breaks. Replacing a range is the only mutation; there is no cursor here.

use std::ops::Range;

/// A position in a text, always at a grapheme cluster boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Position {
    /// Index of the line.
    pub line: usize,
    /// Byte offset in it.
    pub byte: usize,
}

impl Position {
    /// A position in a line.
    pub const fn new(line: usize, byte: usize) -> Self {
        Self { line, byte }
    }
}

/// A line.
#[derive(Debug, Clone, Default)]
struct BufferLine {
    text: String,
    /// Byte offsets at which its second and later rows begin.
    breaks: Vec<usize>,
}

impl BufferLine {
    fn new(text: &str) -> Self {
        Self { text: text.to_owned(), breaks: Vec::new() }
    }
}

/// The result of a replacement.
#[derive(Debug)]
pub(super) struct Replaced {
    /// The replaced text.
    pub(super) removed: String,
    /// End of the new text.
    pub(super) end: Position,
}

/// Lines of text, at least one.
#[derive(Debug, Clone)]
pub(super) struct Buffer {
    lines: Vec<BufferLine>,
    /// The number of rows of each line. Contiguous, because every key sums them.
    heights: Vec<u32>,
    /// Lines whose breaks are out of date, so that a key costs one line's breaking.
    changed: Range<usize>,
}

impl Buffer {
    pub(super) fn new() -> Self {
        Self { lines: vec![BufferLine::default()], heights: vec![1], changed: 0..0 }
    }

    /// A line; empty past the end.
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

    /// Replaces a range.
    pub(super) fn replace(&mut self, from: Position, to: Position, text: &str) -> Replaced {
        let removed = self.between(from, to);
        if from.line == to.line && !text.contains('\n') {
            let line = &mut self.lines[from.line];
            line.text.replace_range(from.byte..to.byte, text);
            self.note_change(from.line..from.line + 1, 0);
            return Replaced { removed, end: Position::new(from.line, from.byte + text.len()) };
        }
        let tail = self.line(to.line)[to.byte..].to_owned();
        let mut parts = text.split('\n');
        let first = &mut self.lines[from.line];
        first.text.truncate(from.byte);
        first.text.push_str(parts.next().unwrap_or_default());
        let added: Vec<BufferLine> = parts.map(BufferLine::new).collect();
        let line = from.line + added.len();
        self.heights.splice(from.line + 1..=to.line, added.iter().map(|_| 1));
        self.note_change(from.line..to.line + 1, added.len());
        self.lines.splice(from.line + 1..=to.line, added);
        let last = &mut self.lines[line];
        let end = Position::new(line, last.text.len());
        last.text.push_str(&tail);
        Replaced { removed, end }
    }

    /// The lines of a range were replaced by its first, changed, and `added` new ones.
    fn note_change(&mut self, replaced: Range<usize>, added: usize) {
        if self.changed.is_empty() {
            self.changed = replaced.start..replaced.start + 1 + added;
            return;
        }
        let moved = self.changed.end.max(replaced.end) + 1 + added - replaced.len();
        self.changed = self.changed.start.min(replaced.start)..moved;
    }

    /// Breaks the changed lines, or all if the width changed.
    pub(super) fn lay_out(&mut self, is_new_width: bool, mut find: impl FnMut(&str) -> Vec<usize>) {
        let all = 0..self.lines.len();
        let changed = std::mem::take(&mut self.changed);
        for index in if is_new_width { all } else { changed } {
            let line = &mut self.lines[index];
            line.breaks = find(&line.text);
            self.heights[index] = u32::try_from(line.breaks.len() + 1).unwrap_or(u32::MAX);
        }
    }

    /// Byte offsets at which the second and later rows of a line begin, as of the last layout.
    pub(super) fn breaks(&self, index: usize) -> &[usize] {
        self.lines.get(index).map_or(&[], |line| &line.breaks)
    }

    /// The number of rows of each line, as of the last layout.
    pub(super) fn heights(&self) -> &[u32] {
        &self.heights
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

    #[test]
    fn only_changed_lines_are_broken_again() {
        let mut buffer = Buffer::new();
        let mut changed = |from: Position, to: Position, text: &str| {
            buffer.replace(from, to, text);
            let mut seen = Vec::new();
            buffer.lay_out(false, |line| {
                seen.push(line.to_owned());
                (1..line.len()).collect()
            });
            (seen.join(","), buffer.heights().to_vec())
        };
        let at = Position::new;
        assert_eq!(changed(at(0, 0), at(0, 0), "a\nbb\nccc"), ("a,bb,ccc".into(), vec![1, 2, 3]));
        assert_eq!(changed(at(1, 1), at(1, 1), "x"), ("bxb".into(), vec![1, 3, 3]));
        assert_eq!(changed(at(1, 1), at(1, 2), "\n"), ("b,b".into(), vec![1, 1, 1, 3]));
        assert_eq!(changed(at(0, 1), at(2, 1), ""), ("a".into(), vec![1, 3]));
    }

    #[test]
    fn several_changes_add_up() {
        let mut buffer = Buffer::new();
        let at = Position::new;
        buffer.replace(at(0, 0), at(0, 0), "a\nb\nc\nd\ne");
        buffer.lay_out(false, |_| Vec::new());
        buffer.replace(at(3, 0), at(3, 0), "x\ny");
        buffer.replace(at(0, 1), at(1, 0), "");
        let mut seen = Vec::new();
        buffer.lay_out(false, |line| {
            seen.push(line.to_owned());
            Vec::new()
        });
        assert_eq!(seen, ["ab", "c", "x", "yd"]);
    }
}
