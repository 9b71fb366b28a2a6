//! How long the first thing in a run of bytes is: a character, an escape sequence, a string of the terminal.
//!
//! What a sequence means is not known here.

const ESC: u8 = 0x1b;
/// No control sequence is longer.
const LONGEST: usize = 1024;

/// What a run of bytes begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    /// So many bytes belong together.
    Whole(usize),
    /// A string of the terminal, such as an answer: so many bytes, its end included where it has one.
    Text(usize),
    /// It may go on, and what is there could be a key that was pressed: Escape alone, Alt and a bracket.
    Open,
    /// It goes on: no key ends here.
    Cut,
    /// A string that goes on; so many bytes of it need not be looked at again.
    CutText(usize),
}

/// What `bytes`, which are not empty, begin with. Of a string, the first `seen` bytes are known to hold no end.
pub(super) fn head(bytes: &[u8], seen: usize) -> Head {
    match bytes {
        [ESC] | [ESC, b'[' | b'O' | b']' | b'P' | b'_' | ESC] => Head::Open,
        [ESC, b'[', rest @ ..] => shift(control(rest), 2),
        [ESC, b']' | b'P' | b'_', ..] => text(bytes, seen.max(2)),
        [ESC, b'O', rest @ ..] => shift(single_shift(rest), 2),
        // Escape before a sequence is Alt, as rxvt and PuTTY send it.
        [ESC, ESC, b'[' | b'O', ..] => meta(bytes),
        [ESC, ESC, ..] => Head::Whole(2),
        [ESC, rest @ ..] => shift(character(rest), 1),
        _ => character(bytes),
    }
}

fn shift(head: Head, by: usize) -> Head {
    match head {
        Head::Whole(length) => Head::Whole(length + by),
        other => other,
    }
}

fn meta(bytes: &[u8]) -> Head {
    match bytes {
        [_, _, _] => Head::Open,
        [_, _, b'[', rest @ ..] => shift(control(rest), 3),
        [_, _, _, rest @ ..] => shift(single_shift(rest), 3),
        _ => Head::Open,
    }
}

/// After `ESC [`. A byte that cannot stand there ends the sequence before itself, so that it is not lost.
fn control(bytes: &[u8]) -> Head {
    match bytes {
        // Keys of the Linux console.
        [b'['] => return Head::Cut,
        [b'[', rest @ ..] => return shift(control_body(rest), 1),
        // A button of the mouse in the old form: three bytes of any value.
        [b'M', rest @ ..] => return if rest.len() < 3 { Head::Cut } else { Head::Whole(4) },
        _ => {}
    }
    control_body(bytes)
}

fn control_body(bytes: &[u8]) -> Head {
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let parameters = bytes.iter().take_while(|byte| matches!(byte, 0x30..=0x3f)).count();
    let between = bytes[parameters..].iter().take_while(|byte| matches!(byte, 0x20..=0x2f)).count();
    let length = parameters + between;
    // Shift in rxvt: `ESC [ 3 $`, to which nothing belongs any more. Reports of modes have a `?` or a `;`.
    if between > 0 && bytes[parameters] == b'$' && is_number(&bytes[..parameters]) {
        return Head::Whole(parameters + 1);
    }
    match bytes.get(length) {
        None if length == LONGEST => Head::Whole(length),
        None => Head::Cut,
        Some(0x40..=0x7e) => Head::Whole(length + 1),
        Some(_) => Head::Whole(length),
    }
}

fn is_number(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit)
}

/// After `ESC O`: a letter, perhaps after the number of modifiers.
fn single_shift(bytes: &[u8]) -> Head {
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match bytes.get(digits) {
        None if digits == LONGEST => Head::Whole(digits),
        None => Head::Cut,
        Some(0x21..=0x7e) => Head::Whole(digits + 1),
        Some(_) => Head::Whole(digits),
    }
}

/// A string up to BEL or ST. Another Escape ends it as well.
fn text(bytes: &[u8], from: usize) -> Head {
    let Some(at) = memchr::memchr2(ESC, 0x07, &bytes[from..]).map(|found| from + found) else {
        return Head::CutText(bytes.len());
    };
    match (bytes[at], bytes.get(at + 1)) {
        (ESC, None) => Head::CutText(at),
        (ESC, Some(b'\\')) => Head::Text(at + 2),
        // Nothing in it: a key, and what comes after it.
        (ESC, Some(_)) if at == 2 => Head::Whole(2),
        (ESC, Some(_)) => Head::Text(at),
        _ => Head::Text(at + 1),
    }
}

/// One character, or one byte that is none.
fn character(bytes: &[u8]) -> Head {
    let length = match bytes.first() {
        None => return Head::Open,
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        Some(_) => return Head::Whole(1),
    };
    match std::str::from_utf8(&bytes[..bytes.len().min(length)]) {
        Ok(_) => Head::Whole(length),
        Err(error) if error.error_len().is_none() => Head::Cut,
        Err(_) => Head::Whole(1),
    }
}
