//! Messages that wait: what is queued for the run, above the editor.

use std::cell::{Ref, RefCell};
use std::rc::Rc;

use pi_coding_agent::agent_session::{QueuedPrompt, StreamingBehavior};
use pi_tui::keymap::Keymap;
use pi_tui::text::{Line, Row};

use super::keys::{MESSAGE_DEQUEUE, MESSAGE_QUEUE};
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

    /// One row for each, and how to change them. `sender` knows who else sent a text.
    pub(super) fn rows(
        &self,
        look: &ThemeStyles,
        keys: &Keymap,
        columns: u16,
        sender: impl Fn(&str) -> Option<String>,
    ) -> Vec<Row> {
        if self.is_empty() {
            return Vec::new();
        }
        let row = |label: &str, text: &str| match sender(text) {
            Some(sender) => format!(" {label} from {}: {}", one_line(&sender), one_line(text)),
            None => format!(" {label}: {}", one_line(text)),
        };
        let mut lines: Vec<String> = Vec::new();
        for (label, texts, behavior) in [
            ("Steering", &self.steering, StreamingBehavior::Steer),
            ("Follow-up", &self.follow_up, StreamingBehavior::FollowUp),
        ] {
            lines.extend(texts.iter().map(|text| row(label, text)));
            let held = self.held.iter().filter(|held| held.behavior == behavior);
            lines.extend(held.map(|held| row(label, &held.text)));
        }
        let (all, each) = (keys.hint(MESSAGE_DEQUEUE), keys.hint(MESSAGE_QUEUE));
        lines.push(format!(" ↳ {all} to edit all queued messages · {each} to change one"));
        let rows = lines
            .into_iter()
            .map(|line| Row::new(&Line::styled(line, look.dim()).cut(usize::from(columns), "..."), columns));
        std::iter::once(Row::blank()).chain(rows).collect()
    }
}

/// A message that waits.
#[derive(Debug, Clone)]
pub(super) enum Waiting {
    /// In a queue of the session.
    Queued(QueuedPrompt),
    /// For the end of a compaction: its place among those, and what it is.
    Held(usize, HeldMessage),
}

impl Waiting {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Queued(prompt) => &prompt.text,
            Self::Held(_, held) => &held.text,
        }
    }

    pub(super) fn behavior(&self) -> StreamingBehavior {
        match self {
            Self::Queued(prompt) => prompt.behavior,
            Self::Held(_, held) => held.behavior,
        }
    }
}

/// What the view shows. The panel has a clone of it while it is open.
#[derive(Debug, Clone, Default)]
pub(super) struct QueueView(Rc<RefCell<Vec<Waiting>>>);

impl QueueView {
    /// Whether the view is open, perhaps below an editor for one of the messages.
    pub(super) fn is_open(&self) -> bool {
        Rc::strong_count(&self.0) > 1
    }

    /// Shows these.
    pub(super) fn show(&self, waiting: Vec<Waiting>) {
        *self.0.borrow_mut() = waiting;
    }

    /// What is shown.
    pub(super) fn shown(&self) -> Ref<'_, Vec<Waiting>> {
        self.0.borrow()
    }
}
