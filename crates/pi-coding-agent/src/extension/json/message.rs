//! Messages and their content as handlers write them. What the session would keep but no model could be shown is refused:
//! it would be lost in silence.

use std::sync::Arc;

use pi_ai::{AssistantMessage, ContentBlock, Message, ToolResultMessage, UserContent, UserMessage};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::session::messages::AppMessage;

/// A message that can be used as what its role says.
pub(super) fn message(value: &Value) -> Result<Message, String> {
    if !value.is_object() {
        return Err("it is no object".to_owned());
    }
    let message = Message::deserialize(value).map_err(|error| error.to_string())?;
    let blocks = match &message {
        Message::User(UserMessage { content: UserContent::Blocks(blocks), .. }) => blocks,
        Message::Assistant(answer) => &answer.content,
        Message::ToolResult(result) => &result.content,
        Message::User(_) => return Ok(message),
        Message::Other(other) => {
            return match other.role() {
                "" => Err("it has no role".to_owned()),
                "user" => Err(reason::<UserMessage>(value)),
                "assistant" => Err(reason::<AssistantMessage>(value)),
                "toolResult" => Err(reason::<ToolResultMessage>(value)),
                "custom" | "bashExecution" | "branchSummary" | "compactionSummary"
                    if AppMessage::from_other(other).is_none() =>
                {
                    Err(reason::<AppMessage>(value))
                }
                _ => Ok(message),
            };
        }
    };
    check(blocks)?;
    Ok(message)
}

/// Messages in the place of others. Those that are as they were stay the same ones. `None` when all are.
pub(super) fn messages(old: &[Arc<Message>], values: &[Value]) -> Result<Option<Vec<Arc<Message>>>, String> {
    let mut new = Vec::with_capacity(values.len());
    let mut same = old.len() == values.len();
    for (index, value) in values.iter().enumerate() {
        let before = old.get(index);
        if let Some(before) = before
            && Message::deserialize(value).is_ok_and(|message| message == **before)
        {
            new.push(Arc::clone(before));
            continue;
        }
        same = false;
        let read = message(value).map_err(|error| format!("message {index} cannot be read: {error}"))?;
        new.push(Arc::new(read));
    }
    Ok((!same).then_some(new))
}

/// Content of a message that a model is shown.
pub(super) struct Blocks(pub(super) Vec<ContentBlock>);

impl<'de> Deserialize<'de> for Blocks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let blocks = Vec::deserialize(deserializer)?;
        check(&blocks).map_err(D::Error::custom)?;
        Ok(Self(blocks))
    }
}

/// Content of a message, or its text.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Content {
    /// The text.
    Text(String),
    /// The blocks.
    Blocks(Blocks),
}

impl From<Content> for UserContent {
    fn from(content: Content) -> Self {
        match content {
            Content::Text(text) => Self::Text(text),
            Content::Blocks(Blocks(blocks)) => Self::Blocks(blocks),
        }
    }
}

/// Blocks of types that are known must be what these say; others are kept for who knows them.
fn check(blocks: &[ContentBlock]) -> Result<(), String> {
    for block in blocks {
        let ContentBlock::Other(value) = block else { continue };
        let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
        if matches!(kind, "" | "text" | "thinking" | "image" | "toolCall") {
            return Err(format!("{} is no content block", super::answer::quoted(value)));
        }
    }
    Ok(())
}

/// Why a value is not of a type.
fn reason<T: DeserializeOwned>(value: &Value) -> String {
    T::deserialize(value).err().map_or_else(|| "it is incomplete".to_owned(), |error| error.to_string())
}
