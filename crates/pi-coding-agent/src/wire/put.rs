//! Appending values as JSON to a line.

use serde::Serialize;

/// Appends a value as compact JSON.
pub(crate) fn put(out: &mut Vec<u8>, value: &impl Serialize) {
    // Writing to a Vec cannot fail, and none of these types has a map with keys that are not strings.
    let result = serde_json::to_writer(&mut *out, value);
    debug_assert!(result.is_ok(), "event is not serialisable: {result:?}");
}
