//! Rust source without its comments and strings, so that words and braces in it mean what they say.
//!
//! A small scanner and no parser: it has to be right about rustfmt-formatted code that compiles, nothing else.

use std::ops::Range;

/// Scanned source text. Line numbers start at 1.
#[derive(Debug)]
pub(crate) struct Source {
    /// The text, comments and literals replaced by blanks; line breaks are kept.
    code: String,
    /// Byte ranges of items that exist for tests only.
    tests: Vec<Range<usize>>,
}

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: String,
    /// Line of its `fn`.
    pub(crate) first_line: usize,
    /// Lines from its `fn` to its closing brace.
    pub(crate) lines: usize,
}

impl Source {
    /// Scans a file.
    pub(crate) fn new(text: &str) -> Self {
        let code = blank(text);
        let tests = test_items(&code);
        Self { code, tests }
    }

    /// All lines with their numbers.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.code.lines())
    }

    /// The lines outside test items.
    pub(crate) fn lines_outside_tests(&self) -> impl Iterator<Item = (usize, &str)> {
        let offset = |line: &str| line.as_ptr() as usize - self.code.as_ptr() as usize;
        self.lines().filter(move |(_, line)| !self.tests.iter().any(|range| range.contains(&offset(line))))
    }

    /// Number of lines outside test items, blank and comment lines included.
    pub(crate) fn code_lines(&self) -> usize {
        let tests: usize = self.tests.iter().map(|range| line_breaks(&self.code[range.clone()])).sum();
        line_breaks(&self.code) - tests
    }

    /// The functions outside test items.
    pub(crate) fn functions(&self) -> Vec<Function> {
        let starts = self.code.match_indices("fn ").map(|(at, _)| at);
        let starts = starts.filter(|&at| !self.code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
        let starts = starts.filter(|at| !self.tests.iter().any(|range| range.contains(at)));
        starts.filter_map(|at| self.function_at(at)).collect()
    }

    fn function_at(&self, at: usize) -> Option<Function> {
        let rest = &self.code[at..];
        let name: String = rest[3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let body = item_body(rest)?;
        let first_line = line_breaks(&self.code[..at]) + 1;
        (!name.is_empty()).then(|| Function { name, first_line, lines: line_breaks(&rest[..body.end]) + 1 })
    }
}

fn line_breaks(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// Byte ranges of everything under `#[cfg(test)]`, from the attribute to the end of the line of the closing brace.
fn test_items(code: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (start, _) in code.match_indices("#[cfg(test)]") {
        if ranges.last().is_some_and(|last| last.contains(&start)) {
            continue;
        }
        if let Some(body) = item_body(&code[start..]) {
            let end = start + body.end;
            let rest_of_line = code[end..].find('\n').map_or(code.len() - end, |at| at + 1);
            ranges.push(start..end + rest_of_line);
        }
    }
    ranges
}

/// The first block in braces, unless a semicolon ends the item before.
fn item_body(code: &str) -> Option<Range<usize>> {
    let mut nesting = 0_usize;
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' => nesting += 1,
            ')' | ']' => nesting = nesting.saturating_sub(1),
            ';' if nesting == 0 => return None,
            '{' if nesting == 0 => return Some(at..at + block_length(&code[at..])),
            _ => {}
        }
    }
    None
}

/// Length of the block that the text begins with, both braces included.
fn block_length(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return at + 1;
        }
    }
    code.len()
}

/// Replaces comments and literals by blanks.
fn blank(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match literal_length(rest, out.chars().next_back()) {
            0 => {
                out.push(c);
                c.len_utf8()
            }
            length => {
                out.extend(rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
                length
            }
        };
        rest = &rest[length..];
    }
    out
}

/// Length in bytes of the comment or literal that the text begins with, 0 when it begins with code.
fn literal_length(text: &str, before: Option<char>) -> usize {
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return block_comment_length(text);
    }
    if text.starts_with('\'') {
        return char_length(text);
    }
    if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
        return if text.starts_with('"') { string_length(text) } else { 0 };
    }
    let prefix = text.find(|c| !matches!(c, 'r' | 'b' | 'c')).unwrap_or(text.len());
    let hashes = text[prefix..].len() - text[prefix..].trim_start_matches('#').len();
    match (&text[..prefix], text[prefix + hashes..].starts_with('"')) {
        (prefix, true) if prefix.contains('r') => raw_length(text, hashes),
        (prefix, true) if hashes == 0 && prefix.len() <= 1 => prefix.len() + string_length(&text[prefix.len()..]),
        _ => 0,
    }
}

fn block_comment_length(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn raw_length(text: &str, hashes: usize) -> usize {
    let end = format!("\"{}", "#".repeat(hashes));
    let body = text.find('"').map_or(text.len(), |at| at + 1);
    text[body..].find(&end).map_or(text.len(), |at| body + at + end.len())
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A character literal; 0 for a lifetime.
fn char_length(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => text[3.min(text.len())..].find('\'').map_or(0, |at| at + 4),
        Some(_) => chars.next().filter(|(_, c)| *c == '\'').map_or(0, |(at, _)| at + 1),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_become_blanks() {
        for (text, code) in [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            (r#"f("x\"y", 1)"#, "f(      , 1)"),
            (r##"f(r#"a"b"#, br"\")"##, "f(        ,      )"),
            ("g('{', '\\'', 'a', '\\u{1}')", "g(   ,     ,    ,        )"),
            ("fn f<'a>(x: &'a str)", "fn f<'a>(x: &'a str)"),
            ("for r in b {}", "for r in b {}"),
        ] {
            assert_eq!(blank(text).trim_end(), code.trim_end(), "{text}");
        }
    }

    #[test]
    fn functions_are_found_with_their_length() {
        let text = "trait T {\n    fn declared(&self) -> [u8; 2];\n    fn given(&self) {\n        let f = |x: fn(u8)| { x };\n    }\n}\n#[cfg(test)]\nfn test_only() {\n}\n";
        let functions = Source::new(text).functions();
        assert_eq!(functions, [Function { name: "given".to_owned(), first_line: 3, lines: 3 }]);
    }

    #[test]
    fn test_items_do_not_count() {
        let text = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    #[cfg(test)]\n    fn b() {}\n}\n\n#[cfg(test)]\nmod outside;\nfn c() {}\n";
        assert_eq!(Source::new(text).code_lines(), 6);
    }
}
