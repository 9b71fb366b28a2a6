//! Styled text of one line.

use std::sync::Arc;

use super::origin::Origin;
use super::style::Style;
use super::width::{clusters, is_of_single_columns, width};

/// A piece of text in one style.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Span {
    /// The text; control characters in it are not shown.
    pub text: String,
    /// What it looks like.
    pub style: Style,
    /// Where it leads to.
    pub link: Option<Arc<str>>,
}

impl Span {
    /// A text in a style.
    pub fn new(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style, link: None }
    }
}

/// Styled text without line ends.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// The pieces, in order.
    pub spans: Vec<Span>,
    /// What of it is text, and whether it goes on.
    pub(crate) origin: Origin,
}

impl Line {
    /// An empty line.
    pub const fn new() -> Self {
        Self { spans: Vec::new(), origin: Origin { lead: 0, goes_on: None } }
    }

    /// A text in one style.
    pub fn styled(text: impl Into<String>, style: Style) -> Self {
        Self { spans: vec![Span::new(text, style)], origin: Origin::default() }
    }

    /// The line with a piece at its end.
    #[must_use]
    pub fn and(mut self, text: impl AsRef<str>, style: Style) -> Self {
        self.push(text.as_ref(), style);
        self
    }

    /// Adds text at the end.
    pub fn push(&mut self, text: &str, style: Style) {
        self.push_linked(text, style, None);
    }

    /// Adds text that leads somewhere.
    pub fn push_linked(&mut self, text: &str, style: Style, link: Option<&Arc<str>>) {
        if text.is_empty() {
            return;
        }
        match self.spans.last_mut() {
            Some(last) if last.style == style && last.link.as_ref() == link => last.text.push_str(text),
            _ => self.spans.push(Span { text: text.to_owned(), style, link: link.cloned() }),
        }
    }

    /// Adds another line's pieces.
    pub fn append(&mut self, other: &Self) {
        for span in &other.spans {
            self.push_linked(&span.text, span.style, span.link.as_ref());
        }
    }

    /// Its columns.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|span| width(&span.text)).sum()
    }

    /// Whether there is no text in it.
    pub fn is_empty(&self) -> bool {
        self.spans.iter().all(|span| span.text.is_empty())
    }

    /// The text alone.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// As much as fits into so many columns; where something is left out, `ellipsis` ends it, in the style of what it
    /// replaces.
    #[must_use]
    pub fn cut(&self, columns: usize, ellipsis: &str) -> Self {
        if self.width() <= columns {
            return self.clone();
        }
        let ellipsis: String = fitting(ellipsis, columns).0.to_owned();
        let mut left = columns - width(&ellipsis);
        let mut out = Self::new();
        for span in &self.spans {
            let (kept, used) = fitting(&span.text, left);
            out.push_linked(kept, span.style, span.link.as_ref());
            left -= used;
            if kept.len() < span.text.len() {
                out.push(&ellipsis, span.style);
                return out;
            }
        }
        out
    }

    /// The line with this style under every piece.
    #[must_use]
    pub fn over(mut self, style: Style) -> Self {
        for span in &mut self.spans {
            span.style = style.patch(span.style);
        }
        self
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Self {
        Self::styled(text, Style::PLAIN)
    }
}

/// The beginning of a text that fits into so many columns, and its columns.
pub(crate) fn fitting(text: &str, columns: usize) -> (&str, usize) {
    if is_of_single_columns(text) {
        return match text.char_indices().nth(columns) {
            Some((end, _)) => (&text[..end], columns),
            None => (text, text.chars().count()),
        };
    }
    let (mut end, mut used) = (0, 0);
    for (cluster, width) in clusters(text) {
        if used + width > columns {
            break;
        }
        end += cluster.len();
        used += width;
    }
    (&text[..end], used)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_by_columns_and_keeps_styles() {
        let line = Line::from("plain ").and("日本語", Style::PLAIN.bold());
        for (columns, expected) in
            [(12, "plain 日本語"), (11, "plain 日..."), (9, "plain ..."), (5, "pl..."), (2, ".."), (0, "")]
        {
            let cut = line.cut(columns, "...");
            assert_eq!(cut.text(), expected);
            assert!(cut.width() <= columns);
        }
    }
}
