//! Boxes with a label: compactions, summaries of branches, messages of extensions.

use pi_tui::text::{Line, Row};
use pi_tui::widgets::padded_box::Boxed;

use pi_coding_agent::theme::Token;

use super::super::shared::Shared;
use super::block::Picture;

/// A labelled box.
#[derive(Debug)]
pub(super) struct Labelled {
    /// The label, without brackets.
    pub(super) label: String,
    /// What is always shown.
    pub(super) head: String,
    /// What is shown on request.
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
        let mut lines = vec![Line::styled(label, look.style(Token::CustomMessageLabel).bold()), Line::new()];
        lines.extend(self.head.lines().map(|line| Line::styled(line, text)));
        if shared.is_expanded() && !self.body.is_empty() {
            lines.push(Line::new());
            lines.extend(self.body.lines().map(|line| Line::styled(line, text)));
        } else if !self.body.is_empty()
            && let Some(last) = lines.last_mut()
        {
            last.push(&format!(" ({})", shared.expand_hint()), look.dim());
        }
        let mut rows = vec![Row::blank()];
        rows.extend(Boxed::new(look.color(Token::CustomMessageBg)).rows(&lines, columns));
        rows
    }
}
