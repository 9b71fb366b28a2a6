//! All messages of the current branch, those that a compaction has summarised included.

use std::sync::Arc;

use pi_ai::Message;
use pi_coding_agent::agent_session::{AgentSession, Error};
use pi_coding_agent::messages::CompactionSummaryMessage;
use pi_coding_agent::session::{CompactionEntry, SessionEntry, SessionManager};

/// Reads them, in their order. A summary stands where it was made.
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
