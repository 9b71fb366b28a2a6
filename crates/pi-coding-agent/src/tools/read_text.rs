//! The text branch of `read`: which lines are meant, how many fit, and how to continue.

use memchr::memchr_iter;
use pi_agent_core::{ToolError, ToolOutput};
use serde::Deserialize;
use serde_json::json;

use super::truncate::{MAX_BYTES, TruncatedBy, TruncationLimits, TruncationResult, format_size, truncate_head};

/// Which lines a call asks for. Fractions are cut off, of the end after adding both.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
pub(super) struct Selection {
    /// First line, from 1; 0, negative and absent mean the first.
    offset: Option<f64>,
    /// Most lines; negative counts from the end of the file.
    limit: Option<f64>,
}

/// The selected part of a file's content as a tool result; `path` is for the notices, as the model gave it.
pub(super) fn read_text(path: &str, bytes: Vec<u8>, selection: &Selection) -> Result<ToolOutput, ToolError> {
    let text = lossy_text(bytes);
    let lines = Lines(&text);
    let total = lines.count();
    let (start, end) = selection.resolve(total)?;
    let shown = truncate_head(lines.slice(start, end), TruncationLimits::default());
    let notice = Notice { path, total, start, end };
    Ok(if shown.truncated {
        let output = ToolOutput::text(notice.truncated(&shown, || lines.slice(start, start + 1).len()));
        output.with_details(json!({ "truncation": shown }))
    } else if selection.limit.is_some() && end < total {
        ToolOutput::text(notice.limited(&shown.content))
    } else {
        ToolOutput::text(shown.content)
    })
}

impl Selection {
    /// Lines to take, as indices from 0, given the number of lines in the file.
    fn resolve(&self, count: usize) -> Result<(usize, usize), ToolError> {
        let offset = self.offset.unwrap_or(0.0);
        let from = (offset - 1.0).max(0.0);
        let start = from as usize;
        if start >= count {
            return Err(ToolError::new(format!("Offset {offset} is beyond end of file ({count} lines total)")));
        }
        let end = match self.limit.map(|limit| from + limit) {
            None => count,
            Some(end) if end < 0.0 => count.saturating_sub(-end as usize),
            Some(end) => (end as usize).min(count),
        };
        Ok((start, end.max(start)))
    }
}

/// A text in lines. One that ends in LF has another, empty line.
struct Lines<'a>(&'a str);

impl<'a> Lines<'a> {
    fn count(&self) -> usize {
        memchr_iter(b'\n', self.0.as_bytes()).count() + 1
    }

    /// Lines `start..end` without the LF that ends the last one.
    fn slice(&self, start: usize, end: usize) -> &'a str {
        if start >= end {
            return "";
        }
        let from = self.end_of(start).map_or(0, |lf| lf + 1);
        let to = self.end_of(end).unwrap_or(self.0.len());
        &self.0[from..to]
    }

    /// Where the first `count` lines end: at an LF, if there are so many.
    fn end_of(&self, count: usize) -> Option<usize> {
        memchr_iter(b'\n', self.0.as_bytes()).nth(count.checked_sub(1)?)
    }
}

/// What goes with a text that is not the whole file.
struct Notice<'a> {
    path: &'a str,
    total: usize,
    start: usize,
    end: usize,
}

impl Notice<'_> {
    fn truncated(&self, shown: &TruncationResult, first_line_bytes: impl FnOnce() -> usize) -> String {
        let limit = format_size(MAX_BYTES);
        let (first, total) = (self.start + 1, self.total);
        if shown.first_line_exceeds_limit {
            let (size, file) = (format_size(first_line_bytes()), shell_word(self.path));
            return format!(
                "[Line {first} has {size}, more than the limit of {limit}. See its start with bash: sed -n '{first}p' \
                 {file} | head -c {MAX_BYTES}]"
            );
        }
        let last = self.start + shown.output_lines;
        let why =
            if shown.truncated_by == Some(TruncatedBy::Bytes) { format!(" ({limit} limit)") } else { String::new() };
        let next = last + 1;
        format!("{}\n\n[These are lines {first}-{last} of {total}{why}. Go on with offset={next}.]", shown.content)
    }

    fn limited(&self, content: &str) -> String {
        let (rest, next) = (self.total - self.end, self.end + 1);
        format!("{content}\n\n[The file has {rest} more lines. Go on with offset={next}.]")
    }
}

/// Decodes UTF-8; every invalid sequence becomes U+FFFD. Valid text is not copied.
fn lossy_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// A path as one word of a shell command.
fn shell_word(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=~".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}
