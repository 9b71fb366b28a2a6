//! The payload of a request. Its one long list, the conversation, becomes text message by message.
//!
//! A conversation as JSON values takes many times the room of its text, and an allocator keeps what was once needed. So
//! values exist for as long as somebody may still want to change them: the last message, or all of them where a hook
//! will look. No wire format is known here.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::options::StreamOptions;

/// The list of a payload while it is being filled.
#[derive(Debug)]
pub(crate) struct MessageList {
    /// What was written so far, without brackets; `None` while everything is kept as values.
    text: Option<String>,
    /// What can still be changed.
    values: Vec<Value>,
}

impl MessageList {
    /// The list of a call: as values for a hook that will look at them.
    pub(crate) fn of_call(options: &StreamOptions) -> Self {
        if options.wanted_payload().is_some() { Self::kept() } else { Self::written() }
    }

    /// A list of which only the last item can be changed. Its text grows by doubling: sizes that most calls share find
    /// room where the call before had its own.
    fn written() -> Self {
        Self { text: Some(String::new()), values: Vec::new() }
    }

    /// A list whose items can all be changed.
    pub(crate) fn kept() -> Self {
        Self { text: None, values: Vec::new() }
    }

    /// Appends an item.
    pub(crate) fn push(&mut self, item: Value) {
        self.write();
        self.values.push(item);
    }

    /// The last item.
    pub(crate) fn last_mut(&mut self) -> Option<&mut Value> {
        self.values.last_mut()
    }

    /// The items that can be changed.
    pub(crate) fn values_mut(&mut self) -> &mut [Value] {
        &mut self.values
    }

    fn write(&mut self) {
        let Some(text) = &mut self.text else { return };
        for value in self.values.drain(..) {
            if !text.is_empty() {
                text.push(',');
            }
            append(text, &value);
        }
    }
}

impl Extend<Value> for MessageList {
    fn extend<I: IntoIterator<Item = Value>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

/// A payload, ready to be sent or to be looked at.
#[derive(Debug, Clone)]
pub(crate) enum Payload {
    /// Values throughout.
    Tree(Value),
    /// JSON text that nobody looks into before it is sent.
    Text(String),
    /// An object whose one list is text.
    Written {
        /// All fields in their order; that of the list is null.
        fields: Map<String, Value>,
        /// The field of the list.
        key: &'static str,
        /// The items of the list, without brackets.
        items: String,
    },
}

impl Payload {
    /// An object with a list. The list is put where `fields` has its key, with whatever value.
    pub(crate) fn new(mut fields: Map<String, Value>, key: &'static str, mut items: MessageList) -> Self {
        items.write();
        match items.text {
            Some(items) => Self::Written { fields, key, items },
            None => {
                fields.insert(key.to_owned(), items.values.into());
                Self::Tree(fields.into())
            }
        }
    }

    /// As [`Payload::new`], of the entries that have a value.
    pub(crate) fn of_entries<const N: usize>(
        entries: [(&str, Option<Value>); N],
        key: &'static str,
        items: MessageList,
    ) -> Self {
        let present = entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        Self::new(present.collect(), key, items)
    }

    /// Changes the fields of an object; a list that is text can be moved, not changed.
    #[cfg(any(test, feature = "bedrock"))]
    pub(crate) fn map_fields(self, change: impl FnOnce(Map<String, Value>) -> Map<String, Value>) -> Self {
        match self {
            Self::Tree(Value::Object(fields)) => Self::Tree(change(fields).into()),
            Self::Written { fields, key, items } => Self::Written { fields: change(fields), key, items },
            other @ (Self::Tree(_) | Self::Text(_)) => other,
        }
    }

