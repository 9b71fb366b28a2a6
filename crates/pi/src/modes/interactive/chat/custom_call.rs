//! A call of a tool whose extension draws it: the call, and below it the result. The program draws that of the two which the
//! extension leaves to it.

use std::sync::Arc;

use pi_agent_core::ToolOutput;
use pi_coding_agent::extension::{RenderOptions, ToolRenderer, ToolView};
use pi_tui::text::{Line, Row, wrap};
use pi_tui::widgets::padded_box::Boxed;
use serde_json::Value;

use super::super::rendered::{RenderedLines, Shown};
use super::super::shared::Shared;

/// A call as its extension draws it.
#[derive(Debug)]
pub(super) struct CustomCall {
    renderer: Renderer,
    /// The head and, once there is one, the result.
    lines: RenderedLines,
}

/// How the calls of a tool are drawn.
#[derive(Clone)]
pub(in crate::modes::interactive) struct Renderer {
    pub(in crate::modes::interactive) draw: Arc<ToolRenderer>,
    /// Whether the program draws a box around it.
    pub(in crate::modes::interactive) is_boxed: bool,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Renderer").field("is_boxed", &self.is_boxed).finish_non_exhaustive()
    }
}

/// What is known of a call.
#[derive(Debug, Clone)]
pub(super) struct CallFacts {
    pub(super) id: String,
    pub(super) arguments: Value,
    pub(super) is_complete: bool,
    pub(super) has_begun: bool,
    pub(super) output: Option<Arc<ToolOutput>>,
    pub(super) is_error: bool,
}

/// The lines that the program would draw.
pub(super) struct DefaultLines {
    pub(super) call: Vec<Line>,
    pub(super) result: Vec<Line>,
}

impl CustomCall {
    pub(super) fn new(renderer: Renderer) -> Self {
        Self { renderer, lines: RenderedLines::new(Arc::new(|_| Vec::new())) }
    }

    /// More is known of the call. The head is drawn before the result: renderers share what they remember.
    pub(super) fn change(&self, facts: CallFacts) {
        let draw = Arc::clone(&self.renderer.draw);
        self.lines.replace(Arc::new(move |options| {
            let head = draw(facts.view(None), options);
            let result = facts.output.as_deref().map(|output| draw(facts.view(Some(output)), options));
            std::iter::once(head).chain(result).collect()
        }));
    }

    /// The extension asked for it to be drawn again.
    pub(super) fn mark(&self) {
        self.lines.mark();
    }

    pub(super) fn revision(&self) -> u64 {
        self.lines.revision()
    }

    /// Whether what is shown is the last word.
    pub(super) fn is_settled(&self) -> bool {
        self.lines.is_settled()
    }

    /// The rows, in a box unless the extension draws its own. Nothing at all where it draws nothing without one.
    pub(super) fn rows(
        &self,
        shared: &Shared,
        boxed: &Boxed,
        columns: u16,
        is_finished: bool,
        default: DefaultLines,
    ) -> Vec<Row> {
        let width = if self.renderer.is_boxed { boxed.inner(columns) } else { columns };
        let options = RenderOptions { width: width.into(), expanded: shared.is_expanded(), is_partial: !is_finished };
        let wrapped = |lines: Vec<Line>| lines.iter().flat_map(|line| wrap(line, width.into())).collect::<Vec<_>>();
        let lines = match self.lines.lines(shared, options) {
            // The name is known; a result that the program draws for a moment would only flicker.
            Shown::Awaited => wrapped(default.call),
            Shown::StandIn => wrapped([default.call, default.result].concat()),
            Shown::Lines(parts) => {
                let mut parts = parts.into_iter();
                let mut lines = parts.next().flatten().unwrap_or_else(|| wrapped(default.call));
                lines.extend(parts.next().flatten().unwrap_or_else(|| wrapped(default.result)));
                lines
            }
        };
        if self.renderer.is_boxed {
            return boxed.around(lines.iter().map(|line| boxed.row(line, columns)));
        }
        lines.iter().map(|line| Row::new(line, columns)).collect()
    }
}

impl CallFacts {
    fn view<'a>(&'a self, result: Option<&'a ToolOutput>) -> ToolView<'a> {
        ToolView {
            call_id: &self.id,
            arguments: &self.arguments,
            is_complete: self.is_complete,
            has_begun: self.has_begun,
            result: result.map(|output| (output, self.is_error)),
        }
    }
}
