//! Blocks of Markdown as the parser finds them, with their text in its styles.

use std::iter::Peekable;
use std::ops::Range;

use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::inline::Inline;
use super::layout::Sort;
use super::references::References;
use super::source;
use super::style::MarkdownStyle;
use crate::text::{Attributes, Line, Style};

/// What is understood beyond the core.
pub(super) const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

/// Quotes and lists within each other beyond which they are drawn as if they were side by side: a text of nothing but
/// `>` must not use up the stack, nor the columns.
const MOST_DEPTH: usize = 16;

/// A block.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: Kind,
    /// A blank line stands before it.
    pub(super) is_apart: bool,
}

/// What a block is.
#[derive(Debug)]
pub(super) enum Kind {
    Paragraph(Vec<Line>),
    Heading(Vec<Line>),
    Html(Vec<Line>),
    Rule,
    Code { info: String, text: String },
    Quote(Vec<Block>),
    List(List),
    Table(Table),
}

/// A list; without a number at its beginning it has bullets.
#[derive(Debug)]
pub(super) struct List {
    pub(super) start: Option<u64>,
    pub(super) items: Vec<ListItem>,
}

/// An item of a list.
#[derive(Debug)]
pub(super) struct ListItem {
    /// As it was typed.
    pub(super) marker: String,
    pub(super) task: Option<bool>,
    pub(super) blocks: Vec<Block>,
    pub(super) is_apart: bool,
}

/// A table; each cell is lines, of which there is one.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Vec<Line>>,
    pub(super) source: String,
}

/// The blocks of a source, of which the references that came first are known.
pub(super) fn parse<'a>(
    source: &'a str,
    style: &'a MarkdownStyle,
    references: &'a References,
    known: usize,
) -> Vec<Block> {
    let find = |link: BrokenLink<'a>| -> Option<(CowStr<'a>, CowStr<'a>)> {
        let address = references.find(&link.reference, known)?;
        Some((CowStr::from(&**address), CowStr::from("")))
    };
    let parser = Parser::new_with_broken_link_callback(source, OPTIONS, Some(find));
    let mut reader = Reader { events: parser.into_offset_iter().peekable(), source, style, quotes: 0, task: None };
    reader.blocks(style.base, 0)
}

/// What the last block of a source is that has something to show; `None` where nothing has.
pub(super) fn last_sort(source: &str) -> Option<Sort> {
    let (mut depth, mut current, mut last) = (0, Sort::Other, None);
    for event in Parser::new_ext(source, OPTIONS) {
        if depth == 0 {
            current = match event {
                Event::Start(Tag::Paragraph) => Sort::Paragraph,
                Event::Start(Tag::List(_)) => Sort::List,
                Event::Start(Tag::HtmlBlock) => Sort::Html,
                _ => Sort::Other,
            };
        }
        match event {
            Event::Start(Tag::BlockQuote(_)) => depth += 1,
            Event::Start(_) => {
                depth += 1;
                last = Some(current);
            }
            Event::End(_) => depth -= 1,
            _ => last = Some(current),
        }
    }
    last
}

/// Whether a source is a single block.
pub(super) fn is_one_block(source: &str) -> bool {
    let (mut depth, mut count) = (0, 0);
    for event in Parser::new_ext(source, OPTIONS) {
        count += usize::from(depth == 0);
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        // The end of a block is at the depth of its beginning, and counted with it.
        if count > 1 {
            return false;
        }
    }
    count == 1
}

struct Reader<'a, I: Iterator<Item = (Event<'a>, Range<usize>)>> {
    events: Peekable<I>,
    source: &'a str,
    style: &'a MarkdownStyle,
    /// Quotes around what is read.
    quotes: usize,
    /// The box of a task, found in the text of the item.
    task: Option<bool>,
}

