//! Reads values of JSON as settings mean them. `None` is a value that a setting cannot use.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// A text; an empty one counts as absent.
pub(super) fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A number that is not negative; what follows its point is cut off.
pub(super) fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().and_then(whole))
}

/// A whole number that is not negative, also when it is written with a point: 2000.0.
pub(super) fn whole_number(value: &Value) -> Option<u64> {
    let fraction = || value.as_f64().filter(|number| *number >= 0.0 && number.fract() == 0.0);
    value.as_u64().or_else(|| fraction().map(|number| number as u64))
}

/// A number above 0.
pub(super) fn positive(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| *number > 0.0)
}

/// Milliseconds: a number that is not negative, such a number as text, or `disabled`, which is 0.
pub(super) fn limit_ms(value: &Value) -> Option<u64> {
    match value.as_str().map(str::trim) {
        Some("disabled") => Some(0),
        Some(text) => text.parse().ok().and_then(whole),
        None => number(value),
    }
}

/// Whatever the type makes of it.
pub(super) fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}

/// A list; entries that cannot be read are left out.
pub(super) fn list<T: DeserializeOwned>(value: &Value) -> Option<Vec<T>> {
    Some(value.as_array()?.iter().filter_map(read).collect())
}

fn whole(number: f64) -> Option<u64> {
    (number.is_finite() && number >= 0.0).then_some(number as u64)
}
