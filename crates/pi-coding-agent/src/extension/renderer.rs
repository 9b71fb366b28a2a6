//! How custom messages look where there is a screen. Headless modes never call renderers.

use serde_json::Value;

use crate::session::messages::CustomMessage;

/// Draws custom messages of one type.
pub type MessageRenderer = dyn Fn(&CustomMessage, RenderOptions) -> Option<Vec<String>> + Send + Sync;

/// Draws custom entries of one type, which are JSON as in the session file.
pub type EntryRenderer = dyn Fn(&Value, RenderOptions) -> Option<Vec<String>> + Send + Sync;

/// Changes Markdown before it is drawn; `None` leaves it as it is.
pub type MarkdownTransformer = dyn Fn(&str) -> Option<String> + Send + Sync;

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
