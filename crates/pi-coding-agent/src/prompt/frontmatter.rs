//! The YAML head of a Markdown file.

use serde_yaml_ng::{Mapping, Value};

/// A Markdown file, split into its head and its body.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The keys of the head; empty when there is none.
    front: Mapping,
    /// What follows the head, without blanks around it. The whole text when there is no head.
    pub body: String,
}

/// The head of a file is no YAML.
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
    #[cfg(feature = "typescript")]
    pub(crate) fn head_json(&self) -> serde_json::Value {
        serde_json::to_value(&self.front).unwrap_or_else(|_| serde_json::json!({}))
    }

    /// Whether a key is exactly `true`.
    pub fn is_true(&self, key: &str) -> bool {
        self.front.get(key) == Some(&Value::Bool(true))
    }
}

/// Splits a file. The head lies between a first line `---` and the next line that starts with `---`; without the
/// second there is no head. Line ends become `\n`.
///
/// # Errors
/// When the head is not YAML.
pub fn parse_document(text: &str) -> Result<Document, FrontmatterError> {
    let text = text.replace("\r\n", "\n");
    let Some((head, body)) = split(&text) else { return Ok(Document { front: Mapping::new(), body: text }) };
    let value: Value = serde_yaml_ng::from_str(head).map_err(|error| FrontmatterError { detail: error.to_string() })?;
    let front = match value {
        Value::Mapping(front) => front,
        _ => Mapping::new(),
    };
    Ok(Document { front, body: body.trim().to_owned() })
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
    fn bad_yaml_is_an_error_with_a_place() {
        let error = parse_document("---\nname: a: b\n---\n").unwrap_err().to_string();
        assert!(error.starts_with("invalid frontmatter: ") && error.contains("line 1"), "{error}");
    }
}
