//! What the user said.

use pi_coding_agent::extension::MarkdownKind;
use pi_tui::text::{Line, Mark, Row, wrap};
use pi_tui::widgets::markdown::{MarkdownStyle, typed_lines};
use pi_tui::widgets::padded_box::Boxed;

use pi_coding_agent::theme::Token;

use super::super::shared::Shared;
use super::super::styles;
use super::super::transformed::{TransformedText, Transformers};
use super::block::{Awaited, Picture};
use super::summary;

/// A message of the user.
#[derive(Debug)]
pub(super) struct UserMessage {
    /// Its text.
    pub(super) text: String,
    /// How many images go with it.
    pub(super) images: usize,
}

impl UserMessage {
    /// Its rows with this text.
    fn rows_of(&self, text: &str, shared: &Shared, columns: u16) -> Vec<Row> {
        let look = shared.look();
        let boxed = Boxed::new(look.color(Token::UserMessageBg));
        let style = MarkdownStyle { base: look.style(Token::UserMessageText), ..styles::markdown(&look, false) };
        let mut lines = typed_lines(text.trim_end(), &style, boxed.inner(columns).into());
        if self.images > 0 {
            let images = if self.images == 1 { "[1 image]".to_owned() } else { format!("[{} images]", self.images) };
            lines.push(Line::styled(images, look.muted()));
        }
        let mut rows = vec![Row::blank()];
        rows.extend(boxed.rows(&lines, columns));
        mark_whole(&mut rows);
        rows
    }
}

impl Picture for UserMessage {
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        self.rows_of(&self.text, shared, columns)
    }
}

/// A message whose text extensions transform.
#[derive(Debug)]
pub(super) struct TransformedMessage {
    message: UserMessage,
    text: TransformedText,
}

impl TransformedMessage {
    pub(super) fn new(message: UserMessage, transformers: Transformers) -> Self {
        let text = TransformedText::new(transformers, MarkdownKind::User);
        text.push(&message.text);
        text.finish();
        Self { message, text }
    }
}

impl Awaited for TransformedMessage {
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        let width = Boxed::new(shared.look().color(Token::UserMessageBg)).inner(columns);
        let text = self.text.text(shared, width.into());
        self.message.rows_of(text.as_deref().unwrap_or(&self.message.text), shared, columns)
    }

    fn revision(&self) -> u64 {
        self.text.revision()
    }

    fn is_settled(&self) -> bool {
        self.text.is_settled()
    }
}

/// Marks rows as one prompt, by which terminals jump; the blank before them is none of it.
fn mark_whole(rows: &mut [Row]) {
    let last = rows.len().saturating_sub(1);
    if last == 0 {
        return;
    }
    rows[1] = std::mem::take(&mut rows[1]).marked(if last == 1 { Mark::Whole } else { Mark::Begin });
    if last > 1 {
        rows[last] = std::mem::take(&mut rows[last]).marked(Mark::End);
    }
}

/// A skill that the user called for.
#[derive(Debug)]
pub(super) struct SkillUse {
    /// Its name.
    pub(super) name: String,
    /// What it says.
    pub(super) body: String,
}

impl Picture for SkillUse {
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        let look = shared.look();
        let label = look.style(Token::CustomMessageLabel).bold();
        let boxed = Boxed::new(look.color(Token::CustomMessageBg));
        let mut head = Line::styled("[skill] ", label).and(&self.name, look.style(Token::CustomMessageText));
        if !shared.is_expanded() {
            head.push(&format!(" ({})", shared.expand_hint()), look.dim());
        }
        let head = wrap(&head, boxed.inner(columns).into());
        let mut inside: Vec<Row> = head.iter().map(|line| boxed.row(line, columns)).collect();
        if shared.is_expanded() {
            inside.push(boxed.blank());
            summary::draw_markdown(&self.body, shared, columns, &mut inside);
        }
        std::iter::once(Row::blank()).chain(boxed.around(inside)).collect()
    }
}
