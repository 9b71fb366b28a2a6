//! Cuts text to what a model can be shown: whole lines from the start or from the end, within a line and a byte
//! limit. Pure functions; the notices that go with a cut belong to the tools.

use memchr::{memchr, memchr_iter, memrchr};
use serde::Serialize;

/// Most lines that a tool shows.
pub(crate) const MAX_LINES: usize = 2000;
/// Most UTF-8 bytes that a tool shows (50 KiB).
pub(crate) const MAX_BYTES: usize = 50 * 1024;
/// Appended to a line that [`truncate_line`] has cut.
const LINE_SUFFIX: &str = "... [truncated]";

/// How much may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TruncationLimits {
    /// Most lines.
    pub lines: usize,
    /// Most UTF-8 bytes.
    pub bytes: usize,
}

impl Default for TruncationLimits {
    /// 2000 lines, 50 KiB.
    fn default() -> Self {
        Self { lines: MAX_LINES, bytes: MAX_BYTES }
    }
}

/// Which limit cut a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TruncatedBy {
    /// The line limit.
    Lines,
    /// The byte limit.
    Bytes,
}

/// What was kept of a text, and the figures for a notice. Serialised with every key, as clients expect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TruncationResult {
    /// What was kept; without a trailing LF if anything was cut.
    pub content: String,
    /// Whether anything was cut.
    pub truncated: bool,
    /// Which limit did it; `null` when nothing was cut.
    pub truncated_by: Option<TruncatedBy>,
    /// Lines of the whole text; a trailing LF does not start another line.
    pub total_lines: usize,
    /// UTF-8 bytes of the whole text.
    pub total_bytes: usize,
    /// Lines kept.
    pub output_lines: usize,
    /// UTF-8 bytes kept.
    pub output_bytes: usize,
    /// Whether the one line kept is only its end; from [`truncate_tail`].
    pub last_line_partial: bool,
    /// Whether nothing was kept because the first line alone is too long; from [`truncate_head`].
    pub first_line_exceeds_limit: bool,
    /// The line limit that applied.
    pub max_lines: usize,
    /// The byte limit that applied.
    pub max_bytes: usize,
}

impl TruncationResult {
    fn empty(limits: TruncationLimits) -> Self {
        Self {
            content: String::new(),
            truncated: false,
            truncated_by: None,
            total_lines: 0,
            total_bytes: 0,
            output_lines: 0,
            output_bytes: 0,
            last_line_partial: false,
            first_line_exceeds_limit: false,
            max_lines: limits.lines,
            max_bytes: limits.bytes,
        }
    }

    fn whole(text: &str, limits: TruncationLimits) -> Self {
        let (lines, bytes) = (count_lines(text), text.len());
        let figures = Self { total_lines: lines, total_bytes: bytes, ..Self::empty(limits) };
        Self { content: text.to_owned(), output_lines: lines, output_bytes: bytes, ..figures }
    }

    fn cut(text: &str, limits: TruncationLimits, kept: &str, lines: usize, by: TruncatedBy) -> Self {
        Self {
            content: kept.to_owned(),
            truncated: true,
            truncated_by: Some(by),
            total_lines: count_lines(text),
            total_bytes: text.len(),
            output_lines: lines,
            output_bytes: kept.len(),
            ..Self::empty(limits)
        }
    }
}

/// Keeps whole lines from the start. Nothing is kept when the first line alone exceeds the byte limit.
pub fn truncate_head(text: &str, limits: TruncationLimits) -> TruncationResult {
    let mut head = HeadCut::new(limits);
    head.push(text);
    head.finish()
}

/// [`truncate_head`] for a text that comes in pieces, in memory that depends on the limits alone.
#[derive(Debug)]
pub(crate) struct HeadCut {
    limits: TruncationLimits,
    /// The start of the text: all of it, or just more than the byte limit.
    kept: String,
    /// UTF-8 bytes so far.
    bytes: usize,
    /// LFs so far.
    line_feeds: usize,
    ends_with_line_feed: bool,
    /// UTF-8 bytes of the first line, once it has ended.
    first_line: Option<usize>,
}

impl HeadCut {
    pub(crate) fn new(limits: TruncationLimits) -> Self {
        let kept = String::new();
        Self { limits, kept, bytes: 0, line_feeds: 0, ends_with_line_feed: false, first_line: None }
    }

    /// Takes the next piece.
    pub(crate) fn push(&mut self, text: &str) {
        let room = (self.limits.bytes + 1).saturating_sub(self.kept.len());
        self.kept.push_str(&text[..text.ceil_char_boundary(room)]);
        if self.first_line.is_none() {
            self.first_line = memchr(b'\n', text.as_bytes()).map(|at| self.bytes + at);
        }
        self.line_feeds += memchr_iter(b'\n', text.as_bytes()).count();
        self.bytes += text.len();
        self.ends_with_line_feed = text.bytes().next_back().map_or(self.ends_with_line_feed, |last| last == b'\n');
    }

