//! What a script writes to its console, and promises that nobody took care of.

use std::sync::Mutex;

use pi_guard::lock;
use pi_script::{Report, ReportKind};

use crate::limits::MOST_CONSOLE;

/// Lines of a script.
#[derive(Debug, Default)]
pub(crate) struct Console(Mutex<Lines>);

#[derive(Debug, Default)]
struct Lines {
    text: String,
    /// Lines that found no room.
    left_out: usize,
}

impl Console {
    /// Takes a report of the engine in.
    pub(crate) fn take(&self, report: &Report) {
        match report.kind {
            ReportKind::Console => self.line(&report.error.message),
            ReportKind::UnhandledRejection | ReportKind::Uncaught => {
                self.line(&format!("Not caught: {}", report.error.message));
            }
            // Why it was stopped is what its call ends with.
            ReportKind::Stopped => {}
        }
    }

    fn line(&self, line: &str) {
        let mut lines = lock(&self.0);
        if lines.text.len() + line.len() > MOST_CONSOLE {
            lines.left_out += 1;
            return;
        }
        lines.text.push_str(line);
        lines.text.push('\n');
    }

    /// All lines.
    pub(crate) fn text(&self) -> String {
        let lines = lock(&self.0);
        match lines.left_out {
            0 => lines.text.clone(),
            count => format!("{}[{count} more lines are left out]\n", lines.text),
        }
    }
}
