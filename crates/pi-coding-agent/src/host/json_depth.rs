//! How deep JSON may nest: the limit of what is read, and lines that are written so that they can be read again.
//!
//! Reading is bounded by `serde_json` itself; nothing here parses.

use std::borrow::Cow;

use memchr::memchr2;
use serde_json::Value;

/// Levels of JSON that are read: lines of clients and of sessions, settings, models, values of extensions. The outermost
/// value is the first level. This is the limit of `serde_json`.
pub(crate) const MOST_READ: usize = 127;

/// Levels of a session entry that is written. The rest up to [`MOST_READ`] is for what is put around an entry later:
/// events, and the lists of messages that extensions hand back.
pub(crate) const MOST_WRITTEN: usize = 120;

/// Levels of the details of a tool or a message of a script, as of arguments of tools (`pi_ai::PartialJson`): clients get
/// them with several levels around them.
const MOST_DETAILS: usize = 100;

/// What is wrong with JSON that could not be read, with line and column; depth is named by its limit.
pub(crate) fn complaint(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.strip_prefix("recursion limit exceeded") {
        Some(place) => format!("it is nested deeper than {MOST_READ} levels{place}"),
        None => text,
    }
}

/// JSON in which each array and object below so many levels is `null`. Borrowed where there is none.
pub(crate) fn cut_below(levels: usize, json: &str) -> Cow<'_, str> {
    let bytes = json.as_bytes();
    let (mut out, mut copied, mut depth, mut at) = (String::new(), 0, 0_usize, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at + 1),
            b'[' | b'{' => {
                depth += 1;
                if depth == levels + 1 {
                    out.push_str(&json[copied..at]);
                    out.push_str("null");
                }
            }
            b']' | b'}' => {
                if depth == levels + 1 {
                    copied = at + 1;
                }
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        at += 1;
    }
    if out.is_empty() {
        return json.into();
    }
    out.push_str(&json[copied..]);
    out.into()
}

/// Details in which what nests too deeply is `null`.
pub fn shallow(mut details: Value) -> Value {
    cut_value(MOST_DETAILS, &mut details);
    details
}

fn cut_value(levels: usize, value: &mut Value) {
    match (value, levels) {
        (value @ (Value::Array(_) | Value::Object(_)), 0) => *value = Value::Null,
        (Value::Array(items), _) => items.iter_mut().for_each(|item| cut_value(levels - 1, item)),
        (Value::Object(fields), _) => fields.values_mut().for_each(|field| cut_value(levels - 1, field)),
        _ => {}
    }
}

/// The place of the quote that ends a string.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes[at] == b'"' {
            return at;
        }
        at += 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize) -> String {
        "[".repeat(levels) + &"]".repeat(levels)
    }

    #[test]
    fn the_limit_is_that_of_the_parser() {
        for levels in 126..=130 {
            let read = serde_json::from_str::<Value>(&nested(levels));
            assert_eq!(read.is_ok(), levels <= MOST_READ, "{levels}");
            if let Err(error) = read {
                let text = complaint(&error);
                assert_eq!(text, format!("it is nested deeper than 127 levels at line 1 column {}", MOST_READ + 1));
            }
        }
    }

    #[test]
    fn what_is_deeper_becomes_null() {
        for (json, expected) in [
            ("[]", "[]"),
            ("7", "7"),
            (r#"{"a":{"b":1}}"#, r#"{"a":{"b":1}}"#),
            (r#"{"a":{"b":[1,{"c":2}],"d":"[[["}}"#, r#"{"a":{"b":null,"d":"[[["}}"#),
            (r#"[["x"],[[]],[{}],["\"[\\",[[1],[2]],3]]"#, r#"[["x"],[null],[null],["\"[\\",null,3]]"#),
        ] {
            let cut = cut_below(2, json);
            assert_eq!(cut, expected);
            assert_eq!(matches!(cut, Cow::Borrowed(_)), json == expected);
            assert!(serde_json::from_str::<Value>(&cut).is_ok());
        }
        for levels in 99..=127 {
            let value: Value = serde_json::from_str(&nested(levels)).unwrap();
            assert_eq!(shallow(value).to_string(), cut_below(MOST_DETAILS, &nested(levels)), "{levels}");
        }
        for levels in 110..=140 {
            let cut = cut_below(MOST_WRITTEN, &nested(levels)).into_owned();
            assert!(serde_json::from_str::<Value>(&cut).is_ok());
            assert_eq!(cut.contains("null"), levels > MOST_WRITTEN);
        }
    }
}
