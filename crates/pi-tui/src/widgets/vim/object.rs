//! Text objects: words, quoted texts, what is in brackets, paragraphs.

use std::ops::Range;

use super::motion::{BRACKETS, closing, opening, run};
use super::sheet::{Class, Sheet};

/// A text object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Object {
    /// The range of cells.
    pub(super) range: Range<usize>,
    /// Whether it is made of whole lines.
    pub(super) is_lines: bool,
}

/// The object that a key names at a cell; `is_around` takes what belongs to it along.
pub(super) fn object(sheet: &Sheet, at: usize, key: char, is_around: bool, count: usize) -> Option<Object> {
    let cells = |range: Range<usize>| Object { range, is_lines: false };
    match key {
        'w' | 'W' => Some(cells(words(sheet, at, key == 'W', is_around, count))),
        '"' | '\'' | '`' => quoted(sheet, at, key, is_around).map(cells),
        'p' => Some(Object { range: paragraph(sheet, at, is_around), is_lines: true }),
        _ => {
            let (open, close) = match key {
                '(' | ')' | 'b' => BRACKETS[0],
                '[' | ']' => BRACKETS[1],
                '{' | '}' | 'B' => BRACKETS[2],
                '<' | '>' => ("<", ">"),
                _ => return None,
            };
            bracketed(sheet, at, (open, close), is_around, count).map(cells)
        }
    }
}

fn words(sheet: &Sheet, at: usize, is_big: bool, is_around: bool, count: usize) -> Range<usize> {
    let mut range = run(sheet, at, is_big);
    let next = |end: usize| run(sheet, end, is_big).end;
    let count = count.min(sheet.end() + 1);
    if !is_around {
        range.end = (1..count).fold(range.end, |end, _| next(end));
        return range;
    }
    // A word and the blanks behind it; or blanks and the word behind them.
    let begins_blank = sheet.class(range.start) == Class::Blank;
    for number in 0..count {
        if number > 0 {
            range.end = next(range.end);
        }
        if begins_blank || sheet.class(range.end) == Class::Blank {
            range.end = next(range.end);
        }
    }
    // Where there are none behind it, those before.
    if !begins_blank && !range.is_empty() && sheet.class(range.end - 1) != Class::Blank {
        let blanks =
            (sheet.line_start(at)..range.start).rev().take_while(|at| sheet.class(*at) == Class::Blank).count();
        range.start -= blanks;
    }
    range
}

/// What is in the quotes around the cell, or in the next ones of the line.
fn quoted(sheet: &Sheet, at: usize, quote: char, is_around: bool) -> Option<Range<usize>> {
    let quote = quote.to_string();
    let (start, end) = (sheet.line_start(at), sheet.line_end(at));
    let is_escaped = |at: usize| (start..at).rev().take_while(|at| sheet.text(*at) == "\\").count() % 2 == 1;
    let quotes: Vec<usize> = (start..end).filter(|at| sheet.text(*at) == quote && !is_escaped(*at)).collect();
    let (open, close) = quotes.chunks_exact(2).map(|pair| (pair[0], pair[1])).find(|(_, close)| *close >= at)?;
    if !is_around {
        return Some(open + 1..close);
    }
    let is_blank = |at: &usize| sheet.class(*at) == Class::Blank;
    let behind = (close + 1..end).take_while(is_blank).count();
    let before = if behind == 0 { (start..open).rev().take_while(is_blank).count() } else { 0 };
    Some(open - before..close + 1 + behind)
}

fn bracketed(
    sheet: &Sheet,
    at: usize,
    (open, close): (&str, &str),
    is_around: bool,
    count: usize,
) -> Option<Range<usize>> {
    // On a bracket it is the one that is meant.
    let mut start = if sheet.text(at) == open { at } else { opening(sheet, at, open, close)? };
    for _ in 1..count {
        start = opening(sheet, start, open, close)?;
    }
    let end = closing(sheet, start + 1, open, close)?;
    Some(if is_around { start..end + 1 } else { start + 1..end })
}

/// Lines up to an empty one; or empty lines, where the cell is in one.
fn paragraph(sheet: &Sheet, at: usize, is_around: bool) -> Range<usize> {
    let is_empty = |line: usize| sheet.is_empty_line(sheet.first_of_line(line));
    let (line, count) = (sheet.line_of(at), sheet.line_count());
    let kind = is_empty(line);
    let first = (0..line).rev().take_while(|line| is_empty(*line) == kind).last().unwrap_or(line);
    let mut last = (line..count).take_while(|line| is_empty(*line) == kind).last().unwrap_or(line);
    if is_around {
        last = (last + 1..count).take_while(|line| is_empty(*line) != kind).last().unwrap_or(last);
    }
    sheet.first_of_line(first)..sheet.line_end(sheet.first_of_line(last)) + 1
}
