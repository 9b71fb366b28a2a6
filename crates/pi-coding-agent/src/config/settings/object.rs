//! Values in an object of settings: found, set and laid over others by their names. Which keys there are is known elsewhere.

use serde_json::{Map, Value};

/// The value at the end of a path of names.
pub(super) fn lookup<'a, 'p>(
    object: &'a Map<String, Value>,
    path: impl IntoIterator<Item = &'p str>,
) -> Option<&'a Value> {
    let mut names = path.into_iter();
    let first = object.get(names.next()?);
    names.fold(first, |found, name| found?.as_object()?.get(name))
}

/// Sets or removes a value; objects on the way are made where there is none.
pub(super) fn put(object: &mut Map<String, Value>, path: &[&str], value: Option<Value>) {
    match (path, value) {
        ([], _) => {}
        ([last], Some(value)) => {
            object.insert((*last).to_owned(), value);
        }
        ([last], None) => {
            object.shift_remove(*last);
        }
        ([first, rest @ ..], value) => {
            let inner = object.entry(*first).or_insert(Value::Null);
            if !inner.is_object() {
                *inner = Value::Object(Map::new());
            }
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

/// `over` over `base`: objects are merged at every depth, everything else is replaced. Files nest no deeper than
/// [`crate::host::json_depth`] allows.
pub(super) fn merged(base: &Map<String, Value>, over: &Map<String, Value>) -> Map<String, Value> {
    let mut result = base.clone();
    for (key, value) in over {
        let value = match (result.get(key), value) {
            (Some(Value::Object(below)), Value::Object(above)) => merged(below, above).into(),
            _ => value.clone(),
        };
        result.insert(key.clone(), value);
    }
    result
}
