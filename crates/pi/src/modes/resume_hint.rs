//! How to go on with a session later: the line that modes for people end with.

use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::session::SessionManager;

use crate::common::shell_word::quoted;

/// The line; nothing where no file was written.
pub(super) fn resume_hint(session: &AgentSession) -> Option<String> {
    let file = session.session_file().filter(|file| file.exists())?;
    let is_default = session.store().read(SessionManager::uses_default_session_dir);
    let dir = file.parent().map(|dir| dir.display().to_string()).unwrap_or_default();
    let place = if is_default { String::new() } else { format!(" --session-dir {}", quoted(&dir)) };
    Some(format!("To resume this session: pi{place} --session {}", session.session_id()))
}
