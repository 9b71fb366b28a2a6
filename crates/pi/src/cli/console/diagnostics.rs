//! What start-up has to say on standard error: one line each, prefixed with how bad it is.

use std::io::{self, Write};

use pi_coding_agent::host::plain;

/// Complaints in the order in which they came up.
#[derive(Debug, Default)]
pub(in crate::cli) struct Diagnostics {
    lines: Vec<String>,
    failed: bool,
    first_error: Option<String>,
}

impl Diagnostics {
    /// Something that ends the program.
    pub(in crate::cli) fn error(&mut self, message: impl std::fmt::Display) {
        let message = message.to_string();
        self.lines.push(format!("Error: {message}"));
        self.first_error.get_or_insert(message);
        self.failed = true;
    }

    /// Something worth knowing.
    pub(in crate::cli) fn warning(&mut self, message: impl std::fmt::Display) {
        self.lines.push(format!("Warning: {message}"));
    }

    /// Something that was done.
    pub(in crate::cli) fn note(&mut self, message: impl std::fmt::Display) {
        self.lines.push(message.to_string());
    }

    /// What was wrong first, also after it was printed.
    pub(in crate::cli) fn first_error(&self) -> Option<&str> {
        self.first_error.as_deref()
    }

    /// Makes warnings of all errors so far.
    pub(in crate::cli) fn soften(&mut self) {
        for line in &mut self.lines {
            if let Some(message) = line.strip_prefix("Error: ") {
                *line = format!("Warning: {message}");
            }
        }
        (self.failed, self.first_error) = (false, None);
    }

    /// Prints what has come up so far and says whether the program may go on.
    pub(in crate::cli) fn report(&mut self) -> bool {
        for line in self.lines.drain(..) {
            complain(&line);
        }
        !self.failed
    }
}

/// One line on standard error, without credentials; a closed one is ignored. Names of files may hold anything: what would
/// control the terminal is made visible.
pub(in crate::cli) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{}", plain(&pi_ai::without_known_secrets(line)));
}
