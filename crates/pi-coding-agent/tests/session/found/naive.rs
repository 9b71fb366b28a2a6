//! What a list says about a file, computed in the plainest way: everything is read, split and parsed.

use serde_json::{Map, Value};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::found::generated::{LONE_SURROGATE, REPLACED_SURROGATE};

/// Id, name, newest time, number of messages, first message.
#[derive(Debug, PartialEq)]
pub(crate) struct Summary {
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    pub(crate) modified: i64,
    pub(crate) messages: usize,
    /// `None`: no text.
    pub(crate) first_message: Option<String>,
}

/// One message of user or model.
#[derive(Debug, PartialEq)]
pub(crate) struct Said {
    pub(crate) entry: String,
    pub(crate) role: String,
    pub(crate) text: String,
}

/// All objects of a file.
pub(crate) fn objects(bytes: &[u8]) -> Vec<Value> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes).replace(LONE_SURROGATE, REPLACED_SURROGATE);
    text.split(['\n', '\r']).flat_map(objects_of_line).map(Value::Object).collect()
}

fn objects_of_line(line: &str) -> Vec<Map<String, Value>> {
    let mut found = vec![];
    let mut at = 0;
    loop {
        at += line[at..].len() - line[at..].trim_start_matches([' ', '\t', '\0', '\x0c']).len();
        if at == line.len() {
            return found;
        }
        match object_at(&line[at..]) {
            Some((object, length)) => {
                found.push(object);
                at += length;
            }
            None => {
                let next = line.match_indices(r#"{"type":""#).map(|(start, _)| start).find(|start| {
                    *start > at && object_at(&line[*start..]).is_some_and(|(object, _)| is_entry(&object))
                });
                at = next.unwrap_or(line.len());
            }
        }
    }
}

fn object_at(text: &str) -> Option<(Map<String, Value>, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Map<String, Value>>();
    let object = text.starts_with('{').then(|| values.next())??.ok()?;
    Some((object, values.byte_offset()))
}

fn is_entry(object: &Map<String, Value>) -> bool {
    object.get("id").is_some_and(Value::is_string)
        && object.get("timestamp").is_some_and(Value::is_string)
        && object.contains_key("parentId")
}

pub(crate) fn summary(bytes: &[u8]) -> Option<Summary> {
    let objects = objects(bytes);
    let header = objects.first().filter(|header| header["type"] == "session")?;
    let created = unix_ms(header["timestamp"].as_str()?)?;
    let mut summary =
        Summary { id: header["id"].as_str()?.to_owned(), name: None, modified: 0, messages: 0, first_message: None };
    for object in &objects {
        if object["type"] == "session_info" {
            // Damage may leave an entry without a name, which takes the name away, or with one that is no text.
            if let Some(name) = given_name(object) {
                summary.name = Some(name.to_owned()).filter(|name| !name.is_empty());
            }
        }
        if object["type"] != "message" {
            continue;
        }
        summary.messages += 1;
        let message = &object["message"];
        if message["content"].is_null() || (message["role"] != "user" && message["role"] != "assistant") {
            continue;
        }
        let time = message["timestamp"].as_f64().map(|ms| ms as i64);
        summary.modified = summary.modified.max(time.or_else(|| unix_ms(object["timestamp"].as_str()?)).unwrap_or(0));
        let text = text(message);
        if summary.first_message.is_none() && message["role"] == "user" && !text.is_empty() {
            summary.first_message = Some(text);
        }
    }
    summary.modified = if summary.modified > 0 { summary.modified } else { created };
    Some(summary)
}

pub(crate) fn said(bytes: &[u8]) -> Vec<Said> {
    let objects = objects(bytes);
    let messages = objects.iter().filter(|object| object["type"] == "message");
    let said = messages.map(|object| Said {
        entry: object["id"].as_str().unwrap_or_default().to_owned(),
        role: object["message"]["role"].as_str().unwrap_or_default().to_owned(),
        text: text(&object["message"]),
    });
    said.filter(|said| matches!(said.role.as_str(), "user" | "assistant") && !said.text.is_empty()).collect()
}

/// The name of the session as a search finds it.
pub(crate) fn name(bytes: &[u8]) -> Option<Said> {
    let objects = objects(bytes);
    let mut named = objects.iter().filter(|object| object["type"] == "session_info" && given_name(object).is_some());
    named.next_back().map(|object| Said {
        entry: object["id"].as_str().unwrap_or_default().to_owned(),
        role: "name".to_owned(),
        text: given_name(object).unwrap_or_default().to_owned(),
    })
}

/// The name that an entry gives to its session; none where it is no text.
fn given_name(entry: &Value) -> Option<&str> {
    entry.get("name").map_or(Some(""), Value::as_str).map(str::trim)
}

fn text(message: &Value) -> String {
    match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter(|block| block["type"] == "text");
            texts.map(|block| block["text"].as_str().unwrap()).collect::<Vec<_>>().join(" ")
        }
        _ => String::new(),
    }
}

fn unix_ms(iso: &str) -> Option<i64> {
    let instant = OffsetDateTime::parse(iso, &Rfc3339).ok()?;
    i64::try_from(instant.unix_timestamp_nanos() / 1_000_000).ok()
}
