//! Motions: from a cell to another, and what an operator takes on the way.

use super::sheet::{Class, Sheet};

/// Looking for a character in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Find {
    pub(super) text: String,
    pub(super) is_forward: bool,
    /// One cell before it.
    pub(super) is_till: bool,
}

impl Find {
    pub(super) fn reversed(&self) -> Self {
        Self { is_forward: !self.is_forward, ..self.clone() }
    }
}

/// A motion. Words are big where only blanks end them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Motion {
    Left,
    Right,
    Up,
    Down,
    LineStart,
    FirstNonBlank,
    LineEnd,
    Column,
    Word { is_big: bool },
    WordEnd { is_big: bool },
    WordBack { is_big: bool },
    WordEndBack { is_big: bool },
    FirstLine,
    LastLine,
    ParagraphBack,
    Paragraph,
    Bracket,
    Find(Find, bool),
}

/// What an operator takes of the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Exclusive,
    Inclusive,
    Lines,
}

impl Motion {
    pub(super) fn of(key: char) -> Option<Self> {
        Some(match key {
            'h' => Self::Left,
            'l' | ' ' => Self::Right,
            'k' => Self::Up,
            'j' => Self::Down,
            '0' => Self::LineStart,
            '^' | '_' => Self::FirstNonBlank,
            '$' => Self::LineEnd,
            '|' => Self::Column,
            'w' | 'W' => Self::Word { is_big: key == 'W' },
            'e' | 'E' => Self::WordEnd { is_big: key == 'E' },
            'b' | 'B' => Self::WordBack { is_big: key == 'B' },
            'G' => Self::LastLine,
            '{' => Self::ParagraphBack,
            '}' => Self::Paragraph,
            '%' => Self::Bracket,
            _ => return None,
        })
    }

    pub(super) fn reach(&self) -> Reach {
        match self {
            Self::Up | Self::Down | Self::FirstLine | Self::LastLine => Reach::Lines,
            Self::WordEnd { .. } | Self::WordEndBack { .. } | Self::Bracket => Reach::Inclusive,
            Self::Find(find, _) if find.is_forward => Reach::Inclusive,
            _ => Reach::Exclusive,
        }
    }

    /// Where it leads; nothing where it cannot be made. `column` is where vertical motions want to be.
    pub(super) fn target(&self, sheet: &Sheet, at: usize, count: Option<usize>, column: usize) -> Option<usize> {
        let times = count.unwrap_or(1);
        let steps = |step: &dyn Fn(usize) -> usize| (0..times.min(sheet.end() + 1)).fold(at, |at, _| step(at));
        let line = sheet.line_of(at);
        Some(match self {
            Self::Left => at.saturating_sub(times).max(sheet.line_start(at)),
            Self::Right => (at + times).min(sheet.line_end(at)),
            Self::Up => in_column(sheet, line.checked_sub(times)?, column),
            Self::Down => in_column(sheet, Some(line + times).filter(|line| *line < sheet.line_count())?, column),
            Self::LineStart => sheet.line_start(at),
            Self::FirstNonBlank => sheet.first_non_blank(at),
            Self::LineEnd => sheet.line_end(sheet.first_of_line((line + times - 1).min(sheet.line_count() - 1))),
            Self::Column => (sheet.line_start(at) + times - 1).min(sheet.line_end(at)),
            Self::Word { is_big } => steps(&|at| word(sheet, at, *is_big)),
            Self::WordEnd { is_big } => steps(&|at| word_end(sheet, at, *is_big)),
            Self::WordBack { is_big } => steps(&|at| word_back(sheet, at, *is_big)),
            Self::WordEndBack { is_big } => steps(&|at| word_end_back(sheet, at, *is_big)),
            Self::FirstLine => to_line(sheet, count.unwrap_or(1)),
            Self::LastLine => to_line(sheet, count.unwrap_or(usize::MAX)),
            Self::ParagraphBack => steps(&|at| paragraph_back(sheet, at)),
            Self::Paragraph => steps(&|at| paragraph(sheet, at)),
            Self::Bracket => bracket(sheet, at)?,
            Self::Find(wanted, is_again) => find(sheet, at, wanted, times, *is_again)?,
        })
    }
}

/// The cell of a line in a column, or the last one.
fn in_column(sheet: &Sheet, line: usize, column: usize) -> usize {
    let start = sheet.first_of_line(line);
    start.saturating_add(column).min(sheet.line_end(start))
}

fn to_line(sheet: &Sheet, number: usize) -> usize {
    sheet.first_non_blank(sheet.first_of_line((number.max(1) - 1).min(sheet.line_count() - 1)))
}

/// The start of the next word; an empty line is one.
fn word(sheet: &Sheet, mut at: usize, is_big: bool) -> usize {
    let class = sheet.word_class(at, is_big);
    while at < sheet.end() && !sheet.is_gap(at) && sheet.word_class(at, is_big) == class {
        at += 1;
    }
    while at < sheet.end() && sheet.is_gap(at) {
        let was_break = sheet.is_break(at);
        at += 1;
        if was_break && sheet.is_break(at) {
            break;
        }
    }
    at
}

