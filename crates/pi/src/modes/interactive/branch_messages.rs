//! All messages of the current branch, those that a compaction has summarised included, and the entries among them that
//! extensions draw.

use std::sync::Arc;

use pi_ai::Message;
use pi_coding_agent::agent_session::{AgentSession, Error};
use pi_coding_agent::messages::CompactionSummaryMessage;
use pi_coding_agent::session::{CompactionEntry, SessionEntry, SessionManager, StoredEntry};
use serde_json::Value;

/// So many new entries are read at once, while somebody looks; what has more of them is read as a whole.
const MOST_NEW: usize = 1000;

/// A part of the conversation.
#[derive(Debug, Clone)]
pub(super) enum BranchPart {
    Message(Arc<Message>),
    /// An entry that an extension draws, as JSON.
    Entry(Arc<Value>),
}

/// Some of the branch.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) parts: Vec<BranchPart>,
    /// The id of its last entry, whatever that is.
    pub(super) last: Option<String>,
}

/// Reads the messages, in their order. A summary stands where it was made.
///
/// # Errors
/// When the session's file cannot be read.
pub(super) async fn read(session: &AgentSession) -> Result<Vec<Arc<Message>>, Error> {
    let read = |manager: &SessionManager| {
        let entries = manager.entries().current_branch()?;
        Ok(entries.iter().filter_map(|entry| message(entry.parse())).collect())
    };
    session.store().read_copy(read).await
}

/// The same with the entries of these types.
///
/// # Errors
/// When the session's file cannot be read.
pub(super) async fn read_with_entries(session: &AgentSession, types: Vec<String>) -> Result<Branch, Error> {
    let read = move |manager: &SessionManager| Ok(of(&manager.entries().current_branch()?, &types));
    session.store().read_copy(read).await
}

/// What has come behind an entry. Nothing where it is not on the branch any more, or is far from its end.
pub(super) fn since(session: &AgentSession, types: &[String], last: &str) -> Option<Branch> {
    session.store().read(|manager| {
        let mut new = Vec::new();
        for entry in manager.entries().climb().take(MOST_NEW) {
            let entry = entry.ok()?;
            if entry.id() == last {
                new.reverse();
                let branch = of(&new, types);
                return Some(Branch { last: branch.last.or_else(|| Some(last.to_owned())), ..branch });
            }
            new.push(entry);
        }
        None
    })
}

fn of(entries: &[StoredEntry], types: &[String]) -> Branch {
    let parts = entries.iter().filter_map(|entry| part(entry, types)).collect();
    Branch { parts, last: entries.last().map(|entry| entry.id().to_owned()) }
}

fn part(entry: &StoredEntry, types: &[String]) -> Option<BranchPart> {
    match entry.parse() {
        SessionEntry::Custom(custom) if types.contains(&custom.custom_type) => {
            serde_json::from_str(entry.raw()).ok().map(|json| BranchPart::Entry(Arc::new(json)))
        }
        parsed => message(parsed).map(BranchPart::Message),
    }
}

/// The message of an entry, that of a summary included.
fn message(entry: SessionEntry) -> Option<Arc<Message>> {
    match entry {
        SessionEntry::Compaction(entry) => {
            let CompactionEntry { summary, tokens_before, .. } = entry;
            let message = CompactionSummaryMessage { summary, tokens_before, timestamp: 0 };
            Some(Arc::new(Message::from(message)))
        }
        entry => entry.into_message(),
    }
}
