//! The places that a session can be forked from: what the user said, on all branches.

use pi_ai::Message;
use serde::{Deserialize, Serialize};

use super::response::{Address, Named};
use crate::agent_session::AgentSession;
use crate::session::{SessionEntry, SessionManager, StoredEntry};

/// A place to fork from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ForkMessage {
    /// The id of the entry.
    pub entry_id: String,
    /// What the user said.
    pub text: String,
}

/// The response that lists them, in the order of the file. Reads all of the file, so it does that off the runtime.
pub(super) async fn list(session: &AgentSession, address: &Address) -> Vec<u8> {
    let read = session.read_copy(|manager: &SessionManager| {
        let messages = manager.entries().filter_map(|entry| entry.map(|entry| fork_message(&entry)).transpose());
        messages.collect::<Result<Vec<_>, _>>()
    });
    address.outcome(read.await.map(|messages| Named::new("messages", messages)))
}

fn fork_message(entry: &StoredEntry) -> Option<ForkMessage> {
    if entry.kind() != "message" {
        return None;
    }
    let SessionEntry::Message(stored) = entry.parse() else { return None };
    let Message::User(user) = &*stored.message else { return None };
    let message = ForkMessage { entry_id: entry.id().to_owned(), text: user.content.to_text() };
    (!message.text.is_empty()).then_some(message)
}
