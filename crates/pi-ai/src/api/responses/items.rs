//! The items of an answer, told apart by id or by index.
//!
//! Servers may send several at once, change an item's id from event to event, or leave ids and indexes out. An event
//! that names an item which is complete, or one that is none of our business, concerns no other item.

use std::collections::HashMap;

use crate::builder::MessageBuilder;
use crate::json_view::Json;

use super::output_item::OutputItem;

/// The items so far, in order of appearance.
#[derive(Debug, Default)]
pub(super) struct Items {
    /// `None` for items that are complete and for those without a block.
    slots: Vec<Option<OutputItem>>,
    /// Slot by id.
    by_id: HashMap<String, usize>,
    /// Slot by `output_index`.
    by_index: HashMap<u64, usize>,
}

impl Items {
    /// An item begins.
    pub(super) fn added(&mut self, event: &Json<'_>, message: &mut MessageBuilder) {
        let item = &event["item"];
        let opened = OutputItem::open(item, message);
        self.enter(event, item, opened);
    }

    /// Something of an item arrived.
    pub(super) fn event(&mut self, kind: &str, event: &Json<'_>, message: &mut MessageBuilder) {
        let found = self.find(event["item_id"].as_str(), event);
        if let Some(Some(item)) = found.and_then(|slot| self.slots.get_mut(slot)) {
            item.event(kind, event, message);
        }
    }

    /// An item is complete. One that was never announced is taken as a whole.
    pub(super) fn done(&mut self, event: &Json<'_>, message: &mut MessageBuilder) {
        let item = &event["item"];
        let id = item["id"].as_str();
        let slot = self.find(id, event).and_then(|slot| self.slots.get_mut(slot));
        if let Some(open) = slot.and_then(|slot| slot.take_if(|open| open.is_like(item))) {
            open.finish(item, message);
        } else if id.is_none_or(|id| !self.by_id.contains_key(id)) {
            if let Some(whole) = OutputItem::open(item, message) {
                whole.finish(item, message);
            }
            self.enter(event, item, None);
        }
    }

    /// The answer is complete: items without an end are, too.
    pub(super) fn close(&mut self, message: &mut MessageBuilder) {
        for item in self.slots.drain(..).flatten() {
            item.close(message);
        }
    }

    fn enter(&mut self, event: &Json<'_>, item: &Json<'_>, opened: Option<OutputItem>) {
        let slot = self.slots.len();
        self.slots.push(opened);
        if let Some(id) = item["id"].as_str() {
            self.by_id.insert(id.to_owned(), slot);
        }
        if let Some(index) = event["output_index"].as_u64() {
            self.by_index.insert(index, slot);
        }
    }

    /// The slot that an event is about. An event that names no known item belongs to the latest.
    fn find(&self, id: Option<&str>, event: &Json<'_>) -> Option<usize> {
        let by_id = id.and_then(|id| self.by_id.get(id));
        let by_index = || event["output_index"].as_u64().and_then(|index| self.by_index.get(&index));
        by_id.or_else(by_index).copied().or_else(|| self.slots.len().checked_sub(1))
    }
}
