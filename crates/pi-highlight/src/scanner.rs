//! Cuts code into tokens. Every byte of the text is in exactly one of them, whatever the text is.

use crate::Class;
use crate::languages::Rules;

/// Pieces of a text in order. All cuts are at ASCII bytes or at the end, so pieces are whole characters.
#[derive(Debug, Clone)]
pub(super) struct Scanner<'a> {
    rules: &'static Rules,
    text: &'a str,
    at: usize,
    /// Inside of `<…>`, where the language has tags.
    in_tag: bool,
    /// A token that was found behind plain text.
    found: Option<(Class, usize)>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(rules: &'static Rules, text: &'a str) -> Self {
        Self { rules, text, at: 0, in_tag: false, found: None }
    }

    fn rest(&self, at: usize) -> &'a [u8] {
        self.text.as_bytes().get(at..).unwrap_or_default()
    }

    fn take(&mut self, class: Class, end: usize) -> Option<(Class, &'a str)> {
        let piece = self.text.get(self.at..end)?;
        self.at = end;
        Some((class, piece))
    }

    /// The token that starts at `at` and where it ends, or where to look next.
    fn token_at(&mut self, at: usize) -> Result<(Class, usize), usize> {
        let rest = self.rest(at);
        let first = rest[0];
        if !first.is_ascii() || first == b' ' {
            return Err(at + 1);
        }
        if let Some(length) = self.comment(at, rest) {
            return Ok((Class::Comment, at + length));
        }
        if self.rules.markup && !self.in_tag {
            return self.tag(at, rest);
        }
        if self.rules.markup && first == b'>' {
            self.in_tag = false;
        }
        if let Some(length) = self.string(rest) {
            return Ok((Class::String, at + length));
        }
        if first.is_ascii_digit() {
            return Ok((Class::Number, at + run(rest, |byte| byte.is_ascii_alphanumeric() || b"._".contains(&byte))));
        }
        if is_word(first) {
            return self.word(at, rest);
        }
        Err(at + 1)
    }

    fn word(&self, at: usize, rest: &[u8]) -> Result<(Class, usize), usize> {
        let length = run(rest, |byte| is_word(byte) || byte.is_ascii_digit());
        if self.rules.is_keyword(&rest[..length]) { Ok((Class::Keyword, at + length)) } else { Err(at + length) }
    }

    fn comment(&self, at: usize, rest: &[u8]) -> Option<usize> {
        if let Some((open, close)) = self.rules.block_comment.filter(|(open, _)| rest.starts_with(open.as_bytes())) {
            let inside = &rest[open.len()..];
            let length = position(inside, close.as_bytes()).map(|found| found + close.len());
            return Some(open.len() + length.unwrap_or(inside.len()));
        }
        let marker = self.rules.line_comments.iter().find(|marker| rest.starts_with(marker.as_bytes()))?;
        // `$#` and `a#b` of a shell are no comments.
        let glued = *marker == "#" && at > 0 && !self.text.as_bytes()[at - 1].is_ascii_whitespace();
        (!glued).then(|| line_end(rest))
    }

    fn string(&self, rest: &[u8]) -> Option<usize> {
        let quote = self.rules.quotes.iter().find(|quote| rest.starts_with(quote.as_bytes()))?.as_bytes();
        if quote == b"'" && self.rules.lifetimes {
            return character(rest);
        }
        let one_line = quote.len() == 1 && quote != b"`";
        let mut at = quote.len();
        while at < rest.len() {
            match rest[at] {
                b'\\' => at += 2,
                b'\n' if one_line => return Some(at),
                _ if rest[at..].starts_with(quote) => return Some(at + quote.len()),
                _ => at += 1,
            }
        }
        Some(rest.len())
    }

    fn tag(&mut self, at: usize, rest: &[u8]) -> Result<(Class, usize), usize> {
        let is_tag = rest[0] == b'<' && rest.get(1).is_some_and(|next| next.is_ascii_alphabetic() || *next == b'/');
        if !is_tag {
            return Err(at + 1);
        }
        self.in_tag = true;
        Ok((Class::Keyword, at + 1 + run(&rest[1..], |byte| byte.is_ascii_alphanumeric() || b"/-:_".contains(&byte))))
    }
}

