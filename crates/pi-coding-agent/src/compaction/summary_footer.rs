//! What follows the model's words in a summary, put there by us: results that were cut through, what is pinned, lists
//! of files. Here is also how to get it off again.

use std::sync::Arc;

use pi_ai::{ContentBlock, Message};

use super::file_ops::CompactionDetails;
use super::serialize::serialize_whole;
use super::tokens::units;
use crate::session::messages::convert_to_llm;

/// Stands before the ends of tool results that were cut through.
const CUT_RESULTS: &str = "\n\n---\n\n**Last tool results (the end of them):**";

/// The ends of the last tool results, newest first as far as `budget` tokens reach, in their order. They are what the
/// model has not answered yet.
pub(super) fn cut_results(results: &[Arc<Message>], budget: u64) -> String {
    let mut left = budget.saturating_mul(4);
    let mut parts = Vec::new();
    for message in results.iter().rev() {
        let Message::ToolResult(result) = message.as_ref() else { continue };
        let text: String = result.content.iter().filter_map(ContentBlock::as_text).collect();
        let end = tail(&text, left);
        left -= units(end);
        if !end.is_empty() {
            let missing = units(&text) - units(end);
            let note = if missing > 0 { format!("[... {missing} characters before this]\n") } else { String::new() };
            parts.push(format!("\n\n[Result of {}]:\n{note}{end}", result.tool_name));
        }
    }
    if parts.is_empty() {
        return String::new();
    }
    parts.reverse();
    format!("{CUT_RESULTS}{}", parts.concat())
}

/// The last `limit` UTF-16 units, from the beginning of a line if one is near.
fn tail(text: &str, limit: u64) -> &str {
    let total = units(text);
    if total <= limit {
        return text;
    }
    let mut before = 0;
    let cut = text.char_indices().find(|(_, c)| {
        let here = before;
        before += c.len_utf16() as u64;
        here >= total - limit
    });
    let end = cut.map_or("", |(at, _)| &text[at..]);
    match end.split_once('\n') {
        Some((partial, rest)) if partial.len() < end.len() / 2 => rest,
        _ => end,
    }
}

/// Pinned messages, word for word.
pub(super) fn pinned(messages: &[Arc<Message>]) -> String {
    let text = serialize_whole(&convert_to_llm(messages));
    if text.is_empty() { text } else { format!("\n\n<pinned>\n{text}\n</pinned>") }
}

impl CompactionDetails {
    /// The lists as they follow a summary, each after a blank line; nothing when both are empty.
    pub(super) fn text(&self) -> String {
        let sections = [("read-files", &self.read_files), ("modified-files", &self.modified_files)];
        let sections = sections.into_iter().filter(|(_, paths)| !paths.is_empty());
        sections.map(|(tag, paths)| format!("\n\n<{tag}>\n{}\n</{tag}>", paths.join("\n"))).collect()
    }
}

/// A summary without lists and pinned messages: they are written anew under the next one.
pub(super) fn without_appendix(summary: &str) -> &str {
    without(without_lists(summary), "pinned")
}

/// A summary without its pinned messages.
pub(super) fn without_pinned(summary: &str) -> String {
    let text = without_lists(summary);
    format!("{}{}", without(text, "pinned"), &summary[text.len()..])
}

fn without_lists(summary: &str) -> &str {
    without(without(summary, "modified-files"), "read-files")
}

fn without<'a>(text: &'a str, tag: &str) -> &'a str {
    if !text.ends_with(&format!("\n</{tag}>")) {
        return text;
    }
    text.rfind(&format!("\n\n<{tag}>\n")).map_or(text, |at| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_texts() {
        for (text, limit, wanted) in [
            ("abc", 3, "abc"),
            ("abc", 2, "bc"),
            ("abc", 0, ""),
            ("a\u{1d11e}c", 2, "c"),
            ("a\u{1d11e}c", 3, "\u{1d11e}c"),
            ("one\ntwo\nthree", 10, "two\nthree"),
            ("a long line\nx", 8, "g line\nx"),
        ] {
            assert_eq!(tail(text, limit), wanted, "{text} {limit}");
        }
    }

    #[test]
    fn what_was_added_can_be_taken_off() {
        let lists = "\n\n<read-files>\na\n</read-files>\n\n<modified-files>\nb\n</modified-files>";
        let pinned = "\n\n<pinned>\n[User]: x\n</pinned>";
        let whole = format!("S{pinned}{lists}");
        assert_eq!(without_appendix(&whole), "S");
        assert_eq!(without_pinned(&whole), format!("S{lists}"));
        for text in ["S", "S <pinned>", "S\n\n<pinned>\nx", "x\n</pinned>"] {
            assert_eq!((without_appendix(text), &*without_pinned(text)), (text, text));
        }
    }
}
