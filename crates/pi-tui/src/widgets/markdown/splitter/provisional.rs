//! What is not final yet, as it looks now.

use super::{Open, Splitter};
use crate::widgets::markdown::piece::{Blocks, Piece};

/// Rows of a table that are shown while it grows.
const GROWING_ROWS: usize = 20;

impl Splitter {
    /// What is not final, as it looks now.
    pub(in crate::widgets::markdown) fn open_pieces(&self) -> Vec<Piece> {
        let line = &self.source[self.line..];
        if let Open::Fence { fence, language, state } = &self.open {
            let mut pieces = Vec::new();
            // What may become the closing fence is not code for a moment.
            if !line.is_empty() && !fence.begins_close(line) {
                pieces.push(Piece::FenceLine { text: fence.strip(line).into(), language: *language, state: *state });
            }
            pieces.push(Piece::FenceEnd);
            return pieces;
        }
        let line = if is_undecided(line) { "" } else { line };
        let (source, number) = match self.open {
            Open::Nothing => (line.to_owned(), None),
            Open::Paragraph { lines, is_table: true } if lines > GROWING_ROWS + 2 => (self.table_end(line), None),
            Open::List(_, number) => (self.source[self.start..self.line].to_owned() + line, number),
            _ => (self.source[self.start..self.line].to_owned() + line, None),
        };
        let before = self.last.map(|last| (last, self.is_apart));
        let known = self.references.count();
        vec![Piece::Blocks(Blocks { source: source.into(), before, number, known })]
    }

    #[cfg(test)]
    pub(in crate::widgets::markdown) fn open_len(&self) -> usize {
        self.source.len()
    }

    /// The head and the last rows of a table that grows.
    fn table_end(&self, line: &str) -> String {
        let whole = &self.source[self.start..self.end];
        let head: usize = whole.split_inclusive('\n').take(2).map(str::len).sum();
        let from = memchr::memrchr_iter(b'\n', whole.as_bytes()).nth(GROWING_ROWS).map_or(head, |end| end + 1);
        format!("{}{}{line}", &whole[..head], &whole[from.max(head)..])
    }
}

/// Whether a line whose end has not come may become anything: the line under a heading, a fence, a rule. It would change
/// what is above it, and change it back.
fn is_undecided(line: &str) -> bool {
    let text = line.trim_matches([' ', '>']);
    text.bytes().next().is_some_and(|first| b"-=`~".contains(&first) && text.bytes().all(|byte| byte == first))
}
