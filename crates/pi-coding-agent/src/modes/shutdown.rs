//! The orderly end of a session: what it started is stopped, what it wrote is on disk.

use std::time::Duration;

use crate::agent_session::AgentSession;
use crate::tools;

/// Tools that ignore the abort are not waited for longer than this.
const PATIENCE: Duration = Duration::from_secs(3);

/// Stops the session and kills what its tools left running.
pub async fn shut_down(session: &AgentSession) {
    // A tool that hangs must not keep the program; its processes are killed below in any case.
    let _ = tokio::time::timeout(PATIENCE, session.dispose()).await;
    tools::kill_all();
}