impl<'a, I: Iterator<Item = (Event<'a>, Range<usize>)>> Reader<'a, I> {
    /// Blocks up to the end of what is around them, which is taken, too.
    fn blocks(&mut self, base: Style, depth: usize) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut ignored = 0;
        while let Some((event, range)) = self.events.peek() {
            let is_apart = is_apart(self.source, range.start, self.quotes > 0);
            match event {
                Event::End(tag) if is_container(*tag) && ignored == 0 => {
                    self.events.next();
                    break;
                }
                Event::End(tag) => {
                    ignored -= usize::from(is_container(*tag)).min(ignored);
                    self.events.next();
                }
                Event::Start(Tag::BlockQuote(_) | Tag::List(_) | Tag::Item) if depth >= MOST_DEPTH => {
                    ignored += 1;
                    self.events.next();
                }
                _ => blocks.extend(self.block(base, depth).map(|kind| Block { kind, is_apart })),
            }
        }
        blocks
    }

    fn block(&mut self, base: Style, depth: usize) -> Option<Kind> {
        if self.events.peek().is_some_and(|(event, _)| is_inline(event)) {
            return Some(Kind::Paragraph(self.inline(base)));
        }
        let (event, range) = self.events.next()?;
        Some(match event {
            Event::Rule => Kind::Rule,
            Event::Start(Tag::Paragraph) => Kind::Paragraph(self.inline(base)),
            Event::Start(Tag::Heading { level, .. }) => Kind::Heading(self.heading(level)),
            Event::Start(Tag::CodeBlock(kind)) => self.code(&kind),
            Event::Start(Tag::HtmlBlock) => Kind::Html(self.html(base)),
            Event::Start(Tag::BlockQuote(_)) => {
                self.quotes += 1;
                let blocks = self.blocks(base.patch(self.style.quote).italic(), depth + 1);
                self.quotes -= 1;
                Kind::Quote(blocks)
            }
            Event::Start(Tag::List(start)) => Kind::List(self.list(start, base, depth)),
            Event::Start(Tag::Table(_)) => Kind::Table(self.table(base, range)),
            _ => return None,
        })
    }

    /// Text up to the next block, or to the end of this one.
    fn inline(&mut self, base: Style) -> Vec<Line> {
        let mut inline = Inline::new(self.style, base);
        while let Some((event, _)) = self.events.peek()
            && is_inline(event)
        {
            let Some((event, range)) = self.events.next() else { break };
            match event {
                Event::TaskListMarker(is_done) => self.task = Some(is_done),
                event => inline.event(event, &self.source[range]),
            }
        }
        inline.finish()
    }

    fn heading(&mut self, level: HeadingLevel) -> Vec<Line> {
        let style = self.style.base.patch(self.style.heading).bold();
        let style = if level == HeadingLevel::H1 { style.with(Attributes::UNDERLINE) } else { style };
        let mut lines = self.inline(style);
        if level > HeadingLevel::H2
            && let Some(first) = lines.first_mut()
        {
            let prefix = "#".repeat(level as usize);
            let mut line = Line::styled(format!("{prefix} "), style);
            line.append(first);
            *first = line;
        }
        lines
    }

    fn code(&mut self, kind: &CodeBlockKind<'_>) -> Kind {
        let info = match kind {
            CodeBlockKind::Fenced(info) => info.trim().to_owned(),
            CodeBlockKind::Indented => String::new(),
        };
        let mut text = String::new();
        while let Some((Event::Text(part), _)) = self.events.next() {
            text.push_str(&part);
        }
        Kind::Code { info, text }
    }

    fn html(&mut self, base: Style) -> Vec<Line> {
        let mut text = String::new();
        while let Some((Event::Html(part) | Event::Text(part), _)) = self.events.next() {
            text.push_str(&part);
        }
        text.trim().lines().map(|line| Line::styled(line, base)).collect()
    }

    fn list(&mut self, start: Option<u64>, base: Style, depth: usize) -> List {
        let mut items = Vec::new();
        while let Some((Event::Start(Tag::Item), range)) = self.events.next() {
            let is_apart = is_apart(self.source, range.start, self.quotes > 0);
            let marker = marker_of(&self.source[range.start..]);
            let outer = self.task.take();
            let blocks = self.blocks(base, depth + 1);
            let task = std::mem::replace(&mut self.task, outer);
            items.push(ListItem { marker, task, blocks, is_apart });
        }
        List { start, items }
    }

    fn table(&mut self, base: Style, range: Range<usize>) -> Table {
        let mut table = Table { rows: Vec::new(), source: self.source[range].trim_end().to_owned() };
        while let Some((event, _)) = self.events.next() {
            match event {
                Event::Start(Tag::TableHead | Tag::TableRow) => table.rows.push(Vec::new()),
                Event::Start(Tag::TableCell) => {
                    let style = if table.rows.len() == 1 { base.bold() } else { base };
                    let cell = self.inline(style).into_iter().next().unwrap_or_default();
                    if let Some(row) = table.rows.last_mut() {
                        row.push(cell);
                    }
                }
                Event::End(TagEnd::Table) => break,
                _ => {}
            }
        }
        table
    }
}

fn is_container(tag: TagEnd) -> bool {
    matches!(tag, TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item)
}

fn is_inline(event: &Event<'_>) -> bool {
    match event {
        Event::Start(tag) => {
            matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. })
        }
        Event::End(tag) => {
            matches!(tag, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image)
        }
        Event::Rule | Event::Html(_) => false,
        _ => true,
    }
}

/// Whether the line before that of `at` is blank, but for the marks of quotes around both.
fn is_apart(source: &str, at: usize, is_quoted: bool) -> bool {
    let line = source[..at].rfind('\n').unwrap_or_default();
    let before = source[..line].rfind('\n').map_or(0, |end| end + 1);
    line > 0 && source[before..line].bytes().all(|byte| byte == b' ' || (is_quoted && byte == b'>'))
}

/// The mark of an item as it was typed.
fn marker_of(item: &str) -> String {
    let line = item.lines().next().unwrap_or_default();
    let text = line.trim_start_matches(' ');
    source::marker(text).map_or("-", |_| text.split(' ').next().unwrap_or_default()).to_owned()
}
