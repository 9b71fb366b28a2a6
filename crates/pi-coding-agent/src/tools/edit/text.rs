//! A file's text without its byte-order mark and with LF line ends, and the way back.

/// The byte-order mark.
const BOM: char = '\u{feff}';

/// Decoded content of a file.
#[derive(Debug)]
pub(super) struct FileText {
    /// The text, line ends normalised to LF.
    pub(super) text: String,
    bom: bool,
    crlf: bool,
}

impl FileText {
    /// Decodes UTF-8; `None` when the bytes are something else.
    pub(super) fn decode(bytes: Vec<u8>) -> Option<Self> {
        let raw = String::from_utf8(bytes).ok()?;
        let body = raw.strip_prefix(BOM);
        let text = body.unwrap_or(&raw);
        Some(Self { bom: body.is_some(), crlf: uses_crlf(text), text: normalise_line_ends(text) })
    }

    /// Gives a new text the byte-order mark and the line ends of this file.
    pub(super) fn encode(&self, text: &str) -> String {
        let body = if self.crlf { text.replace('\n', "\r\n") } else { text.to_owned() };
        if self.bom { format!("{BOM}{body}") } else { body }
    }
}

/// CRLF and lone CR become LF.
pub(super) fn normalise_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The first line end decides.
fn uses_crlf(text: &str) -> bool {
    text.find('\n').is_some_and(|at| text[..at].ends_with('\r'))
}
