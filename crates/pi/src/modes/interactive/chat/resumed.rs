//! An answer that was under way when the conversation was drawn.
//!
//! What has come of it is known, and not which of the events that come told of it already. So texts are brought to what the
//! message has by now, instead of growing by what an event brings.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use pi_agent_core::ToolOutput;
use pi_ai::{AssistantMessage, AssistantMessageEvent, ContentBlock, Message, Partial};

use super::block::{Body, ChatBlock};
use super::prose::Prose;
use super::transcript::Transcript;

/// What was drawn in the middle of a run.
#[derive(Debug, Default)]
pub(super) struct Resumed {
    /// The last message that was drawn: its events may still come.
    last: Option<Arc<Message>>,
    /// How much is shown of each text of the answer, in bytes; nothing where none is under way.
    shown: Option<HashMap<usize, usize>>,
}

impl Resumed {
    /// Whether a message was drawn before its event came.
    pub(super) fn knows(&self, message: &Arc<Message>) -> bool {
        self.last.as_ref().is_some_and(|last| Arc::ptr_eq(last, message))
    }

    /// The answer has ended.
    pub(super) fn end(&mut self) {
        self.shown = None;
    }
}

impl Transcript {
    /// Goes on in the middle of a run, behind the messages that were drawn: shows what has come of the answer that is under
    /// way and what its calls have told so far (`results`, by their ids); they go on.
    pub(in crate::modes::interactive) fn resume(
        &mut self,
        messages: &[Arc<Message>],
        results: &BTreeMap<String, Arc<ToolOutput>>,
        answer: Option<&Partial>,
    ) {
        let last_answer = messages.iter().rev().find_map(|message| message.as_assistant());
        // Of the calls without a result only these can still get one.
        let can_end = |id: &String| last_answer.is_some_and(|answer| answer.tool_calls().any(|call| call.id == *id));
        self.calls.retain(|id, _| can_end(id));
        for (id, result) in results {
            let block = self.calls.get(id).and_then(|block| self.document.get_mut(*block));
            if let Some(Body::Tool(tool)) = block.map(ChatBlock::body_mut) {
                tool.update(Arc::clone(result));
            }
        }
        self.resumed = Resumed { last: messages.last().cloned(), shown: None };
        let Some(answer) = answer else { return };
        let message = answer.snapshot();
        self.open.clear();
        let shown = (0..message.content.len()).filter_map(|index| self.resume_block(index, &message)).collect();
        self.resumed.shown = Some(shown);
    }

    /// Shows a block of the answer. Returns how much of a text is shown.
    fn resume_block(&mut self, index: usize, message: &AssistantMessage) -> Option<(usize, usize)> {
        match message.content.get(index)? {
            ContentBlock::ToolCall(call) => {
                self.open_call(index, &call.id, &call.name);
                self.with_open_call(index, |tool| tool.set_arguments(call.arguments.clone(), false));
                None
            }
            block => {
                let text = text_of(block)?;
                self.open_prose(index, matches!(block, ContentBlock::Thinking(_)));
                self.with_prose(index, |prose| prose.push(text));
                Some((index, text.len()))
            }
        }
    }

    /// Takes an event of the answer; whether that is all there is to do.
    pub(super) fn resumed_update(&mut self, event: &AssistantMessageEvent) -> bool {
        use AssistantMessageEvent::{TextDelta, TextStart, ThinkingDelta, ThinkingStart, ToolCallStart};
        let Some(shown) = &mut self.resumed.shown else { return false };
        match event {
            TextStart { content_index, .. }
            | ThinkingStart { content_index, .. }
            | ToolCallStart { content_index, .. } => self.open.contains_key(content_index),
            TextDelta { content_index, partial, .. } | ThinkingDelta { content_index, partial, .. } => {
                let known = shown.entry(*content_index).or_default();
                let new = partial.with(|message| {
                    let text = message.content.get(*content_index).and_then(text_of)?;
                    text.get(*known..).map(str::to_owned)
                });
                if let Some(new) = new {
                    *known += new.len();
                    self.with_prose(*content_index, |prose: &mut Prose| prose.push(&new));
                }
                true
            }
            _ => false,
        }
    }
}

fn text_of(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::Text(text) => Some(&text.text),
        ContentBlock::Thinking(thinking) => Some(&thinking.thinking),
        _ => None,
    }
}
