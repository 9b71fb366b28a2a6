//! Splits a growing text into final pieces, line by line. Each line is examined once, when it is complete.
//! `provisional` renders the rest for now.

mod provisional;

use std::ops::Range;

use memchr::memchr;
use pi_highlight::{Language, State};

use super::layout::Sort;
use super::piece::{Blocks, Piece};
use super::references::References;
use super::source::{self, Fence, HtmlEnd, Marker};
use super::tree;

/// Bytes of a paragraph or a quote beyond which its lines become final, because each delta parses the open block again.
/// Emphasis across such a boundary is lost, which is better than a terminal that freezes.
const LARGEST_OPEN: usize = 4 * 1024;

/// Text that is not final yet, and what it is part of.
#[derive(Debug, Clone, Default)]
pub(super) struct Splitter {
    /// From the beginning of the open block on.
    source: String,
    /// Where the open block begins.
    start: usize,
    /// Where its last line ends that is not blank.
    end: usize,
    /// Where the line begins whose end has not come.
    line: usize,
    open: Open,
    /// What the last piece was.
    last: Option<Sort>,
    /// A blank line is behind what is behind `start`.
    is_apart: bool,
    /// A blank line is behind `end`.
    has_gap: bool,
    pub(super) references: References,
}

/// What the lines since the last piece are.
#[derive(Debug, Clone, Default)]
enum Open {
    #[default]
    Nothing,
    /// Maybe a table; `lines` are those that have ended.
    Paragraph {
        lines: usize,
        is_table: bool,
    },
    Quote,
    Indented,
    Html(HtmlEnd),
    /// An item, and its number if it has one.
    List(Marker, Option<u64>),
    Fence {
        fence: Fence,
        language: Option<Language>,
        state: State,
    },
}

/// What a line does to the open block.
enum Step {
    /// It belongs to it.
    GoesOn,
    /// It is blank: what follows decides.
    Gap,
    /// It is the last of it.
    Ends,
    /// It begins another one.
    Begins,
    /// It begins the next item of this list.
    NextItem(Marker),
}

impl Splitter {
    /// Adds text; what becomes final goes to `out`.
    pub(super) fn push(&mut self, text: &str, out: &mut impl Extend<Piece>) {
        let mut from = self.source.len();
        append(&mut self.source, text);
        while let Some(found) = memchr(b'\n', &self.source.as_bytes()[from..]) {
            let end = from + found;
            self.take(self.line..end, end + 1, out);
            self.line = end + 1;
            from = end + 1;
        }
        self.compact();
    }

    /// There is no more: everything becomes final.
    pub(super) fn finish(&mut self, out: &mut impl Extend<Piece>) {
        let end = self.source.len();
        let is_blank = source::is_blank(&self.source[self.line..]);
        if !is_blank {
            self.take(self.line..end, end, out);
        }
        self.line = end;
        self.finalize(out);
        self.compact();
        // A complete text is kept for long: return the spare capacity.
        self.source.shrink_to_fit();
    }

    /// Drops source that final pieces already hold.
    fn compact(&mut self) {
        let start = match self.open {
            Open::Nothing | Open::Fence { .. } => self.line,
            _ => self.start,
        };
        self.source.drain(..start);
        self.line -= start;
        self.end = self.end.saturating_sub(start);
        self.start = 0;
    }

    /// Looks at a line that has ended.
    fn take(&mut self, line: Range<usize>, end: usize, out: &mut impl Extend<Piece>) {
        if matches!(self.open, Open::Fence { .. }) {
            return self.take_code(line, out);
        }
        match self.step(&self.source[line.clone()]) {
            Step::Gap => {
                self.has_gap = true;
                if matches!(self.open, Open::Nothing) {
                    self.is_apart = true;
                }
            }
            Step::GoesOn => {
                self.goes_on(line, end);
                self.cut_large(out);
            }
            Step::Ends => {
                self.goes_on(line, end);
                self.finalize(out);
            }
            Step::Begins => {
                self.finalize(out);
                self.begin(line, end, out);
            }
            Step::NextItem(marker) => {
                let number = match self.open {
                    Open::List(_, number) => number.map(|number| number.saturating_add(1)),
                    _ => None,
                };
                self.finalize(out);
                self.open_at(Open::List(marker, number), line.start, end);
            }
        }
        if self.has_gap && matches!(self.open, Open::Paragraph { .. } | Open::Quote | Open::Html(HtmlEnd::Blank)) {
            self.finalize(out);
        }
    }

    fn step(&self, line: &str) -> Step {
        let is_blank = source::is_blank(line);
        match &self.open {
            Open::Html(HtmlEnd::Text(end)) => {
                if HtmlEnd::Text(end).is_in(line) {
                    Step::Ends
                } else {
                    Step::GoesOn
                }
            }
            _ if is_blank => Step::Gap,
            Open::Nothing => Step::Begins,
            Open::Html(HtmlEnd::Blank) => Step::GoesOn,
            Open::Paragraph { is_table: false, .. } if source::is_underline(line) => Step::Ends,
            Open::Paragraph { .. } if source::interrupts(line) => Step::Begins,
            Open::Quote if !source::is_quote(line) && !self.goes_on_lazily(line) => Step::Begins,
            Open::Indented if source::indent(line) < 4 => Step::Begins,
            Open::List(marker, _) => self.step_in_list(line, *marker),
            _ => Step::GoesOn,
        }
    }

