//! Prompt history: earlier texts, and the position while browsing them.

use std::collections::VecDeque;

/// Older entries are dropped.
const MOST: usize = 100;

/// Earlier texts, newest first.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    entries: VecDeque<String>,
    /// While browsing: the index of the shown entry, and the draft to restore.
    shown: Option<(usize, String)>,
}

impl History {
    /// Adds a text, trimmed. Blank texts and repetitions of the newest entry are skipped.
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

    /// Ends browsing: an edited entry is a draft of its own.
    pub(super) fn stop(&mut self) {
        self.shown = None;
    }

    /// The next older entry. `draft` is called when browsing begins.
    pub(super) fn older(&mut self, draft: impl FnOnce() -> String) -> Option<&str> {
        let next = self.shown.as_ref().map_or(0, |(at, _)| at + 1);
        let entry = self.entries.get(next)?;
        let draft = self.shown.take().map_or_else(draft, |(_, draft)| draft);
        self.shown = Some((next, draft));
        Some(entry)
    }

    /// The next newer entry; after the newest, the draft.
    pub(super) fn newer(&mut self) -> Option<String> {
        let (at, draft) = self.shown.take()?;
        let Some(newer) = at.checked_sub(1) else { return Some(draft) };
        self.shown = Some((newer, draft));
        self.entries.get(newer).cloned()
    }
}
