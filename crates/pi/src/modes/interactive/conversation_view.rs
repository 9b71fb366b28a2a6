//! Where in the conversation the window is, in full screen, as data.

use pi_tui::document::Viewport;

/// Where in the conversation the window is.
#[derive(Debug, Default)]
pub(super) struct ConversationView {
    pub(super) view: Viewport,
    /// Rows of the window that were the conversation's in the last frame.
    pub(super) area: usize,
}

impl ConversationView {
    /// Rows of the conversation that are seen: away from the end one row says how many there are below.
    pub(super) fn window(&self) -> usize {
        let is_told = !self.view.is_following() && self.area > 1;
        (self.area - usize::from(is_told)).max(1)
    }
}
