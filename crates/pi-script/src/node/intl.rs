//! `intl.segment`: where characters, words and sentences begin, in units of UTF-16.

use serde_json::{Value, json};
use unicode_segmentation::UnicodeSegmentation;

use crate::engine::OpTable;

pub(super) fn add(ops: &mut OpTable) {
    ops.add_sync("intl.segment", |_, mut args| {
        let (text, granularity) = (args.text(0)?, args.text(1)?);
        Ok(Value::Array(segments(&text, &granularity)).into())
    });
}

/// `[length, isWordLike]` of each.
fn segments(text: &str, granularity: &str) -> Vec<Value> {
    let length = |part: &str| part.encode_utf16().count();
    match granularity {
        "word" => {
            let is_word = |part: &str| part.chars().any(char::is_alphanumeric);
            text.split_word_bounds().map(|part| json!([length(part), is_word(part)])).collect()
        }
        "sentence" => text.split_sentence_bounds().map(|part| json!([length(part)])).collect(),
        _ => text.graphemes(true).map(|part| json!([length(part)])).collect(),
    }
}
