//! A call of a tool: what was called, what came of it, how long it took.

use std::sync::Arc;

use pi_agent_core::ToolOutput;
use pi_ai::ContentBlock;
use pi_coding_agent::theme::Token;
use pi_tui::text::{Line, Row};
use pi_tui::widgets::image::Image;
use pi_tui::widgets::padded_box::Boxed;
use serde_json::Value;

use super::super::shared::Shared;
use super::tools::{self, Drawing};

/// A call.
pub(in crate::modes::interactive) struct ToolBlock {
    name: String,
    /// Arguments, as far as they have arrived.
    arguments: Value,
    /// Whether they are complete.
    is_complete: bool,
    /// Whether the session knows the tool.
    is_known: bool,
    output: Option<Arc<ToolOutput>>,
    outcome: ToolStatus,
    /// When it began to run, and ended, in milliseconds of the mode.
    began_ms: Option<u64>,
    ended_ms: Option<u64>,
    /// Pictures of the outcome.
    images: Vec<Image>,
}

/// How far a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ToolStatus {
    Pending,
    Good,
    Failed,
}

impl ToolBlock {
    pub(super) fn new(name: &str, is_known: bool) -> Self {
        Self {
            name: name.to_owned(),
            arguments: Value::Null,
            is_complete: false,
            is_known,
            output: None,
            outcome: ToolStatus::Pending,
            began_ms: None,
            ended_ms: None,
            images: Vec::new(),
        }
    }

    pub(super) fn set_arguments(&mut self, arguments: Value, is_complete: bool) {
        self.arguments = arguments;
        self.is_complete |= is_complete;
    }

    pub(super) fn begin(&mut self, arguments: &Value, now_ms: u64) {
        self.arguments = arguments.clone();
        self.is_complete = true;
        self.began_ms = Some(now_ms);
    }

    pub(super) fn update(&mut self, output: Arc<ToolOutput>) {
        self.output = Some(output);
    }

    pub(super) fn end(&mut self, output: Arc<ToolOutput>, is_error: bool, now_ms: u64) {
        self.output = Some(output);
        self.outcome = if is_error { ToolStatus::Failed } else { ToolStatus::Good };
        self.ended_ms = Some(now_ms);
    }

    /// The pictures of its outcome, as they can be drawn.
    pub(super) fn set_images(&mut self, images: Vec<Image>) {
        self.images = images;
    }

    /// The call never ran: why.
    pub(super) fn fail(&mut self, reason: &str, now_ms: u64) {
        self.end(Arc::new(ToolOutput::text(reason)), true, now_ms);
    }

    pub(super) fn is_finished(&self) -> bool {
        self.outcome != ToolStatus::Pending
    }

    /// Whether its elapsed time is shown and moves.
    pub(super) fn is_ticking(&self) -> bool {
        self.name == "bash" && self.began_ms.is_some() && !self.is_finished()
    }

    pub(super) fn rows(&mut self, shared: &Shared, columns: u16) -> Vec<Row> {
        let look = shared.look();
        let background = match self.outcome {
            ToolStatus::Pending => Token::ToolPendingBg,
            ToolStatus::Good => Token::ToolSuccessBg,
            ToolStatus::Failed => Token::ToolErrorBg,
        };
        let text = self.text();
        let drawing = Drawing {
            shared,
            look: &look,
            columns,
            arguments: &self.arguments,
            is_complete: self.is_complete,
            is_known: self.is_known,
            name: &self.name,
            output: self.output.as_deref(),
            text: &text,
            is_error: self.outcome == ToolStatus::Failed,
            is_finished: self.is_finished(),
            elapsed_ms: self.elapsed_ms(shared.now_ms()),
        };
        let lines: Vec<Line> = tools::lines(&drawing);
        let mut rows = vec![Row::blank()];
        rows.extend(Boxed::new(look.color(background)).rows(&lines, columns));
        for image in &mut self.images {
            image.set_options(shared.images());
            rows.push(Row::blank());
            rows.extend(image.rows(columns));
        }
        rows
    }

    fn elapsed_ms(&self, now_ms: u64) -> Option<u64> {
        Some(self.ended_ms.unwrap_or(now_ms).saturating_sub(self.began_ms?))
    }

    /// What the tool said, without what only a terminal could use.
    fn text(&self) -> String {
        let Some(output) = &self.output else { return String::new() };
        let mut text = String::new();
        for block in &output.content {
            match block {
                ContentBlock::Text(block) => {
                    if !text.is_empty() && !text.ends_with('\n') {
                        text.push('\n');
                    }
                    text.push_str(&block.text);
                }
                ContentBlock::Image(image) => {
                    let size = tools::image_size(image).unwrap_or_default();
                    text.push_str(&format!("\n[Image: [{}]{size}]", image.mime_type));
                }
                _ => {}
            }
        }
        uncoloured(&text)
    }
}

/// Text without escape sequences: what a program coloured is shown plainly, and it moves nothing.
pub(super) fn uncoloured(text: &str) -> String {
    if !text.contains('\u{1b}') && !text.contains('\r') {
        return text.to_owned();
    }
    let text = text.replace("\r\n", "\n").replace('\r', "");
    let lines: Vec<String> = text.split('\n').map(|line| Line::from_ansi(line).text()).collect();
    lines.join("\n")
}
