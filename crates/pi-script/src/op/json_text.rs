//! Reading the JSON that a script wrote.

use serde_json::Value;
use thiserror::Error;

/// Why a value does not leave a script. The figure is the limit of `serde_json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("It is nested too deeply: more than 127 levels. Flatten it, or pass it as JSON text")]
pub struct TooDeep;

/// The value of a text that `JSON.stringify` of a script returned. Halves of surrogate pairs become replacement characters.
///
/// # Errors
/// What the engine writes is JSON: the only thing that can be wrong with it is its depth.
pub fn parse_json(text: &str) -> Result<Value, TooDeep> {
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&whole_characters(text))).map_err(|_| TooDeep)
}

/// The same JSON where halves of surrogate pairs, which the engine writes as escapes, are replacement characters.
fn whole_characters(json: &str) -> String {
    let mut whole = String::with_capacity(json.len());
    let mut rest = json;
    while let Some((before, behind)) = rest.split_once('\\') {
        whole.push_str(before);
        let is_half = behind
            .strip_prefix("ud")
            .is_some_and(|digits| digits.starts_with(['8', '9', 'a', 'b', 'c', 'd', 'e', 'f']));
        // An escape has at least one more byte, which may be another backslash.
        let (escape, length) = if is_half { ("\\ufffd", 5) } else { ("\\", 1) };
        let (kept, after) = behind.split_at_checked(length).unwrap_or((behind, ""));
        whole.push_str(escape);
        whole.push_str(if is_half { "" } else { kept });
        rest = after;
    }
    whole.push_str(rest);
    whole
}
