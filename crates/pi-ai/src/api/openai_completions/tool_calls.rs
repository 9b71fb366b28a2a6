//! Tool calls whose pieces arrive interleaved, told apart by index or by id.

use std::collections::HashMap;

use crate::api::chat_chunks::{arguments_text, edit_call, fill};
use crate::builder::MessageBuilder;
use crate::json_view::Json;

/// The calls of one answer.
#[derive(Debug, Default)]
pub(super) struct ToolCalls {
    /// Content index by the provider's index.
    by_index: HashMap<u64, usize>,
    /// Content index by id.
    by_id: HashMap<String, usize>,
    /// Content index of the latest call.
    latest: Option<usize>,
    /// Encrypted reasoning, as JSON text, that came before its call.
    waiting_reasoning: HashMap<String, String>,
}

impl ToolCalls {
    /// Reads one element of `tool_calls`.
    pub(super) fn piece(&mut self, piece: &Json<'_>, message: &mut MessageBuilder) {
        let index = piece["index"].as_u64();
        let id = piece["id"].as_str().unwrap_or("");
        let name = piece["function"]["name"].as_str().unwrap_or("");
        let at = self.find(index, id, name).unwrap_or_else(|| message.start_tool_call(id, name));
        self.latest = Some(at);
        if let Some(index) = index {
            self.by_index.insert(index, at);
        }
        if !id.is_empty() {
            self.by_id.entry(id.to_owned()).or_insert(at);
        }
        let reasoning = self.waiting_reasoning.remove(id);
        edit_call(message, at, |call| {
            fill(&mut call.id, id);
            fill(&mut call.name, name);
            if reasoning.is_some() {
                call.thought_signature = reasoning;
            }
        });
        message.tool_call_delta(at, &arguments_text(&piece["function"]["arguments"]));
    }

    /// Keeps encrypted reasoning with the call that it belongs to, which may come later.
    pub(super) fn reasoning_detail(&mut self, detail: &Json<'_>, message: &mut MessageBuilder) {
        let Some(id) = detail["id"].as_str().filter(|id| !id.is_empty()) else { return };
        if detail["type"] != "reasoning.encrypted" || detail["data"].as_str().is_none_or(str::is_empty) {
            return;
        }
        match self.by_id.get(id) {
            Some(at) => edit_call(message, *at, |call| call.thought_signature = Some(detail.to_string())),
            None => {
                self.waiting_reasoning.insert(id.to_owned(), detail.to_string());
            }
        }
    }

    fn find(&self, index: Option<u64>, id: &str, name: &str) -> Option<usize> {
        let by_index = index.and_then(|index| self.by_index.get(&index));
        by_index.or_else(|| self.by_id.get(id)).copied().or_else(|| {
            // A piece that names nothing can only continue what came last.
            let anonymous = index.is_none() && id.is_empty() && name.is_empty();
            self.latest.filter(|_| anonymous)
        })
    }
}
