//! The kill ring.

use std::collections::VecDeque;

/// Capacity; the oldest cuts are dropped.
const MOST: usize = 60;

/// Cut texts, latest last.
#[derive(Debug, Clone, Default)]
pub(crate) struct KillRing {
    cuts: VecDeque<String>,
}

impl KillRing {
    pub(crate) fn push(&mut self, text: String) {
        if self.cuts.len() == MOST {
            self.cuts.pop_front();
        }
        self.cuts.push_back(text);
    }

    /// Merges into the latest cut: prepends a backward cut, appends a forward one.
    pub(super) fn join(&mut self, text: String, is_backward: bool) {
        match self.cuts.back_mut() {
            Some(last) if is_backward => last.insert_str(0, &text),
            Some(last) => last.push_str(&text),
            None => self.push(text),
        }
    }

    pub(super) fn latest(&self) -> Option<&str> {
        self.cuts.back().map(String::as_str)
    }

    /// A cut, counted from the latest.
    pub(crate) fn at(&self, index: usize) -> Option<&str> {
        self.cuts.iter().rev().nth(index).map(String::as_str)
    }

    /// Rotates the ring by one; returns whether there are at least two cuts.
    pub(super) fn rotate(&mut self) -> bool {
        if self.cuts.len() < 2 {
            return false;
        }
        self.cuts.rotate_right(1);
        true
    }
}
