//! A command of the user, with `!` or `!!`: rules, the command, its output.

use pi_coding_agent::agent_session::BashResult;
use pi_coding_agent::messages::BashExecutionMessage;
use pi_coding_agent::theme::Token;
use pi_tui::text::{Line, Row};
use pi_tui::widgets::rule;

use super::super::shared::Shared;
use super::indented::{Margins, indented};
use super::tool::uncoloured;

/// So many lines of output are shown.
const LINES: usize = 20;

/// A command and what came of it.
pub(in crate::modes::interactive) struct ShellBlock {
    command: String,
    /// Whether the model does not see it.
    is_excluded: bool,
    output: String,
    end: Option<End>,
    /// The key that cancels, while it runs.
    cancel_key: String,
}

struct End {
    exit_code: Option<i64>,
    cancelled: bool,
    full_output_path: Option<String>,
    failure: Option<String>,
}

impl ShellBlock {
    pub(in crate::modes::interactive) fn new(command: &str, is_excluded: bool, cancel_key: String) -> Self {
        Self { command: command.to_owned(), is_excluded, output: String::new(), end: None, cancel_key }
    }

    /// The output so far.
    pub(in crate::modes::interactive) fn set_output(&mut self, output: &str) {
        self.output = uncoloured(output);
    }

    /// It is over.
    pub(in crate::modes::interactive) fn end(&mut self, result: &BashResult) {
        self.output = uncoloured(&result.output);
        self.end = Some(End {
            exit_code: result.exit_code,
            cancelled: result.cancelled,
            full_output_path: result.full_output_path.clone(),
            failure: None,
        });
    }

    /// It could not be run.
    pub(in crate::modes::interactive) fn fail(&mut self, reason: String) {
        self.end = Some(End { exit_code: None, cancelled: false, full_output_path: None, failure: Some(reason) });
    }

    /// One that was recorded.
    pub(super) fn recorded(message: &BashExecutionMessage) -> Self {
        Self {
            command: message.command.clone(),
            is_excluded: message.exclude_from_context.unwrap_or_default(),
            output: uncoloured(&message.output),
            end: Some(End {
                exit_code: message.exit_code,
                cancelled: message.cancelled,
                full_output_path: message.full_output_path.clone(),
                failure: None,
            }),
            cancel_key: String::new(),
        }
    }

    /// Whether it is over.
    pub(in crate::modes::interactive) fn is_finished(&self) -> bool {
        self.end.is_some()
    }

    pub(super) fn rows(&self, shared: &Shared, columns: u16) -> Vec<Row> {
        let look = shared.look();
        let frame = if self.is_excluded { look.dim() } else { look.style(Token::BashMode) };
        let rule = rule::plain(frame, columns);
        let command = format!("$ {}", self.command);
        let mut lines: Vec<Line> = command.lines().map(|line| Line::styled(line, frame.bold())).collect();
        let output: Vec<&str> = self.output.trim_end_matches('\n').split('\n').collect();
        let hidden = if shared.is_expanded() { 0 } else { output.len().saturating_sub(LINES) };
        if !self.output.is_empty() {
            lines.extend(output[hidden..].iter().map(|line| Line::styled(*line, look.muted())));
        }
        if hidden > 0 {
            lines.push(Line::new());
            let more = format!("... {hidden} more lines ({})", shared.expand_hint());
            lines.push(Line::styled(more, look.muted()));
        }
        lines.extend(self.status(&look));
        let mut rows = vec![Row::blank(), rule.clone()];
        rows.extend(indented(&lines, Margins::BOTH, columns));
        rows.push(rule);
        rows
    }

    fn status(&self, look: &super::super::theme_styles::ThemeStyles) -> Vec<Line> {
        let Some(end) = &self.end else {
            return vec![Line::styled(format!("Running... ({} to cancel)", self.cancel_key), look.muted())];
        };
        let mut lines = Vec::new();
        match (&end.failure, end.cancelled, end.exit_code) {
            (Some(failure), ..) => lines.push(Line::styled(failure, look.error())),
            (None, true, _) => lines.push(Line::styled("(cancelled)", look.warning())),
            (None, false, Some(code)) if code != 0 => {
                lines.push(Line::styled(format!("(exit {code})"), look.error()));
            }
            _ => {}
        }
        if let Some(path) = &end.full_output_path {
            lines.push(Line::styled(format!("Output was cut. All of it: {path}"), look.warning()));
        }
        lines
    }
}
