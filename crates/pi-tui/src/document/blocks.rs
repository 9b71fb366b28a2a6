//! The blocks that are not wholly the terminal's.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;

use crate::text::Row;

use super::Block;

/// Of blocks that a viewport does not show, no more keep their rows.
const MOST_KEPT: usize = 1000;

/// Names a block of one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(u64);

/// The rows of a document.
#[derive(Debug)]
pub struct Laid<'a> {
    /// The rows, top down.
    pub rows: Vec<&'a Row>,
    /// How many of the first are final.
    pub final_rows: usize,
}

/// Makes the row that stands for rows which are left out, from their number and the width.
type CountRow = Box<dyn Fn(usize, u16) -> Row + Send>;

/// Blocks in order, from the first that is not wholly given to the terminal.
///
/// What a frame costs depends on these blocks alone, not on how many there have been.
pub struct Document<B> {
    blocks: VecDeque<Entry<B>>,
    next: u64,
    /// The blocks whose final rows were laid out last, with how many of these are still ours.
    laid: VecDeque<(BlockId, usize)>,
    count_row: CountRow,
    /// The last row that was made for rows left out.
    count: Row,
    /// So many blocks have their rows, at most, of those that a viewport has looked at.
    kept: usize,
}

struct Entry<B> {
    id: BlockId,
    block: B,
    rows: Vec<Row>,
    final_rows: usize,
    /// Revision and width of the rows.
    drawn: Option<(u64, u16)>,
    /// How many rows there are; they were drawn, but are not kept.
    forgotten: Option<usize>,
    is_sealed: bool,
}

impl<B: Block> Document<B> {
    /// An empty document. `count_row` makes the row that stands for rows which are left out: of what is not final no more
    /// is drawn than there is room for.
    pub fn new(count_row: impl Fn(usize, u16) -> Row + Send + 'static) -> Self {
        Self {
            blocks: VecDeque::new(),
            next: 0,
            laid: VecDeque::new(),
            count_row: Box::new(count_row),
            count: Row::blank(),
            kept: 0,
        }
    }

    /// Adds a block at the end.
    pub fn push(&mut self, block: B) -> BlockId {
        let entry = self.entry(block);
        let id = entry.id;
        self.blocks.push_back(entry);
        id
    }

    /// Puts a block before another; behind it, if the terminal has rows of that one already, and at the end if there is
    /// no such block.
    pub fn insert(&mut self, before: BlockId, block: B) -> BlockId {
        let entry = self.entry(block);
        let id = entry.id;
        let place = self.position(before).map(|at| at + usize::from(self.blocks[at].is_sealed));
        self.blocks.insert(place.unwrap_or(self.blocks.len()), entry);
        id
    }

    /// A block that is not wholly given to the terminal.
    pub fn get(&self, id: BlockId) -> Option<&B> {
        self.position(id).map(|at| &self.blocks[at].block)
    }

    /// A block, to change it. It is drawn again if its revision changes.
    pub fn get_mut(&mut self, id: BlockId) -> Option<&mut B> {
        self.position(id).map(|at| &mut self.blocks[at].block)
    }

