//! Steps of a script: a message, or a function that makes one from the call.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt};
use serde_json::Value;

use crate::context::Context;
use crate::message::{AssistantMessage, ContentBlock, StopReason, ThinkingContent, ToolCall};
use crate::model::Model;
use crate::options::StreamOptions;
use crate::unknown_fields::Extra;

/// What a scripted provider answers to one call.
pub struct ScriptedStep(Box<StepFn>);

type StepFn = dyn FnOnce(ScriptedCall) -> BoxFuture<'static, Result<AssistantMessage, String>> + Send;

/// The call that a step answers.
#[derive(Debug, Clone)]
pub struct ScriptedCall {
    /// What the model would see.
    pub context: Context,
    /// The caller's options.
    pub options: StreamOptions,
    /// Calls so far, this one included.
    pub call_count: u64,
    /// The model that was asked.
    pub model: Arc<Model>,
}

impl ScriptedStep {
    /// A step that looks at the call. An `Err` becomes the error of the answer.
    pub fn new(make: impl FnOnce(ScriptedCall) -> Result<AssistantMessage, String> + Send + 'static) -> Self {
        Self::from_async(|call| std::future::ready(make(call)))
    }

    /// Like [`ScriptedStep::new`], for functions that wait for something.
    pub fn from_async<F>(make: impl FnOnce(ScriptedCall) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Result<AssistantMessage, String>> + Send + 'static,
    {
        Self(Box::new(|call| make(call).boxed()))
    }

    /// Plays the step.
    pub(super) fn run(self, call: ScriptedCall) -> BoxFuture<'static, Result<AssistantMessage, String>> {
        (self.0)(call)
    }
}

impl From<AssistantMessage> for ScriptedStep {
    fn from(message: AssistantMessage) -> Self {
        Self::new(|_| Ok(message))
    }
}

impl fmt::Debug for ScriptedStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ScriptedStep")
    }
}

/// A message that ends with `stop`.
pub fn message(content: impl IntoIterator<Item = ContentBlock>) -> AssistantMessage {
    AssistantMessage { content: content.into_iter().collect(), ..AssistantMessage::default() }
}

/// A message that ends with `toolUse`.
pub fn tool_use(content: impl IntoIterator<Item = ContentBlock>) -> AssistantMessage {
    AssistantMessage { stop_reason: StopReason::ToolUse, ..message(content) }
}

/// A message that fails after its content was streamed; `reason` is `error` or `aborted`.
pub fn failure(
    content: impl IntoIterator<Item = ContentBlock>,
    reason: StopReason,
    error_message: impl Into<String>,
) -> AssistantMessage {
    AssistantMessage { stop_reason: reason, error_message: Some(error_message.into()), ..message(content) }
}

/// A text block.
pub fn text(text: impl Into<String>) -> ContentBlock {
    ContentBlock::text(text)
}

/// A thinking block.
pub fn thinking(thinking: impl Into<String>) -> ContentBlock {
    ContentBlock::Thinking(ThinkingContent { thinking: thinking.into(), ..ThinkingContent::default() })
}

/// A tool call.
pub fn tool_call(id: impl Into<String>, name: impl Into<String>, arguments: Value) -> ContentBlock {
    let (id, name) = (id.into(), name.into());
    ToolCall { id, name, arguments, thought_signature: None, extra: Extra::new() }.into()
}
