//! Turns what was surveyed and planned into a diagnosis.

use std::fs;
use std::path::Path;

use super::diagnosis::Diagnosis;
use super::finding::{Finding, Severity};
use super::kind_table::FindingKind;
use super::line_object::Content;
use super::plan::Plan;
use super::source::Source;
use super::survey::{Report, Survey};
use super::turns::check_turns;
use crate::session::header::SessionHeader;

/// Says everything that is known about a file.
pub(super) fn judge(path: &Path, source: &Source, survey: Survey, plan: &Plan) -> Diagnosis {
    let mut report = Report::default();
    judge_file(&mut report, path, source, &survey);
    for finding in &survey.report.kept {
        let at_end = matches!(finding.kind, FindingKind::TornTail | FindingKind::NoFinalNewline);
        // A writer may be in the middle of the last line.
        if !(at_end && source.has_grown()) {
            report.add(finding.clone());
        }
    }
    for (place, kind, detail) in &plan.links.faults {
        if let Some(node) = survey.nodes.get(*place) {
            let named = node.id.as_deref().map_or_else(String::new, |id| format!("entry {id}: "));
            report.add(Finding::new(*kind, node.place, format!("{named}{detail}")));
        }
    }
    judge_labels(&mut report, &survey, plan);
    check_turns(&mut report, &survey, plan);
    let omitted_before: usize = survey.report.counts.values().sum::<usize>() - survey.report.kept.len();
    let omitted = omitted_before + report.counts.values().sum::<usize>() - report.kept.len();
    let (errors, warnings) = (total(&report, &survey, Severity::Error), total(&report, &survey, Severity::Warning));
    let mut findings = report.kept;
    findings.sort_by_key(|finding| finding.place.map(|place| (place.line, place.start)));
    let header = survey.header.map(|header| header.header);
    Diagnosis {
        path: path.to_owned(),
        bytes: source.length,
        lines: survey.lines,
        version: source.migrated_from.or_else(|| header.as_ref().map(SessionHeader::version)),
        header,
        entries: survey.nodes.len() - plan.links.copies.len(),
        messages: survey.messages,
        findings,
        omitted,
        errors,
        warnings,
    }
}

/// Counts what is kept and what the survey only counted.
fn total(report: &Report, survey: &Survey, severity: Severity) -> usize {
    let kept = survey.report.kept.iter().filter(|finding| finding.severity() == severity).count();
    report.count(severity) + survey.report.count(severity) - kept
}

fn judge_file(report: &mut Report, path: &Path, source: &Source, survey: &Survey) {
    match &survey.header {
        _ if source.length == 0 => report.add(Finding::of_file(FindingKind::NoHeader, "the file is empty")),
        None => report.add(Finding::of_file(FindingKind::NoHeader, "no line of the file is a session header")),
        Some(header) if !header.first => {
            report.add(Finding::new(FindingKind::NoHeader, header.place, "the header stands behind other lines"));
        }
        Some(_) => {}
    }
    if let Some(version) = source.migrated_from {
        report.add(Finding::of_file(FindingKind::OldVersion, format!("version {version}")));
    }
    if source.has_grown() {
        report.add(Finding::of_file(FindingKind::StillWritten, format!("{} bytes at the beginning", source.length)));
    }
    for torn in torn_files(path) {
        report.add(Finding::of_file(FindingKind::TornFile, torn));
    }
}

/// The names of `<file>.torn-<n>` beside a file.
fn torn_files(path: &Path) -> Vec<String> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let prefix = format!("{}.torn-", path.file_name().unwrap_or_default().to_string_lossy());
    let names = fs::read_dir(dir).into_iter().flatten().flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut torn: Vec<String> = names.filter(|name| name.starts_with(&prefix)).collect();
    torn.sort();
    torn
}

fn judge_labels(report: &mut Report, survey: &Survey, plan: &Plan) {
    for (place, node) in survey.nodes.iter().enumerate() {
        if let Content::Label(target) = &node.content
            && !plan.links.references.contains_key(&place)
        {
            let detail = format!("a label on {target}");
            report.add(Finding::new(FindingKind::LabelTargetMissing, node.place, detail));
        }
    }
}
