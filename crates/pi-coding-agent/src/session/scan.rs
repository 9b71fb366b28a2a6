//! Reads a session file into its pieces, one line after the other, and judges its tail.
//!
//! Nothing here knows what an entry is; `read.rs` does.

use std::io::{self, BufRead};

use super::salvage::{Line, read_line};
use super::whole_line::read_whole_line;

/// A damaged place of a session file. The rest of the file is not affected by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineProblem {
    /// Line number, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// One piece of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// The text of an object, and its line number.
    Object(String, usize),
    /// Bytes that are no object.
    Damaged(Vec<u8>),
}

/// How a file ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Tail {
    /// With a newline, or it is empty.
    #[default]
    Clean,
    /// With a whole object but without a newline.
    Unterminated,
    /// With a torn piece.
    Torn {
        /// Where it starts.
        offset: u64,
        /// Whether it is glued to a whole object, which then lacks its newline.
        glued: bool,
    },
}

/// All pieces of a file.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) pieces: Vec<Piece>,
    pub(super) problems: Vec<LineProblem>,
    pub(super) tail: Tail,
}

/// Reads everything from `reader`.
pub(super) fn scan(mut reader: impl BufRead) -> io::Result<Scan> {
    let mut scan = Scan::default();
    let mut line = Vec::new();
    let (mut number, mut offset) = (0, 0);
    while read_whole_line(&mut reader, &mut line)? > 0 {
        number += 1;
        scan.add_line(&line, number, offset);
        offset += line.len() as u64;
        line.clear();
    }
    Ok(scan)
}

impl Scan {
    fn add_line(&mut self, bytes: &[u8], number: usize, offset: u64) {
        let (text, terminated) = match bytes.strip_suffix(b"\n") {
            Some(text) => (text, true),
            None => (bytes, false),
        };
        // Editors may put a byte order mark in front of the first line.
        let mark = if number == 1 && text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let text = &text[mark..];
        let mut line = read_line(text);
        if !terminated {
            self.tail = self.judge_tail(&mut line, text.len(), number, offset + mark as u64);
        }
        self.add_pieces(&line, text, number);
    }

    /// Takes the torn end off an unterminated line.
    fn judge_tail(&mut self, line: &mut Line, length: usize, number: usize, offset: u64) -> Tail {
        match line.damage.pop_if(|damage| damage.range.end == length) {
            Some(torn) => {
                let reason = format!("the line is torn ({} bytes)", length - torn.range.start);
                self.problems.push(LineProblem { line: number, reason });
                Tail::Torn { offset: offset + torn.range.start as u64, glued: !line.objects.is_empty() }
            }
            None => Tail::Unterminated,
        }
    }

    fn add_pieces(&mut self, line: &Line, text: &[u8], number: usize) {
        let objects = line.objects.iter().map(|range| {
            let object = String::from_utf8_lossy(&text[range.clone()]).into_owned();
            (range.start, Piece::Object(object, number))
        });
        let damaged =
            line.damage.iter().map(|damage| (damage.range.start, Piece::Damaged(text[damage.range.clone()].to_vec())));
        let mut pieces: Vec<_> = objects.chain(damaged).collect();
        pieces.sort_by_key(|(start, _)| *start);
        self.pieces.extend(pieces.into_iter().map(|(_, piece)| piece));
        let problems = line.damage.iter().map(|damage| LineProblem { line: number, reason: damage.reason.clone() });
        self.problems.extend(problems);
    }
}
