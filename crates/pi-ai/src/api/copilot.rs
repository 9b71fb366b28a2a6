//! Headers by which GitHub Copilot accounts for a request.

use std::sync::Arc;

use crate::error::Error;
use crate::message::{ContentBlock, Message, UserContent};

use super::headers::Headers;

pub(crate) use crate::provider::GITHUB_COPILOT as PROVIDER;

/// Sets the headers that depend on the transcript: who speaks, and whether images are part of it.
///
/// # Errors
/// None in practice: names and values are fixed.
pub(crate) fn set_headers(headers: &mut Headers, messages: &[Arc<Message>]) -> Result<(), Error> {
    let by_user = messages.last().is_none_or(|last| matches!(**last, Message::User(_)));
    headers.set("X-Initiator", if by_user { "user" } else { "agent" })?;
    headers.set("Openai-Intent", "conversation-edits")?;
    if messages.iter().any(|message| has_image(message)) {
        headers.set("Copilot-Vision-Request", "true")?;
    }
    Ok(())
}

fn has_image(message: &Message) -> bool {
    let blocks = match message {
        Message::User(user) => match &user.content {
            UserContent::Blocks(blocks) => blocks,
            UserContent::Text(_) => return false,
        },
        Message::ToolResult(result) => &result.content,
        Message::Assistant(_) | Message::Other(_) => return false,
    };
    blocks.iter().any(|block| matches!(block, ContentBlock::Image(_)))
}
