//! Reads the raw `compat` object of a model. Values of the wrong type count as absent: the file they come from is
//! checked where it is loaded.

use serde_json::{Map, Value};

use crate::model::Model;

/// A raw value.
pub(crate) fn value<'a>(model: &'a Model, key: &str) -> Option<&'a Value> {
    model.compat.as_ref()?.get(key)
}

/// A switch.
pub(crate) fn flag(model: &Model, key: &str) -> Option<bool> {
    value(model, key)?.as_bool()
}

/// A word.
pub(crate) fn word<'a>(model: &'a Model, key: &str) -> Option<&'a str> {
    value(model, key)?.as_str()
}

/// An object with at least one field.
pub(crate) fn object<'a>(model: &'a Model, key: &str) -> Option<&'a Map<String, Value>> {
    value(model, key)?.as_object().filter(|object| !object.is_empty())
}
