//! A window over a document that keeps all of its blocks. Only what is in the window is drawn; what is above it is measured
//! when somebody goes there.

use crate::text::Row;

use super::page::{Heights, Page};
use super::{Block, BlockId, Document};

/// Rows below the window are counted so far: to count them all would be to draw them.
const MOST_BELOW: usize = 1000;

/// Where a window stands in a document: at its end, where it stays while the document grows, or at a row, which stays at the
/// top of it whatever comes below.
#[derive(Debug, Default, Clone, Copy)]
pub struct Viewport {
    /// What is at the top, unless the window follows the end.
    top: Option<Top>,
}

#[derive(Debug, Clone, Copy)]
struct Top {
    block: BlockId,
    /// So many of its rows are above the window.
    hidden: usize,
    /// Where the block was found last.
    place: usize,
}

/// What is in a window.
#[derive(Debug)]
pub struct Shown<'a> {
    /// The rows, top down.
    pub rows: Vec<ShownRow<'a>>,
    /// Rows below the window, counted no further than a thousand.
    pub below: usize,
    /// Whether nothing is above the window.
    pub is_top: bool,
}

/// A row in a window.
#[derive(Debug, Clone, Copy)]
pub struct ShownRow<'a> {
    /// The row.
    pub row: &'a Row,
    /// The block that it is of.
    pub block: BlockId,
    /// Where that is among all blocks.
    pub at: usize,
    /// The row's number in it.
    pub number: usize,
}

impl Viewport {
    /// Whether it stays at the end.
    pub fn is_following(&self) -> bool {
        self.top.is_none()
    }

    /// Goes to the end, and stays there.
    pub fn follow(&mut self) {
        self.top = None;
    }

    /// Goes down by so many rows; up where they are negative. At the end it stays there.
    pub fn scroll<B: Block>(&mut self, rows: isize, document: &mut Document<B>, columns: u16, window: usize) {
        self.change(document, columns, window, |page, measured| page.scroll(rows, window, measured));
    }

    /// Goes to the beginning.
    pub fn go_to_top<B: Block>(&mut self, document: &mut Document<B>, columns: u16, window: usize) {
        self.change(document, columns, window, |page, measured| {
            *page = Page::default();
            page.settle(window, measured);
        });
    }

    /// Shows where a block begins, if it is not in the window.
    pub fn show<B: Block>(&mut self, block: BlockId, document: &mut Document<B>, columns: u16, window: usize) {
        if let Some(place) = document.place(block, 0) {
            self.change(document, columns, window, |page, measured| page.select(place, window, measured));
        }
    }

    /// How many rows there are between the beginning of a block and the window below it, counted no further than `most`.
    pub fn rows_since<B: Block>(
        &self,
        block: BlockId,
        most: usize,
        document: &mut Document<B>,
        columns: u16,
        window: usize,
    ) -> usize {
        let mut measured = Measured { document, columns };
        let (mut at, mut rows) = self.page(&mut measured, window).top;
        let Some(begin) = measured.document.place(block, 0).filter(|begin| *begin <= at) else { return 0 };
        while at > begin && rows < most {
            at -= 1;
            rows += measured.height(at);
        }
        rows.min(most)
    }

    /// How many rows there are from the window's first one to the beginning of a block below it, counted no further than `most`;
    /// nothing for other blocks.
    pub fn rows_until<B: Block>(
        &self,
        block: BlockId,
        most: usize,
        document: &mut Document<B>,
        columns: u16,
        window: usize,
    ) -> Option<usize> {
        let mut measured = Measured { document, columns };
        let (mut at, hidden) = self.page(&mut measured, window).top;
        let begin = measured.document.place(block, 0).filter(|begin| *begin > at)?;
        let mut rows = 0;
        while at < begin && rows < most + hidden {
            rows += measured.height(at);
            at += 1;
        }
        Some(rows.saturating_sub(hidden).min(most))
    }

    /// The rows in a window of this size.
    pub fn shown<'a, B: Block>(&mut self, document: &'a mut Document<B>, columns: u16, window: usize) -> Shown<'a> {
        let mut measured = Measured { document, columns };
        let mut page = self.page(&mut measured, window);
        page.settle(window, &mut measured);
        if self.top.is_some() {
            self.keep(page, measured.document);
        }
        let (first, last) = page.shown(window, &mut measured);
        let below = below(page, window, &mut measured);
        document.draw_range(first..last + 1, columns);
        let document: &'a Document<B> = document;
        let rows = (first..=last).filter_map(|at| Some((at, document.id_at(at)?))).flat_map(|(at, block)| {
            let hidden = if at == page.top.0 { page.top.1 } else { 0 };
            document.rows_at(at).iter().enumerate().skip(hidden).map(move |(number, row)| ShownRow {
                row,
                block,
                at,
                number,
            })
        });
        Shown { rows: rows.take(window).collect(), below, is_top: page.top == (0, 0) || document.is_empty() }
    }

    fn change<B: Block>(
        &mut self,
        document: &mut Document<B>,
        columns: u16,
        window: usize,
        change: impl FnOnce(&mut Page, &mut Measured<'_, B>),
    ) {
        let mut measured = Measured { document, columns };
        let mut page = self.page(&mut measured, window);
        change(&mut page, &mut measured);
        if page.is_at_end(window, &mut measured) {
            self.follow();
        } else {
            self.keep(page, document);
        }
    }

    fn page<B: Block>(&self, measured: &mut Measured<'_, B>, window: usize) -> Page {
        let mut page = Page::default();
        match self.top {
            None => page.go_to_end(window, measured),
            Some(top) => {
                // A block that is gone leaves its place to the one behind it.
                page.top = match measured.document.place(top.block, top.place) {
                    Some(place) => (place, top.hidden),
                    None => (top.place, 0),
                };
            }
        }
        page.selected = page.top.0;
        page
    }

    fn keep<B: Block>(&mut self, page: Page, document: &Document<B>) {
        let (place, hidden) = page.top;
        self.top = document.id_at(place).map(|block| Top { block, hidden, place });
    }
}

