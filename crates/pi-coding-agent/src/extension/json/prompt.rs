//! Answers about prompts, runs and messages.

use std::sync::Arc;

use serde_json::Value;

use super::answer::{HandlerAnswer, quoted};
use super::codec::JsonForm;
use super::message::{Blocks, Content, message, messages};
use crate::events::HandlerError;
use crate::extension::events::{
    BeforeAgentStartEvent, BeforeAgentStartOutcome, ContextEvent, ContextOutcome, InputEvent, InputOutcome,
    MessageEndEvent, MessageEndOutcome,
};
use crate::host::json_depth::shallow;
use crate::session::CustomMessageContent;

/// What content is written as.
const CONTENT: &str = "a string or an array of content blocks";

impl JsonForm for InputEvent {
    fn outcome(&self, mut answer: HandlerAnswer) -> Result<InputOutcome, HandlerError> {
        let Some(action) = answer.take("action") else { return Ok(InputOutcome::Continue) };
        match action.as_str() {
            Some("continue") => Ok(InputOutcome::Continue),
            Some("handled") => Ok(InputOutcome::Handled),
            Some("transform") => Ok(InputOutcome::Transform {
                text: answer.required_text("text", "action \"transform\"")?,
                images: answer.read("images", "an array of images")?.map(|Blocks(images)| images),
            }),
            _ => Err(answer.wrong("action", &action, "continue, transform or handled")),
        }
    }
}

impl JsonForm for BeforeAgentStartEvent {
    fn outcome(&self, mut answer: HandlerAnswer) -> Result<BeforeAgentStartOutcome, HandlerError> {
        let message = answer.object("message")?.map(custom_message).transpose()?;
        Ok(BeforeAgentStartOutcome { message, system_prompt: answer.text("systemPrompt")? })
    }
}

fn custom_message(mut answer: HandlerAnswer) -> Result<CustomMessageContent, HandlerError> {
    let content: Option<Content> = answer.read("content", CONTENT)?;
    let missing = || answer.error(format_args!("answered with a message without content; it must be {CONTENT}"));
    let content = content.ok_or_else(missing)?.into();
    Ok(CustomMessageContent {
        custom_type: answer.required_text("customType", "a message")?,
        content,
        display: answer.is_true("display"),
        details: answer.take("details").map(shallow),
    })
}

impl JsonForm for ContextEvent {
    fn outcome(&self, mut answer: HandlerAnswer) -> Result<ContextOutcome, HandlerError> {
        let new = match answer.take("messages") {
            Some(Value::Array(new)) => new,
            Some(other) => return Err(answer.wrong("messages", &other, "an array of messages")),
            None => match answer.left("messages") {
                Some(Value::Array(new)) => new,
                _ => return Ok(ContextOutcome::default()),
            },
        };
        let messages = messages(&self.messages, &new);
        let wrong = |error| answer.error(format_args!("answered with messages that cannot be used: {error}"));
        Ok(ContextOutcome { messages: messages.map_err(wrong)? })
    }
}

impl JsonForm for MessageEndEvent {
    fn outcome(&self, mut answer: HandlerAnswer) -> Result<MessageEndOutcome, HandlerError> {
        let Some(value) = answer.take("message").or_else(|| answer.left("message")) else {
            return Ok(MessageEndOutcome::default());
        };
        let read = message(&value).map_err(|error| {
            answer.error(format_args!("answered with a message that cannot be used: {error}: {}", quoted(&value)))
        })?;
        Ok(MessageEndOutcome { message: (read != *self.message).then(|| Arc::new(read)) })
    }
}
