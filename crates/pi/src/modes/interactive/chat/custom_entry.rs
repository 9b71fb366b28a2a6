//! Data that an extension has stored in the session, and draws. The model does not read it.

use std::sync::Arc;

use pi_coding_agent::extension::{EntryRenderer, RenderOptions};
use pi_tui::text::{Line, Row};
use serde_json::Value;

use super::super::rendered::{RenderedLines, Shown};
use super::super::shared::Shared;
use super::block::Awaited;

/// An entry.
#[derive(Debug)]
pub(super) struct CustomEntryBlock {
    /// The lines, or why there are none.
    lines: RenderedLines,
    custom_type: String,
}

impl CustomEntryBlock {
    pub(super) fn new(entry: &Arc<Value>, custom_type: &str, renderer: Arc<EntryRenderer>) -> Self {
        let entry = Arc::clone(entry);
        let lines = RenderedLines::new(Arc::new(move |options| match renderer(&entry, options) {
            Ok(lines) => vec![Some(lines.unwrap_or_default())],
            Err(problem) => vec![None, Some(vec![problem.to_string()])],
        }));
        Self { lines, custom_type: custom_type.to_owned() }
    }

    fn failure(&self, problem: Option<&Line>, shared: &Shared, columns: u16) -> Row {
        let problem = problem.map_or_else(|| "its extension panicked".to_owned(), Line::text);
        let text = format!("[{}] cannot be drawn: {problem}", self.custom_type);
        Row::styled(&text, shared.look().error(), columns)
    }
}

impl Awaited for CustomEntryBlock {
    fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        let options = RenderOptions { width: columns.into(), expanded: shared.is_expanded(), is_partial: false };
        let drawn = match self.lines.lines(shared, options) {
            Shown::Awaited => return Vec::new(),
            Shown::StandIn => {
                let text = format!("[{}] is not drawn yet: its extension has not answered", self.custom_type);
                vec![Row::styled(&text, shared.look().dim(), columns)]
            }
            Shown::Lines(parts) => match parts.as_slice() {
                [Some(lines)] if lines.is_empty() => return Vec::new(),
                [Some(lines)] => lines.iter().map(|line| Row::new(line, columns)).collect(),
                [_, Some(problem)] => vec![self.failure(problem.first(), shared, columns)],
                _ => vec![self.failure(None, shared, columns)],
            },
        };
        std::iter::once(Row::blank()).chain(drawn).collect()
    }

    fn revision(&self) -> u64 {
        self.lines.revision()
    }

    fn is_settled(&self) -> bool {
        self.lines.is_settled()
    }
}
