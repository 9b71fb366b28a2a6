//! A piece of a text around what was found in it, on one line.

use std::ops::Range;

use super::query::SearchQuery;

/// What stands where something was left out.
const LEFT_OUT: char = '…';

/// An excerpt of about `chars` characters, and what was found in it. What the whole query together or its first part
/// found stands in the first third.
pub(super) fn excerpt(query: &SearchQuery, text: &str, chars: usize) -> (String, Vec<Range<usize>>) {
    let together = query.together.as_ref().and_then(|regex| regex.find(text));
    let first = query.wanted.first().and_then(|term| term.regex.find_iter(text).find(|found| !found.is_empty()));
    let center = together.or(first).map_or(0..0, |found| found.range());
    let window = window(text, &center, chars);
    let found = found_in(query, text, &window);
    one_line(text, &window, &found)
}

/// Where to cut: `chars` characters, a third of them before `center`.
fn window(text: &str, center: &Range<usize>, chars: usize) -> Range<usize> {
    let before = text.get(..center.start).unwrap_or_default();
    let lead = before.char_indices().rev().take(chars / 3).last().map_or(center.start, |(at, _)| at);
    let rest = text.get(lead..).unwrap_or_default();
    let length = rest.char_indices().nth(chars).map_or(rest.len(), |(at, _)| at);
    lead..lead + length
}

/// What the query finds within the window, in order, without overlap. What reaches beyond it is cut.
fn found_in(query: &SearchQuery, text: &str, window: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for term in &query.wanted {
        let matches = term.regex.find_iter(text).map(|found| found.range());
        let near = matches.skip_while(|range| range.end <= window.start).take_while(|range| range.start < window.end);
        found.extend(near.map(|range| range.start.max(window.start)..range.end.min(window.end)));
    }
    found.retain(|range| !range.is_empty());
    found.sort_unstable_by_key(|range| (range.start, range.end));
    let mut apart: Vec<Range<usize>> = Vec::new();
    for range in found {
        match apart.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => apart.push(range),
        }
    }
    apart
}

/// The window with every run of blanks as one blank, and the ranges moved accordingly.
fn one_line(text: &str, window: &Range<usize>, found: &[Range<usize>]) -> (String, Vec<Range<usize>>) {
    let mut line = String::new();
    let mut moved: Vec<Range<usize>> = found.to_vec();
    if window.start > 0 {
        line.push(LEFT_OUT);
    }
    for (at, c) in text.get(window.clone()).unwrap_or_default().char_indices() {
        let at = at + window.start;
        for (range, original) in moved.iter_mut().zip(found) {
            if original.start == at {
                range.start = line.len();
            }
            if original.end == at {
                range.end = line.len();
            }
        }
        let blank = c.is_whitespace() || c.is_control();
        if !blank {
            line.push(c);
        } else if !line.ends_with(' ') {
            line.push(' ');
        }
    }
    for (range, original) in moved.iter_mut().zip(found) {
        if original.end == window.end {
            range.end = line.len();
        }
    }
    if window.end < text.len() {
        line.push(LEFT_OUT);
    }
    (line, moved)
}
