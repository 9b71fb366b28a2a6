//! Tool-call ids as Mistral takes them: nine letters and digits.

use std::collections::HashMap;

use crate::hash::short_hash;

/// Exactly as long is an id.
const LENGTH: usize = 9;

/// Makes the ids of one request, or of one answer, legal.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// Legal id by the original one.
    by_original: HashMap<String, String>,
    /// Original id by the legal one.
    taken: HashMap<String, String>,
}

impl Ids {
    /// The legal id for an original one: always the same for the same, never the same for two.
    pub(super) fn legal(&mut self, original: &str) -> String {
        if let Some(known) = self.by_original.get(original) {
            return known.clone();
        }
        // Two of four billion hashes being equal is rare, so this ends soon.
        let legal = (0..).map(|attempt| candidate(original, attempt)).find(|id| !self.taken.contains_key(id));
        let legal = legal.unwrap_or_default();
        self.by_original.insert(original.to_owned(), legal.clone());
        self.taken.insert(legal.clone(), original.to_owned());
        legal
    }
}

/// The id for a call without one, from its place in the answer.
pub(super) fn derived(index: u64) -> String {
    candidate(&format!("toolcall:{index}"), 0)
}

/// What is left of the id if that fits, else a hash. Other programs compute the same.
fn candidate(original: &str, attempt: u32) -> String {
    let stripped: String = original.chars().filter(char::is_ascii_alphanumeric).collect();
    if attempt == 0 && stripped.len() == LENGTH {
        return stripped;
    }
    let seed = if stripped.is_empty() { original } else { &stripped };
    let hash = if attempt == 0 { short_hash(seed) } else { short_hash(&format!("{seed}:{attempt}")) };
    // The shortest hash has two digits: zeros fill it up.
    format!("{hash:0<LENGTH$}")[..LENGTH].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_agree_with_other_implementations() {
        let mut ids = Ids::default();
        for (original, expected) in [
            ("call_F|fc_veryLong+/=abc", "2eew9r1ya"),
            ("call_G|fc_2", "1r3fy0s15"),
            ("gSIMJiOkT", "gSIMJiOkT"),
            ("call-12345", "call12345"),
            ("", "k4n83c7h0"),
            ("日本", "hnl6991dg"),
        ] {
            assert_eq!(ids.legal(original), expected, "{original}");
        }
        assert_eq!(derived(0), "toolcall0");
        assert_eq!(derived(12).len(), LENGTH);
    }

    #[test]
    fn ids_stay_apart_and_are_remembered() {
        let mut ids = Ids::default();
        assert_eq!(ids.legal("call_12345"), "call12345");
        let other = ids.legal("call-12345");
        assert_eq!(other, short_hash("call12345:1")[..LENGTH]);
        assert_eq!(ids.legal("call_12345"), "call12345");
        assert_eq!(ids.legal("call-12345"), other);
    }
}
