//! Ids of tool calls: those of other models are made legal for the target, and stay apart while that happens.

use std::collections::{HashMap, HashSet};

use crate::message::AssistantMessage;

/// The ids that a request uses.
#[derive(Debug, Default)]
pub(super) struct CallIds {
    /// Their first parts, see [`call_part`].
    taken: HashSet<String>,
    /// How often an id was wanted that was taken already.
    clashes: HashMap<String, usize>,
}

impl CallIds {
    /// Ids of the target's own answer stay what they are.
    pub(super) fn own(&mut self, answer: &AssistantMessage) -> Vec<String> {
        let ids: Vec<String> = answer.tool_calls().map(|call| call.id.clone()).collect();
        self.taken.extend(ids.iter().map(|id| call_part(id).to_owned()));
        ids
    }

    /// Ids of another model's answer, made legal. Two that become one, or come again, get a number: providers reject
    /// calls of the same id.
    pub(super) fn foreign(&mut self, answer: &AssistantMessage, normalise: impl Fn(&str) -> String) -> Vec<String> {
        answer.tool_calls().map(|call| self.legal(&call.id, &normalise)).collect()
    }

    fn legal(&mut self, original: &str, normalise: impl Fn(&str) -> String) -> String {
        let wanted = normalise(original);
        if self.take(&wanted) {
            return wanted;
        }
        // On both sides, so that no cut and no splitting takes the number away. Of one more than there are ids, one is
        // free.
        let clashes = self.clashes.get(&wanted).copied().unwrap_or(0);
        for number in clashes + 1..=clashes + 1 + self.taken.len() {
            let numbered = normalise(&format!("{number}_{original}_{number}"));
            if self.take(&numbered) {
                self.clashes.insert(wanted, number);
                return numbered;
            }
        }
        wanted
    }

    /// Takes an id if it is free and names something.
    fn take(&mut self, id: &str) -> bool {
        let call = call_part(id);
        !call.is_empty() && self.taken.insert(call.to_owned())
    }
}

/// Some formats have ids of two parts, of which the first is the call's.
fn call_part(id: &str) -> &str {
    id.split_once('|').map_or(id, |(call, _)| call)
}
