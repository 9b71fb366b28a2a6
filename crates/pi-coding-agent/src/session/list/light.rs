//! Lines by parsing: the entries of a line, however it is written and whatever is damaged, and the few fields that lists
//! and searches need.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem;
use serde_json::{Map, Value};

use crate::iso_time::from_iso;
use crate::session::record::{parse_lenient, without_lone_surrogates};
use crate::session::salvage::read_line;

/// One object of a line.
#[derive(Debug)]
pub(in crate::session) struct LightEntry(Map<String, Value>);

/// The message of an entry.
#[derive(Debug, Clone, Copy)]
pub(in crate::session) struct LightMessage<'a> {
    entry: &'a LightEntry,
    message: &'a Value,
}

/// The objects of a line without its line end. Damaged pieces are left out.
pub(in crate::session) fn entries_of(line: &[u8]) -> impl Iterator<Item = LightEntry> {
    let text = String::from_utf8_lossy(line);
    // Nearly always the line is one object, which then needs to be read only once.
    let whole: Option<Map<String, Value>> = parse_lenient(&text);
    let pieces = if whole.is_some() { vec![] } else { salvage(&text) };
    whole.into_iter().chain(pieces).map(LightEntry)
}

fn salvage(text: &str) -> Vec<Map<String, Value>> {
    let text = without_lone_surrogates(text);
    let ranges = read_line(text.as_bytes()).objects.into_iter();
    ranges.filter_map(|range| serde_json::from_str(text.get(range)?).ok()).collect()
}

static MESSAGE: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new(b"message"));
static SESSION_INFO: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new(b"session_info"));
static ESCAPED: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new(br"\u"));

/// Whether a line may hold a message or a name. Large entries of extensions need not be parsed to see that they do not.
pub(in crate::session) fn may_matter(line: &[u8]) -> bool {
    [&MESSAGE, &SESSION_INFO, &ESCAPED].iter().any(|finder| finder.find(line).is_some())
}

/// Whether a line may give the session a name.
pub(in crate::session) fn may_name(line: &[u8]) -> bool {
    SESSION_INFO.find(line).is_some()
}

impl LightEntry {
    /// The whole object.
    pub(in crate::session) fn into_object(self) -> Map<String, Value> {
        self.0
    }

    /// The id; empty when there is none, as in files of version 1.
    pub(in crate::session) fn id(&self) -> &str {
        self.text("id").unwrap_or_default()
    }

    /// The name that a `session_info` entry gives the session; the inner `None` takes it away.
    pub(in crate::session) fn name(&self) -> Option<Option<String>> {
        if self.text("type") != Some("session_info") {
            return None;
        }
        let name = self.0.get("name").map_or(Some(""), Value::as_str)?;
        Some(Some(name.trim().to_owned()).filter(|name| !name.is_empty()))
    }

    /// The message of a `message` entry, of whatever shape.
    pub(in crate::session) fn message(&self) -> Option<LightMessage<'_>> {
        let is_message = self.text("type") == Some("message");
        is_message.then(|| LightMessage { entry: self, message: self.0.get("message").unwrap_or(&Value::Null) })
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(Value::as_str)
    }
}

impl<'a> LightMessage<'a> {
    /// The role; empty when there is none.
    pub(in crate::session) fn role(self) -> &'a str {
        self.message.get("role").and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether user or model said something.
    pub(in crate::session) fn is_conversation(self) -> bool {
        matches!(self.role(), "user" | "assistant") && self.message.get("content").is_some()
    }

    /// Unix time in milliseconds: of the message, else of its entry.
    pub(in crate::session) fn timestamp(self) -> Option<i64> {
        match self.message.get("timestamp") {
            // `as` saturates, so absurd times stay in range.
            Some(Value::Number(number)) => number.as_i64().or_else(|| number.as_f64().map(|ms| ms as i64)),
            _ => from_iso(self.entry.text("timestamp")?),
        }
    }

    /// Its text; several are joined by blanks.
    pub(in crate::session) fn text(self) -> Cow<'a, str> {
        match self.message.get("content") {
            Some(Value::String(text)) => Cow::Borrowed(text),
            Some(Value::Array(blocks)) => {
                let texts = blocks.iter().filter(|block| block.get("type").is_some_and(|kind| kind == "text"));
                let texts: Vec<_> = texts.filter_map(|block| block.get("text")?.as_str()).collect();
                Cow::Owned(texts.join(" "))
            }
            _ => Cow::Borrowed(""),
        }
    }
}
