//! Boxes with a label: compactions, summaries of branches, messages of extensions.

use pi_tui::document::Block;
use pi_tui::text::{Line, Row, wrap};
use pi_tui::widgets::markdown::{Markdown, MarkdownStyle};
use pi_tui::widgets::padded_box::Boxed;

use pi_coding_agent::theme::Token;

use super::super::shared::Shared;
use super::super::styles;
use super::block::Picture;

/// Draws Markdown as it stands in such a box.
pub(super) fn draw_markdown(text: &str, shared: &Shared, columns: u16, rows: &mut Vec<Row>) {
    let look = shared.look();
    let base = look.style(Token::CustomMessageText).background(look.color(Token::CustomMessageBg));
    Markdown::whole(text, MarkdownStyle { base, ..styles::markdown(&look, false) }).draw(columns, rows);
}

/// A labelled box.
#[derive(Debug)]
pub(super) struct Labelled {
    /// The label, without brackets.
    pub(super) label: String,
    /// What is always shown: one line, or Markdown where there is no body.
    pub(super) head: String,
    /// What is shown on request, as Markdown.
    pub(super) body: String,
}

impl Picture for Labelled {
    fn folds(&self) -> bool {
        !self.body.is_empty()
    }

    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        let look = shared.look();
        let text = look.style(Token::CustomMessageText);
        let label = format!("[{}]", self.label);
        let boxed = Boxed::new(look.color(Token::CustomMessageBg));
        let label = Line::styled(label, look.style(Token::CustomMessageLabel).bold());
        let mut inside = vec![boxed.row(&label, columns), boxed.blank()];
        if self.body.is_empty() {
            draw_markdown(&self.head, shared, columns, &mut inside);
        } else {
            let mut head = Line::styled(&self.head, text);
            if !shared.is_expanded() {
                head.push(&format!(" ({})", shared.expand_hint()), look.dim());
            }
            inside.extend(wrap(&head, boxed.inner(columns).into()).into_iter().map(|line| boxed.row(&line, columns)));
            if shared.is_expanded() {
                inside.push(boxed.blank());
                draw_markdown(&self.body, shared, columns, &mut inside);
            }
        }
        std::iter::once(Row::blank()).chain(boxed.around(inside)).collect()
    }
}
