//! Messages that wait: what is queued for the run, above the editor.

use pi_coding_agent::agent_session::StreamingBehavior;
use pi_tui::keymap::Keymap;
use pi_tui::text::{Line, Row};

use super::keys::MESSAGE_DEQUEUE;
use super::theme_styles::ThemeStyles;
use crate::common::one_line::one_line;

/// What waits.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Pending {
    /// For the next turn.
    pub(super) steering: Vec<String>,
    /// For the end of the run.
    pub(super) follow_up: Vec<String>,
    /// Said while the history was being summarised: they go to the session when that is over.
    pub(super) held: Vec<HeldMessage>,
}

/// A message that the session has not got yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HeldMessage {
    pub(super) text: String,
    pub(super) behavior: StreamingBehavior,
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        self.steering.is_empty() && self.follow_up.is_empty() && self.held.is_empty()
    }

    /// The texts of all, in the order in which they will be delivered.
    pub(super) fn texts(&self) -> Vec<String> {
        let held = self.held.iter().map(|held| &held.text);
        self.steering.iter().chain(&self.follow_up).chain(held).cloned().collect()
    }

    /// Takes the messages that the session has not got.
    pub(super) fn take_held(&mut self) -> Vec<HeldMessage> {
        std::mem::take(&mut self.held)
    }

    /// One row for each, and how to change them.
    pub(super) fn rows(&self, look: &ThemeStyles, keys: &Keymap, columns: u16) -> Vec<Row> {
        if self.is_empty() {
            return Vec::new();
        }
        let row = |label: &str, text: &str| format!(" {label}: {}", one_line(text));
        let mut lines: Vec<String> = Vec::new();
        for (label, texts, behavior) in [
            ("Steering", &self.steering, StreamingBehavior::Steer),
            ("Follow-up", &self.follow_up, StreamingBehavior::FollowUp),
        ] {
            lines.extend(texts.iter().map(|text| row(label, text)));
            let held = self.held.iter().filter(|held| held.behavior == behavior);
            lines.extend(held.map(|held| row(label, &held.text)));
        }
        lines.push(format!(" ↳ {} to edit all queued messages", keys.hint(MESSAGE_DEQUEUE)));
        let rows = lines
            .into_iter()
            .map(|line| Row::new(&Line::styled(line, look.dim()).cut(usize::from(columns), "..."), columns));
        std::iter::once(Row::blank()).chain(rows).collect()
    }
}
