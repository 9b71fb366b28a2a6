//! Folds what a decoder understood into a message and into events.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::error::Error;
use crate::event::AssistantMessageEvent as Event;
use crate::json_partial::PartialJson;
use crate::message::{AssistantMessage, ContentBlock, StopReason, TextContent, ThinkingContent, ToolCall};
use crate::model::Model;
use crate::partial::{Partial, PartialState, apply_arguments};
use crate::unknown_fields::Extra;

/// Builds a message block by block and queues the events that belong to it.
///
/// Indexes are those returned by the `start_*` calls. A call with an index of another kind of block is ignored:
/// what a provider sends must not be able to crash the program.
#[derive(Debug)]
pub struct MessageBuilder {
    state: Partial,
    events: VecDeque<Event>,
}

impl MessageBuilder {
    /// An empty message of a model; `timestamp` is the start of the request in milliseconds.
    pub fn new(model: &Model, timestamp: i64) -> Self {
        let message = AssistantMessage {
            api: model.api.as_str().into(),
            provider: model.provider.as_str().into(),
            model: model.id.as_str().into(),
            timestamp,
            ..AssistantMessage::default()
        };
        let state = PartialState { message: Arc::new(message), ..PartialState::default() };
        Self { state: Partial::of(state), events: VecDeque::new() }
    }

    /// A handle to the message.
    pub fn partial(&self) -> Partial {
        self.state.clone()
    }

    /// The oldest event that was not taken yet.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Queues `start`.
    pub fn start(&mut self) {
        let partial = self.partial();
        self.events.push_back(Event::Start { partial });
    }

