//! The YAML head of a Markdown file.

use serde_yaml_ng::{Mapping, Value};

/// Bytes of a head that are parsed. Names and descriptions are far shorter.
const MOST_BYTES: usize = 64 * 1024;
/// Collections inside of each other. The parser's time grows with the square of it.
const MOST_DEPTH: usize = 100;
/// Aliases (`*name`) in a head with anchors: each may repeat what others have repeated.
const MOST_ALIASES: usize = 8;

/// A Markdown file, split into its head and its body.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The keys of the head; empty when there is none.
    front: Mapping,
    /// What follows the head, without blanks around it. The whole text when there is no head.
    pub body: String,
}

/// The head of a file is no YAML, or more of it than is parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid frontmatter: {detail}")]
pub struct FrontmatterError {
    /// The parser's words, with line and column inside the head.
    detail: String,
}

impl Document {
    /// A scalar of the head as text; `None` when it is missing, null or something else.
    pub fn text(&self, key: &str) -> Option<String> {
        match self.front.get(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => None,
        }
    }

    /// The whole head; what JSON cannot say is left out.
    pub fn head_json(&self) -> serde_json::Value {
        serde_json::to_value(&self.front).unwrap_or_else(|_| serde_json::json!({}))
    }

    /// Whether a key is exactly `true`.
    pub(crate) fn is_true(&self, key: &str) -> bool {
        self.front.get(key) == Some(&Value::Bool(true))
    }
}

/// Splits a file. The head lies between a first line `---` and the next line that starts with `---`; without the
/// second there is no head. Line ends become `\n`.
///
/// # Errors
/// When the head is not YAML, or too large, nested too deeply or full of aliases.
pub fn parse_document(text: &str) -> Result<Document, FrontmatterError> {
    let text = text.replace("\r\n", "\n");
    let Some((head, body)) = split(&text) else { return Ok(Document { front: Mapping::new(), body: text }) };
    check(head).map_err(|detail| FrontmatterError { detail })?;
    let value: Value = serde_yaml_ng::from_str(head).map_err(|error| FrontmatterError { detail: error.to_string() })?;
    let front = match value {
        Value::Mapping(front) => front,
        _ => Mapping::new(),
    };
    Ok(Document { front, body: body.trim().to_owned() })
}

/// Looks at a head before it is parsed: a few kilobytes can keep the parser busy for seconds, or become gigabytes.
fn check(head: &str) -> Result<(), String> {
    if head.len() > MOST_BYTES {
        return Err(format!("it has {} bytes, and at most {MOST_BYTES} are read; move text into the body", head.len()));
    }
    let (mut brackets, mut aliases, mut has_anchor) = (0usize, 0, false);
    for (at, line) in head.split('\n').enumerate() {
        // `- - -`, `? ? ?`: a collection in a collection.
        let mut depth =
            line.bytes().take_while(|byte| b"-? \t".contains(byte)).filter(|byte| b"-?".contains(byte)).count();
        let mut before = b' ';
        let mut bytes = line.bytes().peekable();
        while let Some(byte) = bytes.next() {
            let is_start =
                b" \t[{,:-?".contains(&before) && bytes.peek().is_some_and(|next| !next.is_ascii_whitespace());
            match byte {
                // Those in texts count as well; there most are closed.
                b'[' | b'{' => brackets += 1,
                b']' | b'}' => brackets = brackets.saturating_sub(1),
                b'&' if is_start => has_anchor = true,
                b'*' if is_start => aliases += 1,
                _ => {}
            }
            depth = depth.max(brackets);
            before = byte;
        }
        if depth > MOST_DEPTH {
            return Err(format!("line {} is nested more than {MOST_DEPTH} deep", at + 1));
        }
    }
    if has_anchor && aliases > MOST_ALIASES {
        return Err(format!("it has {aliases} aliases, and at most {MOST_ALIASES} are followed"));
    }
    Ok(())
}

fn split(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("---\n")?;
    if let Some(body) = rest.strip_prefix("---") {
        return Some(("", after_line(body)));
    }
    let end = rest.find("\n---")?;
    // With the end of its last line, which belongs to a text in it.
    Some((&rest[..=end], after_line(&rest[end + 4..])))
}

fn after_line(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_and_bodies() {
        for (text, name, body) in [
            ("---\nname: a\n---\n\nBody\n", Some("a"), "Body"),
            ("---\r\nname: a\r\n---\r\nB\r\nC\r\n", Some("a"), "B\nC"),
            ("---\nname: 7\n----\nB", Some("7"), "B"),
            ("---\n---\nB", None, "B"),
            ("---\nname: a\n---", Some("a"), ""),
            ("---\nname: a\nno end\n", None, "---\nname: a\nno end\n"),
            ("no head\n", None, "no head\n"),
            ("--- \nname: a\n---\n", None, "--- \nname: a\n---\n"),
            ("---\n- list\n---\nB", None, "B"),
            ("---\nname: [x]\n---\nB", None, "B"),
            ("", None, ""),
        ] {
            let document = parse_document(text).unwrap();
            assert_eq!((document.text("name").as_deref(), document.body.as_str()), (name, body), "{text:?}");
        }
    }

    #[test]
    fn only_true_is_true() {
        for (value, truth) in [("true", true), ("'true'", false), ("1", false), ("yes", false), ("false", false)] {
            let document = parse_document(&format!("---\nflag: {value}\n---\n")).unwrap();
            assert_eq!(document.is_true("flag"), truth, "{value}");
        }
    }

    #[test]
    fn a_head_that_is_a_bomb_is_an_error() {
        let laughs: String =
            (0..10).map(|n| format!("a{}: &a{} [{}]\n", n + 1, n + 1, vec![format!("*a{n}"); 10].join(", "))).collect();
        for (head, words) in [
            ("a: ".to_owned() + &"[".repeat(20_000), "line 1 is nested more than 100 deep"),
            ("a: ".to_owned() + &"{x: ".repeat(10_000), "line 1 is nested more than 100 deep"),
            ("a:\n".to_owned() + &"[\n".repeat(20_000), "line 102 is nested more than 100 deep"),
            ("- ".repeat(20_000) + "x", "line 1 is nested more than 100 deep"),
            ("? ".repeat(20_000) + "x", "line 1 is nested more than 100 deep"),
            (format!("a0: &a0 [x]\n{laughs}"), "it has 100 aliases, and at most 8 are followed"),
            (format!("{}: x", "k".repeat(1 << 20)), "it has 1048580 bytes, and at most 65536 are read"),
            (format!("description: \"{}\"", "\\x41".repeat(30_000)), "bytes, and at most 65536 are read"),
        ] {
            let error = parse_document(&format!("---\n{head}\n---\nB")).unwrap_err().to_string();
            assert!(error.starts_with("invalid frontmatter: ") && error.contains(words), "{error}");
        }
    }

    #[test]
    fn ordinary_heads_are_no_bombs() {
        for head in [
            "name: a\ndescription: use *this*, [that] and {those}; a & b, *c, *d, *e, *f, *g, *h, *i, *j, *k, *l",
            "base: &base [x]\na: *base\nb: *base",
            "description: |\n  - a\n  - b [\n  smile :[ :{\n  -----------",
        ] {
            assert!(parse_document(&format!("---\n{head}\n---\nB")).is_ok(), "{head}");
        }
    }

    #[test]
    fn bad_yaml_is_an_error_with_a_place() {
        let error = parse_document("---\nname: a: b\n---\n").unwrap_err().to_string();
        assert!(error.starts_with("invalid frontmatter: ") && error.contains("line 1"), "{error}");
    }
}
