//! Reading what a handler answered. What is not said changes nothing; what cannot be meant is refused, with the words of
//! whoever wrote it.

use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::JsonReply;
use crate::events::HandlerError;
use crate::extension::events::EventInfo;
use crate::tools::BashOperations;

/// As much of a wrong value as a report quotes, in characters.
const QUOTED: usize = 80;

/// An answer with the fields that it has. Many handlers are one expression whose value means nothing, so what is no
/// object has no fields and is not wrong.
pub(super) struct HandlerAnswer {
    event: &'static str,
    fields: Map<String, Value>,
    /// What was returned, if that is no object.
    other: Option<Value>,
    left: Option<Value>,
    pub(super) operations: Option<Arc<dyn BashOperations>>,
}

impl HandlerAnswer {
    pub(super) fn new(event: &'static str, reply: JsonReply) -> Self {
        let JsonReply { result, event: left, operations } = reply;
        let (fields, other) = match result {
            Some(Value::Object(fields)) => (Some(fields), None),
            other => (None, other),
        };
        Self { event, fields: fields.unwrap_or_default(), other, left, operations }
    }

    /// The answer as a whole; `None` is `undefined`.
    pub(super) fn into_whole(self) -> Option<Value> {
        if self.fields.is_empty() { self.other } else { Some(Value::Object(self.fields)) }
    }

    /// A field, `null` as good as absent.
    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        self.fields.remove(key).filter(|value| !value.is_null())
    }

    /// Whether a field counts as true.
    pub(super) fn is_true(&self, key: &str) -> bool {
        self.fields.get(key).is_some_and(is_truthy)
    }

    /// Whether a field that may be absent counts as true.
    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        self.take(key).map(|value| is_truthy(&value))
    }

    /// A text that may be absent.
    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, HandlerError> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(key, &other, "a string")),
        }
    }

    /// A text that must be there; `owner` is what it belongs to.
    pub(super) fn required_text(&mut self, key: &str, owner: &str) -> Result<String, HandlerError> {
        let text = self.text(key)?;
        text.ok_or_else(|| self.error(format_args!("answered with {owner} without {key}; it must be a string")))
    }

    /// A list of paths that may be absent.
    pub(super) fn paths(&mut self, key: &str) -> Result<Vec<PathBuf>, HandlerError> {
        Ok(self.read(key, "an array of strings")?.unwrap_or_default())
    }

    /// A field of some type; `what` says which, for people.
    pub(super) fn read<T: DeserializeOwned>(&mut self, key: &str, what: &str) -> Result<Option<T>, HandlerError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        match T::deserialize(&value) {
            Ok(read) => Ok(Some(read)),
            Err(_) => Err(self.wrong(key, &value, what)),
        }
    }

    /// A field that is an object of its own, to be read with the same words. `None` when it is absent or counts as false.
    pub(super) fn object(&mut self, key: &str) -> Result<Option<Self>, HandlerError> {
        match self.take(key) {
            Some(Value::Object(fields)) => {
                Ok(Some(Self { event: self.event, fields, other: None, left: None, operations: None }))
            }
            Some(other) if is_truthy(&other) => Err(self.wrong(key, &other, "an object")),
            _ => Ok(None),
        }
    }

    /// A field of the event as the handler left it, if changes of it count.
    pub(super) fn left(&mut self, key: &str) -> Option<Value> {
        let is_mutable = |event: &EventInfo| event.mutable.contains(&key);
        debug_assert!(EventInfo::of(self.event).is_some_and(is_mutable), "{key} of {} is not mutable", self.event);
        self.left.as_mut()?.as_object_mut()?.remove(key)
    }

    /// A field is not what it must be.
    pub(super) fn wrong(&self, key: &str, value: &Value, what: impl Display) -> HandlerError {
        self.error(format_args!("answered with {key} {}; it must be {what}", quoted(value)))
    }

    /// The handler did something wrong.
    pub(super) fn error(&self, what: impl Display) -> HandlerError {
        HandlerError::new(format!("The handler of {} {what}", self.event))
    }
}

/// What counts as true where a script wrote it.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

/// A value for a report.
pub(super) fn quoted(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
