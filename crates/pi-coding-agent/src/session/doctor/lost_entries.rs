//! What damaged bytes still give away: the ids of lost entries and what these followed. Nothing else is guessed.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::bytes::Regex;

/// The entries that damage has destroyed, by id.
#[derive(Debug, Default)]
pub(super) struct Lost(HashMap<String, LostEntry>);

/// A lost entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LostEntry {
    /// What it followed, where that can be read: an id, or nothing for a root.
    pub(super) parent: Option<Option<String>>,
    /// How many entries stand before the damage.
    pub(super) before: usize,
}

impl Lost {
    /// Looks through a damaged place behind `before` entries.
    pub(super) fn search(&mut self, bytes: &[u8], before: usize) {
        let Some(link) = LINK.as_ref() else { return };
        for found in link.captures_iter(bytes) {
            let text = |group: usize| {
                found.get(group).and_then(|text| std::str::from_utf8(text.as_bytes()).ok()).map(ToOwned::to_owned)
            };
            let Some(id) = text(1) else { continue };
            let parent = found.get(2).map(|_| text(3));
            self.0.entry(id).or_insert(LostEntry { parent, before });
        }
    }

    /// The lost entry with this id.
    pub(super) fn get(&self, id: &str) -> Option<&LostEntry> {
        self.0.get(id)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// An id, followed by a parent's if the damage begins only behind that. Quotes inside texts are escaped and do not fit.
static LINK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(PATTERN).ok());
const PATTERN: &str = r#""id"\s*:\s*"([^"\\]{1,64})"(\s*,\s*"parentId"\s*:\s*(?:null\b|"([^"\\]{1,64})"))?"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_in_rubble() {
        let mut lost = Lost::default();
        let rubble = [
            &br#"{"type":"message","id":"b","parentId":"a","timest"#[..],
            b"\xff\0 ge\",\"id\" : \"c\",\"parentId\":null,\"x\":\"\\\"id\\\":\\\"no\\\"\"",
            br#""id":"d","parentId":"tor"#,
        ];
        for (place, bytes) in rubble.iter().enumerate() {
            lost.search(bytes, place);
        }
        let entry = |parent: Option<Option<&str>>, before| LostEntry {
            parent: parent.map(|parent| parent.map(ToOwned::to_owned)),
            before,
        };
        assert_eq!(lost.get("b"), Some(&entry(Some(Some("a")), 0)));
        assert_eq!(lost.get("c"), Some(&entry(Some(None), 1)));
        assert_eq!(lost.get("d"), Some(&entry(None, 2)));
        assert_eq!(lost.len(), 3);
    }
}
