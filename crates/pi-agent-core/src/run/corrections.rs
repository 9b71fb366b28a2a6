//! Tool calls that were understood although their shape was wrong: the transcript remembers the right shape.

use std::sync::Arc;

use pi_ai::{AssistantMessage, ContentBlock, Message, ToolCall};
use serde_json::Value;

use super::Run;
use crate::guard::shielded_now;

impl Run<'_> {
    /// Replaces the message in the transcript if a tool corrects the arguments of a call in it, and returns what is there
    /// now.
    pub(super) fn remember_corrections(&mut self, message: Arc<Message>) -> Arc<Message> {
        let Some(corrected) = message.as_assistant().and_then(|answer| self.corrected(answer)) else { return message };
        let corrected = Arc::new(Message::from(corrected));
        for list in [&mut self.context.messages, &mut self.added] {
            if let Some(place) = list.iter_mut().rfind(|known| Arc::ptr_eq(known, &message)) {
                *place = Arc::clone(&corrected);
            }
        }
        corrected
    }

    fn corrected(&self, answer: &AssistantMessage) -> Option<AssistantMessage> {
        let corrections: Vec<Option<Value>> = answer.content.iter().map(|block| self.correction(block)).collect();
        if corrections.iter().all(Option::is_none) {
            return None;
        }
        let mut answer = answer.clone();
        for (block, correction) in answer.content.iter_mut().zip(corrections) {
            if let (ContentBlock::ToolCall(call), Some(arguments)) = (block, correction) {
                Arc::make_mut(call).arguments = arguments;
            }
        }
        Some(answer)
    }

    fn correction(&self, block: &ContentBlock) -> Option<Value> {
        let ContentBlock::ToolCall(call) = block else { return None };
        let ToolCall { name, arguments, .. } = &**call;
        let tool = self.context.tools.get(name)?;
        // A tool that panics here has no correction.
        shielded_now(name, || tool.corrected_arguments(arguments)).ok().flatten()
    }
}
