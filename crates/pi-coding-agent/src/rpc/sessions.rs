//! Commands about the session as a whole: the user's own shell commands, its name, going to another one.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::response::{Address, Named};
use crate::agent_session::{AgentSession, BashOptions, Error, ForkPosition, PieceListener, Replacement};
use crate::extension::ReplacementOptions;
use crate::session::{self, MissingCwd};

/// Names of these commands.
pub(super) const KNOWN: &[&str] = &["bash", "abort_bash", "set_session_name", "switch_session", "fork", "clone"];

/// Said to who asks for an empty name. Clients match on this text.
const EMPTY_NAME: &str = "Session name cannot be empty";

/// Said to who goes to a session whose directory is gone, behind the three lines that clients know.
const MISSING_CWD: &str = "Send it again with \"missingCwd\": \"here\" to go on in the current directory, or \"fork\" to go on with a copy that belongs there.";

/// A command with its fields.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(crate) enum SessionCommand {
    /// Runs a shell command of the user.
    Bash {
        command: String,
        #[serde(default)]
        exclude_from_context: bool,
    },
    /// Kills the shell command that was started last.
    AbortBash {},
    /// Names the session.
    SetSessionName { name: String },
    /// Goes to the session in a file.
    SwitchSession { session_path: PathBuf, missing_cwd: Option<MissingCwd> },
    /// Goes to a new session that ends in front of what the user said.
    Fork { entry_id: String },
    /// Goes to a copy of the current branch.
    Clone {},
}

/// Runs a command and returns its response. `on_piece` gets the output of a shell command.
pub(super) async fn run(
    session: &AgentSession,
    command: SessionCommand,
    address: &Address,
    on_piece: Option<Arc<PieceListener>>,
) -> Vec<u8> {
    match command {
        SessionCommand::Bash { command, exclude_from_context } => {
            let options = BashOptions { exclude_from_context, on_piece, ..BashOptions::default() };
            address.outcome(session.shell().run(&command, options).await)
        }
        SessionCommand::AbortBash {} => {
            session.shell().abort();
            address.success()
        }
        SessionCommand::SetSessionName { name } if name.trim().is_empty() => address.failure(EMPTY_NAME),
        SessionCommand::SetSessionName { name } => address.done(session.name().set(&name).await),
        SessionCommand::SwitchSession { session_path, missing_cwd } => {
            let options = ReplacementOptions { missing_cwd, ..ReplacementOptions::default() };
            match session.switch().to_with(&session_path, options).await {
                Err(error @ Error::Session(session::Error::MissingCwd { .. })) => {
                    address.failure(&format!("{error}\n{MISSING_CWD}"))
                }
                outcome => address.outcome(outcome.map(|went_to| went(&went_to))),
            }
        }
        SessionCommand::Fork { entry_id } => {
            let forked = session.tree().fork(&entry_id, ForkPosition::Before).await;
            address.outcome(forked.map(|forked| Forked { text: forked.selected_text, cancelled: forked.cancelled }))
        }
        SessionCommand::Clone {} => address.outcome(session.tree().clone_branch().await.map(|went_to| went(&went_to))),
    }
}

/// What is told of going to another session.
pub(super) fn went(replacement: &Replacement) -> Named<bool> {
    Named::new("cancelled", replacement.cancelled)
}

/// What is told of a fork.
#[derive(Serialize)]
struct Forked {
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    cancelled: bool,
}
