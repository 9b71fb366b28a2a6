//! Reads the raw `compat` object of a model. Values of the wrong type count as absent: the file they come from is
//! checked where it is loaded.

use serde_json::{Map, Value};

use crate::model::Model;

/// Adds the model's `samplingParams`, which are whatever its server takes. What the request is about stays.
pub(crate) fn put_sampling(body: &mut Map<String, Value>, model: &Model) {
    const OURS: [&str; 6] = ["model", "messages", "input", "stream", "stream_options", "tools"];
    let params = model.extra.get("samplingParams").and_then(Value::as_object).into_iter().flatten();
    let params = params.filter(|(name, _)| !OURS.contains(&name.as_str()));
    body.extend(params.map(|(name, value)| (name.clone(), value.clone())));
}

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
