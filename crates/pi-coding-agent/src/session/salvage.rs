//! What one physical line of a session file holds. Normally that is one JSON object; after a crash or a careless
//! writer it may be two objects glued together, zeros from a lost disk block, or half a line with another behind it.
//!
//! A damaged piece costs only itself: whatever can be told to be a whole object is returned.

use std::ops::Range;

use memchr::memmem;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::record::parse_lenient;

/// A part of a line: one object, or bytes that are none.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fragment {
    /// Where it is in the line.
    pub(super) range: Range<usize>,
    /// Why it is no object; `None` for an object.
    pub(super) damage: Option<String>,
}

impl Fragment {
    /// Whether it is an object.
    pub(super) fn is_object(&self) -> bool {
        self.damage.is_none()
    }
}

/// Takes a line apart, in the order of the line. Blanks are part of nothing. `line` has no newline.
pub(super) fn fragments(line: &[u8]) -> Vec<Fragment> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = skip_padding(line, at, &mut found) {
        let (length, damage) = match object_at(&line[start..]) {
            Ok(length) => (length, None),
            Err(reason) => (next_entry(line, start + 1).unwrap_or(line.len()) - start, Some(reason)),
        };
        at = start + length;
        found.push(Fragment { range: start..at, damage });
    }
    found
}

/// Where the objects of a line are.
pub(super) fn objects(line: &[u8]) -> impl Iterator<Item = Range<usize>> {
    fragments(line).into_iter().filter(Fragment::is_object).map(|fragment| fragment.range)
}

/// Skips blanks and NUL bytes from `at`; `None` at the end of the line. NULs are reported.
fn skip_padding(line: &[u8], at: usize, found: &mut Vec<Fragment>) -> Option<usize> {
    let padding = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let length = line[at..].iter().take_while(|byte| padding(byte)).count();
    let range = at..at + length;
    if line[range.clone()].contains(&0) {
        found.push(Fragment { range: range.clone(), damage: Some(format!("{length} NUL bytes")) });
    }
    (range.end < line.len()).then_some(range.end)
}

/// The length of the object at the start of `text`.
fn object_at(text: &[u8]) -> Result<usize, String> {
    if text.first() != Some(&b'{') {
        return Err("not a JSON object".to_owned());
    }
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => Ok(values.byte_offset()),
        Some(Err(error)) => Err(format!("invalid JSON: {error}")),
        None => Err("nothing".to_owned()),
    }
}

/// The next position from which the rest of the line starts with a whole entry. Fragments of a torn line hold
/// objects, too, so only one that has an entry's fields counts.
fn next_entry(line: &[u8], from: usize) -> Option<usize> {
    let candidates = memmem::find_iter(&line[from..], br#"{"type":""#).map(|found| found + from);
    candidates.into_iter().find(|start| {
        let text = &line[*start..];
        object_at(text).is_ok_and(|length| is_entry(&text[..length]))
    })
}

fn is_entry(text: &[u8]) -> bool {
    let Some(object) = parse_lenient::<Map<String, Value>>(&String::from_utf8_lossy(text)) else { return false };
    object.get("id").is_some_and(Value::is_string)
        && object.get("timestamp").is_some_and(Value::is_string)
        && object.contains_key("parentId")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The objects of a line, and what else it holds.
    fn taken_apart(line: &str) -> (Vec<&str>, Vec<&str>) {
        let (objects, damage): (Vec<_>, Vec<_>) = fragments(line.as_bytes()).into_iter().partition(Fragment::is_object);
        let texts = |fragments: Vec<Fragment>| fragments.into_iter().map(|fragment| &line[fragment.range]).collect();
        (texts(objects), texts(damage))
    }

    #[test]
    fn damaged_lines_give_up_their_objects() {
        let a = r#"{"type":"x","id":"a"}"#;
        let b = r#"{"type":"custom","customType":"t","id":"b","parentId":null,"timestamp":"t"}"#;
        let check = |line: &str, whole: &[&str], broken: &[&str]| {
            assert_eq!(taken_apart(line), (whole.to_vec(), broken.to_vec()), "{line:?}");
        };
        check("", &[], &[]);
        check(" \r", &[], &[]);
        check(a, &[a], &[]);
        check(&format!("{a}\r"), &[a], &[]);
        check(&format!("{a}{b}"), &[a, b], &[]);
        check(&format!("\0\0{b}\0"), &[b], &["\0\0", "\0"]);
        check("null", &[], &["null"]);
        check("[1]", &[], &["[1]"]);
        check(r#"{"type":"message","id":"x{"#, &[], &[r#"{"type":"message","id":"x{"#]);
        // A torn line with a whole entry glued to it.
        let torn = r#"{"type":"message","id":"c","message":{"role":"user","content":[{"type":"text","text":"h"}"#;
        check(&format!("{torn}{b}"), &[b], &[torn]);
        check(torn, &[], &[torn]);
        check(&format!("{a}{torn}"), &[a], &[torn]);
        // Half a pair of surrogates is nothing that JSON forbids.
        let half = b.replace("\"t\",\"id\"", "\"t\\ud83d\",\"id\"");
        check(&format!("{torn}{half}"), &[&half], &[torn]);
    }
}
