//! Cuts code into tokens. Every byte of the text is in exactly one of them, whatever the text is.

use crate::Class;
use crate::languages::Rules;

/// What is still open where a text ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Open {
    /// A comment or a string, and what ends it.
    token: Option<(Class, &'static str)>,
    /// Inside of `<…>`, where the language has tags.
    in_tag: bool,
}

/// Pieces of a text in order. All cuts are at ASCII bytes or at the end, so pieces are whole characters.
#[derive(Debug, Clone)]
pub(super) struct Scanner<'a> {
    rules: &'static Rules,
    text: &'a str,
    at: usize,
    open: Open,
    /// A token that was found behind plain text.
    found: Option<(Class, usize)>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(rules: &'static Rules, text: &'a str) -> Self {
        Self::resumed(rules, text, Open::default())
    }

    /// Goes on behind a text that ended with a line.
    pub(super) fn resumed(rules: &'static Rules, text: &'a str, open: Open) -> Self {
        let mut scanner = Self { rules, text, at: 0, open, found: None };
        scanner.found = scanner.rest_of_open();
        scanner
    }

    /// What is open at the end, once there are no more pieces.
    pub(super) fn open(&self) -> Open {
        self.open
    }

    /// The rest of a comment or string that began before this text.
    fn rest_of_open(&mut self) -> Option<(Class, usize)> {
        let (class, close) = self.open.token.take()?;
        let end = match class {
            Class::Comment => self.comment_end(0, close),
            _ => self.string_end(0, close),
        };
        (end > 0).then_some((class, end))
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
        if let Some(end) = self.comment(at) {
            return Ok((Class::Comment, end));
        }
        if self.rules.markup && !self.open.in_tag {
            return self.tag(at, rest);
        }
        if self.rules.markup && first == b'>' {
            self.open.in_tag = false;
        }
        if let Some(end) = self.string(at) {
            return Ok((Class::String, end));
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

    fn comment(&mut self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        let starts = |mark: &str| rest.starts_with(mark.as_bytes());
        if let Some((open, close)) = self.rules.block_comments.iter().find(|(open, _)| starts(open)) {
            return Some(self.comment_end(at + open.len(), close));
        }
        let marker = self.rules.line_comments.iter().find(|marker| starts(marker))?;
        let before = at.checked_sub(1).map(|before| self.text.as_bytes()[before]);
        let glued = match *marker {
            // `$#` and `a#b` of a shell are no comments.
            "#" => before.is_some_and(|byte| !byte.is_ascii_whitespace()),
            // `\%` of TeX is a sign.
            "%" => before == Some(b'\\'),
            _ => false,
        };
        (!glued).then(|| at + line_end(rest))
    }

    /// Where a comment ends of whose inside `from` is a part.
    fn comment_end(&mut self, from: usize, close: &'static str) -> usize {
        match position(self.rest(from), close.as_bytes()) {
            Some(found) => from + found + close.len(),
            None => {
                self.open.token = Some((Class::Comment, close));
                self.text.len()
            }
        }
    }

    fn string(&mut self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        let quote = self.rules.quotes.iter().find(|quote| rest.starts_with(quote.as_bytes()))?;
        if *quote == "'" && self.rules.lifetimes {
            return character(&rest[..line_end(rest)]).map(|length| at + length);
        }
        Some(self.string_end(at + quote.len(), quote))
    }

    /// Where a string ends of whose inside `from` is a part.
    fn string_end(&mut self, from: usize, quote: &'static str) -> usize {
        let bytes = self.text.as_bytes();
        let one_line = quote.len() == 1 && quote != "`";
        let mut at = from;
        while at < bytes.len() {
            match bytes[at] {
                b'\\' => at += 2,
                b'\n' if one_line => return at,
                _ if bytes[at..].starts_with(quote.as_bytes()) => return at + quote.len(),
                _ => at += 1,
            }
        }
        // Behind the last byte is what a backslash has put there: the end of the line belongs to the string.
        if !one_line || at > bytes.len() {
            self.open.token = Some((Class::String, quote));
        }
        bytes.len()
    }

    fn tag(&mut self, at: usize, rest: &[u8]) -> Result<(Class, usize), usize> {
        let is_tag = rest[0] == b'<' && rest.get(1).is_some_and(|next| next.is_ascii_alphabetic() || *next == b'/');
        if !is_tag {
            return Err(at + 1);
        }
        self.open.in_tag = true;
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
        fn lines_are_coloured_as_the_whole(language in 0..LANGUAGES.len(), text in r#"([a-z0-9 <>/'"`\\#*{}\n-]|é|let|\*/|-->|\[\[|\]\]|"""){0,60}"#) {
            let rules = &LANGUAGES[language];
            let classes = |pieces: &mut dyn Iterator<Item = (Class, &str)>| -> Vec<(Class, char)> {
                let chars = pieces.flat_map(|(class, piece)| piece.chars().map(move |char| (class, char)));
                chars.filter(|(_, char)| *char != '\n').collect()
            };
            let mut open = Open::default();
            let mut by_line = Vec::new();
            for line in text.split('\n') {
                let mut scanner = Scanner::resumed(rules, line, open);
                by_line.extend(classes(&mut scanner));
                open = scanner.open();
            }
            prop_assert_eq!(by_line, classes(&mut Scanner::new(rules, &text)));
        }

        #[test]
        fn nothing_is_lost(language in 0..LANGUAGES.len(), text in r#"([a-z0-9 <>/'"`\\#*\n-]|é|😀|let|\*/|-->){0,60}"#) {
            let pieces: String = Scanner::new(&LANGUAGES[language], &text).map(|(_, piece)| piece).collect();
            prop_assert_eq!(pieces, text);
        }
    }
}
