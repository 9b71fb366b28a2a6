//! Lines by parsing: the entries of a line, however it is written and whatever is damaged, and the few fields that lists
//! and searches need.

use std::sync::LazyLock;

use memchr::memmem;
use serde_json::{Map, Value};

use super::fast_line::usual_message;
use crate::host::iso_time::from_iso;
use crate::session::record::{parse_lenient, without_lone_surrogates};
use crate::session::salvage::objects;

/// What one object of a line says.
#[derive(Debug, Default)]
pub(in crate::session) struct LightEntry {
    /// Empty when there is none, as in files of version 1.
    pub(in crate::session) id: String,
    /// The name that a `session_info` entry gives the session; the inner `None` takes it away.
    pub(in crate::session) name: Option<Option<String>>,
    /// The message of a `message` entry, of whatever shape.
    pub(in crate::session) message: Option<LightMessage>,
}

/// The message of an entry.
#[derive(Debug, Default)]
pub(in crate::session) struct LightMessage {
    /// Empty when there is none.
    pub(in crate::session) role: String,
    /// Unix time in milliseconds: of the message, else of its entry.
    pub(in crate::session) timestamp: Option<i64>,
    /// Its text, where it has any content; several are joined by blanks.
    pub(in crate::session) text: Option<String>,
}

/// What the objects of a line without its line end say. Damaged pieces are left out.
pub(in crate::session) fn entries_of(line: &[u8]) -> impl Iterator<Item = LightEntry> {
    let usual = usual_message(line);
    let others = if usual.is_some() { vec![] } else { objects_of(line) };
    usual.into_iter().chain(others.into_iter().map(|object| LightEntry::from(&object)))
}

/// The objects of a line.
pub(in crate::session) fn objects_of(line: &[u8]) -> Vec<Map<String, Value>> {
    let text = String::from_utf8_lossy(line);
    // Nearly always the line is one object, which then needs to be read only once.
    if let Some(whole) = parse_lenient(&text) {
        return vec![whole];
    }
    let text = without_lone_surrogates(&text);
    objects(text.as_bytes()).filter_map(|range| serde_json::from_str(text.get(range)?).ok()).collect()
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

impl From<&Map<String, Value>> for LightEntry {
    fn from(object: &Map<String, Value>) -> Self {
        let text = |key: &str| object.get(key).and_then(Value::as_str);
        let id = text("id").unwrap_or_default().to_owned();
        match text("type") {
            Some("session_info") => Self { id, name: given_name(object.get("name")), message: None },
            Some("message") => {
                let message = LightMessage::new(object.get("message").unwrap_or(&Value::Null), text("timestamp"));
                Self { id, name: None, message: Some(message) }
            }
            _ => Self { id, ..Self::default() },
        }
    }
}

fn given_name(name: Option<&Value>) -> Option<Option<String>> {
    let name = name.map_or(Some(""), Value::as_str)?;
    Some(Some(name.trim().to_owned()).filter(|name| !name.is_empty()))
}

impl LightMessage {
    fn new(message: &Value, entry_timestamp: Option<&str>) -> Self {
        let timestamp = match message.get("timestamp") {
            // `as` saturates, so absurd times stay in range.
            Some(Value::Number(number)) => number.as_i64().or_else(|| number.as_f64().map(|ms| ms as i64)),
            _ => entry_timestamp.and_then(from_iso),
        };
        let role = message.get("role").and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { role, timestamp, text: message.get("content").map(text_of) }
    }

    /// Whether user or model said something.
    pub(in crate::session) fn is_conversation(&self) -> bool {
        matches!(self.role.as_str(), "user" | "assistant") && self.text.is_some()
    }

    /// The text, if there is any.
    pub(in crate::session) fn into_text(self) -> Option<String> {
        self.text.filter(|text| !text.is_empty())
    }
}

fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter(|block| block.get("type").is_some_and(|kind| kind == "text"));
            texts.filter_map(|block| block.get("text")?.as_str()).collect::<Vec<_>>().join(" ")
        }
        _ => String::new(),
    }
}