impl<'a> Iterator for Scanner<'a> {
    type Item = (Class, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some((token, end)) = self.found.take() {
            return self.take(token, end);
        }
        let mut at = self.at;
        while at < self.text.len() {
            match self.token_at(at) {
                Err(next) => at = next,
                Ok((token, end)) if at == self.at => return self.take(token, end),
                Ok(found) => {
                    self.found = Some(found);
                    return self.take(Class::Plain, at);
                }
            }
        }
        (self.at < self.text.len()).then(|| self.take(Class::Plain, self.text.len())).flatten()
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$'
}

fn run(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| !belongs(*byte)).unwrap_or(bytes.len())
}

/// Where `wanted`, which is not empty, begins.
fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

fn line_end(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len())
}

/// The length of a character literal; `None` for a lifetime.
fn character(rest: &[u8]) -> Option<usize> {
    /// `'\u{10ffff}'`
    const LONGEST: usize = 12;
    let end = |from: usize| {
        let inside = rest.get(from..rest.len().min(LONGEST))?;
        inside.iter().position(|byte| *byte == b'\'').map(|found| from + found + 1)
    };
    match rest.get(1)? {
        b'\\' => end(3),
        b'\n' => None,
        byte if byte.is_ascii() => end(2).filter(|end| *end == 3),
        _ => end(2).filter(|end| *end <= 6),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::languages::{LANGUAGES, find};

    /// The text with tokens in brackets: `c` comment, `s` string, `n` number, `k` keyword.
    fn marked(language: &str, text: &str) -> String {
        let pieces = Scanner::new(find(language).unwrap(), text).map(|(class, piece)| match class {
            Class::Plain => piece.to_owned(),
            Class::Comment => format!("[c {piece}]"),
            Class::String => format!("[s {piece}]"),
            Class::Number => format!("[n {piece}]"),
            Class::Keyword => format!("[k {piece}]"),
        });
        pieces.collect()
    }

    #[test]
    fn tokens_are_found() {
        for (language, text, expected) in [
            ("rs", "let a = 'x'; // b\nfn f<'a>() {}", "[k let] a = [s 'x']; [c // b]\n[k fn] f<'a>() {}"),
            ("rust", r#"'\'' '"' "a\"b" 0xff_u8"#, r#"[s '\''] [s '"'] [s "a\"b"] [n 0xff_u8]"#),
            ("js", "const a = `x\ny` /* b */", "[k const] a = [s `x\ny`] [c /* b */]"),
            ("py", "def f(): # no\n  '''a\n'b'''", "[k def] f(): [c # no]\n  [s '''a\n'b''']"),
            ("sh", "if [ $# -gt 2 ]; then # c", "[k if] [ $# -gt [n 2] ]; [k then] [c # c]"),
            ("sql", "SELECT 'it' -- x", "[k SELECT] [s 'it'] [c -- x]"),
            ("html", "<a href='x'>don't</a><!-- c -->", "[k <a] href=[s 'x']>don't[k </a]>[c <!-- c -->]"),
            ("json", r#"{"a": [1, true]}"#, r#"{[s "a"]: [[n 1], [k true]]}"#),
            ("c", "\"open\nint x;", "[s \"open]\n[k int] x;"),
            ("ts", "letter x1", "letter x1"),
        ] {
            assert_eq!(marked(language, text), expected);
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost(language in 0..LANGUAGES.len(), text in r#"([a-z0-9 <>/'"`\\#*\n-]|é|😀|let|\*/|-->){0,60}"#) {
            let pieces: String = Scanner::new(&LANGUAGES[language], &text).map(|(_, piece)| piece).collect();
            prop_assert_eq!(pieces, text);
        }
    }
}
