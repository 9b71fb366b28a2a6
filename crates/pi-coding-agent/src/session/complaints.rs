//! What a user is told of damage that opening a session found.

use std::path::Path;

use super::manager::{LoadReport, SessionManager};

impl SessionManager {
    /// Sentences about damage that opening the session found; nothing of it was lost.
    pub(crate) fn complaints(&self) -> Vec<String> {
        damage(self.session_file().unwrap_or(Path::new("")), &self.load_report())
    }
}

fn damage(file: &Path, report: &LoadReport) -> Vec<String> {
    let file = file.display();
    let torn = report.torn_tail.as_ref().map(|aside| {
        format!("The last line of session file {file} was cut off by a crash; it was moved to {}", aside.display())
    });
    let mut lines: Vec<usize> = report.problems.iter().map(|problem| problem.line).collect();
    lines.sort_unstable();
    lines.dedup();
    if torn.is_some() {
        // The torn line is the last one; it was spoken of.
        lines.pop();
    }
    let damaged = (!lines.is_empty()).then(|| {
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        format!("Session file {file} is damaged at line {}; the rest was read, nothing was removed", lines.join(", "))
    });
    torn.into_iter().chain(damaged).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::LineProblem;

    #[test]
    fn damage_is_told_once() {
        let problem = |line| LineProblem { line, reason: "why".to_owned() };
        let report = |lines: &[usize], torn: bool| LoadReport {
            problems: lines.iter().copied().map(problem).collect(),
            torn_tail: torn.then(|| "/s.torn-1".into()),
            ..LoadReport::default()
        };
        let texts = |lines: &[usize], torn| damage(Path::new("/s"), &report(lines, torn)).join("\n");
        assert_eq!(texts(&[], false), "");
        let torn = "The last line of session file /s was cut off by a crash; it was moved to /s.torn-1";
        assert_eq!(texts(&[9], true), torn);
        let damaged = "Session file /s is damaged at line 3, 5; the rest was read, nothing was removed";
        assert_eq!(texts(&[5, 3, 5], false), damaged);
        assert_eq!(texts(&[5, 9, 3], true), format!("{torn}\n{damaged}"));
    }
}
