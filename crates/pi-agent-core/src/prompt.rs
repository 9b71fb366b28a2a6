//! What a run can be started with.

use std::sync::Arc;

use pi_ai::{ContentBlock, Message, UserMessage};

/// What a prompt may be made of.
#[derive(Debug, Clone)]
pub enum Prompt {
    /// Text with images, stored as one user message of blocks.
    Text {
        /// The text.
        text: String,
        /// Image blocks.
        images: Vec<ContentBlock>,
    },
    /// Messages as they are.
    Messages(Vec<Arc<Message>>),
}

impl Prompt {
    pub(crate) fn into_messages(self, now: i64) -> Vec<Arc<Message>> {
        match self {
            Self::Messages(messages) => messages,
            Self::Text { text, images } => {
                let blocks = std::iter::once(ContentBlock::text(text)).chain(images).collect();
                vec![Arc::new(UserMessage::blocks(blocks, now).into())]
            }
        }
    }
}

impl From<&str> for Prompt {
    fn from(text: &str) -> Self {
        Self::Text { text: text.to_owned(), images: Vec::new() }
    }
}

impl From<Message> for Prompt {
    fn from(message: Message) -> Self {
        Self::Messages(vec![Arc::new(message)])
    }
}

impl From<Vec<Arc<Message>>> for Prompt {
    fn from(messages: Vec<Arc<Message>>) -> Self {
        Self::Messages(messages)
    }
}
