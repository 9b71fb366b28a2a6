//! The fields of a line that make up the tree, read without parsing what the entry holds.
//!
//! Every known writer puts these fields at the start of a line, or, in entries of extensions, at its end, without blanks.
//! Only such lines are read here; whoever gets `None` for another one parses it (`salvage.rs`, `record.rs`).

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};
use serde::de::IgnoredAny;

/// What a line says of its place in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Light<'a> {
    /// The `type`.
    pub(super) kind: &'a str,
    /// The id.
    pub(super) id: &'a str,
    /// The parent's id; `None` for a root.
    pub(super) parent_id: Option<&'a str>,
}

/// Where in a line its fields are.
enum Fields {
    AtStart,
    AtEnd,
}

/// The fields at the end of an entry are looked for in so many bytes: ids are short.
const TAIL: usize = 512;

impl<'a> Light<'a> {
    /// Reads a line without its newline. `None` for a line that is not written the usual way, and for one that seems to
    /// hold more than one entry.
    pub(super) fn read(line: &'a [u8]) -> Option<Self> {
        let (light, place) = Self::find(line)?;
        let whole = match place {
            Fields::AtStart => is_alone(line),
            // Half an entry in front of this one would look like a part of it.
            Fields::AtEnd => serde_json::from_slice::<IgnoredAny>(line).is_ok(),
        };
        whole.then_some(light)
    }

    /// Like [`Self::read`], without a search for a second entry on a line that starts like one.
    pub(super) fn read_quickly(line: &'a [u8]) -> Option<Self> {
        match Self::find(line)? {
            (light, Fields::AtStart) => Some(light),
            (_, Fields::AtEnd) => Self::read(line),
        }
    }

    /// Like [`Self::read`], without a look at what else is on the line: for lines that will be parsed before they count.
    pub(super) fn read_single(line: &'a [u8]) -> Option<Self> {
        Self::find(line).map(|(light, _)| light)
    }

    fn find(line: &'a [u8]) -> Option<(Self, Fields)> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let (kind, rest) = text(line.strip_prefix(br#"{"type":"#)?)?;
        let (place, (id, parent_id)) = match rest.strip_prefix(br#","id":"#) {
            Some(rest) => (Fields::AtStart, at_start(rest).filter(|_| line.ends_with(b"}"))?),
            None => (Fields::AtEnd, at_end(line)?),
        };
        Some((Self { kind, id, parent_id }, place))
    }
}

/// `"<id>","parentId":<parent>,…`
fn at_start(rest: &[u8]) -> Option<(&str, Option<&str>)> {
    let (id, rest) = text(rest)?;
    let (parent, rest) = text_or_null(rest.strip_prefix(br#","parentId":"#)?)?;
    rest.starts_with(br#",""#).then_some((id, parent))
}

/// `…,"id":"<id>","parentId":<parent>,"timestamp":"…"}` up to the end. A quote within a text has a backslash before it, so
/// that no text can look like this.
fn at_end(line: &[u8]) -> Option<(&str, Option<&str>)> {
    let tail = &line[line.len().saturating_sub(TAIL)..];
    let start = memmem::rfind(tail, br#","id":"#)?;
    let (id, rest) = text(&tail[start + br#","id":"#.len()..])?;
    let (parent, rest) = text_or_null(rest.strip_prefix(br#","parentId":"#)?)?;
    let (_, rest) = text(rest.strip_prefix(br#","timestamp":"#)?)?;
    (rest == b"}").then_some((id, parent))
}

fn text_or_null(from: &[u8]) -> Option<(Option<&str>, &[u8])> {
    match from.strip_prefix(b"null") {
        Some(rest) => Some((None, rest)),
        None => text(from).map(|(text, rest)| (Some(text), rest)),
    }
}

/// A JSON text without escapes, and what follows it.
fn text(from: &[u8]) -> Option<(&str, &[u8])> {
    let from = from.strip_prefix(b"\"")?;
    // Short, so a plain search beats one that has to be set up.
    let end = from.iter().position(|byte| matches!(byte, b'"' | b'\\') || *byte < b' ')?;
    let rest = from[end..].strip_prefix(b"\"")?;
    Some((std::str::from_utf8(&from[..end]).ok()?, rest))
}

/// Whether a line holds one `parentId`: a second one belongs to another entry that was glued to it, or to some data, and
/// then the line is worth a closer look.
fn is_alone(line: &[u8]) -> bool {
    static PARENT: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(br#""parentId":"#));
    PARENT.find_iter(line).nth(1).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_lines_are_read_and_others_left() {
        let light = |kind, id, parent_id| Some(Light { kind, id, parent_id });
        let cases = [
            (
                r#"{"type":"message","id":"a","parentId":"b","timestamp":"t","message":{}}"#,
                light("message", "a", Some("b")),
            ),
            (r#"{"type":"message","id":"a","parentId":null,"timestamp":"t"}"#, light("message", "a", None)),
            ("{\"type\":\"x\",\"id\":\"a\",\"parentId\":null,\"t\":1}\r", light("x", "a", None)),
            (
                r#"{"type":"custom","customType":"t","data":{"id":"z"},"id":"a","parentId":null,"timestamp":"t"}"#,
                light("custom", "a", None),
            ),
            (r#"{"type":"custom","data":{"x":1,"id":"a","parentId":null,"timestamp":"t"}}"#, None),
            (r#"{"type":"custom","data":",\"id\":\"a\",\"parentId\":null,\"timestamp\":\"t\"}"}"#, None),
            (r#"{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/"}"#, None),
            (r#"{ "type":"x","id":"a","parentId":null,"timestamp":"t"}"#, None),
            (r#"{"type":"x","id":"a","parentId":null,"timestamp":"t"#, None),
            (r#"{"type":"x","id":"a\u0041","parentId":null,"timestamp":"t"}"#, None),
            (r#"{"type":"x","id":1,"parentId":null,"timestamp":"t"}"#, None),
            (r#"{"type":"x","id":"a","id":"b","parentId":null,"timestamp":"t"}"#, None),
            (r#"{"type":"x","id":"a","parentId":null,"t{"type":"x","id":"b","parentId":null,"timestamp":"t"}"#, None),
            (
                r#"{"type":"custom","customType":"t{"type":"custom","data":1,"id":"b","parentId":null,"timestamp":"t"}"#,
                None,
            ),
            ("", None),
        ];
        for (line, expected) in cases {
            assert_eq!(Light::read(line.as_bytes()), expected, "{line}");
        }
    }
}
