//! Markup within a line that a person typed. What the parser takes for markup is looked at again: signs in the middle of words
//! and beside slashes are text, and all that is not shown as something else is shown as it was typed.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Parser, Tag, TagEnd};

use super::super::inline::Inline;
use super::super::style::MarkdownStyle;
use super::super::tree::OPTIONS;
use crate::text::{Line, Style};

/// Bytes of emphasised text that are looked at for what it is.
const LOOKED_AT: usize = 1024;

/// A line without its mark and indentation.
pub(super) fn line(text: &str, style: &MarkdownStyle, base: Style) -> Line {
    let plain = || Line::styled(text, base);
    let mut events = Parser::new_ext(text, OPTIONS).into_offset_iter().peekable();
    // Whatever else it begins, it is a line by itself here.
    if !matches!(events.peek(), Some((Event::Start(Tag::Paragraph), _))) {
        return plain();
    }
    let mut spans = Spans { text, inline: Inline::new(style, base), shown: 0, open: Vec::new() };
    for (event, range) in events {
        spans.event(event, range);
    }
    spans.literal(text.len());
    spans.inline.finish().into_iter().next().unwrap_or_else(plain)
}

struct Spans<'t, 's> {
    text: &'t str,
    inline: Inline<'s>,
    /// What is before that was shown, or is markup.
    shown: usize,
    /// Where markup ends whose beginning was taken as such; `None` for signs that are text.
    open: Vec<Option<usize>>,
}

impl Spans<'_, '_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => {}
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Code(code) => {
                self.literal(range.start);
                self.inline.event(Event::Code(code), "");
                self.shown = range.end;
            }
            _ => self.literal(range.end),
        }
    }

    /// Shows what is left of the source up to this place as it was typed.
    fn literal(&mut self, to: usize) {
        if let Some(text) = self.text.get(self.shown..to).filter(|text| !text.is_empty()) {
            self.inline.event(Event::Text(text.into()), "");
            self.shown = to;
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        let signs = match &tag {
            Tag::Emphasis => 1,
            Tag::Strong | Tag::Strikethrough => 2,
            Tag::Link { .. } => 1,
            _ => 0,
        };
        if signs == 0 || !self.is_meant(&tag, range.clone(), signs) {
            return self.open.push(None);
        }
        self.literal(range.start);
        self.shown = range.start + signs;
        // Of a link everything behind its text is where it leads.
        self.open.push(Some(if matches!(tag, Tag::Link { .. }) { usize::MAX } else { range.end - signs }));
        let source = &self.text[range];
        self.inline.event(Event::Start(tag), source);
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        let Some(Some(end)) = self.open.pop() else { return };
        if end != usize::MAX {
            self.literal(end);
        }
        self.inline.event(Event::End(tag), "");
        self.shown = range.end;
    }

    fn is_meant(&self, tag: &Tag<'_>, range: Range<usize>, signs: usize) -> bool {
        let source = &self.text[range.clone()];
        let before = self.text[..range.start].chars().next_back();
        let after = self.text[range.end..].chars().next();
        if let Tag::Link { link_type, dest_url, title, .. } = tag {
            let leads = dest_url.contains(['/', '.', ':', '#']) && title.is_empty();
            let is_call = before.is_some_and(|char| char.is_ascii_alphanumeric() || char == ']');
            return *link_type == LinkType::Inline && leads && !is_call;
        }
        let inner = source.get(signs..source.len() - signs).unwrap_or_default();
        let looked_at = &inner.as_bytes()[..inner.len().min(LOOKED_AT)];
        let is_word = !looked_at.contains(&b' ');
        let is_in_word = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
        let is_in_path = |char: Option<char>| char.is_some_and(|char| matches!(char, '/' | '\\' | '.' | '-' | '='));
        if is_in_word(before) || is_in_word(after) || is_in_path(before) {
            return false;
        }
        match source.as_bytes().first() {
            // Names have underscores in front and at the end.
            Some(b'_') => !is_word,
            Some(b'~') => source.starts_with("~~"),
            _ => signs == 2 || !inner.starts_with(['/', '.', '\\']),
        }
    }
}
