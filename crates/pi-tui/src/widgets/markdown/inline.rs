//! Text within a paragraph: emphasis, code, links.

use std::sync::Arc;

use pulldown_cmark::{Event, Tag, TagEnd};

use super::autolink;
use super::style::MarkdownStyle;
use crate::text::{Attributes, Line, Style};

/// Builds the lines of a paragraph from events.
pub(super) struct Inline<'s> {
    style: &'s MarkdownStyle,
    /// What text looks like here, outermost first; never empty.
    styles: Vec<Style>,
    /// Whether tildes that were opened are text.
    literal: Vec<bool>,
    link: Option<Link>,
    /// Text that is not in a line yet.
    pending: String,
    lines: Vec<Line>,
}

struct Link {
    href: Arc<str>,
    /// The text that was shown for it.
    shown: String,
}

impl<'s> Inline<'s> {
    pub(super) fn new(style: &'s MarkdownStyle, base: Style) -> Self {
        let styles = vec![base];
        Self { style, styles, literal: Vec::new(), link: None, pending: String::new(), lines: vec![Line::new()] }
    }

    fn current(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn put(&mut self, text: &str, style: Style) {
        let link = self.link.as_mut();
        let href = link.map(|link| {
            link.shown.push_str(text);
            &link.href
        });
        if let Some(line) = self.lines.last_mut() {
            line.push_linked(text, style, href.filter(|_| self.style.hyperlinks));
        }
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.pending);
        if text.is_empty() {
            return;
        }
        if self.link.is_some() {
            return self.put(&text, self.current());
        }
        autolink::pieces(&text, |piece, href| match href {
            None => self.put(piece, self.current()),
            Some(href) => {
                self.open_link(href.into());
                self.put(piece, self.current());
                self.close_link();
            }
        });
    }

    fn open_link(&mut self, href: Arc<str>) {
        let style = self.current().patch(self.style.link).with(Attributes::UNDERLINE);
        self.styles.push(style);
        self.link = Some(Link { href, shown: String::new() });
    }

    /// Where the terminal has no links, the address follows unless it is what was shown.
    fn close_link(&mut self) {
        self.styles.pop();
        let Some(Link { href, shown }) = self.link.take() else { return };
        let is_shown = shown == *href || href.strip_prefix("mailto:") == Some(&shown);
        if !self.style.hyperlinks && !is_shown {
            self.put(&format!(" ({href})"), self.current().patch(self.style.link_url));
        }
    }

    fn line_end(&mut self) {
        self.flush();
        self.lines.push(Line::new());
    }

    fn emphasize(&mut self, attributes: Attributes) {
        self.flush();
        self.styles.push(self.current().with(attributes));
    }

    /// Takes an event; `source` is the text that it stands for. Events of blocks are left alone.
    pub(super) fn event(&mut self, event: Event<'_>, source: &str) {
        match event {
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(code) => {
                self.flush();
                self.put(&code, self.current().patch(self.style.code));
            }
            Event::SoftBreak | Event::HardBreak => self.line_end(),
            Event::Start(tag) => self.start(tag, source),
            Event::End(tag) => self.end(tag),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        let mut lines = text.split('\n');
        self.pending.push_str(lines.next().unwrap_or_default());
        for line in lines {
            self.line_end();
            self.pending.push_str(line);
        }
    }

    fn start(&mut self, tag: Tag<'_>, source: &str) {
        match tag {
            Tag::Emphasis => self.emphasize(Attributes::ITALIC),
            Tag::Strong => self.emphasize(Attributes::BOLD),
            Tag::Strikethrough => {
                let is_literal = !source.starts_with("~~");
                self.literal.push(is_literal);
                if is_literal {
                    self.pending.push('~');
                } else {
                    self.emphasize(Attributes::STRIKE);
                }
            }
            Tag::Link { dest_url, .. } => {
                self.flush();
                self.open_link(Arc::from(dest_url.as_ref()));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strikethrough if self.literal.pop() == Some(true) => self.pending.push('~'),
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.flush();
                self.styles.pop();
            }
            TagEnd::Link => {
                self.flush();
                self.close_link();
            }
            _ => {}
        }
    }

    pub(super) fn finish(mut self) -> Vec<Line> {
        self.flush();
        self.lines
    }
}