fn word_end(sheet: &Sheet, at: usize, is_big: bool) -> usize {
    let mut at = (at + 1).min(sheet.end());
    while at < sheet.end() && sheet.is_gap(at) {
        at += 1;
    }
    let class = sheet.word_class(at, is_big);
    while at + 1 < sheet.end() && sheet.word_class(at + 1, is_big) == class && !sheet.is_gap(at) {
        at += 1;
    }
    at
}

fn word_back(sheet: &Sheet, at: usize, is_big: bool) -> usize {
    let mut at = at.saturating_sub(1);
    while at > 0 && sheet.is_gap(at) {
        if sheet.is_empty_line(at) {
            return at;
        }
        at -= 1;
    }
    let class = sheet.word_class(at, is_big);
    while at > 0 && sheet.word_class(at - 1, is_big) == class && !sheet.is_gap(at) {
        at -= 1;
    }
    at
}

fn word_end_back(sheet: &Sheet, mut at: usize, is_big: bool) -> usize {
    let class = sheet.word_class(at, is_big);
    while at > 0 && !sheet.is_gap(at) && sheet.word_class(at, is_big) == class {
        at -= 1;
    }
    while at > 0 && sheet.is_gap(at) && !sheet.is_empty_line(at) {
        at -= 1;
    }
    at
}

fn paragraph(sheet: &Sheet, at: usize) -> usize {
    let line = sheet.line_of(at);
    border(sheet, line, line + 1..sheet.line_count()).map_or(sheet.end(), |line| sheet.first_of_line(line))
}

fn paragraph_back(sheet: &Sheet, at: usize) -> usize {
    let line = sheet.line_of(at);
    border(sheet, line, (0..line).rev()).map_or(0, |line| sheet.first_of_line(line))
}

/// The first empty line among these; from an empty one, behind those that follow it at once.
fn border(sheet: &Sheet, from: usize, lines: impl Iterator<Item = usize>) -> Option<usize> {
    let is_empty = |line: usize| sheet.is_empty_line(sheet.first_of_line(line));
    let begins_empty = is_empty(from);
    lines.skip_while(|line| begins_empty && is_empty(*line)).find(|line| is_empty(*line))
}

/// Brackets that belong together.
pub(super) const BRACKETS: [(&str, &str); 3] = [("(", ")"), ("[", "]"), ("{", "}")];

/// The bracket that belongs to the first one at the cursor or behind it in the line.
fn bracket(sheet: &Sheet, at: usize) -> Option<usize> {
    (at..sheet.line_end(at)).find_map(|at| {
        BRACKETS.iter().find_map(|(open, close)| match sheet.text(at) {
            text if text == *open => Some(closing(sheet, at + 1, open, close)),
            text if text == *close => Some(opening(sheet, at, open, close)),
            _ => None,
        })
    })?
}

/// The bracket that closes what is open at a cell.
pub(super) fn closing(sheet: &Sheet, from: usize, open: &str, close: &str) -> Option<usize> {
    let mut depth = 0;
    (from..sheet.end()).find(|at| {
        let text = sheet.text(*at);
        if text == close && depth == 0 {
            return true;
        }
        depth += usize::from(text == open);
        depth -= usize::from(text == close);
        false
    })
}

/// The bracket that opens what is open before a cell.
pub(super) fn opening(sheet: &Sheet, before: usize, open: &str, close: &str) -> Option<usize> {
    let mut depth = 0;
    (0..before).rev().find(|at| {
        let text = sheet.text(*at);
        if text == open && depth == 0 {
            return true;
        }
        depth += usize::from(text == close);
        depth -= usize::from(text == open);
        false
    })
}

/// The character in the line. When it is looked for again, one right beside the cursor does not count for `t` and `T`.
fn find(sheet: &Sheet, at: usize, wanted: &Find, times: usize, is_again: bool) -> Option<usize> {
    let skipped = usize::from(is_again && wanted.is_till);
    let is_it = |at: &usize| sheet.text(*at) == wanted.text && !sheet.is_break(*at);
    if wanted.is_forward {
        let found = (at + 1 + skipped..sheet.line_end(at)).filter(is_it).nth(times - 1)?;
        return Some(if wanted.is_till { found - 1 } else { found });
    }
    let start = sheet.line_start(at);
    let found = (start..at.saturating_sub(skipped).max(start)).rev().filter(is_it).nth(times - 1)?;
    Some(if wanted.is_till { found + 1 } else { found })
}

/// The cells of the same kind around a cell, in its line.
pub(super) fn run(sheet: &Sheet, at: usize, is_big: bool) -> std::ops::Range<usize> {
    let class = sheet.word_class(at, is_big);
    if class == Class::Break {
        return at..at;
    }
    let is_same = |at: &usize| sheet.word_class(*at, is_big) == class;
    let start = (0..at).rev().take_while(is_same).last().unwrap_or(at);
    let end = (at..sheet.end()).take_while(is_same).last().map_or(at, |last| last + 1);
    start..end
}
