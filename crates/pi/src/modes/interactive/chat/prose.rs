//! Text that a model writes, or thinks, as Markdown while it arrives.

use pi_tui::document::Block;
use pi_tui::text::{Line, Row};
use pi_tui::widgets::markdown::Markdown;

use pi_coding_agent::theme::Token;

use super::super::shared::Shared;
use super::super::styles;
use super::super::theme_styles::ThemeStyles;

/// What stands in place of thoughts that are hidden.
const HIDDEN: &str = "Thinking...";

/// A text of an answer.
pub(in crate::modes::interactive) struct Prose {
    markdown: Markdown,
    is_thinking: bool,
    is_finished: bool,
    /// What its first rows that were given away belong to.
    begun: Sealed,
    /// Rows that were added before those of the text when it was drawn last.
    lead: usize,
    /// The hidden form was drawn last.
    drew_hidden: bool,
    /// The look that the text was drawn with last.
    look: u64,
}

/// What has been given away of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sealed {
    /// Nothing.
    No,
    /// The text, up to some place.
    Text,
    /// The blank row above the hidden form.
    Hidden,
    /// The hidden form: the text itself is not shown any more.
    Gone,
}

impl Prose {
    pub(super) fn new(is_thinking: bool, look: &ThemeStyles) -> Self {
        Self {
            markdown: Markdown::new(styles::markdown(look, is_thinking)),
            is_thinking,
            is_finished: false,
            begun: Sealed::No,
            lead: 0,
            drew_hidden: false,
            look: look.version(),
        }
    }

    /// A text that is complete.
    pub(super) fn whole(text: &str, is_thinking: bool, look: &ThemeStyles) -> Self {
        let mut prose = Self::new(is_thinking, look);
        prose.push(text);
        prose.finish();
        prose
    }

    pub(super) fn push(&mut self, delta: &str) {
        self.markdown.push(delta);
    }

    pub(super) fn finish(&mut self) {
        self.markdown.finish();
        self.is_finished = true;
    }

    pub(super) fn is_finished(&self) -> bool {
        self.is_finished
    }

    pub(super) fn draw(&mut self, shared: &Shared, columns: u16, out: &mut Vec<Row>) -> usize {
        if self.begun == Sealed::Gone {
            return 0;
        }
        let look = shared.look();
        if self.look != look.version() {
            self.look = look.version();
            self.markdown.set_style(styles::markdown(&look, self.is_thinking));
        }
        self.lead = usize::from(self.begun == Sealed::No);
        // What was begun to be shown goes on to be shown.
        self.drew_hidden = match self.begun {
            Sealed::No => self.is_thinking && shared.hides_thinking(),
            Sealed::Hidden => true,
            Sealed::Text | Sealed::Gone => false,
        };
        let blank = (self.lead == 1).then(Row::blank);
        if self.drew_hidden {
            out.extend(blank);
            let text = shared.thinking_label();
            let label =
                Line::from(" ").and(text.as_deref().unwrap_or(HIDDEN), look.style(Token::ThinkingText).italic());
            out.push(Row::new(&label, columns));
            return if self.is_finished { 1 + self.lead } else { 0 };
        }
        let before = out.len();
        out.extend(blank);
        let finals = self.markdown.draw(columns, out);
        if out.len() == before + self.lead {
            // Nothing to show is no row at all.
            out.truncate(before);
            self.lead = 0;
            return 0;
        }
        // The blank goes with the first row.
        if finals == 0 { 0 } else { finals + self.lead }
    }

    pub(super) fn seal(&mut self, rows: usize) {
        if rows == 0 {
            return;
        }
        self.begun = match (self.drew_hidden, rows > self.lead) {
            (true, true) => Sealed::Gone,
            (true, false) => Sealed::Hidden,
            (false, _) => Sealed::Text,
        };
        if !self.drew_hidden {
            self.markdown.seal(rows.saturating_sub(self.lead));
        }
        self.lead = 0;
    }
}
