//! Texts that were sent before, and browsing among them.

use std::collections::VecDeque;

/// Older entries are dropped.
const MOST: usize = 100;

/// Earlier texts, the latest first.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    entries: VecDeque<String>,
    /// The entry that is shown, and the unsent text to come back to.
    shown: Option<(usize, String)>,
}

impl History {
    /// Adds a text; blank ones and repetitions of the latest are left out.
    pub(super) fn add(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() || self.entries.front().is_some_and(|latest| latest == text) {
            return;
        }
        self.entries.truncate(MOST - 1);
        self.entries.push_front(text.to_owned());
    }

    pub(super) fn is_browsing(&self) -> bool {
        self.shown.is_some()
    }

    /// The text is another's now: what is shown counts as the user's own.
    pub(super) fn stop(&mut self) {
        self.shown = None;
    }

    /// The next older text. `draft` is what is being written, asked for when browsing begins.
    pub(super) fn older(&mut self, draft: impl FnOnce() -> String) -> Option<&str> {
        let next = self.shown.as_ref().map_or(0, |(at, _)| at + 1);
        let entry = self.entries.get(next)?;
        let draft = self.shown.take().map_or_else(draft, |(_, draft)| draft);
        self.shown = Some((next, draft));
        Some(entry)
    }

    /// The next newer text, in the end the draft.
    pub(super) fn newer(&mut self) -> Option<String> {
        let (at, draft) = self.shown.take()?;
        let Some(newer) = at.checked_sub(1) else { return Some(draft) };
        self.shown = Some((newer, draft));
        self.entries.get(newer).cloned()
    }
}
