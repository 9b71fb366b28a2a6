//! Blocks that are in the window are folded one by one: a key goes to the last of them, arrows to others, Enter shows more or less.
//! Ctrl+O stays the switch for all. A block that has begun to leave the window stays as it is: its rows are the terminal's.

use std::rc::Rc;

use pi_tui::document::BlockId;
use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::Line;

use super::app::App;
use super::chat::ChatBlock;
use super::panel::{Panel, PanelReply, PanelRows};
use super::shared::Shared;
use super::theme_styles::ThemeStyles;
use super::viewport;

/// Goes to the last block that can be folded.
pub(super) fn open(app: &mut App) {
    let blocks = foldable(app);
    let Some(last) = blocks.last().copied() else {
        return app.status("Nothing in the window can be folded; /transcript shows the whole session");
    };
    focus(app, Some(last));
    let place = Rc::clone(&app.shared);
    app.open(BlockFocus { shown: place });
    app.shared.set_focused_block(Some((blocks.len(), blocks.len())));
}

/// Finds out, before a frame, which of the blocks that are there by now is marked.
pub(super) fn refresh(app: &mut App) {
    if app.shared.focused_block().is_none() {
        return;
    }
    let blocks = foldable(app);
    let at = focused(app).and_then(|id| blocks.iter().position(|block| *block == id));
    app.shared.set_focused_block(Some((at.map_or(0, |at| at + 1), blocks.len())));
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
    if let Some(id) = focused {
        viewport::show(app, id);
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
    /// Where it stands which block is marked.
    shown: Rc<Shared>,
}

impl Panel for BlockFocus {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, _height: u16) -> PanelRows {
        let mut out = PanelRows::default();
        out.rule(look, columns);
        let block = match self.shown.focused_block() {
            Some((at, count)) if at > 0 => format!("Block {at} of {count}"),
            _ => "The block has left the window".to_owned(),
        };
        let text = format!(
            "{block}: {} more or less · {}/{} another · {} back",
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
            return PanelReply::close_and(|app| {
                focus(app, None);
                app.shared.set_focused_block(None);
            });
        } else if keys.is(event, action::SELECT_CONFIRM) {
            return PanelReply::act(toggle);
        } else if keys.is(event, action::SELECT_UP) {
            return PanelReply::act(|app| step(app, false));
        } else if keys.is(event, action::SELECT_DOWN) {
            return PanelReply::act(|app| step(app, true));
        }
        PanelReply::Ignored
    }
}
