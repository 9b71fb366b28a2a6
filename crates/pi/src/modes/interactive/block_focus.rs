//! Blocks that are in the window are folded one by one: a key goes to the last of them, arrows to others, Enter shows more or less.
//! Ctrl+O stays the switch for all. A block that has begun to leave the window stays as it is: its rows are the terminal's.

use pi_tui::document::BlockId;
use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::Line;

use super::app::App;
use super::chat::ChatBlock;
use super::panel::{Panel, PanelReply, PanelRows};
use super::theme_styles::ThemeStyles;

/// Goes to the last block that can be folded.
pub(super) fn open(app: &mut App) {
    let blocks = foldable(app);
    let Some(last) = blocks.last().copied() else {
        return app.status("Nothing in the window can be folded; /transcript shows the whole session");
    };
    focus(app, Some(last));
    app.open(BlockFocus { count: blocks.len(), at: blocks.len() });
}

/// Blocks that can still look otherwise, top down.
fn foldable(app: &mut App) -> Vec<BlockId> {
    let blocks = app.transcript.document_mut().iter_mut();
    blocks.filter(|(_, block)| block.can_fold()).map(|(id, _)| id).collect()
}

/// Marks this block and no other.
fn focus(app: &mut App, focused: Option<BlockId>) {
    for (id, block) in app.transcript.document_mut().iter_mut() {
        block.set_focused(Some(id) == focused);
    }
}

/// The block that is marked.
fn focused(app: &mut App) -> Option<BlockId> {
    app.transcript.document_mut().iter_mut().find(|(_, block)| block.is_focused()).map(|(id, _)| id)
}

/// Goes to the block before the marked one, or behind it; what has left the window meanwhile is passed over.
fn step(app: &mut App, forward: bool) {
    let blocks = foldable(app);
    let at = focused(app).and_then(|id| blocks.iter().position(|block| *block == id));
    let last = blocks.len().saturating_sub(1);
    let next = match at {
        Some(at) if forward => (at + 1).min(last),
        Some(at) => at.saturating_sub(1),
        None => last,
    };
    focus(app, blocks.get(next).copied());
}

/// Shows more of the marked block, or less.
fn toggle(app: &mut App) {
    let (id, is_expanded) = (focused(app), app.shared.is_expanded());
    let block = id.and_then(|id| app.transcript.document_mut().get_mut(id));
    if let Some(block) = block.filter(|block| block.can_fold()) {
        ChatBlock::toggle(block, is_expanded);
    }
}

/// What stands in the editor's place meanwhile.
struct BlockFocus {
    count: usize,
    at: usize,
}

impl Panel for BlockFocus {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, _height: u16) -> PanelRows {
        let mut out = PanelRows::default();
        out.rule(look, columns);
        let text = format!(
            "Block {} of {}: {} more or less · {}/{} another · {} back",
            self.at,
            self.count,
            keys.hint(action::SELECT_CONFIRM),
            keys.hint(action::SELECT_UP),
            keys.hint(action::SELECT_DOWN),
            keys.hint(action::SELECT_CANCEL)
        );
        out.line(&Line::styled(text, look.dim()), columns);
        out.rule(look, columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        let Input::Key(event) = input else { return PanelReply::Ignored };
        if keys.is(event, action::SELECT_CANCEL) {
            return PanelReply::close_and(|app| focus(app, None));
        } else if keys.is(event, action::SELECT_CONFIRM) {
            return PanelReply::act(toggle);
        } else if keys.is(event, action::SELECT_UP) {
            self.at = self.at.saturating_sub(1).max(1);
            return PanelReply::act(|app| step(app, false));
        } else if keys.is(event, action::SELECT_DOWN) {
            self.at = (self.at + 1).min(self.count);
            return PanelReply::act(|app| step(app, true));
        }
        PanelReply::Ignored
    }
}
