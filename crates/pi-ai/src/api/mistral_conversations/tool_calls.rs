//! Tool calls of an answer. Most come whole; some come in pieces, of which only the first has an id and a name.

use std::collections::{HashMap, HashSet};

use crate::api::chat_chunks::{arguments_text, edit_call, fill};
use crate::builder::MessageBuilder;
use crate::json_view::Json;
use crate::message::ContentBlock;

use super::ids;

/// What some servers send for a missing id.
const NO_ID: &str = "null";

/// The calls of one answer.
#[derive(Debug, Default)]
pub(super) struct ToolCalls {
    /// Content index by id and the provider's index.
    by_id: HashMap<(String, u64), usize>,
    /// Content index of the latest call at a provider's index.
    by_index: HashMap<u64, usize>,
    /// Content indexes in order of appearance.
    order: Vec<usize>,
    /// All ids, so that none is made up twice.
    ids: HashSet<String>,
}

impl ToolCalls {
    /// Reads one element of `tool_calls`; what is no object is no call.
    pub(super) fn piece(&mut self, piece: &Json<'_>, message: &mut MessageBuilder) {
        if !piece.is_object() {
            return;
        }
        let id = piece["id"].as_str().filter(|id| !id.is_empty() && *id != NO_ID);
        let name = piece["function"]["name"].as_str().unwrap_or("");
        let index = piece["index"].as_u64();
        let known = match id {
            Some(id) => self.by_id.get(&(id.to_owned(), index.unwrap_or(0))).copied(),
            None => self.continued(index, name, message),
        };
        let at = known.unwrap_or_else(|| self.start(id, name, index, message));
        edit_call(message, at, |call| fill(&mut call.name, name));
        message.tool_call_delta(at, &arguments_text(&piece["function"]["arguments"]));
    }

    /// Ends all calls, in order.
    pub(super) fn close(&mut self, message: &mut MessageBuilder) {
        for at in self.order.drain(..) {
            message.end_tool_call(at);
        }
    }

    /// The call that a piece without an id goes on with, if it does.
    fn continued(&self, index: Option<u64>, name: &str, message: &MessageBuilder) -> Option<usize> {
        let at = match index {
            Some(index) => self.by_index.get(&index),
            None => self.order.last(),
        };
        let called = |at: usize| {
            message.partial().with(|message| match message.content.get(at) {
                Some(ContentBlock::ToolCall(call)) => call.name == name,
                _ => false,
            })
        };
        // A name that was already said says nothing; another one is another call.
        at.copied().filter(|at| name.is_empty() || (index.is_some() && called(*at)))
    }

    fn start(&mut self, id: Option<&str>, name: &str, index: Option<u64>, message: &mut MessageBuilder) -> usize {
        let position = index.unwrap_or(self.order.len() as u64);
        let legal = id.map_or_else(|| self.made_up(position), str::to_owned);
        let at = message.start_tool_call(legal.as_str(), name);
        self.ids.insert(legal);
        if let Some(id) = id {
            self.by_id.insert((id.to_owned(), index.unwrap_or(0)), at);
        }
        self.by_index.insert(position, at);
        self.order.push(at);
        at
    }

    /// An id for the call at a position, or for the first one after it that has none yet.
    fn made_up(&self, position: u64) -> String {
        let mut ids = (0..).map(|further| ids::derived(position.wrapping_add(further)));
        ids.find(|id| !self.ids.contains(id)).unwrap_or_default()
    }
}
