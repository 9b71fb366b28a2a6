//! Entries of a session that extensions draw, and where they stand among the messages.

use std::sync::Arc;

use pi_ai::Message;
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::extension::Registration;
use pi_coding_agent::session::{SessionEntry, SessionManager, StoredEntry};
use serde_json::Value;

/// The entries among the messages from this one on, each with the message that follows it. Reads the branch from its end, no
/// further than that, and nothing where no extension draws entries.
pub(super) fn find(session: &AgentSession, messages: &[Arc<Message>], from: usize) -> Vec<(usize, Arc<Value>)> {
    let types = drawn_types(session);
    if types.is_empty() {
        return Vec::new();
    }
    session.store().read(|manager| among(manager, &types, messages, from))
}

/// The types of entries that extensions draw.
pub(super) fn drawn_types(session: &AgentSession) -> Vec<String> {
    let runner = session.extensions().runner();
    let all = runner.extensions().iter().flat_map(|extension| extension.registrations());
    all.filter(|(kind, _)| *kind == Registration::EntryRenderer).map(|(_, name)| name).collect()
}

fn among(
    manager: &SessionManager,
    types: &[String],
    messages: &[Arc<Message>],
    from: usize,
) -> Vec<(usize, Arc<Value>)> {
    let (mut at, mut found, mut first_kept) = (messages.len(), Vec::new(), None);
    // What cannot be read is not shown; its damage is told elsewhere.
    for entry in manager.entries().climb().map_while(Result::ok) {
        match entry.parse() {
            SessionEntry::Custom(custom) if types.contains(&custom.custom_type) => {
                found.extend(json(&entry).map(|json| (at, json)));
            }
            // What was compacted is not shown: the way ends with the first entry that was kept.
            SessionEntry::Compaction(compaction) if first_kept.is_none() => {
                first_kept = Some(compaction.first_kept_entry_id);
            }
            parsed => at = place_of(parsed, messages, from, at),
        }
        // Entries may stand before the first message of all.
        if (from > 0 && at <= from) || first_kept.as_deref() == Some(entry.id()) {
            break;
        }
    }
    found.reverse();
    found
}

/// Where the message of an entry stands, which is before that of a later one; there, if it is not among those shown.
fn place_of(entry: SessionEntry, messages: &[Arc<Message>], from: usize, at: usize) -> usize {
    let Some(message) = entry.into_message() else { return at };
    let shown = messages.get(from..at).unwrap_or_default();
    shown.iter().rposition(|shown| *shown == message).map_or(at, |found| from + found)
}

fn json(entry: &StoredEntry) -> Option<Arc<Value>> {
    serde_json::from_str(entry.raw()).ok().map(Arc::new)
}
