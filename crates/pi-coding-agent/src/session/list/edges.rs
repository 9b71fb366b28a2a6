//! What a message line is, told by its two ends, so that nearly all of a file need not be parsed.
//!
//! Every known writer begins a message with type, id, parent, time and role in this order, and ends it with the time of
//! the message, so both ends are at hand. A line is recognised only if it looks exactly so, if it holds no control
//! characters (lost disk blocks), and if nothing in it looks like a second entry (a torn line with another glued to it).
//! Everything else is for `parsed_entry.rs`, which parses. What lies between the ends is not checked: a line that is damaged
//! only there counts as the message that it was.

use std::sync::LazyLock;

use memchr::{memchr2, memmem};

/// Whose message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::session) enum Speaker {
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool, a program.
    Other,
}

/// A message line.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::session) struct Ends {
    pub(in crate::session) speaker: Speaker,
    /// The time of the message, Unix time in milliseconds.
    pub(in crate::session) timestamp: i64,
}

static SECOND_ENTRY: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new(br#""parentId":"#));
const STOP_REASON: &[u8] = br#","stopReason":""#;
/// The longest end of an assistant message that is looked for, in bytes.
const END_WINDOW: usize = 512;

/// Recognises a line without its line end; `None` when only parsing can tell.
pub(in crate::session) fn by_its_ends(line: &[u8]) -> Option<Ends> {
    let (role, body) = start(line)?;
    let (speaker, timestamp) = match role {
        b"user" => (Speaker::User, user_end(body)?),
        b"assistant" => (Speaker::Assistant, assistant_end(body)?),
        _ => (Speaker::Other, plain_end(body)?),
    };
    let controls = body.iter().fold(false, |found, byte| found | (*byte < 0x20));
    (!controls && SECOND_ENTRY.find(body).is_none()).then_some(Ends { speaker, timestamp })
}

/// The role, and what follows it.
fn start(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (_, rest) = plain(line.strip_prefix(br#"{"type":"message","id":""#)?)?;
    let rest = rest.strip_prefix(br#","parentId":"#)?;
    let rest = match rest.strip_prefix(b"null") {
        Some(rest) => rest,
        None => plain(rest.strip_prefix(b"\"")?)?.1,
    };
    let (_, rest) = plain(rest.strip_prefix(br#","timestamp":""#)?)?;
    plain(rest.strip_prefix(br#","message":{"role":""#)?)
}

/// A string without anything special in it, up to its closing quote, and what follows.
fn plain(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = text.iter().take(END_WINDOW).position(|byte| *byte == b'"')?;
    let (string, rest) = (text.get(..length)?, text.get(length + 1..)?);
    let special = |byte: &u8| *byte < 0x20 || *byte >= 0x7f || *byte == b'\\';
    (!string.iter().any(special)).then_some((string, rest))
}

/// `,"timestamp":N}}` after the content, which is one string or one text.
fn user_end(body: &[u8]) -> Option<i64> {
    let content = body.strip_prefix(br#","content":"#)?;
    let rest = match content.strip_prefix(br#"[{"type":"text","text":""#) {
        Some(text) => after_string(text)?.strip_prefix(b"}]")?,
        None => after_string(content.strip_prefix(b"\"")?)?,
    };
    let (timestamp, rest) = number(rest.strip_prefix(br#","timestamp":"#)?)?;
    (rest == b"}}").then_some(timestamp)
}

/// `,"stopReason":"…","timestamp":N`, perhaps the ids of the response, and `}}`.
fn assistant_end(body: &[u8]) -> Option<i64> {
    if !body.starts_with(br#","content":["#) {
        return None;
    }
    let window = body.get(body.len().saturating_sub(END_WINDOW)..)?;
    let end = window.get(memmem::rfind(window, STOP_REASON)? + STOP_REASON.len()..)?;
    let (_, rest) = plain(end)?;
    let (timestamp, mut rest) = number(rest.strip_prefix(br#","timestamp":"#)?)?;
    for key in [br#","responseId":""#.as_slice(), br#","responseModel":""#] {
        if let Some(value) = rest.strip_prefix(key) {
            rest = plain(value)?.1;
        }
    }
    (rest == b"}}").then_some(timestamp)
}

/// `,"timestamp":N}}` and nothing more.
fn plain_end(body: &[u8]) -> Option<i64> {
    let body = body.strip_suffix(b"}}")?;
    let digits = body.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (body, number_text) = body.split_at(body.len() - digits);
    let (timestamp, _) = number(number_text)?;
    body.ends_with(br#","timestamp":"#).then_some(timestamp)
}

/// What follows a string whose opening quote is gone.
fn after_string(text: &[u8]) -> Option<&[u8]> {
    let mut at = 0;
    loop {
        at += memchr2(b'"', b'\\', text.get(at..)?)?;
        match text.get(at)? {
            b'"' => return text.get(at + 1..),
            _ => at += 2,
        }
    }
}

/// A whole number without a sign, and what follows.
fn number(text: &[u8]) -> Option<(i64, &[u8])> {
    const MOST: usize = 15;
    let digits = text.iter().take(MOST + 1).take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = text.split_at_checked(digits)?;
    if digits == 0 || digits > MOST || (digits > 1 && number.first() == Some(&b'0')) {
        return None;
    }
    Some((number.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')), rest))
}
