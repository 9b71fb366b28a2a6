//! Which rows of the blocks are in the window. Blocks are as high as they are drawn, and are drawn when they are looked at.

/// How high a block is, once it is drawn.
pub trait Heights {
    /// Its rows.
    fn height(&mut self, item: usize) -> usize;
    /// How many blocks there are.
    fn count(&self) -> usize;
}

/// The first row of the window, and the block that keys act on.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The block at the top, and how many of its rows are above the window.
    pub top: (usize, usize),
    /// The block that keys act on.
    pub selected: usize,
}

impl Page {
    /// Goes down by so many rows; up where they are negative.
    pub fn scroll(&mut self, rows: isize, window: usize, heights: &mut impl Heights) {
        if rows < 0 {
            self.up(rows.unsigned_abs(), heights);
        } else {
            self.down(rows.unsigned_abs(), heights);
        }
        self.settle(window, heights);
        let (first, last) = self.whole(window, heights);
        self.selected = self.selected.clamp(first, last.max(first));
    }

    /// Selects a block and shows where it begins.
    pub fn select(&mut self, item: usize, window: usize, heights: &mut impl Heights) {
        self.selected = item.min(heights.count().saturating_sub(1));
        if (self.selected, 0) < self.top {
            self.top = (self.selected, 0);
        } else if heights.count() > 0 && !self.has_room_for(self.selected, window, heights) {
            // It comes up from below as far as it fits.
            let height = heights.height(self.selected).min(window);
            self.top = (self.selected, 0);
            self.up(window - height, heights);
        }
        self.settle(window, heights);
    }

    /// Whether a block below the top is whole in the window, or as much of it as fits into one.
    fn has_room_for(self, item: usize, window: usize, heights: &mut impl Heights) -> bool {
        let mut end = heights.height(item).min(window);
        let mut hidden = self.top.1;
        for at in self.top.0..item {
            end += heights.height(at) - hidden;
            hidden = 0;
            if end > window {
                return false;
            }
        }
        end <= window
    }

    /// Shows a row of a block, below some others.
    pub fn show(&mut self, item: usize, row: usize, window: usize, heights: &mut impl Heights) {
        self.selected = item;
        self.top = (item, row);
        self.up(window / 3, heights);
        self.settle(window, heights);
    }

    /// Goes to the end.
    pub fn go_to_end(&mut self, window: usize, heights: &mut impl Heights) {
        self.top = last_top(window, heights);
        self.selected = heights.count().saturating_sub(1);
    }

    /// Whether the last row is in the window.
    pub fn is_at_end(self, window: usize, heights: &mut impl Heights) -> bool {
        self.top >= last_top(window, heights)
    }

    /// Keeps the window within the blocks, however they have changed.
    pub fn settle(&mut self, window: usize, heights: &mut impl Heights) {
        let count = heights.count();
        if count == 0 {
            *self = Self::default();
            return;
        }
        self.selected = self.selected.min(count - 1);
        self.top.0 = self.top.0.min(count - 1);
        self.top.1 = self.top.1.min(heights.height(self.top.0).saturating_sub(1));
        self.top = self.top.min(last_top(window, heights));
        // What has no rows is at the top of nothing.
        while self.top.0 + 1 < count && heights.height(self.top.0) == 0 {
            self.top = (self.top.0 + 1, 0);
        }
    }

    /// The first and the last block of which a row is in the window.
    pub fn shown(self, window: usize, heights: &mut impl Heights) -> (usize, usize) {
        let (mut last, mut below) = (self.top.0, 0);
        let mut hidden = self.top.1;
        for at in self.top.0..heights.count() {
            last = at;
            below += heights.height(at) - hidden;
            hidden = 0;
            if below >= window {
                break;
            }
        }
        (self.top.0, last)
    }

    /// The same for blocks whose first row is in the window, as far as there are any.
    fn whole(self, window: usize, heights: &mut impl Heights) -> (usize, usize) {
        let (first, last) = self.shown(window, heights);
        (if self.top.1 > 0 && first < last { first + 1 } else { first }, last)
    }

    fn down(&mut self, mut rows: usize, heights: &mut impl Heights) {
        let count = heights.count();
        while rows > 0 && self.top.0 < count {
            let left = heights.height(self.top.0) - self.top.1;
            if rows < left || self.top.0 + 1 == count {
                self.top.1 += rows.min(left.saturating_sub(1));
                return;
            }
            rows -= left;
            self.top = (self.top.0 + 1, 0);
        }
    }

    fn up(&mut self, mut rows: usize, heights: &mut impl Heights) {
        while rows > 0 {
            if self.top.1 >= rows {
                self.top.1 -= rows;
                return;
            }
            rows -= self.top.1;
            if self.top.0 == 0 {
                self.top.1 = 0;
                return;
            }
            self.top = (self.top.0 - 1, heights.height(self.top.0 - 1));
        }
    }
}

/// The top of the window that ends with the last row.
fn last_top(window: usize, heights: &mut impl Heights) -> (usize, usize) {
    let mut left = window;
    for at in (0..heights.count()).rev() {
        let height = heights.height(at);
        if height >= left {
            return (at, height - left);
        }
        left -= height;
    }
    (0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Fixed(Vec<usize>);

    impl Heights for Fixed {
        fn height(&mut self, item: usize) -> usize {
            self.0[item]
        }
        fn count(&self) -> usize {
            self.0.len()
        }
    }

    /// The number of the row at the top.
    fn row(page: Page, heights: &Fixed) -> usize {
        heights.0[..page.top.0].iter().sum::<usize>() + page.top.1
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn rows_are_counted_as_in_one_long_list(
            heights in prop::collection::vec(0usize..9, 1..20),
            window in 1usize..30,
            moves in prop::collection::vec((-40isize..40, any::<bool>(), 0usize..20), 1..20),
        ) {
            let mut heights = Fixed(heights);
            let most = heights.0.iter().sum::<usize>().saturating_sub(window);
            let mut page = Page::default();
            for (rows, selects, item) in moves {
                // A block without rows is nothing that can be selected.
                if selects && heights.0.get(item).is_some_and(|height| *height > 0) {
                    page.select(item, window, &mut heights);
                    let item = item.min(heights.0.len() - 1);
                    prop_assert_eq!(page.selected, item);
                    // Its first row is in the window.
                    let begins = heights.0[..item].iter().sum::<usize>();
                    prop_assert!((row(page, &heights)..row(page, &heights) + window).contains(&begins));
                } else {
                    let before = row(page, &heights);
                    page.scroll(rows, window, &mut heights);
                    let expected = before.saturating_add_signed(rows).min(most);
                    prop_assert_eq!(row(page, &heights), expected);
                    let (first, last) = page.shown(window, &mut heights);
                    prop_assert!((first..=last).contains(&page.selected));
                }
                prop_assert_eq!(page.is_at_end(window, &mut heights), row(page, &heights) == most);
            }
        }
    }

    #[test]
    fn nothing_is_a_page_too() {
        let mut page = Page { top: (3, 2), selected: 4 };
        page.settle(5, &mut Fixed(Vec::new()));
        assert_eq!(page, Page::default());
    }
}
