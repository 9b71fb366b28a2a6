//! What goes in and what comes out: the prompts, how answers are printed, what the last one has to look like.

use super::Startup;
use super::input;
use crate::cli::console::print;
use crate::cli::grammar::mode::Mode;
use crate::modes::{AnswerSchema, InitialPrompts, PrintOptions};
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::host::{FileKind, read_text};
use pi_coding_agent::tools::PathBase;

impl Startup {
    pub(super) async fn prompts(&mut self, session: &AgentSession) -> Option<InitialPrompts> {
        let piped = input::piped_text().map_err(|error| format!("cannot read standard input: {error}"));
        let piped = self.settle(piped)?;
        let base = PathBase { cwd: self.paths.cwd().to_owned(), home: self.paths.env().home() };
        let messages = self.line.args.messages.clone();
        let resize = self.settings.tools().images().auto_resize;
        let Self { line, diagnostics, .. } = self;
        let mut warn = |warning| diagnostics.warning(warning);
        let prompts =
            input::assemble(piped, &line.files, messages, &base, resize, Some(&session.model()), &mut warn).await;
        let prompts = self.settle(prompts)?;
        self.report_unseen(&prompts, session);
        Some(prompts)
    }

    /// Scripts that want one object get one also where nothing was begun. Returns the exit code.
    pub(super) fn fail_in_json(&self) -> u8 {
        if self.line.args.output_format.as_deref() == Some("json") {
            let error = self.diagnostics.first_error().unwrap_or("see standard error");
            let object = serde_json::json!({ "type": "result", "answer": null, "stopReason": null, "error": error });
            print(&format!("{object}\n"));
        }
        1
    }

    pub(super) fn print_options(&self, schema: Option<AnswerSchema>) -> PrintOptions {
        let json = self.line.args.output_format.as_deref() == Some("json");
        PrintOptions { stream: self.line.args.stream, json, schema }
    }

    /// Whether somebody sees text as it arrives.
    pub(super) fn is_watched(&self) -> bool {
        use std::io::IsTerminal;
        self.line.args.stream || std::io::stdout().is_terminal()
    }

    /// What the final answer has to look like.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub(super) fn answer_schema(&self, mode: Mode) -> Result<Option<AnswerSchema>, String> {
        let Some(file) = &self.line.args.json_schema else { return Ok(None) };
        if let Some(protocol) = mode.protocol() {
            return Err(format!("--json-schema is not for {protocol} mode: clients check answers themselves"));
        }
        let file = self.paths.resolve(&file.to_string_lossy());
        let unusable = |reason: &dyn std::fmt::Display| format!("--json-schema {}: {reason}", file.display());
        let text = read_text(&file, FileKind::Attachment).map_err(|error| unusable(&error))?;
        let schema = serde_json::from_str(&text).map_err(|error| unusable(&format!("not JSON: {error}")))?;
        AnswerSchema::new(schema).map(Some).map_err(|reason| unusable(&reason))
    }
}
