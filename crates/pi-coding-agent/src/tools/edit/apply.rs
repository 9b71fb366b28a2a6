//! Builds the new text from the places that `matching` found.

use std::ops::Range;

use pi_agent_core::ToolError;

use super::args::Replacement;
use super::matching::{Matches, Place, find_all};

/// Applies all edits to a text with LF line ends.
pub(super) fn apply(path: &str, text: &str, edits: &[Replacement]) -> Result<String, ToolError> {
    let Matches { plain, places } = find_all(path, text, edits)?;
    let edited = match &plain {
        None => replace(text, 0, &places, edits),
        Some(plain) => replace_lines(text, plain, &places, edits),
    };
    if edited == text { Err(unchanged(path, edits.len())) } else { Ok(edited) }
}

/// Replaces places, sorted and apart, in a piece of text that starts at byte `offset` of what they refer to.
fn replace(piece: &str, offset: usize, places: &[Place], edits: &[Replacement]) -> String {
    let mut out = String::with_capacity(piece.len());
    let mut done = 0;
    for place in places {
        out.push_str(&piece[done..place.range.start - offset]);
        out.push_str(&edits[place.edit].new_text);
        done = place.range.end - offset;
    }
    out.push_str(&piece[done..]);
    out
}

/// Replaces places in the plain form. Lines that no place touches are taken from the original, byte for byte;
/// touched lines come out in plain form.
fn replace_lines(text: &str, plain: &str, places: &[Place], edits: &[Replacement]) -> String {
    let (original, shown) = (line_starts(text), line_starts(plain));
    let mut out = String::with_capacity(text.len());
    let mut next_line = 0;
    for group in group_by_lines(&shown, places) {
        out.push_str(&text[original[next_line]..original[group.lines.start]]);
        let start = shown[group.lines.start];
        out.push_str(&replace(&plain[start..shown[group.lines.end]], start, group.places, edits));
        next_line = group.lines.end;
    }
    out.push_str(&text[original[next_line]..]);
    out
}

/// Places whose lines overlap.
struct Group<'a> {
    lines: Range<usize>,
    places: &'a [Place],
}

fn group_by_lines<'a>(starts: &[usize], places: &'a [Place]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let lines = lines_of(starts, &place.range);
        match groups.last_mut() {
            Some(group) if lines.start < group.lines.end => {
                group.lines.end = group.lines.end.max(lines.end);
                let first = at - group.places.len();
                group.places = &places[first..=at];
            }
            _ => groups.push(Group { lines, places: &places[at..=at] }),
        }
    }
    groups
}

/// Byte at which each line starts, and the length of the text as the end of the last one.
fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.split_inclusive('\n').scan(0, |end, line| {
        *end += line.len();
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// The lines that a range touches.
fn lines_of(starts: &[usize], range: &Range<usize>) -> Range<usize> {
    let last = starts.len() - 1;
    let line_at = |byte| starts.partition_point(|start| *start <= byte).clamp(1, last.max(1)) - 1;
    let end = line_at(range.end.saturating_sub(1).max(range.start));
    line_at(range.start)..(end + 1).min(last)
}

fn unchanged(path: &str, edits: usize) -> ToolError {
    ToolError::new(if edits > 1 {
        format!("No changes made to {path}. The replacements produced identical content.")
    } else {
        format!(
            "No changes made to {path}. The replacement produced identical content. This might indicate an issue with \
             special characters or the text not existing as expected."
        )
    })
}
