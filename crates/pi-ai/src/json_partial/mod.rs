//! Incomplete JSON text, as tool arguments arrive: reads it piece by piece and completes it on demand.
//!
//! [`PartialJson`] keeps the accepted text in canonical form together with what is still open, so a piece costs
//! time proportional to its own length and nothing is ever parsed twice. What text is accepted beyond strict JSON
//! (raw control characters and stray backslashes in strings, missing or trailing commas, cut literals) is decided
//! here; nothing here knows what the values mean.

mod number;
mod repair;
mod string;
mod surrogates;

use serde_json::{Map, Value};

use number::Number;
pub(crate) use repair::parse_with_repair;
pub use repair::repair_json;
use string::StringReader;
pub use surrogates::SurrogateJoiner;

/// Containers may nest this deep; what is deeper is cut off. `serde_json` reads 127 levels, of which messages,
/// session entries and events need some for themselves.
const MAX_DEPTH: usize = 100;

/// Reads JSON text piece by piece. The result depends on the text alone, not on how it was cut.
#[derive(Debug, Clone, Default)]
pub struct PartialJson {
    /// Accepted text, canonical: no white space, strings repaired.
    out: String,
    /// Length of the part of `out` that becomes valid JSON by closing what is open.
    keep: usize,
    /// Length of `out` before the member or element that is being read.
    mark: usize,
    open: Vec<Container>,
    state: ParserState,
}

/// A container that is still open.
#[derive(Debug, Clone, Copy)]
struct Container {
    kind: Kind,
    /// Whether a comma must precede the next member.
    filled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    Array,
}

impl Kind {
    fn closer(self) -> char {
        match self {
            Self::Object => '}',
            Self::Array => ']',
        }
    }
}

/// What may come next.
#[derive(Debug, Clone, Default)]
enum ParserState {
    /// A value.
    #[default]
    Value,
    /// A key, or the end of the object.
    Key,
    InKey(StringReader),
    Colon,
    InString(StringReader),
    /// A number that began at this position of `out`.
    InNumber(Number, usize),
    /// So many bytes of a literal were seen; none is in `out`.
    InLiteral(&'static str, usize),
    /// A comma or the end of the container.
    AfterValue,
    /// Nothing more is read: the value is complete, or the text went wrong.
    Done,
}

impl PartialJson {
    /// Appends a piece.
    pub fn push(&mut self, piece: &str) {
        let mut rest = piece;
        while !rest.is_empty() {
            let used = self.step(rest);
            if matches!(self.state, ParserState::Done) {
                return;
            }
            rest = &rest[used..];
        }
    }

    /// Bytes of the text that is kept.
    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether nothing but white space has arrived.
    pub fn is_blank(&self) -> bool {
        self.out.is_empty() && matches!(self.state, ParserState::Value)
    }

