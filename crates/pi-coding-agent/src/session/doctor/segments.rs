//! Reads a file into its pieces, one line in memory at a time: whole objects, and what is none.

use std::borrow::Cow;
use std::io::{self, BufRead};
use std::ops::ControlFlow;

use super::finding::FindingLocation;
use super::kind_table::FindingKind;
use crate::session::bounded_line::read_whole_line;
use crate::session::salvage::{Fragment, fragments};

/// The mark that editors may put in front of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A piece of a line.
#[derive(Debug, Clone)]
pub(super) struct Piece<'a> {
    pub(super) place: FindingLocation,
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) state: SegmentState,
    /// What is odd about the way in which it stands there.
    pub(super) notes: Vec<(FindingKind, String)>,
}

/// What is done with each piece.
pub(super) type Take<'a> = dyn FnMut(Piece<'_>) -> ControlFlow<()> + 'a;

/// Whether a piece can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SegmentState {
    /// A JSON object.
    Object,
    /// Something else, and why it is not.
    Damaged(FindingKind, String),
}

/// Gives every piece of `reader` to `take`, in order, until that breaks off.
pub(super) fn read_pieces(mut reader: impl BufRead, take: &mut Take<'_>) -> io::Result<()> {
    let mut line = Vec::new();
    let mut at = FindingLocation::default();
    while read_whole_line(&mut reader, &mut line)? > 0 {
        at.line += 1;
        at.start = at.end;
        at.end += line.len() as u64;
        if split_line(&line, at, take).is_break() {
            break;
        }
        line.clear();
    }
    Ok(())
}

fn split_line(line: &[u8], at: FindingLocation, take: &mut Take<'_>) -> ControlFlow<()> {
    let (text, ended) = line.strip_suffix(b"\n").map_or((line, false), |text| (text, true));
    let unmarked = if at.line == 1 { text.strip_prefix(BYTE_ORDER_MARK) } else { None };
    let (text, mark) = unmarked.map_or((text, 0), |text| (text, BYTE_ORDER_MARK.len()));
    let place = |start: usize, end: usize| {
        let offset = at.start + mark as u64;
        FindingLocation { line: at.line, start: offset + start as u64, end: offset + end as u64 }
    };
    let parts = fragments(text);
    let alone = matches!(&parts[..], [only] if only.is_object() && padded_as_json(text, &only.range));
    let piece = |Fragment { range, damage }: Fragment| {
        let (range, state) = match damage {
            None if alone => (0..text.len(), SegmentState::Object),
            None => (range, SegmentState::Object),
            Some(reason) if !ended && range.end == text.len() => (range, torn(&reason)),
            Some(reason) => (range, damaged(&reason)),
        };
        Piece { place: place(range.start, range.end), bytes: text[range].into(), state, notes: vec![] }
    };
    let mut pieces: Vec<Piece<'_>> = parts.into_iter().map(piece).collect();
    note_line(&mut pieces, mark > 0, ended);
    pieces.into_iter().try_for_each(take)
}

/// Whether only blanks of JSON stand around an object: then the line is kept as it is.
fn padded_as_json(text: &[u8], object: &std::ops::Range<usize>) -> bool {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    text[..object.start].iter().all(blank) && text[object.end..].iter().all(blank)
}

fn torn(reason: &str) -> SegmentState {
    SegmentState::Damaged(
        FindingKind::TornTail,
        format!("the last line ends in the middle of an entry: {}", plain_reason(reason)),
    )
}

/// The parser counts within the piece, which is a line for it.
fn plain_reason(reason: &str) -> String {
    reason.replace(" at line 1 column ", " at its byte ")
}

fn damaged(reason: &str) -> SegmentState {
    let nul = reason.ends_with("NUL bytes");
    let kind = if nul { FindingKind::NulBytes } else { FindingKind::DamagedLine };
    SegmentState::Damaged(kind, plain_reason(reason))
}

fn note_line(pieces: &mut [Piece<'_>], mark: bool, ended: bool) {
    if mark && let Some(first) = pieces.first_mut() {
        first.notes.push((FindingKind::ByteOrderMark, "the file begins with a byte order mark".to_owned()));
    }
    let mut objects = pieces.iter_mut().filter(|piece| piece.state == SegmentState::Object);
    if objects.next().is_some() {
        for object in objects {
            object
                .notes
                .push((FindingKind::GluedEntries, "another object stands before this one on the line".to_owned()));
        }
    }
    if let Some(last) = pieces.last_mut().filter(|last| !ended && last.state == SegmentState::Object) {
        last.notes.push((FindingKind::NoFinalNewline, "the last line has no newline".to_owned()));
    }
}
