//! The light view of an entry: what the tree, the totals and the order of the page need, and nothing of any size.
//!
//! Lenient on purpose: a field of an unexpected shape counts as absent and costs only itself.

use std::borrow::Cow;
use std::fmt;

use memchr::memmem;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::session::without_lone_surrogates;

/// An entry's fields that are looked at.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Line<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) parent_id: Text<'a>,
    #[serde(borrow)]
    pub(super) timestamp: Text<'a>,
    #[serde(borrow)]
    pub(super) target_id: Text<'a>,
    #[serde(borrow)]
    pub(super) label: Text<'a>,
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow)]
    pub(super) summary: Text<'a>,
    #[serde(borrow)]
    pub(super) custom_type: Text<'a>,
    #[serde(borrow)]
    pub(super) provider: Text<'a>,
    #[serde(borrow)]
    pub(super) model_id: Text<'a>,
    #[serde(borrow)]
    pub(super) thinking_level: Text<'a>,
    #[serde(borrow)]
    pub(super) display: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
}

/// A message's fields that are looked at.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct MessageLine<'a> {
    #[serde(borrow)]
    pub(super) role: Text<'a>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) provider: Text<'a>,
    #[serde(borrow)]
    pub(super) model: Text<'a>,
    #[serde(borrow)]
    pub(super) error_message: Text<'a>,
    #[serde(borrow)]
    pub(super) tool_call_id: Text<'a>,
    #[serde(borrow)]
    pub(super) tool_name: Text<'a>,
    #[serde(borrow)]
    pub(super) command: Text<'a>,
    #[serde(borrow)]
    pub(super) summary: Text<'a>,
    #[serde(borrow)]
    pub(super) custom_type: Text<'a>,
    #[serde(borrow)]
    pub(super) display: Option<&'a RawValue>,
}

/// A content block's fields that are looked at.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct Block<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    #[serde(borrow)]
    pub(super) text: Text<'a>,
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
}

/// Looks at an entry's line. What cannot be read at all looks empty.
pub(super) fn with_line<R>(line: &str, look: impl FnOnce(&Line<'_>) -> R) -> R {
    let text = sound(line);
    if let Ok(line) = serde_json::from_str(&text) {
        return look(&line);
    }
    // Repeated keys: through a value, the last one counts.
    let text = serde_json::from_str::<Value>(&text).unwrap_or_default().to_string();
    look(&serde_json::from_str(&text).unwrap_or_default())
}

/// A line without the halves of surrogate pairs that JavaScript tolerates and JSON does not.
pub(super) fn sound(line: &str) -> Cow<'_, str> {
    let suspicious = [&b"\\ud"[..], b"\\uD"].iter().any(|half| memmem::find(line.as_bytes(), half).is_some());
    if suspicious { without_lone_surrogates(line) } else { line.into() }
}

/// A piece of JSON as `T`; the default when it has another shape.
pub(super) fn read<'a, T: Deserialize<'a> + Default>(raw: Option<&'a RawValue>) -> T {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
}

/// The content of a message: one text, or blocks.
pub(super) fn blocks(raw: Option<&RawValue>) -> Vec<Block<'_>> {
    let blocks: Vec<&RawValue> = read(raw);
    if blocks.is_empty() {
        let text: Text<'_> = read(raw);
        return vec![Block { kind: Text(Cow::Borrowed("text")), text, ..Block::default() }];
    }
    blocks.into_iter().map(|block| read(Some(block))).collect()
}

/// A string; anything else counts as an empty one.
#[derive(Debug, Default)]
pub(super) struct Text<'a>(Cow<'a, str>);

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Lenient)
    }
}

struct Lenient;

impl<'de> Visitor<'de> for Lenient {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(text.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(text.to_owned().into()))
    }

    fn visit_string<E>(self, text: String) -> Result<Text<'de>, E> {
        Ok(Text(text.into()))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Text<'de>, E> {
        Ok(Text::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Text<'de>, E> {
        Ok(Text::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Text<'de>, E> {
        Ok(Text::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Text<'de>, E> {
        Ok(Text::default())
    }

    fn visit_unit<E>(self) -> Result<Text<'de>, E> {
        Ok(Text::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Text<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Text::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Text::default())
    }
}
