//! The blocks as they are drawn: with a heading each, folded to it, as in the conversation, or with all they have.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use pi_coding_agent::agent_session::AgentSession;
use pi_tui::document::Heights;
use pi_tui::text::{Line, Row};

use super::super::branch_messages::BranchPart;
use super::super::chat::{Renderers, Transcript};
use super::super::shared::Shared;
use super::items::{self, Item};

/// So many drawn blocks are kept.
const MOST_DRAWN: usize = 500;
/// Rows of one block that are not final are not limited here: nothing becomes history.
const ANY_ROOM: usize = usize::MAX / 2;

/// All blocks.
pub(super) struct Blocks {
    pub(super) items: Arc<Vec<Item>>,
    drawn: HashMap<usize, Transcript>,
    folded: HashSet<usize>,
    full: HashSet<usize>,
    /// What blocks are drawn with, and those that show all they have.
    short: Rc<Shared>,
    long: Rc<Shared>,
    session: AgentSession,
    pub(super) columns: u16,
}

impl Blocks {
    pub(super) fn new(items: Vec<Item>, session: &AgentSession, shared: &Shared) -> Self {
        let (short, long) = (shared.copied(), shared.copied());
        short.set_expanded(false);
        long.set_expanded(true);
        let session = session.clone();
        Self {
            items: Arc::new(items),
            drawn: HashMap::new(),
            folded: HashSet::new(),
            full: HashSet::new(),
            short,
            long,
            session,
            columns: 1,
        }
    }

    /// Other blocks take the place of those that there are. What is folded stays so where the blocks are the same.
    pub(super) fn replace(&mut self, items: Vec<Item>) {
        let is_same =
            |at: &usize| matches!((items.get(*at), self.items.get(*at)), (Some(new), Some(old)) if new.is_same(old));
        self.drawn.retain(|at, _| is_same(at));
        self.folded.retain(is_same);
        self.full.retain(is_same);
        self.items = Arc::new(items);
    }

    /// More follows: its blocks are added. Returns the blocks that are new or have changed.
    pub(super) fn append(&mut self, parts: impl IntoIterator<Item = BranchPart>) -> Vec<usize> {
        let items = Arc::make_mut(&mut self.items);
        let before = items.len();
        let mut changed = items::append(items, parts);
        changed.iter().for_each(|at| drop(self.drawn.remove(at)));
        changed.extend(before..items.len());
        changed
    }

    /// What the blocks are drawn with, for what is asked for after a frame.
    pub(super) fn shared(&self) -> [&Rc<Shared>; 2] {
        [&self.short, &self.long]
    }

    pub(super) fn fold(&mut self, item: usize, is_folded: bool) {
        if is_folded {
            self.folded.insert(item);
        } else if !self.folded.remove(&item) {
            self.full.insert(item);
            self.drawn.remove(&item);
        }
    }

    /// Shows all of a block, or as much as the conversation does.
    pub(super) fn toggle(&mut self, item: usize) {
        if self.folded.remove(&item) {
            return;
        }
        if !self.full.remove(&item) {
            self.full.insert(item);
        }
        self.drawn.remove(&item);
    }

    /// Folds all blocks but the messages of the user; unfolds all if any is folded.
    pub(super) fn fold_all(&mut self) {
        if !self.folded.is_empty() {
            return self.folded.clear();
        }
        self.folded = (0..self.items.len()).filter(|at| !self.items[*at].is_prompt()).collect();
    }

    pub(super) fn unfold(&mut self, item: usize) {
        self.folded.remove(&item);
    }

    /// The rows of a block: the heading, what it shows, a blank.
    pub(super) fn rows(&mut self, item: usize, is_selected: bool) -> Vec<Row> {
        let is_folded = self.folded.contains(&item);
        let mut rows = vec![self.heading(item, is_selected, is_folded)];
        if !is_folded {
            rows.extend(self.content(item).into_iter().cloned());
            rows.push(Row::blank());
        }
        rows
    }

    fn heading(&self, item: usize, is_selected: bool, is_folded: bool) -> Row {
        let look = self.short.look();
        let Some(block) = self.items.get(item) else { return Row::blank() };
        let style = if is_selected { look.accent().bold() } else { look.muted() };
        let sign = match (is_selected, is_folded) {
            (true, false) => "▼ ",
            (false, false) => "▽ ",
            (true, true) => "▶ ",
            (false, true) => "▷ ",
        };
        let mut line = Line::styled(sign, style).and(block.title(), style);
        if is_folded {
            let source = block.source();
            let first = source.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            line.push("  ", look.dim());
            // A long line is cut before its characters are looked at.
            let end = first.char_indices().nth(usize::from(self.columns)).map_or(first.len(), |(end, _)| end);
            line.push(&first[..end], look.dim());
        }
        Row::new(&line, self.columns)
    }

    fn content(&mut self, item: usize) -> Vec<&Row> {
        if self.drawn.len() > MOST_DRAWN && !self.drawn.contains_key(&item) {
            self.drawn.clear();
        }
        let (items, session) = (&self.items, &self.session);
        let shared = if self.full.contains(&item) { &self.long } else { &self.short };
        let transcript = self.drawn.entry(item).or_insert_with(|| {
            let mut transcript = Transcript::new(shared);
            transcript.set_tools(session.tools().all().into_iter().map(|tool| tool.name).collect());
            transcript.set_renderers(Renderers::of(session));
            for part in items.get(item).map(Item::parts).unwrap_or_default() {
                match part {
                    BranchPart::Message(message) => transcript.message(&message),
                    BranchPart::Entry(entry) => transcript.entry(&entry),
                }
            }
            transcript
        });
        let rows = transcript.document_mut().rows(self.columns, ANY_ROOM).rows;
        // The heading stands where a blank separates blocks in the conversation.
        let blanks = rows.iter().take_while(|row| **row == &Row::blank()).count();
        rows.into_iter().skip(blanks).collect()
    }

    /// The row of a block in which a text occurs first.
    pub(super) fn row_with(&mut self, item: usize, occurs: impl Fn(&Row) -> bool) -> usize {
        self.rows(item, false).iter().position(occurs).unwrap_or_default()
    }
}

impl Heights for Blocks {
    fn height(&mut self, item: usize) -> usize {
        if self.folded.contains(&item) { 1 } else { 2 + self.content(item).len() }
    }

    fn count(&self) -> usize {
        self.items.len()
    }
}
