//! The `images.blockImages` setting: images are replaced by a sentence before a model sees them.

use std::sync::Arc;

use pi_ai::{ContentBlock, Message, UserContent};

/// What stands in for an image; the model is told, so that it does not ask for it again.
const NOTICE: &str = "Image reading is disabled.";

/// Replaces all images. Messages without any are passed on as they are.
pub(crate) fn block_images(messages: Vec<Arc<Message>>) -> Vec<Arc<Message>> {
    messages.into_iter().map(|message| blocked(&message).map_or(message, Arc::new)).collect()
}

fn blocked(message: &Message) -> Option<Message> {
    match message {
        Message::User(user) => match &user.content {
            UserContent::Blocks(blocks) if has_image(blocks) => {
                let content = UserContent::Blocks(without_images(blocks));
                Some(Message::User(pi_ai::UserMessage { content, ..user.clone() }))
            }
            _ => None,
        },
        Message::ToolResult(result) if has_image(&result.content) => {
            let content = without_images(&result.content);
            Some(pi_ai::ToolResultMessage { content, ..(**result).clone() }.into())
        }
        _ => None,
    }
}

fn has_image(blocks: &[ContentBlock]) -> bool {
    blocks.iter().any(|block| matches!(block, ContentBlock::Image(_)))
}

/// One notice per run of images.
fn without_images(blocks: &[ContentBlock]) -> Vec<ContentBlock> {
    let mut kept: Vec<ContentBlock> = Vec::with_capacity(blocks.len());
    for block in blocks {
        if !matches!(block, ContentBlock::Image(_)) {
            kept.push(block.clone());
        } else if kept.last().and_then(ContentBlock::as_text) != Some(NOTICE) {
            kept.push(ContentBlock::text(NOTICE));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use pi_ai::UserMessage;

    use super::*;

    #[test]
    fn a_run_of_images_becomes_one_notice() {
        let image = || ContentBlock::image("AAAA", "image/png");
        let blocks = vec![ContentBlock::text("a"), image(), image(), ContentBlock::text("b"), image()];
        let message = Arc::new(Message::from(UserMessage::blocks(blocks, 0)));
        let plain = Arc::new(Message::from(UserMessage::text("plain", 0)));
        let result = block_images(vec![message, Arc::clone(&plain)]);
        let Message::User(user) = &*result[0] else { panic!("{result:?}") };
        let UserContent::Blocks(blocks) = &user.content else { panic!("{user:?}") };
        let texts: Vec<_> = blocks.iter().filter_map(ContentBlock::as_text).collect();
        assert_eq!(texts, ["a", NOTICE, "b", NOTICE]);
        assert!(Arc::ptr_eq(&result[1], &plain), "untouched messages are shared");
    }
}