    /// What the text says so far; an empty object when it says nothing (or `null`) yet.
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.text()).unwrap_or_else(|_| Value::Object(Map::new()))
    }

    /// The text so far, completed to valid JSON.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.out.len() + self.open.len() + 5);
        self.write_to(&mut text);
        text
    }

    /// Appends [`PartialJson::text`] to a buffer.
    pub fn write_to(&self, buffer: &mut String) {
        let start = buffer.len();
        match &self.state {
            ParserState::InLiteral(word, _) => buffer.extend([&self.out, *word]),
            ParserState::InString(_) => buffer.extend([&self.out, "\""]),
            ParserState::InNumber(_, at) if *at < self.keep => {
                buffer.extend([&self.out[..*at], number::checked(&self.out[*at..self.keep])]);
            }
            _ => buffer.push_str(&self.out[..self.keep]),
        }
        buffer.extend(self.open.iter().rev().map(|container| container.kind.closer()));
        if matches!(&buffer[start..], "" | "null") {
            buffer.truncate(start);
            buffer.push_str("{}");
        }
    }

    /// Reads the beginning of `rest` and returns how many bytes it took; none when only the state changed.
    fn step(&mut self, rest: &str) -> usize {
        match &mut self.state {
            ParserState::InKey(reader) => {
                let (used, closed) = reader.read(rest, &mut self.out);
                if closed {
                    self.out.push('"');
                    self.state = ParserState::Colon;
                }
                used
            }
            ParserState::InString(reader) => {
                let (used, closed) = reader.read(rest, &mut self.out);
                self.keep = self.out.len();
                if closed {
                    self.out.push('"');
                    self.end_value();
                }
                used
            }
            ParserState::InNumber(number, at) => {
                let (number, at) = (*number, *at);
                self.number(number, at, rest.as_bytes()[0])
            }
            ParserState::InLiteral(word, matched) => {
                let (word, matched) = (*word, *matched);
                self.literal(word, matched, rest.as_bytes()[0])
            }
            ParserState::Done => 0,
            _ => self.between(rest.as_bytes()[0]),
        }
    }

    /// Reads one byte outside strings, numbers and literals.
    fn between(&mut self, byte: u8) -> usize {
        if byte.is_ascii_whitespace() {
            return 1;
        }
        match (&self.state, byte) {
            (ParserState::Colon, b':') => {
                self.out.push(':');
                self.state = ParserState::Value;
            }
            (ParserState::AfterValue, b',') => self.state = self.next_member(),
            (_, b'}' | b']') => self.close(byte),
            (ParserState::Key, b'"') => self.start_key(),
            (ParserState::Value, _) => self.start_value(byte),
            // A comma is missing: read on as if it were there.
            (ParserState::AfterValue, _) => {
                self.state = self.next_member();
                return 0;
            }
            _ => self.stop(),
        }
        1
    }

    fn innermost(&self) -> Option<Kind> {
        self.open.last().map(|container| container.kind)
    }

    fn next_member(&self) -> ParserState {
        if self.innermost() == Some(Kind::Object) { ParserState::Key } else { ParserState::Value }
    }

    /// Writes the comma that a further member of the innermost container needs.
    fn separate(&mut self) {
        self.mark = self.keep;
        if let Some(container) = self.open.last_mut()
            && std::mem::replace(&mut container.filled, true)
        {
            self.out.push(',');
        }
    }

    fn start_key(&mut self) {
        self.separate();
        self.out.push('"');
        self.state = ParserState::InKey(StringReader::default());
    }

    fn start_value(&mut self, byte: u8) {
        if self.innermost() != Some(Kind::Object) {
            self.separate();
        }
        match byte {
            b'"' => {
                self.out.push('"');
                self.keep = self.out.len();
                self.state = ParserState::InString(StringReader::default());
            }
            b'{' => self.open(Kind::Object, '{', ParserState::Key),
            b'[' => self.open(Kind::Array, '[', ParserState::Value),
            b't' => self.state = ParserState::InLiteral("true", 1),
            b'f' => self.state = ParserState::InLiteral("false", 1),
            b'n' => self.state = ParserState::InLiteral("null", 1),
            _ => match Number::start(byte) {
                Some(number) => {
                    let at = self.out.len();
                    self.extend_number(number, at, byte);
                }
                None => self.stop(),
            },
        }
    }

    fn open(&mut self, kind: Kind, opener: char, inside: ParserState) {
        if self.open.len() >= MAX_DEPTH {
            return self.stop();
        }
        self.out.push(opener);
        self.keep = self.out.len();
        self.open.push(Container { kind, filled: false });
        self.state = inside;
    }

    /// Closes the innermost container. A comma before the bracket does no harm: it was not written yet.
    fn close(&mut self, byte: u8) {
        let between_members = !matches!(self.state, ParserState::Colon) && self.out.len() == self.keep;
        match self.innermost() {
            Some(kind) if between_members && kind.closer() == char::from(byte) => {
                self.out.push(kind.closer());
                self.open.pop();
                self.end_value();
            }
            _ => self.stop(),
        }
    }

    fn end_value(&mut self) {
        self.keep = self.out.len();
        self.state = if self.open.is_empty() { ParserState::Done } else { ParserState::AfterValue };
    }

    fn extend_number(&mut self, number: Number, at: usize, byte: u8) {
        self.out.push(char::from(byte));
        if number.is_complete() {
            self.keep = self.out.len();
        }
        self.state = ParserState::InNumber(number, at);
    }

    fn number(&mut self, number: Number, at: usize, byte: u8) -> usize {
        if let Some(next) = number.next(byte) {
            self.extend_number(next, at, byte);
            return 1;
        }
        if self.keep > at && (byte.is_ascii_whitespace() || matches!(byte, b',' | b']' | b'}')) {
            let checked = number::checked(&self.out[at..self.keep]).to_owned();
            self.out.replace_range(at.., &checked);
            self.end_value();
        } else {
            self.drop_member();
        }
        0
    }

    fn literal(&mut self, word: &'static str, matched: usize, byte: u8) -> usize {
        if word.as_bytes().get(matched) != Some(&byte) {
            self.drop_member();
        } else if matched + 1 == word.len() {
            self.out.push_str(word);
            self.end_value();
        } else {
            self.state = ParserState::InLiteral(word, matched + 1);
        }
        1
    }

    /// Gives up on the member that is being read: half a number would be a wrong number.
    fn drop_member(&mut self) {
        self.keep = self.mark;
        self.stop();
    }

    /// Reads no further; what is open gets closed.
    fn stop(&mut self) {
        self.out.truncate(self.keep);
        self.state = ParserState::Done;
    }
}

/// What a possibly incomplete or slightly broken JSON text says; an empty object when it says nothing.
///
/// Strict JSON is read as such. Otherwise strings are repaired as [`repair_json`] does, what is open gets closed,
/// an unfinished member is dropped and whatever follows the first senseless character is ignored.
pub fn parse_streaming_json(text: &str) -> Value {
    let mut json = PartialJson::default();
    json.push(text);
    json.value()
}
