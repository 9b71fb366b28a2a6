//! The session itself inside of its page, for download: the file's lines in a block of data that the page's script reads.
//!
//! The block ends where the parser sees `</script`, and nowhere else. So no `<` is written into it: it is escaped, with the
//! few other characters that a parser changes, in the way that `decodeURIComponent` takes back. What comes out is the
//! session byte for byte.

use std::io::Write;

use super::page::Page;
use crate::export::Error;
use crate::host;

/// Longest name for the download, without its ending.
const NAME: usize = 80;

/// Writes the block.
pub(super) fn write(page: &Page<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let failed = |source| Error::Write { source };
    let header = page.session.header();
    let first =
        serde_json::to_string(header).map_err(|source| host::Error::Serialize { what: "a session header", source })?;
    // The name holds nothing that means anything in an attribute.
    write!(out, "<script type=\"application/x-ndjson\" id=\"session\" data-name=\"{}\">", name(&header.id))
        .map_err(failed)?;
    line(out, &first).map_err(failed)?;
    for index in 0..page.session.entry_count() {
        line(out, &page.session.line(index)?).map_err(failed)?;
    }
    out.write_all(b"</script>\n").map_err(failed)
}

/// The name of the file that is downloaded: of the session's id only what may stand in any file's name.
fn name(id: &str) -> String {
    let id: String = id.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).take(NAME).collect();
    if id.is_empty() { "pi-session.jsonl".to_owned() } else { format!("pi-session-{id}.jsonl") }
}

fn line(out: &mut dyn Write, line: &str) -> std::io::Result<()> {
    let mut copied = 0;
    for (at, byte) in line.bytes().enumerate() {
        if let Some(escaped) = escape(byte) {
            out.write_all(&line.as_bytes()[copied..at])?;
            out.write_all(escaped)?;
            copied = at + 1;
        }
    }
    out.write_all(&line.as_bytes()[copied..])?;
    out.write_all(b"\n")
}

fn escape(byte: u8) -> Option<&'static [u8]> {
    match byte {
        b'%' => Some(b"%25"),
        b'<' => Some(b"%3C"),
        // A parser makes LF of the one and U+FFFD of the other.
        b'\r' => Some(b"%0D"),
        b'\0' => Some(b"%00"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_parser_looks_for_is_left() {
        for (text, expected) in [
            ("{\"a\":\"ä\"}", "{\"a\":\"ä\"}\n"),
            ("</script><!--<script>%3C", "%3C/script>%3C!--%3Cscript>%253C\n"),
            ("a\r\0b", "a%0D%00b\n"),
        ] {
            let mut out = Vec::new();
            line(&mut out, text).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn names_hold_nothing_odd() {
        for (id, expected) in [
            ("0197-a_b", "pi-session-0197-a_b.jsonl"),
            ("../x\"><b>", "pi-session-xb.jsonl"),
            ("…", "pi-session.jsonl"),
        ] {
            assert_eq!(name(id), expected);
        }
    }
}
