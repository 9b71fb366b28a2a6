//! Text that a model writes, or thinks, as Markdown while it arrives.

use std::rc::Rc;

use pi_coding_agent::extension::MarkdownKind;
use pi_tui::document::Block;
use pi_tui::text::{Line, Row};
use pi_tui::widgets::markdown::Markdown;

use pi_coding_agent::theme::Token;

use super::super::shared::Shared;
use super::super::styles;
use super::super::theme_styles::ThemeStyles;
use super::super::transformed::{TransformedText, Transformers};

/// What stands in place of thoughts that are hidden.
const HIDDEN: &str = "Thinking...";

/// A text of an answer.
pub(in crate::modes::interactive) struct Prose {
    markdown: Markdown,
    /// What extensions make of the text, if any transforms texts.
    transformed: Option<TransformedText>,
    /// Their text as it is drawn, where it is another one.
    theirs: Option<(Rc<str>, Markdown)>,
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
    pub(super) fn new(is_thinking: bool, look: &ThemeStyles, transformers: Option<Transformers>) -> Self {
        let kind = if is_thinking { MarkdownKind::Thinking } else { MarkdownKind::Assistant };
        Self {
            markdown: Markdown::new(styles::markdown(look, is_thinking)),
            transformed: transformers.map(|transformers| TransformedText::new(transformers, kind)),
            theirs: None,
            is_thinking,
            is_finished: false,
            begun: Sealed::No,
            lead: 0,
            drew_hidden: false,
            look: look.version(),
        }
    }

    /// A text that is complete.
    pub(super) fn whole(text: &str, is_thinking: bool, look: &ThemeStyles, transformers: Option<Transformers>) -> Self {
        let mut prose = Self::new(is_thinking, look, transformers);
        prose.push(text);
        prose.finish();
        prose
    }

    pub(super) fn push(&mut self, delta: &str) {
        self.markdown.push(delta);
        if let Some(transformed) = &self.transformed {
            transformed.push(delta);
        }
    }

    pub(super) fn finish(&mut self) {
        self.markdown.finish();
        if let Some(transformed) = &self.transformed {
            transformed.finish();
        }
        self.is_finished = true;
    }

    /// Whether what was drawn last will not change.
    pub(super) fn is_final(&self) -> bool {
        self.is_finished && self.is_settled()
    }

    /// Rises with what extensions make of it.
    pub(super) fn transformed(&self) -> u64 {
        self.transformed.as_ref().map_or(0, TransformedText::revision)
    }

    /// Whether no extension has still to say what becomes of the text.
    fn is_settled(&self) -> bool {
        self.drew_hidden || self.transformed.as_ref().is_none_or(TransformedText::is_settled)
    }

    /// Takes the text that extensions want shown. What was begun to be shown goes on to be shown.
    fn transform(&mut self, shared: &Shared, columns: u16) {
        let Some(transformed) = self.transformed.as_ref().filter(|_| self.begun == Sealed::No) else { return };
        let text = transformed.text(shared, self.markdown.columns_for_text(columns));
        let is_same = match (&self.theirs, &text) {
            (Some((shown, _)), Some(text)) => Rc::ptr_eq(shown, text),
            (None, None) => true,
            _ => false,
        };
        if !is_same {
            let style = || styles::markdown(&shared.look(), self.is_thinking);
            self.theirs = text.map(|text| (Rc::clone(&text), Markdown::whole(&text, style())));
        }
    }

    /// The text that is drawn.
    fn shown(&mut self) -> &mut Markdown {
        match &mut self.theirs {
            Some((_, markdown)) => markdown,
            None => &mut self.markdown,
        }
    }

    pub(super) fn draw(&mut self, shared: &Shared, columns: u16, out: &mut Vec<Row>) -> usize {
        if self.begun == Sealed::Gone {
            return 0;
        }
        let look = shared.look();
        if self.look != look.version() {
            self.look = look.version();
            let style = styles::markdown(&look, self.is_thinking);
            self.shown().set_style(style.clone());
            self.markdown.set_style(style);
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
        self.transform(shared, columns);
        let before = out.len();
        out.extend(blank);
        let finals = self.shown().draw(columns, out);
        if out.len() == before + self.lead {
            // Nothing to show is no row at all.
            out.truncate(before);
            self.lead = 0;
            return 0;
        }
        // The blank goes with the first row. What may still become another text keeps all of its rows.
        if finals == 0 || !self.is_settled() { 0 } else { finals + self.lead }
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
            let rows = rows.saturating_sub(self.lead);
            self.shown().seal(rows);
        }
        self.lead = 0;
    }
}
