//! One stored entry: the raw line and a light index over it. Everything else is parsed when somebody asks.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Map;

use super::entry::SessionEntry;
use super::fast_tree_fields::Light;
use super::tree_fields::TreeFields;
use crate::host;
use crate::host::json_depth::{MOST_WRITTEN, cut_below};
use crate::session::Error;

/// An entry as it is in the file.
#[doc(alias = "SessionEntryBase")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntry {
    raw: Arc<str>,
    kind: Box<str>,
    id: Arc<str>,
    parent_id: Option<Arc<str>>,
}

impl StoredEntry {
    /// The line without its newline, byte for byte.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The `type`.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The parent's id; `None` for a root.
    pub fn parent_id(&self) -> Option<&str> {
        self.parent_id.as_deref()
    }

    /// The entry with its type's fields.
    pub fn parse(&self) -> SessionEntry {
        parse_lenient(&self.raw).unwrap_or_else(|| SessionEntry::Other(Map::new()))
    }

    /// The line, shared.
    pub(super) fn shared_raw(&self) -> Arc<str> {
        Arc::clone(&self.raw)
    }

    /// Indexes a line. What the entry holds is not looked at where the line is written the usual way.
    ///
    /// # Errors
    /// Says what keeps the line from being an entry.
    pub(super) fn index(raw: Arc<str>) -> Result<Self, &'static str> {
        if let Some(light) = Light::read(raw.as_bytes()) {
            let (kind, id) = (light.kind.into(), light.id.into());
            return Ok(Self { kind, id, parent_id: light.parent_id.map(Arc::from), raw: Arc::clone(&raw) });
        }
        let fields = TreeFields::read(&raw).ok_or("not a readable object")?;
        let kind = fields.kind.ok_or("an entry without a type")?.into();
        let id = fields.id.ok_or("an entry without an id")?.into();
        let parent_id = fields.parent.into_id();
        Ok(Self { kind, id, parent_id, raw })
    }

    /// Turns a new entry into its line. What nests so deeply that the line could not be read again, such as details of a
    /// tool, is `null` in it.
    ///
    /// # Errors
    /// [`Error::EntryTooDeep`] for data of an extension, [`host::Error::Serialize`](crate::host::Error::Serialize).
    pub(super) fn write(entry: &SessionEntry) -> Result<Self, Error> {
        let error = |source| host::Error::Serialize { what: "a session entry", source };
        let line = serde_json::to_string(entry).map_err(error)?;
        let line = match (entry, cut_below(MOST_WRITTEN, &line)) {
            (_, Cow::Borrowed(_)) => line,
            // It is all there is in such an entry, and its extension can be told.
            (SessionEntry::Custom(_), Cow::Owned(_)) => return Err(Error::EntryTooDeep { levels: MOST_WRITTEN }),
            (_, Cow::Owned(cut)) => cut,
        };
        Self::index(line.into()).map_err(|reason| error(serde::de::Error::custom(reason)).into())
    }
}

/// Parses JSON that may hold what only JavaScript tolerates: halves of surrogate pairs, written as `\udXXX`.
pub(super) fn parse_lenient<T: for<'de> Deserialize<'de>>(raw: &str) -> Option<T> {
    serde_json::from_str(raw).or_else(|_| serde_json::from_str(&without_lone_surrogates(raw))).ok()
}

const ESCAPE_LENGTH: usize = 6;

/// Replaces every `\udXXX` that is no half of a pair by `\ufffd`.
pub(crate) fn without_lone_surrogates(raw: &str) -> Cow<'_, str> {
    let mut result = String::new();
    let mut copied = 0;
    let mut at = 0;
    let bytes = raw.as_bytes();
    while let Some(found) = memchr::memchr(b'\\', &bytes[at..]) {
        let start = at + found;
        at = match surrogate(bytes, start) {
            None => start + 2,
            Some(Half::High) if matches!(surrogate(bytes, start + ESCAPE_LENGTH), Some(Half::Low)) => {
                start + 2 * ESCAPE_LENGTH
            }
            Some(_) => {
                result.push_str(&raw[copied..start]);
                result.push_str("\\ufffd");
                copied = start + ESCAPE_LENGTH;
                copied
            }
        }
        .min(bytes.len());
    }
    if copied == 0 {
        return Cow::Borrowed(raw);
    }
    result.push_str(&raw[copied..]);
    Cow::Owned(result)
}

enum Half {
    High,
    Low,
}

/// Which half of a pair the escape at `start` is, if it is one.
fn surrogate(bytes: &[u8], start: usize) -> Option<Half> {
    let escape = bytes.get(start..start + ESCAPE_LENGTH)?.strip_prefix(b"\\u")?;
    let code = u32::from_str_radix(std::str::from_utf8(escape).ok()?, 16).ok()?;
    match code {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_are_replaced_and_pairs_kept() {
        for (raw, expected) in [
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""a\ud83d""#, r#""a\ufffd""#),
            (r#""\ude00\ud83d\ud83d\ude00""#, r#""\ufffd\ufffd\ud83d\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\n\t""#, r#""\n\t""#),
            (r"\", r"\"),
        ] {
            assert_eq!(without_lone_surrogates(raw), expected);
        }
    }

    #[test]
    fn lines_are_indexed() {
        let index = |raw: &str| StoredEntry::index(raw.into());
        let entry = index(r#"{"type":"x","id":"1","parentId":"0","deep":[{"id":2}]}"#).unwrap();
        assert_eq!((entry.kind(), entry.id(), entry.parent_id()), ("x", "1", Some("0")));
        let doubled = index(r#"{"type":"x","id":"1","id":"2","parentId":3}"#).unwrap();
        assert_eq!((doubled.id(), doubled.parent_id()), ("2", None));
        assert_eq!(index(r#"{"type":"x","id":1}"#), Err("an entry without an id"));
        assert_eq!(index(r#"{"id":"1"}"#), Err("an entry without a type"));
    }
}
