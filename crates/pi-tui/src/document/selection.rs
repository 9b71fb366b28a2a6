//! A part of a document's text that somebody has chosen.

use std::ops::Range;

use super::{Block, BlockId, Document};

/// A cell of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The block.
    pub block: BlockId,
    /// The row in it.
    pub row: usize,
    /// The column.
    pub column: u16,
}

/// What is between two cells, both included. It stays with its blocks, wherever they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    /// Where it was begun.
    pub anchor: Place,
    /// Where it was drawn to.
    pub head: Place,
}

/// Both ends of a selection in the order of a document, as it is now.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    first: Order,
    last: Order,
}

/// A cell as a place among blocks: block, row, column.
type Order = (usize, usize, u16);

impl Ends {
    /// Which columns of a row are chosen, by where its block is and by its number in it.
    pub fn columns(&self, at: usize, number: usize) -> Option<Range<u16>> {
        let (row, begin, end) = ((at, number), (self.first.0, self.first.1), (self.last.0, self.last.1));
        if row < begin || row > end {
            return None;
        }
        let from = if row == begin { self.first.2 } else { 0 };
        let to = if row == end { self.last.2.saturating_add(1) } else { u16::MAX };
        Some(from..to)
    }
}

impl Selection {
    /// Both ends in the order of the document; nothing if a block is gone.
    pub fn ends<B: Block>(&self, document: &Document<B>) -> Option<Ends> {
        let order = |place: Place| Some((document.place(place.block, 0)?, place.row, place.column));
        let (anchor, head) = (order(self.anchor)?, order(self.head)?);
        Some(Ends { first: anchor.min(head), last: anchor.max(head) })
    }

    /// The text as it was written: without margins, in the lines that it had.
    pub fn text<B: Block>(&self, document: &mut Document<B>, columns: u16) -> String {
        let mut out = String::new();
        let Some(ends) = self.ends(document) else { return out };
        for at in ends.first.0..=ends.last.0 {
            document.draw_range(at..at + 1, columns);
            for (number, row) in document.rows_at(at).iter().enumerate() {
                let Some(chosen) = ends.columns(at, number) else { continue };
                let is_last = (at, number) == (ends.last.0, ends.last.1);
                out.push_str(&row.text_in(chosen));
                match row.goes_on().filter(|_| !is_last) {
                    Some(blanks) => out.extend(std::iter::repeat_n(' ', blanks.into())),
                    None => {
                        // Cells of tables are filled up with blanks.
                        out.truncate(out.trim_end_matches(' ').len());
                        out.push('\n');
                    }
                }
            }
        }
        out.trim_matches('\n').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Settled;
    use crate::text::{Color, Line, Row};
    use crate::widgets::markdown::{Markdown, MarkdownStyle};
    use crate::widgets::padded_box::Boxed;

    fn boxed(text: &'static str) -> Box<dyn Block> {
        let lines: Vec<Line> = text.lines().map(Line::from).collect();
        Box::new(Settled::new(move |columns| Boxed::new(Color::Indexed(4)).rows(&lines, columns)))
    }

    fn markdown(text: &str) -> Box<dyn Block> {
        Box::new(Markdown::whole(text, MarkdownStyle { padding: 1, ..MarkdownStyle::default() }))
    }

    /// The whole text as it is copied at a width.
    fn copied(blocks: Vec<Box<dyn Block>>, columns: u16) -> String {
        let mut document = Document::new(|_, _| Row::blank());
        let ids: Vec<BlockId> = blocks.into_iter().map(|block| document.push(block)).collect();
        let place = |block, row, column| Place { block, row, column };
        let selection = Selection { anchor: place(ids[ids.len() - 1], 1000, 0), head: place(ids[0], 0, 0) };
        selection.text(&mut document, columns)
    }

    #[test]
    fn what_was_written_is_copied_at_any_width() {
        let said = "a question that is longer than a row\n  indented, and more";
        for columns in [10, 16, 80] {
            assert_eq!(copied(vec![boxed(said)], columns), said, "{columns}");
        }
        let answer = "A paragraph with some words in it.\n\n- an item that wraps\n- another\n\n> quoted words that wrap\n\n```rust\nfn main() {\n    let x = a_name_that_is_long(1);\n}\n```";
        let expected = answer.replace("> ", "");
        for columns in [12, 20, 80] {
            assert_eq!(copied(vec![markdown(answer)], columns), expected, "{columns}");
        }
        assert_eq!(copied(vec![boxed("one"), markdown("two\n\nthree")], 80), "one\n\ntwo\n\nthree");
    }

    #[test]
    fn a_part_is_between_two_cells_whichever_came_first() {
        let mut document = Document::new(|_, _| Row::blank());
        let first = document.push(boxed("one two"));
        let second = document.push(boxed("three\nfour"));
        let place = |block, row, column| Place { block, row, column };
        let (a, b) = (place(first, 1, 5), place(second, 2, 1));
        for selection in [Selection { anchor: a, head: b }, Selection { anchor: b, head: a }] {
            assert_eq!(selection.text(&mut document, 40), "two\n\n\nthree\nf");
            let ends = selection.ends(&document).unwrap();
            let rows = [(0, 0), (0, 1), (0, 2), (1, 2), (1, 3)];
            let columns = rows.map(|(at, number)| ends.columns(at, number));
            assert_eq!(columns, [None, Some(5..u16::MAX), Some(0..u16::MAX), Some(0..2), None]);
        }
        let one = Selection { anchor: place(first, 1, 6), head: place(first, 1, 5) };
        assert_eq!(one.text(&mut document, 40), "tw");
        document.remove(first);
        assert_eq!(one.text(&mut document, 40), "", "what is gone is nothing");
    }
}
