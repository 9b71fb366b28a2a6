//! Characters that change their style in the middle, as a reader sees them: an emoji and the mark that makes it a picture.
//!
//! The terminal shows them as one, in one style, and perhaps wider than their parts are alone.

use std::borrow::Cow;

use super::line::Line;
use super::row::shown;
use super::width::clusters;

/// The line with every character in one piece, in the style in which it begins.
pub(super) fn mended(line: &Line) -> Cow<'_, Line> {
    let is_plain = |char: Option<char>| char.is_some_and(|char| matches!(char, ' '..='~'));
    let mut seams = line.spans.windows(2).map(|pair| (pair[0].text.chars().next_back(), pair[1].text.chars().next()));
    if seams.all(|(before, after)| is_plain(before) && is_plain(after)) {
        return Cow::Borrowed(line);
    }
    Cow::Owned(mend(line))
}

fn mend(line: &Line) -> Line {
    let mut text = String::new();
    let mut ends = Vec::new();
    for span in &line.spans {
        text.push_str(&shown(&span.text));
        ends.push(text.len());
    }
    let mut out = Line::new();
    let (mut at, mut current) = (0, 0);
    for (cluster, _) in clusters(&text) {
        while ends.get(current).is_some_and(|end| *end <= at) {
            current += 1;
        }
        if let Some(span) = line.spans.get(current) {
            out.push_linked(cluster, span.style, span.link.as_ref());
        }
        at += cluster.len();
    }
    out
}
