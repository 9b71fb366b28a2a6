//! What a client knows of each block from the plain events, so that only what it would lose is sent in addition.
//!
//! Text is not kept, only its length; the arguments of an open call are.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::api::proxy::wire::BlockEnd;
use crate::json_partial::PartialJson;
use crate::message::{ContentBlock, TextContent, ThinkingContent, ToolCall};

/// The blocks of a message, by index.
#[derive(Debug, Default)]
pub(super) struct ClientView(Vec<ClientBlock>);

/// A block as the client has it.
#[derive(Debug)]
struct ClientBlock {
    /// Everything but text and arguments.
    bare: ContentBlock,
    /// Length of the text in bytes.
    text: usize,
    /// Arguments of an open call.
    arguments: Option<PartialJson>,
}

impl ClientView {
    /// The number of blocks that the client has been told of.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The message begins anew.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The client opens a block that it believes to be like this.
    pub(super) fn opened(&mut self, block: ContentBlock) {
        let arguments = matches!(block, ContentBlock::ToolCall(_)).then(PartialJson::default);
        self.0.push(ClientBlock { bare: block, text: 0, arguments });
    }

    /// The client has the whole block.
    pub(super) fn whole(&mut self, block: &ContentBlock) {
        let (bare, text) = split(block);
        self.0.push(ClientBlock { bare, text, arguments: None });
    }

    /// The client appends to a block.
    pub(super) fn grew(&mut self, at: usize, delta: &str) {
        let Some(known) = self.0.get_mut(at) else { return };
        match &mut known.arguments {
            Some(json) => json.push(delta),
            None => known.text += delta.len(),
        }
    }

    /// What the end of a block has to say so that the client's block becomes this one.
    pub(super) fn end<'a>(&mut self, at: usize, block: &'a ContentBlock) -> BlockEnd<'a> {
        let signature = match block {
            ContentBlock::Text(text) => text.text_signature.as_deref(),
            ContentBlock::Thinking(thinking) => thinking.thinking_signature.as_deref(),
            _ => None,
        };
        let content_signature = signature.map(Cow::Borrowed);
        let Some(known) = self.0.get_mut(at) else { return BlockEnd { content_signature, block: None } };
        match &mut known.bare {
            ContentBlock::Text(text) => text.text_signature = signature.map(str::to_owned),
            ContentBlock::Thinking(thinking) => thinking.thinking_signature = signature.map(str::to_owned),
            _ => {}
        }
        let same_arguments = match (known.arguments.take(), block) {
            (Some(json), ContentBlock::ToolCall(call)) => parsed(&json) == call.arguments,
            _ => true,
        };
        let whole = (!same_arguments || known.differs(block)).then(|| Box::new(block.clone()));
        (known.bare, known.text) = split(block);
        BlockEnd { content_signature, block: whole }
    }

    /// Whether the block of the final message is another one than the client's.
    pub(super) fn differs(&self, at: usize, block: &ContentBlock) -> bool {
        self.0.get(at).is_none_or(|known| known.differs(block))
    }
}

impl ClientBlock {
    fn differs(&self, block: &ContentBlock) -> bool {
        let (bare, text) = split(block);
        self.text != text || self.bare != bare
    }
}

/// What a client reads from the text of arguments.
fn parsed(json: &PartialJson) -> Value {
    if json.is_blank() { Value::Object(Map::new()) } else { json.value() }
}

/// A block without text and arguments, and the length of the text.
fn split(block: &ContentBlock) -> (ContentBlock, usize) {
    match block {
        ContentBlock::Text(TextContent { text, text_signature, extra }) => {
            let bare =
                TextContent { text: String::new(), text_signature: text_signature.clone(), extra: extra.clone() };
            (ContentBlock::Text(bare), text.len())
        }
        ContentBlock::Thinking(thinking) => {
            let ThinkingContent { thinking: text, thinking_signature, redacted, extra } = thinking;
            let (thinking_signature, extra) = (thinking_signature.clone(), extra.clone());
            let bare = ThinkingContent { thinking: String::new(), thinking_signature, redacted: *redacted, extra };
            (ContentBlock::Thinking(bare), text.len())
        }
        ContentBlock::ToolCall(call) => {
            let ToolCall { id, name, arguments: _, thought_signature, extra } = &**call;
            let bare = ToolCall {
                id: id.clone(),
                name: name.clone(),
                arguments: Value::Object(Map::new()),
                thought_signature: thought_signature.clone(),
                extra: extra.clone(),
            };
            (bare.into(), 0)
        }
        other => (other.clone(), 0),
    }
}
