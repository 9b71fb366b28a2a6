//! Builds the new text from the places that `matching` found.

use std::ops::Range;

use pi_agent_core::ToolError;

use super::args::Replacement;
use super::matching::{MatchRange, Matches, find_all};

/// A text after its edits.
#[derive(Debug)]
pub(super) struct Edited {
    pub(super) text: String,
    /// What it is made of.
    pub(super) pieces: Vec<Piece>,
}

/// Part of an edited text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Bytes of the original that no edit touches.
    Kept(Range<usize>),
    /// Text in the place of bytes of the original.
    New { text: String, replaced: Range<usize> },
}

/// Applies all edits to a text with LF line ends.
pub(super) fn apply(path: &str, text: &str, edits: &[Replacement]) -> Result<Edited, ToolError> {
    let Matches { plain, places } = find_all(path, text, edits)?;
    let pieces = match &plain {
        None => assemble(text, replacements(&places, edits)),
        Some(plain) => assemble(text, line_replacements(text, plain, &places, edits)),
    };
    let edited: String = pieces.iter().map(|piece| piece.text(text)).collect();
    if edited == text { Err(unchanged(path, edits.len())) } else { Ok(Edited { text: edited, pieces }) }
}

impl Piece {
    fn text<'a>(&'a self, original: &'a str) -> &'a str {
        match self {
            Self::Kept(range) => &original[range.clone()],
            Self::New { text, .. } => text,
        }
    }
}

/// Puts what is kept between replacements, which are sorted and apart.
fn assemble(text: &str, replacements: impl Iterator<Item = (Range<usize>, String)>) -> Vec<Piece> {
    let (mut pieces, mut done) = (Vec::new(), 0);
    for (replaced, text) in replacements {
        pieces.push(Piece::Kept(done..replaced.start));
        done = replaced.end;
        pieces.push(Piece::New { text, replaced });
    }
    pieces.push(Piece::Kept(done..text.len()));
    pieces
}

fn replacements(places: &[MatchRange], edits: &[Replacement]) -> impl Iterator<Item = (Range<usize>, String)> {
    places.iter().map(|place| (place.range.clone(), edits[place.edit].new_text.clone()))
}

/// Replaces places in the plain form. Lines that no place touches are taken from the original, byte for byte;
/// touched lines come out in plain form.
fn line_replacements(
    text: &str,
    plain: &str,
    places: &[MatchRange],
    edits: &[Replacement],
) -> impl Iterator<Item = (Range<usize>, String)> {
    let (original, shown) = (line_starts(text), line_starts(plain));
    group_by_lines(&shown, places).into_iter().map(move |group| {
        let Range { start, end } = group.lines;
        let lines = &plain[shown[start]..shown[end]];
        (original[start]..original[end], replace(lines, shown[start], group.places, edits))
    })
}

/// Replaces places, sorted and apart, in a piece of text that starts at byte `offset` of what they refer to.
fn replace(piece: &str, offset: usize, places: &[MatchRange], edits: &[Replacement]) -> String {
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

/// Places whose lines overlap.
struct Group<'a> {
    lines: Range<usize>,
    places: &'a [MatchRange],
}

fn group_by_lines<'a>(starts: &[usize], places: &'a [MatchRange]) -> Vec<Group<'a>> {
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
