//! Repairs what models and gateways get wrong inside the strings of a complete JSON text.

use std::borrow::Cow;

use serde::Deserialize;

use super::string::push_escaped;

/// Repairs the strings of a JSON text: raw control characters become escapes, a backslash that begins no escape
/// sequence is doubled, half a surrogate pair becomes U+FFFD. Everything else stays as it is.
pub fn repair_json(text: &str) -> Cow<'_, str> {
    let mut repaired = String::new();
    let mut copied = 0;
    let mut in_string = false;
    let mut at = 0;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let (used, replacement) = match bytes[at] {
            b'"' => {
                in_string = !in_string;
                (1, None)
            }
            b'\\' if in_string => escape(&text[at..]),
            control @ ..0x20 if in_string => (1, Some(Replacement::Control(char::from(control)))),
            _ => (1, None),
        };
        if let Some(replacement) = replacement {
            repaired.push_str(&text[copied..at]);
            replacement.write(&mut repaired);
            copied = at + used;
        }
        at += used;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    repaired.push_str(&text[copied..]);
    Cow::Owned(repaired)
}

/// What takes the place of something broken.
enum Replacement {
    Control(char),
    Backslash,
    HalfPair,
}

impl Replacement {
    fn write(&self, out: &mut String) {
        match self {
            Self::Control(control) => push_escaped(*control, out),
            Self::Backslash => out.push_str("\\\\"),
            Self::HalfPair => out.push_str("\\ufffd"),
        }
    }
}

/// The length of the escape sequence at the beginning of `text`, and its replacement if it is none.
fn escape(text: &str) -> (usize, Option<Replacement>) {
    match text.as_bytes().get(1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => (2, None),
        Some(b'u') => match (unit(text), text.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (12, None),
            (Some(0xD800..=0xDFFF), _) => (6, Some(Replacement::HalfPair)),
            (Some(_), _) => (6, None),
            (None, _) => (1, Some(Replacement::Backslash)),
        },
        _ => (1, Some(Replacement::Backslash)),
    }
}

/// The UTF-16 unit of a `\uXXXX` sequence at the beginning of `text`.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

/// Parses strict JSON or, where that fails, the repaired text. `scratch` holds the latter.
///
/// # Errors
/// What the strict parser said about the text that was tried last.
pub(crate) fn parse_with_repair<'a, T: Deserialize<'a>>(
    text: &'a str,
    scratch: &'a mut String,
) -> Result<T, serde_json::Error> {
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    match repair_json(text) {
        Cow::Borrowed(_) => Err(error),
        Cow::Owned(repaired) => {
            *scratch = repaired;
            serde_json::from_str(scratch)
        }
    }
}
