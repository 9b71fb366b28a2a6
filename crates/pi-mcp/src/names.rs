//! Names of tools as the model calls them: `mcp__server__tool`, in the letters and the length that every provider accepts.

use std::collections::HashSet;

use crate::hash::hex_hash;

/// No provider takes longer ones.
const LONGEST: usize = 64;
/// Characters of the hash in a name that would be another's, or too long.
const HASH: usize = 8;

/// The name of a tool, which is none of those that are `taken`.
pub(crate) fn tool_name(server: &str, tool: &str, taken: &HashSet<String>) -> String {
    let plain = format!("mcp__{}__{}", in_ascii(server), in_ascii(tool));
    if plain.len() <= LONGEST && !taken.contains(&plain) {
        return plain;
    }
    let hash = hex_hash(&format!("{server}\0{tool}"), HASH);
    let room = LONGEST - HASH - 1;
    format!("{}_{}", &plain[..plain.len().min(room)], hash)
}

/// Letters, digits, `_` and `-` stay; each other character becomes `_`.
fn in_ascii(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_every_provider_and_differ() {
        let none = HashSet::new();
        assert_eq!(tool_name("fs", "read_file", &none), "mcp__fs__read_file");
        assert_eq!(tool_name("my server", "a.b/c", &none), "mcp__my_server__a_b_c");
        let first = tool_name("天気", "a b", &none);
        assert_eq!(first, "mcp______a_b");
        let taken = HashSet::from([first.clone()]);
        let second = tool_name("天気", "a_b", &taken);
        assert!(second.starts_with(&first) && second != first, "{second}");
        let long = tool_name("s", &"x".repeat(100), &none);
        assert_eq!(long.len(), LONGEST);
        assert_ne!(long, tool_name("s", &"x".repeat(101), &none));
    }
}
