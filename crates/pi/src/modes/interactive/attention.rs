//! Attention: the terminal is told that a turn has ended or a question waits, when its window is not in focus.
//!
//! Terminals report whether they are (mode 1004); until one has said so nobody is disturbed. What a notification says are the
//! first words of the answer or of the question.

use pi_ai::StopReason;
use pi_coding_agent::settings::TerminalNotify;
use pi_tui::term::Notification;

use super::app::App;
use super::{footer_data, tmux};
use crate::common::one_line::cut_line;

/// Characters of a notification.
const LONGEST: usize = 120;

/// Name and version of the terminal that tmux runs in, its `TERM`, and whether tmux passes sequences on to it.
const BEHIND_TMUX: &str = "#{client_termtype}|#{client_termname}|#{allow-passthrough}";

/// Whether the user looks, and how they are told otherwise.
#[derive(Debug, Default)]
pub(super) struct Attention {
    /// Whether the terminal has said that its window lost the focus.
    is_elsewhere: bool,
    /// Whether it has ever told anything about the focus.
    reports: bool,
    way: TerminalNotify,
    /// What the terminal understands that tmux runs in, where tmux passes it on.
    behind_tmux: Option<Notification>,
}

impl Attention {
    /// The window got the focus, or lost it.
    pub(super) fn set_focus(&mut self, is_gained: bool) {
        self.is_elsewhere = !is_gained;
    }

    /// The terminal says that its window got the focus, or lost it.
    pub(super) fn focus_reported(&mut self, is_gained: bool) {
        self.reports = true;
        self.set_focus(is_gained);
    }

    /// Whether the terminal reports the focus.
    pub(super) fn reports_focus(&self) -> bool {
        self.reports
    }

    /// How the user wants to be notified.
    pub(super) fn set_way(&mut self, way: TerminalNotify) {
        self.way = way;
    }
}

/// Asks tmux which terminal is behind it: its own name tells nothing about notifications.
pub(super) fn look_behind_tmux(app: &mut App) {
    if app.surface.is_in_tmux() {
        app.spawn(tmux::ask(BEHIND_TMUX), |app, answer| {
            app.attention.behind_tmux = answer.as_deref().and_then(behind_tmux);
        });
    }
}

/// A run is over, and nothing follows from it by itself.
pub(super) fn run_ended(app: &mut App) {
    // The answer may be long: it is not read for nothing.
    if !app.attention.is_elsewhere {
        return;
    }
    let last = app.session.agent().with_state(|state| state.messages.last().cloned());
    let Some(answer) = last.as_ref().and_then(|message| message.as_assistant()) else { return };
    let text = match &answer.error_message {
        Some(error) if answer.stop_reason == StopReason::Error => format!("Failed: {error}"),
        _ => answer.text(),
    };
    want(app, if text.trim().is_empty() { "Done" } else { &text });
}

/// A question waits for an answer.
pub(super) fn question(app: &mut App, title: &str) {
    want(app, &format!("Question: {title}"));
}

/// Tells the user, if they look elsewhere.
fn want(app: &mut App, text: &str) {
    let Attention { is_elsewhere, way, behind_tmux, .. } = app.attention;
    let terminal = app.surface.notification();
    let behind_tmux = app.surface.is_in_tmux().then_some(behind_tmux.unwrap_or_default());
    let Some((kind, passes)) = choose(way, terminal, behind_tmux).filter(|_| is_elsewhere) else { return };
    let title = footer_data::title(app);
    app.surface.notify(kind, passes, &title, &cut_line(text, LONGEST));
}

/// How, and whether tmux has to pass it on. `behind_tmux` is what the terminal understands that tmux runs in.
fn choose(
    way: TerminalNotify,
    terminal: Notification,
    behind_tmux: Option<Notification>,
) -> Option<(Notification, bool)> {
    let kind = match way {
        TerminalNotify::Off => return None,
        TerminalNotify::Auto => behind_tmux.unwrap_or(terminal),
        TerminalNotify::Bell => Notification::Bell,
        TerminalNotify::Osc9 => Notification::Osc9,
        TerminalNotify::Osc777 => Notification::Osc777,
        TerminalNotify::Osc99 => Notification::Osc99,
    };
    // The bell is for tmux itself: it marks the window.
    Some((kind, behind_tmux.is_some() && kind != Notification::Bell))
}

/// What the terminal understands that tmux runs in, by what tmux answered; nothing where tmux passes nothing on.
fn behind_tmux(answer: &str) -> Option<Notification> {
    let mut parts = answer.split('|');
    let (version, term, passes) = (parts.next()?, parts.next()?, parts.next().unwrap_or_default());
    // Before 3.3 there was no such option, and everything was passed on.
    if matches!(passes, "0" | "off") {
        return None;
    }
    Notification::of_terminal(version).or_else(|| Notification::of_terminal(term))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pi_tui::term::Notification::{Bell, Osc9, Osc99, Osc777};

    #[test]
    fn ways() {
        for (way, terminal, behind_tmux, expected) in [
            (TerminalNotify::Auto, Bell, None, Some((Bell, false))),
            (TerminalNotify::Auto, Osc99, None, Some((Osc99, false))),
            (TerminalNotify::Auto, Bell, Some(Osc99), Some((Osc99, true))),
            (TerminalNotify::Auto, Bell, Some(Bell), Some((Bell, false))),
            (TerminalNotify::Osc777, Osc99, None, Some((Osc777, false))),
            (TerminalNotify::Osc9, Bell, Some(Bell), Some((Osc9, true))),
            (TerminalNotify::Bell, Osc9, Some(Osc9), Some((Bell, false))),
            (TerminalNotify::Off, Osc9, None, None),
        ] {
            assert_eq!(choose(way, terminal, behind_tmux), expected, "{way:?} {terminal:?} {behind_tmux:?}");
        }
    }

    #[test]
    fn terminals_behind_tmux() {
        for (answer, expected) in [
            ("kitty(0.35.2)|xterm-kitty|1", Some(Osc99)),
            ("kitty(0.35.2)|xterm-kitty|0", None),
            ("|xterm-ghostty|on", Some(Osc9)),
            ("VTE(7600)|xterm-256color|all", Some(Osc777)),
            ("|xterm-256color|", None),
            ("", None),
        ] {
            assert_eq!(behind_tmux(answer), expected, "{answer:?}");
        }
    }
}
