//! The view as a panel: rows and keys.

use pi_agent_core::QueueHold;
use pi_coding_agent::agent_session::{QueueChange, StreamingBehavior};
use pi_tui::input::Input;
use pi_tui::keymap::{Action, Keymap, action};
use pi_tui::text::{Line, Row};
use pi_tui::widgets::select::{SelectOutcome, Selection};

use super::super::keys;
use super::super::panel::{Panel, PanelReply, PanelRows};
use super::super::queued::{QueueView, Waiting};
use super::super::theme_styles::ThemeStyles;
use super::change;
use crate::common::one_line::one_line;

/// Rows around the list, and how many messages are seen at once.
const ROWS_AROUND: usize = 14;
const MOST_VISIBLE: usize = 10;

/// The messages that wait; none is delivered as long as this lives.
pub(super) struct QueuePanel {
    shown: QueueView,
    selection: Selection,
    _hold: QueueHold,
}

impl QueuePanel {
    pub(super) fn new(shown: QueueView, hold: QueueHold) -> Self {
        Self { shown, selection: Selection::new(0, MOST_VISIBLE), _hold: hold }
    }

    fn selected(&self) -> Option<Waiting> {
        self.shown.shown().get(self.selection.selected()?).cloned()
    }

    fn list(&self, out: &mut PanelRows, look: &ThemeStyles, columns: u16) {
        let waiting = self.shown.shown();
        if waiting.is_empty() {
            out.line(&Line::styled("  Nothing waits any more", look.dim()), columns);
        }
        for at in self.selection.visible() {
            let Some(message) = waiting.get(at) else { continue };
            let is_selected = self.selection.selected() == Some(at);
            let (mark, style) = if is_selected { ("→ ", look.accent()) } else { ("  ", look.text()) };
            let kind = match message.behavior() {
                StreamingBehavior::Steer => "Steering:  ",
                StreamingBehavior::FollowUp => "Follow-up: ",
            };
            let line = Line::styled(mark, style)
                .and(kind, look.muted())
                .and(one_line(message.text()), style)
                .and(images(message), look.dim());
            out.line(&line.cut(usize::from(columns), "…"), columns);
        }
        out.rows.extend(self.selection.counter().map(|text| Row::styled(&format!("  {text}"), look.dim(), columns)));
    }

    /// Moves a message, and the choice with it.
    fn moved(&mut self, waiting: Waiting, to: QueueChange) -> PanelReply {
        let shown = self.shown.shown();
        let at = self.selection.selected().unwrap_or_default();
        let other = if to == QueueChange::Earlier { at.checked_sub(1) } else { Some(at + 1) };
        // A message stays among those that are delivered when it is.
        let moves = |other: &Waiting| other.behavior() == waiting.behavior() || matches!(other, Waiting::Held(..));
        if let Some(other) = other.filter(|other| shown.get(*other).is_some_and(moves)) {
            self.selection.select(other);
        }
        drop(shown);
        PanelReply::act(move |app| change::change(app, waiting, to))
    }
}

fn images(message: &Waiting) -> String {
    match message {
        Waiting::Queued(prompt) => match prompt.images.len() {
            0 => String::new(),
            1 => " (with an image)".to_owned(),
            count => format!(" (with {count} images)"),
        },
        Waiting::Held(..) => String::new(),
    }
}

impl Panel for QueuePanel {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, height: u16) -> PanelRows {
        self.selection.set_count(self.shown.shown().len());
        let visible = usize::from(height).saturating_sub(ROWS_AROUND);
        self.selection.set_max_visible(visible.clamp(1, MOST_VISIBLE));
        let mut out = PanelRows::titled("Queued messages", look, columns);
        out.paragraph("None is delivered while this list is open.", look.muted(), columns);
        out.blank();
        self.list(&mut out, look, columns);
        out.blank();
        let hints = [
            (action::SELECT_CONFIRM, "edit"),
            (keys::QUEUE_SEND_NOW, "send now"),
            (keys::QUEUE_DELETE, "delete"),
            (keys::QUEUE_TOGGLE_KIND, "in or after the run"),
        ];
        let hint = |(action, verb): (Action, &str)| format!("{} {verb}", keys.hint(action));
        out.paragraph(&hints.map(hint).join(" · "), look.dim(), columns);
        let (up, down) = (keys.hint(keys::QUEUE_EARLIER), keys.hint(keys::QUEUE_LATER));
        out.end(format!("{up}, {down} move · {} close", keys.hint(action::SELECT_CANCEL)), look, columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        if let (Input::Key(event), Some(waiting)) = (input, self.selected()) {
            if keys.is(event, keys::QUEUE_EARLIER) {
                return self.moved(waiting, QueueChange::Earlier);
            } else if keys.is(event, keys::QUEUE_LATER) {
                return self.moved(waiting, QueueChange::Later);
            } else if keys.is(event, keys::QUEUE_DELETE) {
                return PanelReply::act(move |app| change::change(app, waiting, QueueChange::Remove));
            } else if keys.is(event, keys::QUEUE_TOGGLE_KIND) {
                let behavior = match waiting.behavior() {
                    StreamingBehavior::Steer => StreamingBehavior::FollowUp,
                    StreamingBehavior::FollowUp => StreamingBehavior::Steer,
                };
                return PanelReply::act(move |app| change::change(app, waiting, QueueChange::Behavior(behavior)));
            } else if keys.is(event, keys::QUEUE_SEND_NOW) {
                return PanelReply::act(move |app| change::send_now(app, waiting));
            }
        }
        match self.selection.handle(input, keys) {
            SelectOutcome::Chosen(_) => match self.selected() {
                Some(waiting) => PanelReply::act(move |app| change::edit(app, waiting)),
                None => PanelReply::Stay,
            },
            SelectOutcome::Cancelled => PanelReply::close_and(change::closed),
            SelectOutcome::Moved => PanelReply::Stay,
            SelectOutcome::Ignored => PanelReply::Ignored,
        }
    }
}
