//! Blocks as lines of a width.

use super::source::Fence;
use super::style::MarkdownStyle;
use super::table;
use super::tree::{Block, Kind, List, ListItem};
use crate::text::{Line, Style, wrap};
use crate::widgets::code::CodeLines;

/// Columns of a rule.
const RULE_WIDTH: usize = 80;
/// Columns by which lists within lists are indented.
const LIST_INDENT: usize = 4;
const QUOTE_BAR: &str = "│ ";

/// What a block is to the one that follows: whether there is a blank row between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Paragraph,
    List,
    Html,
    Other,
}

impl Sort {
    /// Whether a blank row parts blocks that no blank line parts in the source.
    pub(super) fn is_parted_from(self, next: Self) -> bool {
        !matches!((self, next), (Self::List | Self::Html, _) | (Self::Paragraph, Self::List))
    }

    fn of(kind: &Kind) -> Self {
        match kind {
            Kind::Paragraph(_) => Self::Paragraph,
            Kind::List(_) => Self::List,
            Kind::Html(_) => Self::Html,
            _ => Self::Other,
        }
    }
}

/// Draws blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout<'s> {
    pub(super) style: &'s MarkdownStyle,
}

impl Layout<'_> {
    /// Blocks below each other. `before` is what stands above the first and whether a blank line is between.
    pub(super) fn blocks(self, blocks: &[Block], before: Option<(Sort, bool)>, columns: usize) -> Vec<Line> {
        let mut out = Vec::new();
        let mut last = before.map(|(sort, _)| sort);
        for (i, block) in blocks.iter().enumerate() {
            let mut lines = Vec::new();
            self.block(block, columns, &mut lines);
            // A quote of nothing parts nothing.
            if lines.is_empty() {
                continue;
            }
            let sort = Sort::of(&block.kind);
            let is_apart = block.is_apart || (i == 0 && before.is_some_and(|(_, is_apart)| is_apart));
            if last.is_some_and(|last| is_apart || last.is_parted_from(sort)) {
                out.push(Line::new());
            }
            last = Some(sort);
            out.append(&mut lines);
        }
        out
    }

    fn block(self, block: &Block, columns: usize, out: &mut Vec<Line>) {
        match &block.kind {
            Kind::Paragraph(lines) | Kind::Heading(lines) | Kind::Html(lines) => {
                out.extend(lines.iter().flat_map(|line| wrap(line, columns)));
            }
            Kind::Rule => out.push(Line::styled("─".repeat(columns.min(RULE_WIDTH)), self.style.rule)),
            Kind::Code { info, text } => self.code(info, text, columns, out),
            Kind::Quote(blocks) => {
                let bar = Line::styled(QUOTE_BAR, self.style.quote_border);
                let inner = self.blocks(blocks, None, columns.saturating_sub(bar.width()).max(1));
                out.extend(inner.iter().map(|line| line.behind(&bar)));
            }
            Kind::List(list) => self.list(list, columns, 0, out),
            Kind::Table(table) => table::draw(table, columns, self.style.base, out),
        }
    }

    fn code(self, info: &str, text: &str, columns: usize, out: &mut Vec<Line>) {
        out.push(self.fence(info));
        let mut code = self.code_lines(info);
        for line in text.lines() {
            self.code_line(&code.line(line), columns, out);
        }
        out.push(self.fence(""));
    }

    /// A fence.
    pub(super) fn fence(self, info: &str) -> Line {
        Line::styled(format!("```{info}"), self.style.code_border)
    }

    /// Colours code by what stands behind its fence.
    fn code_lines(self, info: &str) -> CodeLines {
        match Fence::language(info) {
            Some(language) => CodeLines::new(Some(language), self.style.syntax),
            None => CodeLines::plain(self.style.code_block),
        }
    }

    /// A line of code. What does not fit goes on below, indented as well.
    pub(super) fn code_line(self, line: &Line, columns: usize, out: &mut Vec<Line>) {
        let indent = Line::styled(self.style.code_indent.as_ref(), Style::PLAIN);
        let inner = columns.saturating_sub(indent.width()).max(1);
        out.extend(
            wrap(line, inner).iter().map(|line| if line.is_empty() { line.clone() } else { line.behind(&indent) }),
        );
    }

    fn list(self, list: &List, columns: usize, depth: usize, out: &mut Vec<Line>) {
        for (i, item) in list.items.iter().enumerate() {
            // A list that is loose has blank lines between its items; to look at what comes later would hold back all of it.
            if i > 0 && item.is_apart {
                out.push(Line::new());
            }
            let marker = match list.start {
                _ if self.style.keep_markers => format!("{} ", item.marker),
                Some(start) => format!("{}. ", start.saturating_add(i as u64)),
                None => "- ".to_owned(),
            };
            self.item(item, &marker, columns, depth, out);
        }
    }

    fn item(self, item: &ListItem, marker: &str, columns: usize, depth: usize, out: &mut Vec<Line>) {
        let task = match item.task {
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
            None => "",
        };
        let indent = " ".repeat(LIST_INDENT * depth);
        let rest = Line::from(" ".repeat(indent.len() + marker.len() + task.len()).as_str());
        let inner = columns.saturating_sub(rest.width()).max(1);
        let mut first = Some(Line::from(indent.as_str()).and(format!("{marker}{task}"), self.style.bullet));
        for (i, block) in item.blocks.iter().enumerate() {
            // Within an item only blank lines part blocks.
            if i > 0 && block.is_apart {
                out.push(Line::new());
            }
            if let Kind::List(list) = &block.kind {
                out.extend(first.take());
                self.list(list, columns, depth + 1, out);
                continue;
            }
            let mut lines = Vec::new();
            self.block(block, inner, &mut lines);
            for line in &lines {
                out.push(match first.take() {
                    Some(first) => line.continuing(&first),
                    None if line.is_empty() => line.clone(),
                    None => line.behind(&rest),
                });
            }
        }
        out.extend(first);
    }
}