/// How many rows there are below the window.
fn below(page: Page, window: usize, heights: &mut impl Heights) -> usize {
    let (mut at, mut rows) = (page.top.0, 0);
    while at < heights.count() && rows < page.top.1 + window + MOST_BELOW {
        rows += heights.height(at);
        at += 1;
    }
    rows.saturating_sub(page.top.1 + window).min(MOST_BELOW)
}

/// A document at a width.
struct Measured<'a, B> {
    document: &'a mut Document<B>,
    columns: u16,
}

impl<B: Block> Heights for Measured<'_, B> {
    fn height(&mut self, item: usize) -> usize {
        self.document.height(item, self.columns)
    }

    fn count(&self) -> usize {
        self.document.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Settled;
    use proptest::prelude::*;

    type Texts = Document<Settled<Box<dyn FnMut(u16) -> Vec<Row>>>>;

    fn document() -> Texts {
        Document::new(|count, columns| Row::new(&format!("{count}").as_str().into(), columns))
    }

    /// A block of numbered rows; twice as many where it is narrow.
    fn block(name: &'static str, rows: usize) -> Settled<Box<dyn FnMut(u16) -> Vec<Row>>> {
        Settled::new(Box::new(move |columns| {
            let rows = if columns < 20 { 2 * rows } else { rows };
            (0..rows).map(|row| Row::new(&format!("{name}{row}").as_str().into(), columns)).collect()
        }))
    }

    fn texts(view: &mut Viewport, document: &mut Texts, window: usize) -> (String, usize) {
        let shown = view.shown(document, 40, window);
        let rows: Vec<&str> = shown.rows.iter().map(|shown| shown.row.text()).collect();
        (rows.join(" "), shown.below)
    }

    #[test]
    fn the_end_is_followed_until_somebody_goes_up() {
        let (mut document, mut view) = (document(), Viewport::default());
        assert_eq!(texts(&mut view, &mut document, 3), (String::new(), 0));
        let first = document.push(block("a", 2));
        document.push(block("b", 0));
        assert_eq!(texts(&mut view, &mut document, 3), ("a0 a1".to_owned(), 0));
        view.scroll(-1, &mut document, 40, 3);
        assert!(view.is_following(), "nothing is above");
        document.push(block("c", 4));
        assert_eq!(texts(&mut view, &mut document, 3), ("c1 c2 c3".to_owned(), 0));
        view.scroll(-2, &mut document, 40, 3);
        assert_eq!(texts(&mut view, &mut document, 3), ("a1 c0 c1".to_owned(), 2));
        // What comes, above or below, moves nothing.
        document.push(block("d", 9));
        document.insert(first, block("z", 3));
        assert_eq!(texts(&mut view, &mut document, 3), ("a1 c0 c1".to_owned(), 11));
        // What is gone leaves its place.
        document.remove(first);
        assert_eq!(texts(&mut view, &mut document, 3), ("c0 c1 c2".to_owned(), 10));
        view.scroll(100, &mut document, 40, 3);
        assert!(view.is_following());
        view.go_to_top(&mut document, 40, 3);
        assert_eq!(texts(&mut view, &mut document, 3), ("z0 z1 z2".to_owned(), 13));
        assert!(view.shown(&mut document, 40, 3).is_top);
        view.follow();
        assert_eq!(texts(&mut view, &mut document, 2), ("d7 d8".to_owned(), 0));
        let last = document.push(block("e", 3));
        let since = |block, most, document: &mut Texts| view.rows_since(block, most, document, 40, 2);
        assert_eq!((since(last, 9, &mut document), since(first, 9, &mut document)), (1, 0));
        let before = document.insert(last, block("f", 2));
        assert_eq!((since(before, 9, &mut document), since(before, 2, &mut document)), (3, 2));
    }

    #[test]
    fn rows_that_are_far_away_are_not_kept_and_not_counted() {
        let (mut document, mut view) = (document(), Viewport::default());
        for _ in 0..5000 {
            document.push(block("x", 1));
        }
        for _ in 0..60 {
            view.scroll(-50, &mut document, 40, 20);
            view.shown(&mut document, 40, 20);
        }
        let shown = view.shown(&mut document, 40, 20);
        assert_eq!((shown.rows.len(), shown.below), (20, MOST_BELOW));
        assert!((0..5000).filter(|at| !document.rows_at(*at).is_empty()).count() <= 1100);
        view.follow();
        assert_eq!(view.shown(&mut document, 40, 20).rows.len(), 20);
    }

    proptest! {
        #[test]
        fn a_window_is_a_part_of_all_rows(
            heights in prop::collection::vec(0usize..6, 1..30),
            window in 1usize..12,
            moves in prop::collection::vec(-15isize..15, 1..20),
            columns in prop::sample::select(vec![10u16, 40]),
        ) {
            let (mut document, mut view) = (document(), Viewport::default());
            for rows in &heights {
                document.push(block("r", *rows));
            }
            let all = heights.iter().sum::<usize>() * if columns < 20 { 2 } else { 1 };
            let most = all.saturating_sub(window);
            let mut top = most;
            for rows in moves {
                view.scroll(rows, &mut document, columns, window);
                top = top.saturating_add_signed(rows).min(most);
                let shown = view.shown(&mut document, columns, window);
                prop_assert_eq!(shown.rows.len(), all.min(window));
                prop_assert_eq!(shown.below, most - top);
                prop_assert_eq!(view.is_following(), top == most);
            }
        }
    }
}
