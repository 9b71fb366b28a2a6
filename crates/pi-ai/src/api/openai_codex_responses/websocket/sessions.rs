//! What is remembered between the calls of a session: its connection, whether WebSockets failed it, counters.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use pi_guard::Unpoisoned;

use super::connection::Connection;
use super::idle::Idle;
use super::stats::CodexSessionStats;

/// The sessions of one API value.
#[derive(Debug, Default)]
pub(in super::super) struct Sessions {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    sessions: HashMap<String, Session>,
    /// How many reservations there have been.
    tickets: u64,
}

#[derive(Debug, Default)]
struct Session {
    slot: Slot,
    /// A WebSocket failed: no further ones are tried.
    sse_only: bool,
    stats: CodexSessionStats,
}

/// The place of a session's connection.
#[derive(Debug, Default)]
enum Slot {
    #[default]
    Free,
    /// In use, under this ticket.
    Busy(u64),
    Idle(Idle),
}

/// A session's place, held for one call. Dropping it frees the place.
#[derive(Debug)]
pub(super) struct Home {
    sessions: Arc<Sessions>,
    id: String,
    ticket: u64,
}

impl Sessions {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unpoisoned()
    }

    /// Counters of a session.
    pub(in super::super) fn stats(&self, id: &str) -> Option<CodexSessionStats> {
        self.lock().sessions.get(id).map(|session| session.stats.clone())
    }

    /// Closes the idle connection of a session, or of all; one in use closes when its call ends.
    pub(in super::super) fn cleanup(&self, id: Option<&str>) {
        let closed: Vec<Slot> = {
            let mut table = self.lock();
            let concerned = table.sessions.iter_mut().filter(|(name, _)| id.is_none_or(|id| id == name.as_str()));
            concerned.map(|(_, session)| std::mem::take(&mut session.slot)).collect()
        };
        for slot in closed {
            if let Slot::Idle(idle) = slot {
                idle.close();
            }
        }
    }

    /// Whether no further WebSockets are tried.
    pub(super) fn is_sse_only(&self, id: &str) -> bool {
        self.lock().sessions.get(id).is_some_and(|session| session.sse_only)
    }

    /// A WebSocket failed.
    pub(super) fn give_up_websockets(&self, id: &str) {
        self.lock().sessions.entry(id.to_owned()).or_default().sse_only = true;
    }

    /// Changes the counters of a session.
    pub(super) fn count(&self, id: &str, change: impl FnOnce(&mut CodexSessionStats)) {
        change(&mut self.lock().sessions.entry(id.to_owned()).or_default().stats);
    }

    /// Takes a session's place for one call, with the connection that may wait there; `None` while another call has it.
    pub(super) fn reserve(self: &Arc<Self>, id: &str) -> Option<(Home, Option<Idle>)> {
        let mut table = self.lock();
        table.tickets += 1;
        let ticket = table.tickets;
        let slot = &mut table.sessions.entry(id.to_owned()).or_default().slot;
        if matches!(slot, Slot::Busy(_)) {
            return None;
        }
        let idle = match std::mem::replace(slot, Slot::Busy(ticket)) {
            Slot::Idle(idle) => Some(idle),
            Slot::Free | Slot::Busy(_) => None,
        };
        Some((Home { sessions: Arc::clone(self), id: id.to_owned(), ticket }, idle))
    }
}

impl Home {
    /// Leaves a connection here for the next call, unless the session was cleaned up meanwhile.
    pub(super) fn keep(self, connection: Connection) {
        let mut table = self.sessions.lock();
        if let Some(slot) = self.slot(&mut table) {
            *slot = Idle::new(connection).map_or(Slot::Free, Slot::Idle);
        }
    }

    /// The place, if it is still held under this ticket.
    fn slot<'a>(&self, table: &'a mut Table) -> Option<&'a mut Slot> {
        let slot = &mut table.sessions.get_mut(&self.id)?.slot;
        matches!(slot, Slot::Busy(ticket) if *ticket == self.ticket).then_some(slot)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let mut table = self.sessions.lock();
        if let Some(slot) = self.slot(&mut table) {
            *slot = Slot::Free;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_busy(sessions: &Arc<Sessions>, id: &str) -> bool {
        sessions.reserve(id).is_none()
    }

    #[test]
    fn a_place_is_held_by_one_call_at_a_time() {
        let sessions = Arc::new(Sessions::default());
        let (home, idle) = sessions.reserve("a").unwrap();
        assert!(idle.is_none());
        assert!(is_busy(&sessions, "a") && !is_busy(&sessions, "b"));
        drop(home);
        assert!(!is_busy(&sessions, "a"));
    }

    #[test]
    fn cleaning_up_frees_the_place_of_a_running_call() {
        let sessions = Arc::new(Sessions::default());
        let (first, _) = sessions.reserve("a").unwrap();
        sessions.cleanup(Some("b"));
        assert!(is_busy(&sessions, "a"));
        sessions.cleanup(None);
        let (_second, _) = sessions.reserve("a").unwrap();
        drop(first);
        assert!(is_busy(&sessions, "a"), "the first call must not free the place of the second");
    }

    #[test]
    fn failures_are_remembered_beyond_a_cleanup() {
        let sessions = Sessions::default();
        assert!(!sessions.is_sse_only("a"));
        sessions.give_up_websockets("a");
        sessions.cleanup(None);
        assert!(sessions.is_sse_only("a") && !sessions.is_sse_only("b"));
    }
}
