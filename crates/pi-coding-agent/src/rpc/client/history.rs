//! The commands that read what is in the session.

use pi_ai::Message;

use super::commands::{Answer, optional};
use super::connection::Connection;
use super::{RpcEntries, RpcTree};
use crate::rpc::ForkMessage;

/// What is in the session: [`RpcClient::history`](super::RpcClient::history). Each method sends the command of its name
/// with `get_` in front of it.
#[derive(Debug, Clone, Copy)]
pub struct RpcHistory<'a>(pub(super) &'a Connection);

#[allow(clippy::missing_errors_doc)]
impl RpcHistory<'_> {
    /// The messages of the context.
    pub async fn messages(self) -> Answer<Vec<Message>> {
        self.0.ask_for("get_messages", "messages").await
    }

    /// The text of the newest answer.
    pub async fn last_assistant_text(self) -> Answer<Option<String>> {
        self.0.ask_for("get_last_assistant_text", "text").await
    }

    /// What the user said, on all branches.
    pub async fn fork_messages(self) -> Answer<Vec<ForkMessage>> {
        self.0.ask_for("get_fork_messages", "messages").await
    }

    /// The session's entries in the order of the file, or those behind the entry `since`.
    pub async fn entries(self, since: Option<&str>) -> Answer<RpcEntries> {
        self.0.ask("get_entries", &optional("since", since)).await
    }

    /// The session's entries as a tree.
    pub async fn tree(self) -> Answer<RpcTree> {
        self.0.ask("get_tree", &()).await
    }
}
