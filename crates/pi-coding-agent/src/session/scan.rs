//! Reads a session file into its pieces, one line after the other, and judges its tail.
//!
//! Nothing here knows what an entry is; `read.rs` does.

use std::io::{self, BufRead};

use super::bounded_line::read_whole_line;
use super::salvage::{Fragment, fragments};

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
        let mut line = fragments(text);
        if !terminated {
            self.tail = self.judge_tail(&mut line, text.len(), number, offset + mark as u64);
        }
        self.add_pieces(line, text, number);
    }

    /// Takes the torn end off an unterminated line.
    fn judge_tail(&mut self, line: &mut Vec<Fragment>, length: usize, number: usize, offset: u64) -> Tail {
        match line.pop_if(|last| !last.is_object() && last.range.end == length) {
            Some(torn) => {
                let reason = format!("the line is torn ({} bytes)", length - torn.range.start);
                self.problems.push(LineProblem { line: number, reason });
                let glued = line.iter().any(Fragment::is_object);
                Tail::Torn { offset: offset + torn.range.start as u64, glued }
            }
            None => Tail::Unterminated,
        }
    }

    fn add_pieces(&mut self, line: Vec<Fragment>, text: &[u8], number: usize) {
        for Fragment { range, damage } in line {
            let bytes = &text[range];
            match damage {
                None => self.pieces.push(Piece::Object(String::from_utf8_lossy(bytes).into_owned(), number)),
                Some(reason) => {
                    self.pieces.push(Piece::Damaged(bytes.to_vec()));
                    self.problems.push(LineProblem { line: number, reason });
                }
            }
        }
    }
}