    /// All of it as values, for somebody who looks.
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Tree(value) => value,
            // It was written from values a moment ago.
            written @ (Self::Written { .. } | Self::Text(_)) => {
                serde_json::from_str(&written.into_text()).unwrap_or_default()
            }
        }
    }

    /// The JSON text.
    pub(crate) fn into_text(self) -> String {
        let (fields, key, mut items) = match self {
            Self::Tree(value) => return value.to_string(),
            Self::Text(text) => return text,
            Self::Written { fields, key, items } => (fields, key, items),
        };
        if !fields.contains_key(key) {
            return Value::Object(fields).to_string();
        }
        let (mut before, mut after) = (String::from("{"), String::new());
        let mut side = &mut before;
        for (name, value) in &fields {
            if name == key {
                separate(side);
                append(side, &Value::from(key));
                side.push_str(":[");
                after.push(']');
                side = &mut after;
            } else {
                separate(side);
                append(side, &Value::from(name.as_str()));
                side.push(':');
                append(side, value);
            }
        }
        side.push('}');
        // The long text stays where it is: two of it would be the peak of the whole call.
        items.reserve_exact(before.len() + after.len());
        items.insert_str(0, &before);
        items.push_str(&after);
        items
    }
}

impl From<Value> for Payload {
    fn from(value: Value) -> Self {
        Self::Tree(value)
    }
}

fn separate(text: &mut String) {
    if text != "{" {
        text.push(',');
    }
}

fn append(text: &mut String, value: &Value) {
    // Writing to a string cannot fail.
    let _ = write!(text, "{value}");
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::options::PayloadHook;

    fn filled(mut items: MessageList, count: usize) -> MessageList {
        items.extend((0..count).map(|at| json!({"at": at, "text": "a \"b\" {"})));
        if let Some(last) = items.last_mut() {
            last["last"] = true.into();
        }
        items
    }

    #[test]
    fn the_text_is_that_of_the_values_wherever_the_list_stands() {
        let entries = |key: &str| {
            let fields = [("model", json!("m{")), ("messages", Value::Null), ("tools", json!([{"a": "{"}]))];
            let mut fields = Vec::from(fields);
            match key {
                "first" => fields.swap(0, 1),
                "last" => fields.swap(1, 2),
                "only" => fields = vec![("messages", Value::Null)],
                _ => {}
            }
            fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>()
        };
        for place in ["first", "between", "last", "only"] {
            for count in [0, 1, 3] {
                let written = Payload::new(entries(place), "messages", filled(MessageList::written(), count));
                let kept = Payload::new(entries(place), "messages", filled(MessageList::kept(), count));
                assert!(matches!((&written, &kept), (Payload::Written { .. }, Payload::Tree(_))));
                assert_eq!(written.clone().into_text(), kept.clone().into_text(), "{place} {count}");
                assert_eq!(written.into_value(), kept.into_value(), "{place} {count}");
            }
        }
    }

    #[test]
    fn all_are_kept_for_a_hook_that_will_look() {
        let kept = |on_payload| {
            let options = StreamOptions { on_payload, ..StreamOptions::default() };
            MessageList::of_call(&options).text.is_none()
        };
        let hook = || PayloadHook::new(|_, _| async { Ok(None) });
        assert_eq!([None, Some(hook()), Some(hook().only_when(|| false))].map(kept), [false, true, false]);
    }

    #[test]
    fn only_the_last_item_waits_unless_all_are_kept() {
        assert_eq!(filled(MessageList::written(), 3).values_mut().len(), 1);
        assert_eq!(filled(MessageList::kept(), 3).values_mut().len(), 3);
    }

    #[test]
    fn fields_are_changed_around_the_list() {
        for items in [MessageList::written(), MessageList::kept()] {
            let entries = [("a", Some(1.into())), ("gone", None), ("list", Some(Value::Null))];
            let payload = Payload::of_entries(entries, "list", filled(items, 1));
            let changed = payload.map_fields(|mut fields| {
                fields.shift_remove("a");
                fields.insert("z".to_owned(), 2.into());
                fields
            });
            assert_eq!(changed.into_text(), r#"{"list":[{"at":0,"text":"a \"b\" {","last":true}],"z":2}"#);
        }
        assert_eq!(Payload::from(json!([1])).map_fields(|_| Map::new()).into_text(), "[1]");
    }
}
