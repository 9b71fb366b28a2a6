//! Commands about the session as a whole: the user's own shell commands, its name, going to another one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::response::{Address, Named};
use crate::agent_session::{AgentSession, BashOptions, Error, ForkPosition, PieceListener, Replacement};
use crate::extension::ReplacementOptions;
use crate::session::{self, MissingCwd};

/// Said to who asks for an empty name. Clients match on this text.
const EMPTY_NAME: &str = "Session name cannot be empty";

/// Said to who goes to a session whose directory is gone, behind the three lines that clients know.
const MISSING_CWD: &str = "Send it again with \"missingCwd\": \"here\" to go on in the current directory, or \"fork\" to go on with a copy that belongs there.";

/// Leaves the conversation for an empty one.
pub(super) async fn begin(session: &AgentSession, parent: Option<PathBuf>, address: &Address) -> Vec<u8> {
    address.outcome(session.switch().to_new(parent).await.map(|begun| went(&begun)))
}

/// Writes the session as a page of HTML.
pub(super) async fn export(session: &AgentSession, path: Option<&str>, address: &Address) -> Vec<u8> {
    address.outcome(session.export().html(path).await.map(|path| Named::new("path", path)))
}

/// Runs a shell command of the user; `on_piece` gets its output.
pub(super) async fn bash(
    session: &AgentSession,
    command: &str,
    exclude_from_context: bool,
    on_piece: Option<Arc<PieceListener>>,
    address: &Address,
) -> Vec<u8> {
    let options = BashOptions { exclude_from_context, on_piece, ..BashOptions::default() };
    address.outcome(session.shell().run(command, options).await)
}

/// Names the session.
pub(super) async fn rename(session: &AgentSession, name: &str, address: &Address) -> Vec<u8> {
    if name.trim().is_empty() {
        return address.failure(EMPTY_NAME);
    }
    address.done(session.name().set(name).await)
}

/// Goes to the session in a file.
pub(super) async fn switch(
    session: &AgentSession,
    path: &Path,
    missing_cwd: Option<MissingCwd>,
    address: &Address,
) -> Vec<u8> {
    let options = ReplacementOptions { missing_cwd, ..ReplacementOptions::default() };
    match session.switch().to_with(path, options).await {
        Err(error @ Error::Session(session::Error::MissingCwd { .. })) => {
            address.failure(&format!("{error}\n{MISSING_CWD}"))
        }
        outcome => address.outcome(outcome.map(|replacement| went(&replacement))),
    }
}

/// Goes to a new session that ends in front of what the user said.
pub(super) async fn fork(session: &AgentSession, entry_id: &str, address: &Address) -> Vec<u8> {
    let forked = session.tree().fork(entry_id, ForkPosition::Before).await;
    address.outcome(forked.map(|forked| Forked { text: forked.selected_text, cancelled: forked.cancelled }))
}

/// Goes to a copy of the current branch.
pub(super) async fn clone(session: &AgentSession, address: &Address) -> Vec<u8> {
    address.outcome(session.tree().clone_branch().await.map(|replacement| went(&replacement)))
}

/// The data of a command that goes to another session.
fn went(replacement: &Replacement) -> Named<bool> {
    Named::new("cancelled", replacement.cancelled)
}

/// The data of `fork`.
#[derive(Serialize)]
struct Forked {
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    cancelled: bool,
}