    fn step_in_list(&self, line: &str, open: Marker) -> Step {
        // A mark alone takes no text from below a blank line.
        if source::indent(line) >= open.content && !(self.has_gap && self.is_bare_item()) {
            return Step::GoesOn;
        }
        match source::marker(line) {
            Some(next) if next.sign == open.sign => Step::NextItem(next),
            Some(_) => Step::Begins,
            None if self.has_gap || !self.goes_on_lazily(line) => Step::Begins,
            None => Step::GoesOn,
        }
    }

    /// Whether a line without a mark, or without the indentation of the open item, goes on with the last paragraph in it.
    fn goes_on_lazily(&self, line: &str) -> bool {
        if source::interrupts_lazy(line) {
            return false;
        }
        let block = &self.source[self.start..self.end];
        // Only the parser knows what the last line is; it is asked in as far as that costs little.
        block.len() > LARGEST_OPEN || tree::is_one_block(&format!("{block}{line}"))
    }

    /// Whether the open item has no text yet.
    fn is_bare_item(&self) -> bool {
        source::is_bare_marker(self.source[self.start..self.end].trim_end())
    }

    fn goes_on(&mut self, line: Range<usize>, end: usize) {
        if let Open::Paragraph { lines, is_table } = &mut self.open {
            let head = &self.source[self.start..line.start];
            *is_table |= *lines == 1 && source::is_table(head, &self.source[line]);
            *lines += 1;
        }
        self.end = end;
        self.has_gap = false;
    }

    /// Makes final what there is of a block that is too large; what follows goes on below it.
    fn cut_large(&mut self, out: &mut impl Extend<Piece>) {
        let is_of_lines = matches!(self.open, Open::Paragraph { is_table: false, .. } | Open::Quote);
        if is_of_lines && self.end - self.start > LARGEST_OPEN {
            self.finalize(out);
            self.last = None;
        }
    }

    fn open_at(&mut self, open: Open, start: usize, end: usize) {
        self.open = open;
        self.start = start;
        self.end = end;
        self.has_gap = false;
    }

    fn begin(&mut self, line: Range<usize>, end: usize, out: &mut impl Extend<Piece>) {
        let text = &self.source[line.clone()];
        if let Some(fence) = source::fence(text) {
            return self.begin_fence(fence, out);
        }
        let mut is_whole = false;
        let open = if source::indent(text) >= 4 {
            Open::Indented
        } else if source::is_heading(text) || source::is_rule(text) {
            is_whole = true;
            Open::Indented
        } else if source::is_quote(text) {
            Open::Quote
        } else if let Some(marker) = source::marker(text) {
            Open::List(marker, marker.number)
        } else if let Some((html, _)) = source::html(text) {
            is_whole = html.is_in(text);
            Open::Html(html)
        } else {
            Open::Paragraph { lines: 1, is_table: false }
        };
        self.open_at(open, line.start, end);
        if is_whole {
            self.finalize(out);
        }
    }

    fn begin_fence(&mut self, fence: Fence, out: &mut impl Extend<Piece>) {
        let before = self.last.map(|last| (last, self.is_apart));
        out.extend([Piece::FenceStart { info: fence.info.as_str().into(), before }]);
        let language = Fence::language(&fence.info);
        self.open = Open::Fence { fence, language, state: State::default() };
        self.has_gap = false;
    }

    fn take_code(&mut self, line: Range<usize>, out: &mut impl Extend<Piece>) {
        let Open::Fence { fence, language, state } = &mut self.open else { return };
        let line = &self.source[line];
        if fence.is_closed_by(line) {
            return self.finalize(out);
        }
        let text = fence.strip(line);
        out.extend([Piece::FenceLine { text: text.into(), language: *language, state: *state }]);
        if let Some(language) = language {
            language.scan_line(state, text, |_| {});
        }
    }

    /// Ends the open block.
    fn finalize(&mut self, out: &mut impl Extend<Piece>) {
        let number = match std::mem::take(&mut self.open) {
            Open::Nothing => return,
            Open::Fence { .. } => {
                out.extend([Piece::FenceEnd]);
                self.last = Some(Sort::Other);
                self.is_apart = false;
                return;
            }
            Open::List(_, number) => number,
            _ => None,
        };
        let source: Box<str> = self.source[self.start..self.end].into();
        self.references.collect(&source);
        let has_gap = std::mem::take(&mut self.has_gap);
        let Some(sort) = tree::last_sort(&source) else {
            // Definitions are not shown, and part nothing.
            self.is_apart |= has_gap;
            return;
        };
        let before = self.last.map(|last| (last, self.is_apart));
        out.extend([Piece::Blocks(Blocks { source, before, number, known: self.references.count() })]);
        self.last = Some(sort);
        self.is_apart = has_gap;
    }
}

/// Tabs are three blanks, as in rows; carriage returns are nothing.
fn append(source: &mut String, text: &str) {
    if !text.contains(['\t', '\r']) {
        return source.push_str(text);
    }
    for char in text.chars() {
        match char {
            '\t' => source.push_str("   "),
            '\r' => {}
            char => source.push(char),
        }
    }
}
