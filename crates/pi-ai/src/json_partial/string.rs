//! The inside of a JSON string, piece by piece: repairs what models get wrong and writes it in canonical form.

/// Stands for half a surrogate pair, which a Rust string cannot hold.
const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// Reads a string up to its closing quote.
#[derive(Debug, Clone, Default)]
pub(super) struct StringReader {
    escape: Escape,
    /// A high surrogate that waits for its other half.
    high: Option<u16>,
}

/// An escape sequence that is not complete yet.
#[derive(Debug, Clone, Copy, Default)]
enum Escape {
    #[default]
    None,
    Backslash,
    /// `\u` and so many digits, as text and as a number.
    Unicode {
        digits: [u8; 4],
        count: usize,
        unit: u16,
    },
}

impl StringReader {
    /// Appends what `text` adds to the string; returns the bytes read and whether the closing quote was among them.
    pub(super) fn read(&mut self, text: &str, out: &mut String) -> (usize, bool) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match self.escape {
                Escape::None => {
                    let run = bytes[at..].iter().position(|b| matches!(b, b'"' | b'\\' | ..0x20));
                    let end = run.map_or(bytes.len(), |length| at + length);
                    self.plain(&text[at..end], out);
                    at = end;
                    match bytes.get(at) {
                        Some(b'"') => {
                            self.flush(out);
                            return (at + 1, true);
                        }
                        Some(b'\\') => self.escape = Escape::Backslash,
                        Some(control) => self.character(char::from(*control), out),
                        None => break,
                    }
                    at += 1;
                }
                Escape::Backslash => at += self.after_backslash(bytes[at], out),
                Escape::Unicode { digits, count, unit } => at += self.digit(bytes[at], digits, count, unit, out),
            }
        }
        (at, false)
    }

    fn plain(&mut self, run: &str, out: &mut String) {
        if !run.is_empty() {
            self.flush(out);
            out.push_str(run);
        }
    }

    fn character(&mut self, character: char, out: &mut String) {
        self.flush(out);
        push_escaped(character, out);
    }

    /// A high surrogate got no partner.
    fn flush(&mut self, out: &mut String) {
        if self.high.take().is_some() {
            out.push(REPLACEMENT);
        }
    }

    fn after_backslash(&mut self, byte: u8, out: &mut String) -> usize {
        self.escape = Escape::None;
        match byte {
            b'u' => self.escape = Escape::Unicode { digits: [0; 4], count: 0, unit: 0 },
            b'"' | b'\\' | b'/' => self.character(char::from(byte), out),
            b'b' => self.character('\u{8}', out),
            b'f' => self.character('\u{c}', out),
            b'n' => self.character('\n', out),
            b'r' => self.character('\r', out),
            b't' => self.character('\t', out),
            // No escape at all: the backslash means itself.
            _ => {
                self.character('\\', out);
                return 0;
            }
        }
        1
    }

    fn digit(&mut self, byte: u8, mut digits: [u8; 4], count: usize, unit: u16, out: &mut String) -> usize {
        let Some(value) = char::from(byte).to_digit(16) else {
            self.escape = Escape::None;
            self.character('\\', out);
            out.push('u');
            out.extend(digits[..count].iter().copied().map(char::from));
            return 0;
        };
        digits[count] = byte;
        let unit = unit << 4 | value as u16;
        if count == 3 {
            self.escape = Escape::None;
            self.unit(unit, out);
        } else {
            self.escape = Escape::Unicode { digits, count: count + 1, unit };
        }
        1
    }

    /// Appends one UTF-16 unit.
    fn unit(&mut self, unit: u16, out: &mut String) {
        match (self.high, unit) {
            (_, 0xD800..=0xDBFF) => {
                self.flush(out);
                self.high = Some(unit);
            }
            (Some(high), 0xDC00..=0xDFFF) => {
                self.high = None;
                out.extend(char::decode_utf16([high, unit]).map(|decoded| decoded.unwrap_or(REPLACEMENT)));
            }
            (None, 0xDC00..=0xDFFF) => out.push(REPLACEMENT),
            _ => self.character(char::from_u32(u32::from(unit)).unwrap_or(REPLACEMENT), out),
        }
    }
}

/// Appends one character of a string's value as it is written between quotes.
pub(super) fn push_escaped(character: char, out: &mut String) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        control @ '\0'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", control as u32)),
        other => out.push(other),
    }
}
