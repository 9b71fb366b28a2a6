//! How messages, entries and Markdown look where there is a screen. Headless modes never call any of this.

use serde::Serialize;
use serde_json::Value;

use crate::events::HandlerError;
use crate::session::messages::CustomMessage;

/// Draws custom messages of one type.
pub type MessageRenderer = dyn Fn(&CustomMessage, RenderOptions) -> Option<Vec<String>> + Send + Sync;

/// Draws custom entries of one type, which are JSON as in the session file; `None` shows nothing.
pub type EntryRenderer = dyn Fn(&Value, RenderOptions) -> Result<Option<Vec<String>>, HandlerError> + Send + Sync;

/// Changes Markdown before it is drawn; `None` leaves it as it is. The width is that of the text, and partial is what a
/// model still writes.
pub type MarkdownTransformer =
    dyn Fn(&str, MarkdownKind, RenderOptions) -> Result<Option<String>, HandlerError> + Send + Sync;

/// Whose Markdown is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum MarkdownKind {
    /// A message of the user.
    #[serde(rename = "user")]
    User,
    /// An answer.
    #[serde(rename = "assistant")]
    Assistant,
    /// What a model thinks.
    #[serde(rename = "assistant-thinking")]
    Thinking,
}

/// How something is to be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderOptions {
    /// Cells per line; a longer line is cut.
    pub width: usize,
    /// Whether the user asked for all of it.
    pub expanded: bool,
    /// Whether more is to come.
    pub is_partial: bool,
}
