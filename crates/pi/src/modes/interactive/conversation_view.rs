//! Where in the conversation the window is, in full screen, and what of it is selected, as data.

use std::ops::Range;
use std::sync::Arc;

use pi_ai::Message;
use pi_tui::document::{BlockId, Selection, Viewport};

/// Where in the conversation the window is.
#[derive(Debug, Default)]
pub(super) struct ConversationView {
    pub(super) view: Viewport,
    /// Rows of the window that were the conversation's in the last frame.
    pub(super) area: usize,
    /// What stands in these rows: blocks, and the numbers of their rows.
    pub(super) places: Vec<(BlockId, usize)>,
    /// What is selected.
    pub(super) selection: Option<Selection>,
    /// Where a button of the mouse went down, while it is down.
    pub(super) pressed: Option<Selection>,
    /// Where the caret of the prompt is in the window, if the prompt is there.
    pub(super) caret: Option<(usize, u16)>,
    /// Messages of the session that are not in the conversation, if there are any.
    pub(super) earlier: Option<Earlier>,
}

/// Messages that were left out when the conversation was drawn.
#[derive(Debug)]
pub(super) struct Earlier {
    /// All messages; none where they are never shown.
    pub(super) messages: Vec<Arc<Message>>,
    /// Which of them are left out: the first ones, or those behind the first ones where somebody went to the top.
    pub(super) left_out: Range<usize>,
    /// The note that says so.
    pub(super) note: BlockId,
    /// The block behind it.
    pub(super) first: BlockId,
}

impl ConversationView {
    /// Rows of the conversation that are seen: away from the end one row says how many there are below.
    pub(super) fn window(&self) -> usize {
        let is_told = !self.view.is_following() && self.area > 1;
        (self.area - usize::from(is_told)).max(1)
    }
}
