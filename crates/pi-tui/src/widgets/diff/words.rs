//! The words in which two lines differ.

use similar::{Algorithm, DiffTag, capture_diff_slices};

/// Bytes of a line beyond which words are not compared: nobody would read them.
const LONGEST: usize = 2_000;

/// A line in parts, and whether they changed.
type ChangedWords<'a> = Vec<(&'a str, bool)>;

/// Both lines in parts. Blanks at the beginning are never among the changes.
pub(super) fn changed<'a>(old: &'a str, new: &'a str) -> (ChangedWords<'a>, ChangedWords<'a>) {
    if old.len().max(new.len()) > LONGEST {
        return (vec![(old, false)], vec![(new, false)]);
    }
    let (old_indent, old) = indented(old);
    let (new_indent, new) = indented(new);
    let mut parts = (vec![(old_indent, false)], vec![(new_indent, false)]);
    let (old, new) = (tokens(old), tokens(new));
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let is_changed = op.tag() != DiffTag::Equal;
        parts.0.extend(old[op.old_range()].iter().map(|part| (*part, is_changed)));
        parts.1.extend(new[op.new_range()].iter().map(|part| (*part, is_changed)));
    }
    parts
}

fn indented(line: &str) -> (&str, &str) {
    line.split_at(line.len() - line.trim_start().len())
}

/// Words, blanks, and each other character by itself.
fn tokens(text: &str) -> Vec<&str> {
    let sort = |char: char| match char {
        _ if char.is_alphanumeric() || char == '_' => 0,
        _ if char.is_whitespace() => 1,
        _ => 2,
    };
    let mut out = Vec::new();
    let mut from = 0;
    let mut last = None;
    for (at, char) in text.char_indices() {
        let now = sort(char);
        if last.is_some_and(|last| last != now || now == 2) {
            out.push(&text[from..at]);
            from = at;
        }
        last = Some(now);
    }
    if from < text.len() {
        out.push(&text[from..]);
    }
    out
}