    /// Whether what comes now can only change the figures.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes > self.limits.bytes || self.lines() > self.limits.lines
    }

    /// UTF-8 bytes of the first line, as far as it has come.
    pub(crate) fn first_line_bytes(&self) -> usize {
        self.first_line.unwrap_or(self.bytes)
    }

    /// What may be shown.
    pub(crate) fn finish(self) -> TruncationResult {
        let (lines, limits) = (self.lines(), self.limits);
        let whole = TruncationResult { total_bytes: self.bytes, total_lines: lines, ..TruncationResult::empty(limits) };
        if !self.is_full() {
            return TruncationResult { output_lines: lines, output_bytes: self.bytes, content: self.kept, ..whole };
        }
        let fitting = line_ends(&self.kept).take(limits.lines).take_while(|end| *end <= limits.bytes);
        let (end, lines) = fitting.fold((0, 0), |(_, lines), end| (end, lines + 1));
        let body = self.bytes - usize::from(self.ends_with_line_feed);
        TruncationResult {
            truncated: true,
            truncated_by: Some(cut_by(lines, end == body, limits)),
            output_lines: lines,
            output_bytes: end,
            content: self.kept[..end].to_owned(),
            first_line_exceeds_limit: lines == 0,
            ..whole
        }
    }

    /// Lines so far; a trailing LF does not start another one.
    fn lines(&self) -> usize {
        self.line_feeds + usize::from(self.bytes > 0 && !self.ends_with_line_feed)
    }
}

/// Keeps whole lines from the end; of a last line that alone exceeds the byte limit, its end.
pub fn truncate_tail(text: &str, limits: TruncationLimits) -> TruncationResult {
    if fits(text, limits) {
        return TruncationResult::whole(text, limits);
    }
    let body = body_of(text);
    let (mut start, mut lines) = (body.len(), 0);
    while lines < limits.lines && (lines == 0 || start > 0) {
        // Behind the first line found, `start` is the start of a line and the LF before it belongs to the cut.
        let line_end = if lines == 0 { start } else { start - 1 };
        let line_start = memrchr(b'\n', &body.as_bytes()[..line_end]).map_or(0, |at| at + 1);
        if body.len() - line_start > limits.bytes {
            break;
        }
        (start, lines) = (line_start, lines + 1);
    }
    if lines == 0 {
        return partial_last_line(text, body, limits);
    }
    TruncationResult::cut(text, limits, &body[start..], lines, cut_by(lines, start == 0, limits))
}

fn partial_last_line(text: &str, body: &str, limits: TruncationLimits) -> TruncationResult {
    let kept = &body[body.ceil_char_boundary(body.len().saturating_sub(limits.bytes))..];
    let result = TruncationResult::cut(text, limits, kept, 1, TruncatedBy::Bytes);
    TruncationResult { last_line_partial: true, ..result }
}

/// Cuts a line to `max_units` UTF-16 code units and marks the cut; says whether it did.
pub fn truncate_line(line: &str, max_units: usize) -> (String, bool) {
    let mut units = 0;
    for (at, c) in line.char_indices() {
        units += c.len_utf16();
        if units > max_units {
            return (format!("{}{LINE_SUFFIX}", &line[..at]), true);
        }
    }
    (line.to_owned(), false)
}

/// A size for people and models: `512B`, `50.0KB`, `1.5MB`.
pub fn format_size(bytes: usize) -> String {
    const KIB: f64 = 1024.0;
    match bytes {
        0..1024 => format!("{bytes}B"),
        1024..0x10_0000 => format!("{:.1}KB", bytes as f64 / KIB),
        _ => format!("{:.1}MB", bytes as f64 / (KIB * KIB)),
    }
}

/// Lines of a text; a trailing LF does not start another one.
pub(crate) fn count_lines(text: &str) -> usize {
    let open = usize::from(!text.is_empty() && !text.ends_with('\n'));
    memchr_iter(b'\n', text.as_bytes()).count() + open
}

fn fits(text: &str, limits: TruncationLimits) -> bool {
    text.len() <= limits.bytes && count_lines(text) <= limits.lines
}

/// The text without the LF that ends its last line.
fn body_of(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

/// The limit that a cut goes by. Where every line fits and only the last LF is too much, clients expect `lines`.
fn cut_by(lines: usize, all_lines: bool, limits: TruncationLimits) -> TruncatedBy {
    if all_lines || lines >= limits.lines { TruncatedBy::Lines } else { TruncatedBy::Bytes }
}

/// Where each line ends, its LF excluded.
fn line_ends(text: &str) -> impl Iterator<Item = usize> {
    let open = (!text.is_empty() && !text.ends_with('\n')).then_some(text.len());
    memchr_iter(b'\n', text.as_bytes()).chain(open)
}
