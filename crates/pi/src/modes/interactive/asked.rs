//! What a frame needs of extensions and does not have; `rendering` asks for it afterwards.

use super::rendered::RenderedLines;
use super::transformed::TransformedText;

/// Lines to be drawn, or a text to be transformed.
#[derive(Debug)]
pub(super) enum Asked {
    Lines(RenderedLines),
    Text(TransformedText),
}

impl From<RenderedLines> for Asked {
    fn from(lines: RenderedLines) -> Self {
        Self::Lines(lines)
    }
}

impl From<TransformedText> for Asked {
    fn from(text: TransformedText) -> Self {
        Self::Text(text)
    }
}
