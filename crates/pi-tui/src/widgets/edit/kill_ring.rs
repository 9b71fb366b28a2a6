//! The kill ring: what was cut last, and before.

use std::collections::VecDeque;

/// Older cuts are dropped.
const MOST: usize = 60;

/// Cuts, the latest last.
#[derive(Debug, Clone, Default)]
pub(super) struct KillRing {
    cuts: VecDeque<String>,
}

impl KillRing {
    pub(super) fn push(&mut self, text: String) {
        if self.cuts.len() == MOST {
            self.cuts.pop_front();
        }
        self.cuts.push_back(text);
    }

    /// Adds to the latest cut: in front of it what was cut backwards, behind it the rest.
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

    /// Makes the cut before the latest the latest; whether there is one.
    pub(super) fn rotate(&mut self) -> bool {
        if self.cuts.len() < 2 {
            return false;
        }
        self.cuts.rotate_right(1);
        true
    }
}
