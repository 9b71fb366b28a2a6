//! Markdown as HTML. There is no way for raw HTML: it is shown as the text that it is.

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TextMergeStream};

use super::diff::diff;
use super::highlight;
use super::link::{linked, safe_link};
use super::writer::Html;

/// Elements in elements, at most: a browser gives up at about ten times as many.
const DEEPEST: usize = 40;

const LINK_END: &str = "</a>";

/// What a line end in a paragraph is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// A blank, as Markdown has it.
    Flow,
    /// A line end, as whoever typed it meant it.
    Break,
}

/// Writes Markdown.
pub(super) fn markdown(html: &mut Html, text: &str, line_ends: LineEnds) {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    html.raw("<div class=\"md\">");
    let mut writer =
        Writer { html, line_ends, open: vec![], code: None, columns: vec![], column: 0, in_head: false, links: 0 };
    // An address in text comes in pieces where it has an underscore or an ampersand.
    for event in TextMergeStream::new(Parser::new_ext(text, options)) {
        writer.event(event);
    }
    html.raw("</div>");
}

struct Writer<'a> {
    html: &'a mut Html,
    line_ends: LineEnds,
    /// How the open elements end.
    open: Vec<&'static str>,
    /// Language and text of the code block at hand.
    code: Option<(String, String)>,
    columns: Vec<Alignment>,
    column: usize,
    in_head: bool,
    /// Open links: there is none in a link.
    links: usize,
}

impl Writer<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(_) => self.end(),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.html.raw("<code>").text(&text).raw("</code>");
            }
            Event::SoftBreak if self.line_ends == LineEnds::Flow => self.text("\n"),
            Event::SoftBreak | Event::HardBreak => {
                self.html.raw("<br>");
            }
            Event::Rule => {
                self.html.raw("<hr>");
            }
            Event::TaskListMarker(done) => {
                self.html.raw(if done { "☑ " } else { "☐ " });
            }
            Event::FootnoteReference(name) => self.text(&name),
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some((_, code)) => code.push_str(text),
            None if self.links > 0 => {
                self.html.text(text);
            }
            None => linked(self.html, text),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        if self.open.len() >= DEEPEST {
            self.open.push("");
            return;
        }
        let (start, end) = match tag {
            Tag::Paragraph => ("<p>", "</p>"),
            Tag::Heading { level, .. } => heading(level as usize),
            Tag::BlockQuote(_) => ("<blockquote>", "</blockquote>"),
            Tag::List(None) => ("<ul>", "</ul>"),
            Tag::List(Some(first)) => return self.ordered_list(first),
            Tag::Item => ("<li>", "</li>"),
            Tag::Table(columns) => {
                self.columns = columns;
                ("<div class=\"wide\"><table>", "</table></div>")
            }
            Tag::TableHead => {
                (self.column, self.in_head) = (0, true);
                ("<tr>", "</tr>")
            }
            Tag::TableRow => {
                (self.column, self.in_head) = (0, false);
                ("<tr>", "</tr>")
            }
            Tag::TableCell => self.cell(),
            Tag::Emphasis => ("<em>", "</em>"),
            Tag::Strong => ("<strong>", "</strong>"),
            Tag::Strikethrough => ("<del>", "</del>"),
            Tag::Link { dest_url, .. } => return self.link(&dest_url, ""),
            // Showing it would load it.
            Tag::Image { dest_url, .. } => return self.link(&dest_url, "Image: "),
            Tag::CodeBlock(kind) => return self.code_block(kind),
            _ => ("", ""),
        };
        self.html.raw(start);
        self.open.push(end);
    }

    fn end(&mut self) {
        if let Some((language, code)) = self.code.take() {
            code_block(self.html, &language, code.strip_suffix('\n').unwrap_or(&code));
        }
        if let Some(end) = self.open.pop() {
            self.links -= usize::from(end == LINK_END);
            self.html.raw(end);
        }
    }

    fn ordered_list(&mut self, first: u64) {
        self.html.raw("<ol start=\"").show(format_args!("{first}")).raw("\">");
        self.open.push("</ol>");
    }

    fn cell(&mut self) -> (&'static str, &'static str) {
        let alignment = self.columns.get(self.column).copied().unwrap_or(Alignment::None);
        self.column += 1;
        match (self.in_head, alignment) {
            (true, Alignment::Right) => ("<th class=\"right\">", "</th>"),
            (true, Alignment::Center) => ("<th class=\"middle\">", "</th>"),
            (true, _) => ("<th>", "</th>"),
            (false, Alignment::Right) => ("<td class=\"right\">", "</td>"),
            (false, Alignment::Center) => ("<td class=\"middle\">", "</td>"),
            (false, _) => ("<td>", "</td>"),
        }
    }

    fn link(&mut self, address: &str, what: &'static str) {
        let Some(address) = safe_link(address).filter(|_| self.links == 0) else {
            self.html.raw(what);
            self.open.push("");
            return;
        };
        self.links += 1;
        self.html.raw("<a href=\"").text(address).raw("\" rel=\"noopener noreferrer\" target=\"_blank\">").raw(what);
        self.open.push(LINK_END);
    }

    fn code_block(&mut self, kind: CodeBlockKind<'_>) {
        let language = match kind {
            CodeBlockKind::Fenced(info) => info.split([' ', ',', '\t']).next().unwrap_or_default().to_owned(),
            CodeBlockKind::Indented => String::new(),
        };
        self.code = Some((language, String::new()));
        self.open.push("");
    }
}

fn heading(level: usize) -> (&'static str, &'static str) {
    match level {
        1 => ("<h3>", "</h3>"),
        2 => ("<h4>", "</h4>"),
        3 => ("<h5>", "</h5>"),
        _ => ("<h6>", "</h6>"),
    }
}

/// Writes a block of code; `language` is a name or a file extension.
pub(super) fn code_block(html: &mut Html, language: &str, code: &str) {
    if matches!(language, "diff" | "patch") {
        return diff(html, code);
    }
    html.raw("<pre><code>");
    highlight::code(html, language, code);
    html.raw("</code></pre>");
}
