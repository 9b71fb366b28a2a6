//! Breaking lines: between words, and inside those that are longer than a line.

use std::sync::Arc;

use super::line::Line;
use super::style::Style;
use super::width::clusters;

/// The line in pieces of at most so many columns; an empty line is one piece. Blanks where a line breaks are dropped.
///
/// A cluster that is wider than the room stands on a line of its own, which [`Row`](super::Row) cuts.
pub fn wrap(line: &Line, columns: usize) -> Vec<Line> {
    if line.width() <= columns {
        return vec![line.clone()];
    }
    let mut wrapper = Wrapper::new(columns);
    tokens(line, |token| wrapper.add(token));
    let mut lines = wrapper.finish();
    if let Some(first) = lines.first_mut() {
        first.origin.lead = line.origin.lead;
    }
    if let Some(last) = lines.last_mut() {
        last.origin.goes_on = line.origin.goes_on;
    }
    lines
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Word,
    /// A character between whose neighbours a line may break anywhere.
    Single,
}

/// A word or what is between two.
#[derive(Default)]
struct Token {
    line: Line,
    width: usize,
}

/// Cuts a line into words and blanks. A word goes on through pieces of different styles.
fn tokens(line: &Line, mut each: impl FnMut((Kind, Token))) {
    let mut current: Option<(Kind, Token)> = None;
    for span in &line.spans {
        parts(&span.text, |part, width| {
            let kind = kind_of(part);
            if current.as_ref().is_some_and(|(now, _)| *now != kind || kind == Kind::Single)
                && let Some(done) = current.take()
            {
                each(done);
            }
            let (_, token) = current.get_or_insert_with(|| (kind, Token::default()));
            token.line.push_linked(part, span.style, span.link.as_ref());
            token.width += width;
        });
    }
    if let Some(last) = current {
        each(last);
    }
}

/// Cuts a text into parts of one kind: whole words and blanks where that is simple, else clusters.
fn parts(text: &str, mut each: impl FnMut(&str, usize)) {
    if !text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return clusters(text).for_each(|(cluster, width)| each(cluster, width));
    }
    let mut rest = text;
    while let Some(first) = rest.bytes().next() {
        let is_blank = first == b' ';
        let end = rest.bytes().position(|byte| (byte == b' ') != is_blank).unwrap_or(rest.len());
        each(&rest[..end], end);
        rest = &rest[end..];
    }
}

fn kind_of(cluster: &str) -> Kind {
    match cluster.chars().next() {
        Some(' ') => Kind::Blank,
        Some(char) if breaks_anywhere(char) => Kind::Single,
        _ => Kind::Word,
    }
}

/// Between characters of Chinese, Japanese and Korean a line may break anywhere.
pub(crate) fn breaks_anywhere(char: char) -> bool {
    matches!(char,
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{2fd5}' | '\u{3005}' | '\u{3007}' | '\u{3021}'..='\u{3029}'
        | '\u{302a}'..='\u{302f}' | '\u{3038}'..='\u{303b}' | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}' | '\u{30fd}'..='\u{30ff}' | '\u{3105}'..='\u{312f}' | '\u{3131}'..='\u{318e}'
        | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{a960}'..='\u{a97c}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9d}'
        | '\u{ffa0}'..='\u{ffdc}' | '\u{1b000}'..='\u{1b16f}' | '\u{20000}'..='\u{3134f}')
}

struct Wrapper {
    columns: usize,
    lines: Vec<Line>,
    line: Line,
    used: usize,
}

impl Wrapper {
    fn new(columns: usize) -> Self {
        Self { columns: columns.max(1), lines: Vec::new(), line: Line::new(), used: 0 }
    }

    fn add(&mut self, (kind, token): (Kind, Token)) {
        if token.width > self.columns && kind != Kind::Blank {
            return self.split(&token.line);
        }
        if self.used + token.width > self.columns {
            if kind == Kind::Blank {
                return self.end(token.width);
            }
            self.end(0);
        }
        self.line.append(&token.line);
        self.used += token.width;
    }

    /// Ends a line, which goes on below; so many blanks are dropped between, beside those at its end.
    fn end(&mut self, blanks: usize) {
        let mut line = std::mem::take(&mut self.line);
        let dropped = blanks + trim_end(&mut line);
        line.origin.goes_on = u16::try_from(dropped).ok();
        self.lines.push(line);
        self.used = 0;
    }

    /// A word that is longer than a line breaks where the line ends.
    fn split(&mut self, word: &Line) {
        if self.used > 0 {
            self.end(0);
        }
        for span in &word.spans {
            for (cluster, width) in clusters(&span.text) {
                self.add_cluster(cluster, width, span.style, span.link.as_ref());
            }
        }
    }

    fn add_cluster(&mut self, cluster: &str, width: usize, style: Style, link: Option<&Arc<str>>) {
        if self.used > 0 && self.used + width > self.columns {
            self.end(0);
        }
        self.line.push_linked(cluster, style, link);
        self.used += width;
    }

    /// Blanks at the end of a text are no line of their own.
    fn finish(mut self) -> Vec<Line> {
        if !self.line.is_empty() || self.lines.is_empty() {
            self.end(0);
        }
        self.lines
    }
}

/// Drops the blanks at the end of a line, and tells how many there were.
fn trim_end(line: &mut Line) -> usize {
    let mut dropped = 0;
    while let Some(last) = line.spans.last_mut() {
        let kept = last.text.trim_end_matches(' ').len();
        dropped += last.text.len() - kept;
        last.text.truncate(kept);
        if !last.text.is_empty() {
            break;
        }
        line.spans.pop();
    }
    dropped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_between_words() {
        for (text, columns, expected) in [
            ("one two three", 7, &["one two", "three"][..]),
            ("", 5, &[""]),
            ("abcdefgh", 3, &["abc", "def", "gh"]),
            ("a abcdefgh b", 4, &["a", "abcd", "efgh", "b"]),
            ("日本語日本", 4, &["日本", "語日", "本"]),
            ("trailing   ", 8, &["trailing"]),
            ("  indented text", 10, &["  indented", "text"]),
        ] {
            let lines: Vec<String> = wrap(&Line::from(text), columns).iter().map(Line::text).collect();
            assert_eq!(lines, expected, "{text:?} in {columns}");
        }
    }

    #[test]
    fn what_was_dropped_is_known() {
        for (text, columns) in [
            ("one two three", 7),
            ("one  two   three", 5),
            ("abcdefgh  x", 3),
            ("one      two", 4),
            ("  a b", 3),
            ("日本語 日本", 4),
        ] {
            let mut whole = String::new();
            for line in wrap(&Line::from(text), columns) {
                whole += &line.text();
                whole += &" ".repeat(line.origin.goes_on.unwrap_or_default().into());
            }
            assert_eq!(whole, text, "in {columns}");
        }
    }
}
