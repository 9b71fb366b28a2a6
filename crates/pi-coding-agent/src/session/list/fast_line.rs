//! Message lines of the usual shape, parsed without keeping what nobody asks for. A search for a frequent word parses
//! nearly everything, so this is worth a second way; `parsed_entry.rs` reads whatever is different.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

use super::parsed_entry::{LightEntry, LightMessage};
use crate::host::iso_time::from_iso;

/// Reads a line; `None` if anything about it is unusual.
pub(super) fn usual_message(line: &[u8]) -> Option<LightEntry> {
    if !line.starts_with(br#"{"type":"message","#) {
        return None;
    }
    let Entry { kind, id, timestamp, message } = serde_json::from_slice(line).ok()?;
    if kind != "message" {
        return None;
    }
    let timestamp = message.timestamp.or_else(|| from_iso(&timestamp));
    let message = LightMessage { role: message.role.into_owned(), timestamp, text: Some(message.content.0) };
    Some(LightEntry { id: id.into_owned(), name: None, message: Some(message) })
}

#[derive(serde::Deserialize)]
struct Entry<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    timestamp: Cow<'a, str>,
    #[serde(borrow)]
    message: Message<'a>,
}

#[derive(serde::Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    role: Cow<'a, str>,
    content: Content,
    timestamp: Option<i64>,
}

#[derive(serde::Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
}

/// A text, or the texts of blocks.
struct Content(String);

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Texts;

        impl<'de> Visitor<'de> for Texts {
            type Value = Content;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or blocks")
            }

            fn visit_str<E>(self, text: &str) -> Result<Content, E> {
                Ok(Content(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut blocks: A) -> Result<Content, A::Error> {
                let mut texts = String::new();
                let mut several = false;
                while let Some(block) = blocks.next_element::<Block<'de>>()? {
                    let Some(text) = block.text.filter(|_| block.kind == "text") else { continue };
                    if std::mem::replace(&mut several, true) {
                        texts.push(' ');
                    }
                    texts.push_str(&text);
                }
                Ok(Content(texts))
            }
        }

        deserializer.deserialize_any(Texts)
    }
}
