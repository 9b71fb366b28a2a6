//! A screen that is one of several clients of a session: who sent what waits, and what others do to the session.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pi_guard::{Panic, Unpoisoned};
use pi_tui::term::TermError;
use tokio_util::sync::CancellationToken;

use super::app::App;
use super::lent::LentTerminal;
use super::outside::ClientSide;
use super::status::Activity;
use super::{footer_data, restore};

/// A screen catches up so much later, in milliseconds: the one whose user did it draws by itself.
const LATER_MS: u64 = 150;
/// Of so many messages the senders are known.
const MOST_SENT: usize = 64;

/// What a screen on the terminal of a client needs besides its options.
#[derive(Debug)]
pub(crate) struct Attachment {
    /// The client's terminal.
    pub(crate) terminal: LentTerminal,
    /// What happens there, and to the session.
    pub(crate) outside: ClientSide,
    /// Fires when the session's extensions have begun.
    pub(crate) begun: CancellationToken,
    /// Who sent the messages of the session that wait.
    pub(crate) senders: Senders,
    /// What others see this client as.
    pub(crate) name: String,
}

/// Why a screen on the terminal of a client is gone, or never came.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AttachedError {
    /// It is no terminal.
    #[error(transparent)]
    Terminal(#[from] TermError),
    /// The screen panicked. What was typed is kept.
    #[error("the screen broke down ({0}); the session goes on, and pi attach shows it again")]
    Panicked(String),
}

impl From<Panic> for AttachedError {
    fn from(panic: Panic) -> Self {
        let text = panic.text().unwrap_or("a panic without a reason");
        Self::Panicked(pi_ai::without_known_secrets(text))
    }
}

/// Who sent which message. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Senders(Arc<Mutex<Vec<Sent>>>);

#[derive(Debug)]
struct Sent {
    text: String,
    sender: String,
}

impl Senders {
    /// Somebody sends this.
    pub(crate) fn note(&self, sender: &str, text: &str) {
        let mut sent = self.0.lock().unpoisoned();
        if sent.len() == MOST_SENT {
            sent.remove(0);
        }
        sent.push(Sent { text: text.to_owned(), sender: sender.to_owned() });
    }
}

/// A screen among the clients of the session.
#[derive(Debug, Default)]
pub(super) struct Seat {
    /// The user, where the session has several.
    pub(super) sender: Option<Sender>,
    /// When the session was drawn anew last, in milliseconds of the mode.
    pub(super) replayed_ms: Option<u64>,
}

/// The user of this screen, as one of the senders.
#[derive(Debug)]
pub(super) struct Sender {
    pub(super) name: String,
    pub(super) senders: Senders,
}

impl Sender {
    /// The user sends this.
    pub(super) fn sends(&self, text: &str) {
        self.senders.note(&self.name, text);
    }

    /// Who else sent this, as far as it is known.
    pub(super) fn other(&self, text: &str) -> Option<String> {
        let sent = self.senders.0.lock().unpoisoned();
        let newest = sent.iter().rev().find(|sent| sent.text == text)?;
        (newest.sender != self.name).then(|| newest.sender.clone())
    }
}

/// Takes over what goes on: the session may have been at work for long.
pub(super) fn catch_up(app: &mut App) {
    if app.session.compaction().is_running() {
        app.activity = Activity::Compacting("Compacting".to_owned());
    } else if app.session.is_streaming() {
        app.activity = Activity::Working;
    }
    app.pending.steering = app.session.queue().steering();
    app.pending.follow_up = app.session.queue().follow_ups();
}

/// The screen shows what another client made of the session, soon.
#[derive(Debug, Clone, Copy)]
pub(super) struct CatchUp {
    /// When it was done, in milliseconds of the mode.
    since_ms: u64,
}

impl CatchUp {
    pub(super) fn from(now_ms: u64) -> Self {
        Self { since_ms: now_ms }
    }

    pub(super) fn due_in(self, now_ms: u64) -> Duration {
        Duration::from_millis((self.since_ms + LATER_MS).saturating_sub(now_ms))
    }

    pub(super) fn is_due(self, now_ms: u64) -> bool {
        self.due_in(now_ms).is_zero()
    }

    /// Draws the session anew, unless this screen has done so by itself.
    pub(super) fn run(self, app: &mut App) {
        let has_drawn = app.seat.replayed_ms.is_some_and(|at| at + LATER_MS >= self.since_ms);
        if has_drawn {
            footer_data::session_changed(app);
        } else {
            restore::replay(app);
            app.status("Another client went on with this");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_sent_bears_their_name() {
        let senders = Senders::default();
        let [mine, theirs] = ["mine", "theirs"].map(|name| Sender { name: name.to_owned(), senders: senders.clone() });
        mine.sends("first");
        theirs.sends("second");
        assert_eq!(mine.other("first"), None);
        assert_eq!(mine.other("second").as_deref(), Some("theirs"));
        assert_eq!(theirs.other("first").as_deref(), Some("mine"));
        assert_eq!(theirs.other("unknown"), None);
        (0..MOST_SENT).for_each(|number| theirs.sends(&number.to_string()));
        assert_eq!(theirs.other("first"), None, "forgotten");
    }
}
