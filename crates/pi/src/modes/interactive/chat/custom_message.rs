//! A message of an extension that draws it, and how the program draws it where the extension does not.

use std::sync::Arc;

use pi_coding_agent::extension::{MessageRenderer, RenderOptions};
use pi_coding_agent::messages::CustomMessage;
use pi_tui::text::Row;

use super::super::rendered::{RenderedLines, Shown};
use super::super::shared::Shared;
use super::block::{Awaited, Picture};
use super::summary::Labelled;

/// A message.
#[derive(Debug)]
pub(in crate::modes::interactive) struct CustomMessageBlock {
    lines: RenderedLines,
    plain: Labelled,
}

impl CustomMessageBlock {
    pub(super) fn new(message: CustomMessage, plain: Labelled, renderer: Arc<MessageRenderer>) -> Self {
        let lines = RenderedLines::new(Arc::new(move |options| vec![renderer(&message, options)]));
        Self { lines, plain }
    }
}

impl Awaited for CustomMessageBlock {
    fn revision(&self) -> u64 {
        self.lines.revision()
    }

    fn is_settled(&self) -> bool {
        self.lines.is_settled()
    }

    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        let options = RenderOptions { width: columns.into(), expanded: shared.is_expanded(), is_partial: false };
        let lines = match self.lines.lines(shared, options) {
            Shown::Awaited => return Vec::new(),
            Shown::StandIn => None,
            Shown::Lines(parts) => parts.into_iter().next().flatten(),
        };
        let Some(lines) = lines else { return self.plain.rows(shared, columns) };
        let drawn = lines.iter().map(|line| Row::new(line, columns));
        std::iter::once(Row::blank()).chain(drawn).collect()
    }
}
