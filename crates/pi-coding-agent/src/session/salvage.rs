//! What one physical line of a session file holds. Normally that is one JSON object; after a crash or a careless
//! writer it may be two objects glued together, zeros from a lost disk block, or half a line with another behind it.
//!
//! A damaged piece costs only itself: whatever can be told to be a whole object is returned.

use std::ops::Range;

use memchr::memmem;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::record::parse_lenient;

/// The objects of a line, and what is wrong with the rest of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// Where the objects are, in order.
    pub(super) objects: Vec<Range<usize>>,
    /// Pieces that are no object.
    pub(super) damage: Vec<Damage>,
}

/// A piece of a line that is not an object.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Damage {
    pub(super) range: Range<usize>,
    pub(super) reason: String,
}

/// Takes a line apart. `line` has no newline.
pub(super) fn read_line(line: &[u8]) -> Line {
    let mut result = Line::default();
    let mut at = 0;
    while let Some(start) = result.skip_padding(line, at) {
        at = match object_at(&line[start..]) {
            Ok(length) => {
                result.objects.push(start..start + length);
                start + length
            }
            Err(reason) => {
                let end = next_entry(line, start + 1).unwrap_or(line.len());
                result.damage.push(Damage { range: start..end, reason });
                end
            }
        };
    }
    result
}

impl Line {
    /// Skips blanks and NUL bytes from `at`; `None` at the end of the line. NULs are reported.
    fn skip_padding(&mut self, line: &[u8], at: usize) -> Option<usize> {
        let padding = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
        let length = line[at..].iter().take_while(|byte| padding(byte)).count();
        let range = at..at + length;
        if line[range.clone()].contains(&0) {
            self.damage.push(Damage { range: range.clone(), reason: format!("{length} NUL bytes") });
        }
        (range.end < line.len()).then_some(range.end)
    }
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

    fn objects(line: &str) -> (Vec<&str>, Vec<&str>) {
        let read = read_line(line.as_bytes());
        let text = |range: &Range<usize>| &line[range.clone()];
        (read.objects.iter().map(text).collect(), read.damage.iter().map(|damage| text(&damage.range)).collect())
    }

    #[test]
    fn damaged_lines_give_up_their_objects() {
        let a = r#"{"type":"x","id":"a"}"#;
        let b = r#"{"type":"custom","customType":"t","id":"b","parentId":null,"timestamp":"t"}"#;
        let check = |line: &str, whole: &[&str], broken: &[&str]| {
            assert_eq!(objects(line), (whole.to_vec(), broken.to_vec()), "{line:?}");
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