    /// Changes the message without an event: ids, usage, stop reason, signatures.
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut AssistantMessage) -> R) -> R {
        change(self.state.lock().edit())
    }

    /// Forgets all content, without an event: the provider began its answer anew.
    pub fn restart(&mut self) {
        let mut state = self.state.lock();
        state.open_calls.clear();
        state.stale = false;
        state.edit().content.clear();
    }

    /// Changes one block without an event.
    pub fn edit_block<R>(&mut self, index: usize, change: impl FnOnce(&mut ContentBlock) -> R) -> Option<R> {
        self.state.lock().edit().content.get_mut(index).map(change)
    }

    fn push_block(&mut self, block: ContentBlock) -> usize {
        let mut state = self.state.lock();
        let content = &mut state.edit().content;
        if content.is_empty() {
            // Most answers are one block; a conversation keeps many of them.
            content.reserve_exact(1);
        }
        content.push(block);
        content.len() - 1
    }

    /// Opens a text block.
    pub fn start_text(&mut self) -> usize {
        let content_index = self.push_block(ContentBlock::Text(TextContent::default()));
        self.events.push_back(Event::TextStart { content_index, partial: self.state.clone() });
        content_index
    }

    /// Appends text.
    pub fn text_delta(&mut self, content_index: usize, delta: &str) {
        if let Some(true) = self.edit_block(content_index, |block| match block {
            ContentBlock::Text(text) => {
                text.text.push_str(delta);
                true
            }
            _ => false,
        }) {
            let event = Event::TextDelta { content_index, delta: delta.to_owned(), partial: self.state.clone() };
            self.events.push_back(event);
        }
    }

    /// Closes a text block.
    pub fn end_text(&mut self, content_index: usize) {
        let content = self.state.with(|message| match message.content.get(content_index) {
            Some(ContentBlock::Text(text)) => Some(text.text.clone()),
            _ => None,
        });
        if let Some(content) = content {
            self.events.push_back(Event::TextEnd { content_index, content, partial: self.state.clone() });
        }
    }

    /// Opens a thinking block. Its text so far is part of the block but not of any delta.
    pub fn start_thinking(&mut self, block: ThinkingContent) -> usize {
        let content_index = self.push_block(ContentBlock::Thinking(block));
        self.events.push_back(Event::ThinkingStart { content_index, partial: self.state.clone() });
        content_index
    }

    /// Appends thinking.
    pub fn thinking_delta(&mut self, content_index: usize, delta: &str) {
        if let Some(true) = self.edit_block(content_index, |block| match block {
            ContentBlock::Thinking(thinking) => {
                thinking.thinking.push_str(delta);
                true
            }
            _ => false,
        }) {
            let event = Event::ThinkingDelta { content_index, delta: delta.to_owned(), partial: self.state.clone() };
            self.events.push_back(event);
        }
    }

    /// Closes a thinking block.
    pub fn end_thinking(&mut self, content_index: usize) {
        let content = self.state.with(|message| match message.content.get(content_index) {
            Some(ContentBlock::Thinking(thinking)) => Some(thinking.thinking.clone()),
            _ => None,
        });
        if let Some(content) = content {
            self.events.push_back(Event::ThinkingEnd { content_index, content, partial: self.state.clone() });
        }
    }

    /// Opens a tool call whose arguments stream as JSON text.
    pub fn start_tool_call(&mut self, id: impl Into<String>, name: impl Into<String>) -> usize {
        let call = ToolCall {
            id: id.into(),
            name: name.into(),
            arguments: serde_json::json!({}),
            thought_signature: None,
            extra: Extra::new(),
        };
        let content_index = self.push_block(call.into());
        self.state.lock().open_calls.insert(content_index, PartialJson::default());
        self.events.push_back(Event::ToolCallStart { content_index, partial: self.state.clone() });
        content_index
    }

    /// Appends JSON text to a call's arguments; empty text is an event, too.
    pub fn tool_call_delta(&mut self, content_index: usize, delta: &str) {
        {
            let mut state = self.state.lock();
            let Some(json) = state.open_calls.get_mut(&content_index) else { return };
            json.push(delta);
            state.stale = true;
        }
        let event = Event::ToolCallDelta { content_index, delta: delta.to_owned(), partial: self.state.clone() };
        self.events.push_back(event);
    }

    /// Replaces all JSON text of an open call's arguments, without an event: the provider sent the whole of it.
    pub fn set_tool_call_arguments(&mut self, content_index: usize, text: &str) {
        let mut state = self.state.lock();
        let Some(json) = state.open_calls.get_mut(&content_index) else { return };
        *json = PartialJson::default();
        json.push(text);
        state.stale = true;
    }

    /// Closes a tool call: its arguments become what the accumulated text says. Without any text they stay what the
    /// call was opened with: `{}` unless changed by [`MessageBuilder::edit_block`].
    pub fn end_tool_call(&mut self, content_index: usize) {
        let tool_call = {
            let mut state = self.state.lock();
            let Some(json) = state.open_calls.remove(&content_index) else { return };
            match state.edit().content.get_mut(content_index) {
                Some(ContentBlock::ToolCall(call)) => {
                    apply_arguments(call, &json);
                    Arc::clone(call)
                }
                _ => return,
            }
        };
        self.events.push_back(Event::ToolCallEnd { content_index, tool_call, partial: self.state.clone() });
    }

    /// Ends the message as a success and returns the terminal event. The stop reason must be set.
    pub fn done(self) -> Event {
        self.state.lock().fit();
        let message = self.state.snapshot();
        Event::Done { reason: message.stop_reason.clone(), message }
    }

    /// Ends the message as a failure and returns the terminal event. What arrived so far is kept.
    pub fn fail(self, cause: Error) -> Event {
        let text = cause.to_string();
        self.fail_saying(cause, text)
    }

    /// As [`MessageBuilder::fail`], with other words for the reader than those of the cause.
    pub(crate) fn fail_saying(self, cause: Error, text: String) -> Event {
        let reason = if cause.is_aborted() { StopReason::Aborted } else { StopReason::Error };
        {
            let mut state = self.state.lock();
            state.refresh();
            state.open_calls.clear();
            let message = state.edit();
            message.stop_reason = reason.clone();
            message.error_message = Some(text);
        }
        Event::Error { reason, error: self.state.snapshot(), cause: Some(cause) }
    }
}
