//! What a user is told of damage when a session is opened: where the doctor has words for it, in these words.

use std::path::Path;

use super::context::SessionContext;
use super::doctor::{self, Diagnosis, Finding};
use super::manager::{LoadReport, SessionManager};

/// So many places are named; how many there are is told in any case.
const NAMED: usize = 3;
/// The doctor reads every byte. A bigger file, in bytes, is not examined only to tell of it.
const QUICKLY_EXAMINED: u64 = 64 << 20;

/// Sentences about damage that was found when the session was opened, and `context` was made of it; nothing of it was
/// lost. Costs nothing for a session without damage.
pub(crate) fn complaints(session: &SessionManager, context: &SessionContext) -> Vec<String> {
    let Some(file) = session.session_file() else { return Vec::new() };
    let report = session.load_report();
    let mut complaints: Vec<String> = torn(file, &report).into_iter().collect();
    let has_lost_parents =
        session.entries.store().known_index().is_some_and(super::index::EntryIndex::has_lost_parents);
    if has_lost_parents || !context.unreadable.is_empty() || !damaged_lines(&report).is_empty() {
        complaints.push(holes(session, file, &report, context));
    }
    complaints
}

fn holes(session: &SessionManager, file: &Path, report: &LoadReport, context: &SessionContext) -> String {
    let is_quick = file.metadata().is_ok_and(|metadata| metadata.len() <= QUICKLY_EXAMINED);
    let examined = is_quick.then(|| doctor::examine(file, session.host.ids.as_ref()).ok()).flatten();
    let holes: Vec<String> = examined.iter().flat_map(Diagnosis::holes).map(in_one_line).collect();
    let places = if holes.is_empty() { found_here(report, context) } else { holes };
    warning(file, &places)
}

fn torn(file: &Path, report: &LoadReport) -> Option<String> {
    let aside = report.torn_tail.as_ref()?;
    let (file, aside) = (file.display(), aside.display());
    Some(format!("The last line of session file {file} was cut off by a crash; it was moved to {aside}"))
}

/// The numbers of damaged lines, but for a torn one that was set aside.
fn damaged_lines(report: &LoadReport) -> Vec<usize> {
    let mut lines: Vec<usize> = report.problems.iter().map(|problem| problem.line).collect();
    lines.sort_unstable();
    lines.dedup();
    if report.torn_tail.is_some() {
        // It is the last one.
        lines.pop();
    }
    lines
}

fn in_one_line(finding: &Finding) -> String {
    format!("{}. {}", finding.headline(), finding.kind.meaning())
}

/// What is known without the doctor.
fn found_here(report: &LoadReport, context: &SessionContext) -> Vec<String> {
    let lines = damaged_lines(report).into_iter().map(|line| format!("line {line}"));
    lines.chain(context.unreadable.iter().map(|entry| format!("entry {entry}"))).collect()
}

fn warning(file: &Path, places: &[String]) -> String {
    let file = file.display();
    let count = match places.len() {
        0 | 1 => "a hole".to_owned(),
        count => format!("{count} holes"),
    };
    let named = places.iter().take(NAMED).map(|place| format!("\n  {place}")).collect::<String>();
    let more = match places.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    format!(
        "Session file {file} has {count}; the rest was read, nothing was removed. To see all, and to repair it into a new file: pi session doctor '{file}'{named}{more}"
    )
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
        let aside = "The last line of session file /s was cut off by a crash; it was moved to /s.torn-1";
        assert_eq!(torn(Path::new("/s"), &report(&[9], true)).unwrap(), aside);
        assert_eq!(torn(Path::new("/s"), &report(&[], false)), None);
        assert_eq!(damaged_lines(&report(&[5, 3, 5], false)), [3, 5]);
        assert_eq!(damaged_lines(&report(&[5, 9, 3], true)), [3, 5]);
    }

    #[test]
    fn of_many_holes_the_first_are_named() {
        let places: Vec<String> = (1..=5).map(|line| format!("line {line}")).collect();
        insta::assert_snapshot!(warning(Path::new("/s"), &places[..1]), @"
        Session file /s has a hole; the rest was read, nothing was removed. To see all, and to repair it into a new file: pi session doctor '/s'
          line 1
        ");
        insta::assert_snapshot!(warning(Path::new("/s"), &places), @"
        Session file /s has 5 holes; the rest was read, nothing was removed. To see all, and to repair it into a new file: pi session doctor '/s'
          line 1
          line 2
          line 3
          and 2 more
        ");
    }
}
