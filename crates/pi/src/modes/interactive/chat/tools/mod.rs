//! What calls of the tools look like: a line that says what is done, and what of the outcome is shown.
//!
//! `preview` cuts long output; every other file is a tool, `other` those that nobody knows here.

mod bash;
mod codemode;
mod edit;
mod find;
mod grep;
mod ls;
mod other;
mod preview;
mod read;
mod write;

use pi_agent_core::ToolOutput;
use pi_ai::ImageContent;
use pi_coding_agent::theme::Token;
use pi_tui::text::{Line, Style};
use serde_json::Value;

use super::super::shared::Shared;
use super::super::theme_styles::ThemeStyles;
use crate::common::one_line::signed_line;

pub(super) use preview::image_size;

/// A call, to be drawn.
pub(super) struct Drawing<'a> {
    pub(super) shared: &'a Shared,
    pub(super) look: &'a ThemeStyles,
    pub(super) columns: u16,
    pub(super) arguments: &'a Value,
    pub(super) is_complete: bool,
    pub(super) is_known: bool,
    pub(super) name: &'a str,
    pub(super) output: Option<&'a ToolOutput>,
    pub(super) text: &'a str,
    pub(super) is_error: bool,
    pub(super) is_finished: bool,
    pub(super) elapsed_ms: Option<u64>,
}

/// The lines of a call.
pub(super) fn lines(call: &Drawing<'_>) -> Vec<Line> {
    match call.name {
        "read" => read::lines(call),
        "bash" => bash::lines(call),
        "edit" => edit::lines(call),
        "write" => write::lines(call),
        "grep" => grep::lines(call),
        "find" => find::lines(call),
        "ls" => ls::lines(call),
        "codemode" => codemode::lines(call),
        _ => other::lines(call),
    }
}

impl Drawing<'_> {
    /// The name of the tool, as the head of its line.
    fn head(&self) -> Line {
        Line::styled(self.name, self.title())
    }

    fn title(&self) -> Style {
        self.look.style(Token::ToolTitle).bold()
    }

    fn output_style(&self) -> Style {
        self.look.style(Token::ToolOutput)
    }

    /// Adds an argument's text; dots while it is missing, and what is wrong with one that is no text.
    fn push_text(&self, line: &mut Line, key: &str) {
        match self.arguments.get(key) {
            Some(Value::String(text)) => line.push(&signed_line(text), self.look.accent()),
            None | Some(Value::Null) => line.push("...", self.output_style()),
            Some(_) => line.push("[invalid]", self.look.error()),
        }
    }

    /// Adds a path; `.` where there is none and the tool takes the current directory.
    fn push_path(&self, line: &mut Line, default: Option<&str>) {
        let path = match self.arguments.get("path").or_else(|| self.arguments.get("file_path")) {
            Some(Value::String(path)) if !path.is_empty() => path.as_str(),
            None | Some(Value::Null | Value::String(_)) => match default {
                Some(default) => default,
                None => return line.push("...", self.output_style()),
            },
            Some(_) => return line.push("[invalid]", self.look.error()),
        };
        let cwd = self.shared.cwd();
        let absolute = cwd.join(path);
        let shown = self.shared.shorten(std::path::Path::new(path));
        let link = self.look.links.then(|| std::sync::Arc::from(format!("file://{}", absolute.display())));
        line.push_linked(&signed_line(&shown), self.look.accent(), link.as_ref());
    }

    /// Adds a limit.
    fn push_limit(&self, line: &mut Line) {
        if let Some(limit) = self.arguments.get("limit").and_then(Value::as_u64) {
            line.push(&format!(" limit {limit}"), self.output_style());
        }
    }

    /// The output as lines in the style of output, of errors in that of errors.
    fn output_lines(&self) -> Vec<Line> {
        let style = if self.is_error { self.look.error() } else { self.output_style() };
        let text = self.text.trim_matches('\n');
        if text.is_empty() {
            return Vec::new();
        }
        text.split('\n').map(|line| Line::styled(line.trim_end_matches('\r'), style)).collect()
    }

    fn image(&self) -> Option<&ImageContent> {
        let images = self.output?.content.iter();
        images.into_iter().find_map(|block| match block {
            pi_ai::ContentBlock::Image(image) => Some(image),
            _ => None,
        })
    }
}
