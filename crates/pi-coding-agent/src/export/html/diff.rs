//! Diffs, line by line: added, removed, or neither.

use super::writer::Html;

/// Writes a diff whose lines begin with `+`, `-` or something else.
pub(super) fn diff(html: &mut Html, text: &str) {
    html.raw("<pre class=\"diff\"><code>");
    for line in text.split_inclusive('\n') {
        let (start, end) = match line.as_bytes().first() {
            Some(b'+') => ("<ins>", "</ins>"),
            Some(b'-') => ("<del>", "</del>"),
            Some(b'@') => ("<i>", "</i>"),
            _ => ("<span>", "</span>"),
        };
        html.raw(start).text(line.strip_suffix('\n').unwrap_or(line)).raw(end).raw("\n");
    }
    html.raw("</code></pre>");
}

/// Number of added and of removed lines.
pub(super) fn changes(text: &str) -> (usize, usize) {
    let count = |sign: char| text.lines().filter(|line| line.starts_with(sign)).count();
    (count('+'), count('-'))
}
