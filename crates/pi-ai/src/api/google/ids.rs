//! Ids of tool calls: the provider's, or made up where it sends none. Results are matched to calls by them.

use std::collections::HashSet;

use crate::context::Context;
use crate::message::Message;

/// Hands out the ids of one answer.
#[derive(Debug)]
pub(super) struct CallIds {
    /// Unix time in milliseconds that made-up ids carry.
    time: i64,
    counter: u64,
    used: HashSet<String>,
}

impl CallIds {
    /// Ids for an answer to `context` that differ from those made up for it at the same time.
    pub(super) fn new(context: &Context, time: i64) -> Self {
        let calls = context.messages.iter().filter_map(|message| match &**message {
            Message::Assistant(message) => Some(message.tool_calls()),
            _ => None,
        });
        let mark = format!("_{time}_");
        let counter = calls.flatten().filter_map(|call| call.id.rsplit_once(&mark)?.1.parse().ok()).max();
        Self { time, counter: counter.unwrap_or(0), used: HashSet::new() }
    }

    /// The provider's id, unless it is missing or was already used in this answer.
    pub(super) fn take(&mut self, given: &str, name: &str) -> String {
        if !given.is_empty() && self.used.insert(given.to_owned()) {
            return given.to_owned();
        }
        loop {
            self.counter = self.counter.wrapping_add(1);
            let id = format!("{name}_{}_{}", self.time, self.counter);
            if self.used.insert(id.clone()) {
                return id;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{AssistantMessage, ContentBlock};

    #[test]
    fn ids_are_unique() {
        let mut ids = CallIds::new(&Context::default(), 5);
        let taken: Vec<String> =
            [("x", "f"), ("x", "f"), ("", "f"), ("f_5_3", "f"), ("", "f")].map(|(id, name)| ids.take(id, name)).into();
        assert_eq!(taken, ["x", "f_5_1", "f_5_2", "f_5_3", "f_5_4"]);
    }

    #[test]
    fn also_across_turns_of_one_instant() {
        let call = |id: &str| {
            let call = serde_json::json!({"type": "toolCall", "id": id, "name": "f", "arguments": {}});
            serde_json::from_value::<ContentBlock>(call).unwrap()
        };
        let content = vec![call("f_5_7"), call("f_6_9"), call("f_5_x"), call("call")];
        let context = Context::default().with_message(AssistantMessage { content, ..AssistantMessage::default() });
        assert_eq!(CallIds::new(&context, 5).take("", "f"), "f_5_8");
        assert_eq!(CallIds::new(&context, 7).take("", "f"), "f_7_1");
    }
}
