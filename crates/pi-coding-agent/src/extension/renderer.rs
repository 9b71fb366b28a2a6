//! How custom messages look where there is a screen. Headless modes never call renderers.

use crate::messages::CustomMessage;

/// Draws custom messages of one type.
pub type MessageRenderer = dyn Fn(&CustomMessage, RenderOptions) -> Option<Vec<String>> + Send + Sync;

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
