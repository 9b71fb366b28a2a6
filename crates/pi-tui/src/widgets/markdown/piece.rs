//! Parts of a text that are final: what comes later changes nothing about them.

use pi_highlight::{Language, State};

use super::layout::{Layout, Sort};
use super::references::References;
use super::tree::{self, Kind};
use crate::text::Line;
use crate::widgets::code::CodeLines;

/// A part of a text that will never look otherwise.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Blocks; an item of a list is one by itself.
    Blocks(Blocks),
    /// An opening fence, with what stands above it.
    FenceStart { info: Box<str>, before: Option<(Sort, bool)> },
    /// A line of code, with what is open before it.
    FenceLine { text: Box<str>, language: Option<Language>, state: State },
    /// A closing fence, whether it was written or not.
    FenceEnd,
}

/// Source with all that its look depends on.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    pub(super) source: Box<str>,
    /// What stands above, and whether a blank line is between.
    pub(super) before: Option<(Sort, bool)>,
    /// The number of the item with which the source begins.
    pub(super) number: Option<u64>,
    /// References that are known here.
    pub(super) known: usize,
}

impl Piece {
    pub(super) fn lines(&self, layout: Layout<'_>, references: &References, columns: usize) -> Vec<Line> {
        let mut out = Vec::new();
        match self {
            Self::Blocks(blocks) => return blocks.lines(layout, references, columns),
            Self::FenceStart { info, before } => {
                if before.is_some_and(|(last, is_apart)| is_apart || last.is_parted_from(Sort::Other)) {
                    out.push(Line::new());
                }
                out.push(layout.fence(info));
            }
            Self::FenceLine { text, language, state } => {
                let mut code = match language {
                    Some(_) => CodeLines::resumed(*language, *state, layout.style.syntax),
                    None => CodeLines::plain(layout.style.code_block),
                };
                layout.code_line(&code.line(text), columns, &mut out);
            }
            Self::FenceEnd => out.push(layout.fence("")),
        }
        out
    }
}

impl Blocks {
    pub(super) fn lines(&self, layout: Layout<'_>, references: &References, columns: usize) -> Vec<Line> {
        let mut blocks = tree::parse(&self.source, layout.style, references, self.known);
        if let (Some(number), Some(Kind::List(list))) = (self.number, blocks.first_mut().map(|block| &mut block.kind)) {
            list.start = Some(number);
        }
        layout.blocks(&blocks, self.before, columns)
    }
}
