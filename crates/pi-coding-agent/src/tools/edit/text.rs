//! A file's text without its byte-order mark and with LF line ends, and the way back.

use std::ops::Range;

use super::apply::Piece;

/// The byte-order mark.
const BOM: &str = "\u{feff}";

/// Decoded content of a file.
#[derive(Debug)]
pub(super) struct FileText {
    /// The text, line ends normalised to LF.
    pub(super) text: String,
    /// The content as it is.
    raw: String,
    /// Where in `text` the LFs are that stand for CRLF.
    crlf: Vec<usize>,
}

impl FileText {
    /// Decodes UTF-8; `None` when the bytes are something else.
    pub(super) fn decode(bytes: Vec<u8>) -> Option<Self> {
        let raw = String::from_utf8(bytes).ok()?;
        let body = raw.strip_prefix(BOM).unwrap_or(&raw);
        // Each CRLF before it moves an LF by one.
        let crlf = body.match_indices("\r\n").enumerate().map(|(before, (at, _))| at - before).collect();
        Some(Self { text: normalise_line_ends(body), crlf, raw })
    }

    /// The content that the pieces make. What was kept is as it was, byte for byte, but for the end of a line in which
    /// something was replaced: that becomes the line end of the file, as do those of new lines.
    pub(super) fn encode(&self, pieces: &[Piece]) -> String {
        let line_end = self.line_end();
        let mut out = self.raw[..self.body_start()].to_owned();
        let mut in_changed_line = false;
        for piece in pieces {
            match piece {
                Piece::New { text, replaced } => {
                    out.push_str(&text.replace('\n', line_end));
                    in_changed_line = !self.text[..replaced.end].ends_with('\n');
                }
                Piece::Kept(kept) => match self.text[kept.clone()].find('\n').filter(|_| in_changed_line) {
                    Some(length) => {
                        let end = kept.start + length;
                        out.push_str(self.raw(kept.start..end));
                        out.push_str(self.end_of_changed_line(end));
                        out.push_str(self.raw(end + 1..kept.end));
                    }
                    None => out.push_str(self.raw(kept.clone())),
                },
            }
        }
        out
    }

    /// What becomes of the line end at `at`. A lone CR may be no line end at all and stays.
    fn end_of_changed_line(&self, at: usize) -> &str {
        match self.raw(at..at + 1) {
            "\r" => "\r",
            _ => self.line_end(),
        }
    }

    /// The original of a part of `text`.
    fn raw(&self, part: Range<usize>) -> &str {
        &self.raw[self.raw_index(part.start)..self.raw_index(part.end)]
    }

    fn body_start(&self) -> usize {
        if self.raw.starts_with(BOM) { BOM.len() } else { 0 }
    }

    /// Where a byte of `text` is in `raw`.
    fn raw_index(&self, at: usize) -> usize {
        self.body_start() + at + self.crlf.partition_point(|line_end| *line_end < at)
    }

    /// The first LF decides, with or without CR; a file that has CR alone keeps to that.
    fn line_end(&self) -> &'static str {
        match self.raw.find('\n') {
            Some(at) if self.raw[..at].ends_with('\r') => "\r\n",
            None if self.raw.contains('\r') => "\r",
            _ => "\n",
        }
    }
}

/// CRLF and lone CR become LF.
pub(super) fn normalise_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}
