//! What commands of a client take and return, where no other module has the type.

use pi_ai::ContentBlock;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent_session::StreamingBehavior;

/// What the user says.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RpcMessage {
    /// The text.
    pub message: String,
    /// Images that go with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<ContentBlock>,
    /// Where a prompt goes while a run is in progress; without it the prompt is refused then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streaming_behavior: Option<StreamingBehavior>,
}

impl<T: Into<String>> From<T> for RpcMessage {
    fn from(text: T) -> Self {
        Self { message: text.into(), ..Self::default() }
    }
}

/// What became of going to another session.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct RpcReplaced {
    /// Whether an extension did not want it.
    pub cancelled: bool,
    /// What the user said where the session was forked.
    #[serde(default)]
    pub text: Option<String>,
}

/// Entries of a session.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RpcEntries {
    /// The entries as they are in the file.
    pub entries: Vec<Value>,
    /// The entry that the next one will follow; `None` at the root.
    pub leaf_id: Option<String>,
}

/// The entries of a session as a tree.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RpcTree {
    /// Nodes, each with its `entry`, `children` and, if it has one, its `label` and `labelTimestamp`.
    pub tree: Vec<Value>,
    /// The entry that the next one will follow; `None` at the root.
    pub leaf_id: Option<String>,
}

/// Something that prompts can begin with.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RpcCommandInfo {
    /// What follows the slash.
    pub name: String,
    /// For people.
    #[serde(default)]
    pub description: Option<String>,
    /// `prompt`, `skill` or `extension`.
    pub source: String,
    /// Where it came from, as the protocol says it.
    #[serde(default)]
    pub source_info: Value,
}
