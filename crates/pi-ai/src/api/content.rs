//! Pieces of message conversion that wire formats share.

use serde_json::{Map, Value};

use crate::message::{ContentBlock, ImageContent};

/// The text of a tool result that has only images.
pub(crate) const SEE_IMAGE: &str = "(see attached image)";

/// A JSON object of values that are moved, not copied: images are large.
pub(crate) fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// A message of a role.
pub(crate) fn message(role: &str, content: Value) -> Value {
    object([("role", role.into()), ("content", content)])
}

/// `{"type": "text", "text": …}`, which most formats share.
pub(crate) fn text_part(text: &str) -> Value {
    object([("type", "text".into()), ("text", text.into())])
}

/// The arguments of a call, for formats that accept only an object. Any other value becomes an empty object: it was
/// invalid, and the call's result says so.
pub(crate) fn arguments_object(arguments: &Value) -> Value {
    if arguments.is_object() { arguments.clone() } else { Value::Object(Map::new()) }
}

/// The text blocks, one per line.
pub(crate) fn joined_text(blocks: &[ContentBlock]) -> String {
    let texts: Vec<&str> = blocks.iter().filter_map(ContentBlock::as_text).collect();
    texts.join("\n")
}

/// The image blocks.
pub(crate) fn images(blocks: &[ContentBlock]) -> impl Iterator<Item = &ImageContent> {
    blocks.iter().filter_map(|block| match block {
        ContentBlock::Image(image) => Some(image),
        _ => None,
    })
}

/// An id of at most `max` characters from `[A-Za-z0-9_-]`; others become `_`.
pub(crate) fn plain_id(id: &str, max: usize) -> String {
    // One underscore per UTF-16 unit, as other programs do, so that ids agree across them.
    let units = id.chars().flat_map(|c| {
        let legal = c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        std::iter::repeat_n(if legal { c } else { '_' }, c.len_utf16())
    });
    units.take(max).collect()
}
