//! Images for models that accept only text: a note in their place.

use crate::message::{ContentBlock, UserContent, UserMessage};
use crate::model::Model;

const USER_NOTE: &str = "(image omitted: model does not support images)";
const TOOL_NOTE: &str = "(tool image omitted: model does not support images)";

/// The message without images; `None` when it stays as it is.
pub(super) fn of_user(user: &UserMessage, model: &Model) -> Option<UserMessage> {
    let UserContent::Blocks(blocks) = &user.content else { return None };
    let blocks = without_images(blocks, model, USER_NOTE)?;
    Some(UserMessage { content: UserContent::Blocks(blocks), timestamp: user.timestamp, extra: user.extra.clone() })
}

/// A tool result's content without images; `None` when it stays as it is.
pub(super) fn of_result(blocks: &[ContentBlock], model: &Model) -> Option<Vec<ContentBlock>> {
    without_images(blocks, model, TOOL_NOTE)
}

/// Replaces each run of images by one note; a note that already stands there is enough.
fn without_images(blocks: &[ContentBlock], model: &Model, note: &str) -> Option<Vec<ContentBlock>> {
    let is_image = |block: &ContentBlock| matches!(block, ContentBlock::Image(_));
    if model.accepts_images() || !blocks.iter().any(is_image) {
        return None;
    }
    let mut kept: Vec<ContentBlock> = Vec::with_capacity(blocks.len());
    for block in blocks {
        if !is_image(block) {
            kept.push(block.clone());
        } else if kept.last().and_then(ContentBlock::as_text) != Some(note) {
            kept.push(ContentBlock::text(note));
        }
    }
    Some(kept)
}
