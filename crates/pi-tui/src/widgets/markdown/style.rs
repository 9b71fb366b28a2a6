//! What Markdown looks like.

use std::borrow::Cow;

use crate::text::Style;
use crate::widgets::code::CodeStyle;

/// What Markdown looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkdownStyle {
    /// Text that has no form of its own. Its background is behind everything, up to the edges.
    pub base: Style,
    /// Headings, which are bold as well.
    pub heading: Style,
    /// Links, which are underlined as well.
    pub link: Style,
    /// Where a link leads, behind it.
    pub link_url: Style,
    /// Code within text.
    pub code: Style,
    /// Lines of code in no known language.
    pub code_block: Style,
    /// Fences.
    pub code_border: Style,
    /// Lines of code in a known language.
    pub syntax: CodeStyle,
    /// Quotes, which are italic as well.
    pub quote: Style,
    /// The bar before quotes.
    pub quote_border: Style,
    /// Horizontal rules.
    pub rule: Style,
    /// Marks and numbers of lists.
    pub bullet: Style,
    /// Before each line of code.
    pub code_indent: Cow<'static, str>,
    /// Columns that are left free on either side.
    pub padding: u16,
    /// The terminal shows links (OSC 8): the address is not written behind them.
    pub hyperlinks: bool,
    /// Marks and numbers of lists stay as they were typed.
    pub keep_markers: bool,
}

impl Default for MarkdownStyle {
    fn default() -> Self {
        let plain = Style::PLAIN;
        Self {
            base: plain,
            heading: plain,
            link: plain,
            link_url: plain,
            code: plain,
            code_block: plain,
            code_border: plain,
            syntax: CodeStyle::default(),
            quote: plain,
            quote_border: plain,
            rule: plain,
            bullet: plain,
            code_indent: "  ".into(),
            padding: 0,
            hyperlinks: false,
            keep_markers: false,
        }
    }
}
