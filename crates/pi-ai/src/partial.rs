//! Cheap views of a message that is still arriving. [`MessageBuilder`](crate::MessageBuilder) fills it.
//!
//! A delta is appended in place: N deltas cost O(total text), whoever does not look at `partial` does not pay for
//! it. A snapshot shares the message; only a snapshot that is still held when the next delta arrives costs a copy.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use pi_guard::Unpoisoned;
use serde_json::Value;

use crate::json_partial::PartialJson;
use crate::message::{AssistantMessage, ContentBlock, ToolCall};

/// What a block or a JSON value costs beside its text, in bytes.
const OVERHEAD: usize = 64;

/// The message under construction, shared by the builder and all handles.
#[derive(Debug, Default)]
pub(crate) struct PartialState {
    pub(crate) message: Arc<AssistantMessage>,
    /// Arguments of tool calls that are still streaming, by content index.
    pub(crate) open_calls: BTreeMap<usize, PartialJson>,
    /// Whether an open call received text since its arguments were last written to the message.
    pub(crate) stale: bool,
}

impl PartialState {
    pub(crate) fn edit(&mut self) -> &mut AssistantMessage {
        Arc::make_mut(&mut self.message)
    }

    /// Gives back what the text might still have grown by: the message is kept. One that somebody holds stays as it is.
    pub(crate) fn fit(&mut self) {
        let Some(message) = Arc::get_mut(&mut self.message) else { return };
        for block in &mut message.content {
            match block {
                ContentBlock::Text(text) => text.text.shrink_to_fit(),
                ContentBlock::Thinking(thinking) => thinking.thinking.shrink_to_fit(),
                _ => {}
            }
        }
    }

    /// Writes the arguments parsed so far into the message.
    pub(crate) fn refresh(&mut self) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        let message = Arc::make_mut(&mut self.message);
        for (index, json) in &self.open_calls {
            if let Some(ContentBlock::ToolCall(call)) = message.content.get_mut(*index) {
                apply_arguments(call, json);
            }
        }
    }
}

/// Sets the arguments to what the text says. Without any text they stay what the call was opened with.
pub(crate) fn apply_arguments(call: &mut Arc<ToolCall>, json: &PartialJson) {
    if !json.is_blank() {
        Arc::make_mut(call).arguments = json.value();
    }
}

/// A handle to a message that is still arriving. Cloning is cheap; it always shows the latest state, which may be
/// ahead of the event that carried it.
#[derive(Debug, Clone)]
pub struct Partial(Arc<Mutex<PartialState>>);

impl Partial {
    /// A handle to a message that is built elsewhere.
    pub(crate) fn of(state: PartialState) -> Self {
        Self(Arc::new(Mutex::new(state)))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, PartialState> {
        self.0.lock().unpoisoned()
    }

    /// The message so far, tool arguments parsed as far as they have arrived.
    pub fn snapshot(&self) -> Arc<AssistantMessage> {
        let mut state = self.lock();
        state.refresh();
        Arc::clone(&state.message)
    }

    /// Looks at the message without sharing it. Arguments of open tool calls may be behind.
    pub fn with<R>(&self, look: impl FnOnce(&AssistantMessage) -> R) -> R {
        look(&self.lock().message)
    }

    /// Bytes that the content takes, roughly. Takes time proportional to the number of blocks and of values in arguments.
    pub(crate) fn size(&self) -> usize {
        let state = self.lock();
        let blocks: usize = state.message.content.iter().map(size_of_block).sum();
        blocks + state.open_calls.values().map(PartialJson::len).sum::<usize>()
    }
}

/// The memory that a block takes, in bytes; arguments of calls that are still open are counted elsewhere.
fn size_of_block(block: &ContentBlock) -> usize {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    OVERHEAD
        + match block {
            ContentBlock::Text(block) => block.text.len() + text(&block.text_signature),
            ContentBlock::Thinking(block) => block.thinking.len() + text(&block.thinking_signature),
            ContentBlock::ToolCall(call) => {
                call.id.len() + call.name.len() + text(&call.thought_signature) + size_of_value(&call.arguments)
            }
            ContentBlock::Image(image) => image.data.len(),
            ContentBlock::Other(value) => size_of_value(value),
        }
}

/// The memory that a JSON value takes, roughly.
fn size_of_value(value: &Value) -> usize {
    OVERHEAD
        + match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(size_of_value).sum(),
            Value::Object(fields) => fields.iter().map(|(key, value)| key.len() + size_of_value(value)).sum(),
            _ => 0,
        }
}
