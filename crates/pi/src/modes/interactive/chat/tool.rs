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
use super::custom_call::{CallFacts, CustomCall, DefaultLines, Renderer};
use super::tools::{self, Drawing};

/// A call.
pub(in crate::modes::interactive) struct ToolBlock {
    name: String,
    /// The call's id; empty as long as it is not known.
    id: String,
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
    /// How its extension draws it.
    custom: Option<CustomCall>,
}

/// How far a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ToolStatus {
    Pending,
    Good,
    Failed,
}

impl ToolBlock {
    pub(super) fn new(name: &str, is_known: bool, renderer: Option<Renderer>) -> Self {
        let block = Self {
            name: name.to_owned(),
            id: String::new(),
            arguments: Value::Null,
            is_complete: false,
            is_known,
            output: None,
            outcome: ToolStatus::Pending,
            began_ms: None,
            ended_ms: None,
            images: Vec::new(),
            custom: renderer.map(CustomCall::new),
        };
        block.tell();
        block
    }

    pub(super) fn set_id(&mut self, id: &str) {
        if self.id != id {
            id.clone_into(&mut self.id);
            self.tell();
        }
    }

    pub(super) fn set_arguments(&mut self, arguments: Value, is_complete: bool) {
        self.arguments = arguments;
        self.is_complete |= is_complete;
        self.tell();
    }

    pub(super) fn begin(&mut self, arguments: &Value, now_ms: u64) {
        self.arguments = arguments.clone();
        self.is_complete = true;
        self.began_ms = Some(now_ms);
        self.tell();
    }

    pub(super) fn update(&mut self, output: Arc<ToolOutput>) {
        self.output = Some(output);
        self.tell();
    }

    pub(super) fn end(&mut self, output: Arc<ToolOutput>, is_error: bool, now_ms: u64) {
        self.output = Some(output);
        self.outcome = if is_error { ToolStatus::Failed } else { ToolStatus::Good };
        self.ended_ms = Some(now_ms);
        self.tell();
    }

    /// Tells the extension that draws it what is known now.
    fn tell(&self) {
        let Some(custom) = &self.custom else { return };
        custom.change(CallFacts {
            id: self.id.clone(),
            arguments: self.arguments.clone(),
            is_complete: self.is_complete,
            has_begun: self.began_ms.is_some() || self.output.is_some(),
            output: self.output.clone(),
            is_error: self.outcome == ToolStatus::Failed,
        });
    }

    /// Its extension asked for it to be drawn again.
    pub(super) fn redraw(&self) {
        if let Some(custom) = &self.custom {
            custom.mark();
        }
    }

    /// Whether an extension draws it.
    pub(super) fn is_custom(&self) -> bool {
        self.custom.is_some()
    }

    /// The revision of what its extension drew.
    pub(super) fn rendered(&self) -> u64 {
        self.custom.as_ref().map_or(0, CustomCall::revision)
    }

    /// Whether its extension has drawn it as it is now.
    pub(super) fn is_settled(&self) -> bool {
        self.custom.as_ref().is_none_or(CustomCall::is_settled)
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
        let boxed = Boxed::new(look.color(background));
        let mut rows = match &self.custom {
            None => boxed.rows(&lines, columns),
            Some(custom) => {
                let head =
                    tools::lines(&Drawing { output: None, text: "", is_finished: false, elapsed_ms: None, ..drawing });
                let result = lines.get(head.len()..).unwrap_or_default().to_vec();
                custom.rows(shared, &boxed, columns, self.is_finished(), DefaultLines { call: head, result })
            }
        };
        if !rows.is_empty() {
            rows.insert(0, Row::blank());
        }
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