    /// All blocks that are not wholly given to the terminal, to change them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (BlockId, &mut B)> {
        self.blocks.iter_mut().map(|entry| (entry.id, &mut entry.block))
    }

    /// Takes a block out. Rows of it that the terminal has stay there.
    pub fn remove(&mut self, id: BlockId) -> Option<B> {
        let at = self.position(id)?;
        self.blocks.remove(at).map(|entry| entry.block)
    }

    /// Takes all blocks out, for a replay.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.laid.clear();
    }

    /// How many blocks are not wholly given to the terminal.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether all blocks are the terminal's.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The rows at a width. Of those that are not final at most `room` are shown: the first, the number of those left out,
    /// and the last ones.
    pub fn rows(&mut self, columns: u16, room: usize) -> Laid<'_> {
        self.draw(columns);
        self.drop_done();
        let final_rows = self.lay_final();
        let total: usize = self.blocks.iter().map(|entry| entry.rows.len()).sum();
        let live = total - final_rows;
        let hidden = hidden(live, room);
        if let Some((_, count)) = &hidden {
            self.count = (self.count_row)(*count, columns);
        }
        let mut rows: Vec<&Row> = self.blocks.iter().flat_map(|entry| &entry.rows).collect();
        if let Some((first, count)) = hidden {
            let start = final_rows + first;
            let stand_in = (room > 1).then_some(&self.count);
            rows.splice(start..start + count, stand_in);
        }
        Laid { rows, final_rows }
    }

    /// The terminal has been given the first rows of those that were laid out last.
    pub fn sealed(&mut self, mut rows: usize) {
        while rows > 0
            && let Some((id, left)) = self.laid.front_mut()
        {
            let (id, taken) = (*id, rows.min(*left));
            *left -= taken;
            rows -= taken;
            if *left == 0 {
                self.laid.pop_front();
            }
            if let Some(at) = self.position(id) {
                self.blocks[at].seal(taken);
            }
        }
        self.drop_done();
    }

    fn entry(&mut self, block: B) -> Entry<B> {
        self.next += 1;
        Entry {
            id: BlockId(self.next),
            block,
            rows: Vec::new(),
            final_rows: 0,
            drawn: None,
            forgotten: None,
            is_sealed: false,
        }
    }

    fn position(&self, id: BlockId) -> Option<usize> {
        // What is looked for is mostly near one of the ends.
        let count = self.blocks.len();
        (0..count.div_ceil(2)).find_map(|at| {
            let back = count - 1 - at;
            let is_at = |at: usize| self.blocks[at].id == id;
            if is_at(back) { Some(back) } else { is_at(at).then_some(at) }
        })
    }

    /// The block at a place.
    pub(super) fn id_at(&self, at: usize) -> Option<BlockId> {
        self.blocks.get(at).map(|entry| entry.id)
    }

    /// Where a block is, looked for from a place on.
    pub(super) fn place(&self, id: BlockId, near: usize) -> Option<usize> {
        if self.id_at(near) == Some(id) { Some(near) } else { self.position(id) }
    }

    /// How many rows a block has at a width.
    pub(super) fn height(&mut self, at: usize, columns: u16) -> usize {
        let Some(entry) = self.blocks.get_mut(at) else { return 0 };
        match entry.forgotten {
            Some(height) if entry.is_drawn(columns) => height,
            _ => {
                self.kept += usize::from(entry.draw(columns));
                entry.rows.len()
            }
        }
    }

    /// Draws these blocks at a width, if they are not; the rows of others are dropped if there are many.
    pub(super) fn draw_range(&mut self, range: Range<usize>, columns: u16) {
        let range = range.start..range.end.min(self.blocks.len());
        for entry in self.blocks.range_mut(range.clone()) {
            self.kept += usize::from(entry.draw(columns));
        }
        if self.kept > MOST_KEPT {
            self.kept = range.len();
            let (before, behind) = (0..range.start, range.end..self.blocks.len());
            before.chain(behind).for_each(|at| self.blocks[at].forget());
        }
    }

    /// The rows of a block, as it was drawn last.
    pub(super) fn rows_at(&self, at: usize) -> &[Row] {
        self.blocks.get(at).map_or(&[], |entry| &entry.rows)
    }

    fn draw(&mut self, columns: u16) {
        for entry in &mut self.blocks {
            entry.draw(columns);
        }
    }

    /// Notes which blocks the final rows come from: those before the first row that is not final, or may still come.
    fn lay_final(&mut self) -> usize {
        self.laid.clear();
        for entry in &self.blocks {
            self.laid.push_back((entry.id, entry.final_rows));
            if entry.final_rows < entry.rows.len() || !entry.block.is_done() {
                break;
            }
        }
        self.laid.iter().map(|(_, rows)| rows).sum()
    }

    /// Drops blocks that have nothing to draw any more, up to the last of which the terminal has rows.
    fn drop_done(&mut self) {
        let Some(last) = self.blocks.iter().rposition(|entry| entry.is_sealed) else {
            return;
        };
        for at in (0..=last).rev() {
            if self.blocks[at].is_over() {
                self.blocks.remove(at);
            }
        }
    }
}

impl<B: Block> Entry<B> {
    fn is_drawn(&self, columns: u16) -> bool {
        self.drawn == Some((self.block.revision(), columns))
    }

    /// Draws it if it is not as it should be. Whether its rows are new.
    fn draw(&mut self, columns: u16) -> bool {
        let is_new = !self.is_drawn(columns) || self.forgotten.is_some();
        if is_new {
            self.drawn = Some((self.block.revision(), columns));
            self.rows.clear();
            self.final_rows = self.block.draw(columns, &mut self.rows).min(self.rows.len());
            self.forgotten = None;
        }
        is_new
    }

    fn forget(&mut self) {
        if self.drawn.is_some() && self.forgotten.is_none() && !self.is_sealed {
            self.forgotten = Some(self.rows.len());
            self.rows = Vec::new();
            self.block.forget();
        }
    }

    fn seal(&mut self, rows: usize) {
        self.block.seal(rows);
        self.rows.drain(..rows.min(self.rows.len()));
        self.final_rows -= rows.min(self.final_rows);
        self.is_sealed = true;
    }

    /// Whether nothing comes any more: all rows are given away, and there was no change since they were drawn.
    fn is_over(&self) -> bool {
        self.rows.is_empty()
            && self.block.is_done()
            && self.drawn.is_some_and(|(revision, _)| revision == self.block.revision())
    }
}

/// Which of the rows that are not final are left out: the first of them, and how many.
fn hidden(live: usize, room: usize) -> Option<(usize, usize)> {
    if live <= room {
        return None;
    }
    let (head, tail) = match room {
        0 => (0, 0),
        1 | 2 => (0, 1),
        _ => (1, room - 2),
    };
    Some((head, live - head - tail))
}

impl<B: fmt::Debug> fmt::Debug for Document<B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.blocks.iter().map(|entry| (entry.id, &entry.block))).finish()
    }
}
