//! `pi session doctor`: what is wrong with a file, and a repaired copy.

use std::path::Path;

use serde_json::{Value, json};

use super::Failure;
use super::places::{Places, shown};
use crate::cli::console::screen::{Screen, Style, plain};
use crate::common::shell_word::quoted;
use pi_coding_agent::host::plural::counted;
use pi_coding_agent::session::doctor::{Diagnosis, Finding, Repaired, Severity, examine, repair};
use pi_coding_agent::session::is_only_begun;

/// Examines a file; with `target` repairs it, to there or to a default name. 1 when there are errors and no repair.
pub(super) fn run(
    file: &str,
    target: Option<Option<&str>>,
    places: &Places,
    screen: &mut Screen,
) -> Result<u8, Failure> {
    let path = places.locate(file)?;
    let ids = &*places.ids;
    let diagnosis = examine(&path, ids)?;
    if !screen.json {
        if is_only_begun(&path) {
            screen
                .line(&format!("{}: nothing was said in it yet; pi goes on with it", plain(&shown(&path, places))))?;
            return Ok(0);
        }
        refuse_foreign(&diagnosis)?;
        print(&diagnosis, places, screen)?;
        // What is known should be read also when the repair fails.
        screen.finish()?;
    }
    let wanted = target.filter(|_| diagnosis.is_repairable() && diagnosis.errors + diagnosis.warnings > 0);
    let repaired = match wanted {
        Some(target) => {
            let target = target.map(|target| places.paths.resolve(target));
            Some(repair(&path, target.as_deref(), ids)?)
        }
        None => None,
    };
    if screen.json {
        screen.json(&as_json(&diagnosis, repaired.as_ref()))?;
    } else {
        print_end(&path, &diagnosis, target.is_some(), repaired.as_ref(), places, screen)?;
    }
    Ok(u8::from(!diagnosis.is_sound() && repaired.is_none()))
}

/// A file without anything of a session in it needs no list of its lines.
fn refuse_foreign(diagnosis: &Diagnosis) -> Result<(), Failure> {
    let path = diagnosis.path.display();
    if !diagnosis.is_repairable() {
        return Err(Failure::Said(format!(
            "{path} is no session file: none of its lines is a session header or an entry. `pi session ls --all` lists the sessions that there are"
        )));
    }
    Ok(())
}

fn print(diagnosis: &Diagnosis, places: &Places, screen: &mut Screen) -> Result<(), Failure> {
    let verdict = match (diagnosis.errors, diagnosis.warnings) {
        (0, 0) => screen.paint(Style::Green, "sound"),
        (0, warnings) => screen.paint(Style::Yellow, &counted(warnings, "warning")),
        (errors, 0) => screen.paint(Style::Red, &counted(errors, "error")),
        (errors, warnings) => {
            screen.paint(Style::Red, &format!("{}, {}", counted(errors, "error"), counted(warnings, "warning")))
        }
    };
    screen.line(&format!("{}: {verdict}", plain(&shown(&diagnosis.path, places))))?;
    let id = diagnosis.header.as_ref().map_or("without a header", |header| header.id.as_str());
    let version = diagnosis.version.map_or_else(String::new, |version| format!(", version {version}"));
    let summary = format!(
        "Session {id}{version}: {} in {}, {}",
        counted(diagnosis.entries, "entry"),
        counted(usize::try_from(diagnosis.lines).unwrap_or(usize::MAX), "line"),
        counted(diagnosis.messages, "message")
    );
    screen.line(&plain(&summary))?;
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        for finding in diagnosis.of(severity) {
            print_finding(finding, screen)?;
        }
    }
    if diagnosis.omitted > 0 {
        screen.line(&format!("\n… and {} more of these kinds", diagnosis.omitted))?;
    }
    Ok(())
}

fn print_finding(finding: &Finding, screen: &mut Screen) -> Result<(), Failure> {
    let (style, name) = match finding.severity() {
        Severity::Error => (Style::Red, "error"),
        Severity::Warning => (Style::Yellow, "warning"),
        Severity::Info => (Style::Cyan, "note"),
    };
    screen.line("")?;
    let head = format!("{} {}", screen.paint(style, &format!("{name}:")), plain(&finding.headline()));
    screen.line(&head)?;
    screen.line(&format!("  {}", finding.kind.meaning()))?;
    if finding.severity() > Severity::Info {
        screen.line(&format!("  Repair: {}", finding.kind.remedy()))?;
    }
    Ok(())
}

fn print_end(
    path: &Path,
    diagnosis: &Diagnosis,
    asked: bool,
    repaired: Option<&Repaired>,
    places: &Places,
    screen: &mut Screen,
) -> Result<(), Failure> {
    let Some(repaired) = repaired else {
        return match (asked, diagnosis.errors + diagnosis.warnings) {
            (true, _) => Ok(screen.line("Nothing to repair: no file was written")?),
            (false, 0) => Ok(()),
            (false, _) => {
                let file = quoted(&shown(path, places));
                Ok(screen
                    .line(&format!("\nTo repair it into a new file: pi session doctor {} --repair", plain(&file)))?)
            }
        };
    };
    let new = shown(&repaired.path, places);
    let (entries, changed) = (counted(repaired.entries, "entry"), repaired.changed);
    screen.line(&format!("\nRepaired: {} ({entries}, {changed} changed)", plain(&new)))?;
    if let Some(rejected) = &repaired.rejected {
        let pieces = counted(repaired.set_aside, "piece");
        screen.line(&format!("Set aside: {} ({pieces})", plain(&shown(rejected, places))))?;
    }
    let absolute = quoted(&repaired.path.display().to_string());
    screen.line(&format!(
        "The session itself is as it was. To go on with the new one: pi --session {}",
        plain(&absolute)
    ))?;
    Ok(())
}

fn as_json(diagnosis: &Diagnosis, repaired: Option<&Repaired>) -> Value {
    let findings: Vec<Value> = diagnosis.findings.iter().map(finding_json).collect();
    json!({
        "path": diagnosis.path,
        "sessionId": diagnosis.header.as_ref().map(|header| &header.id),
        "version": diagnosis.version,
        "bytes": diagnosis.bytes,
        "lines": diagnosis.lines,
        "entries": diagnosis.entries,
        "messages": diagnosis.messages,
        "sound": diagnosis.is_sound(),
        "errors": diagnosis.errors,
        "warnings": diagnosis.warnings,
        "findings": findings,
        "omitted": diagnosis.omitted,
        "repaired": repaired.map(|repaired| json!({
            "path": repaired.path,
            "rejected": repaired.rejected,
            "entries": repaired.entries,
            "changed": repaired.changed,
            "setAside": repaired.set_aside,
        })),
    })
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "severity": finding.severity(),
        "code": finding.kind.code(),
        "line": finding.place.map(|place| place.line),
        "start": finding.place.map(|place| place.start),
        "end": finding.place.map(|place| place.end),
        "detail": finding.detail,
        "meaning": finding.kind.meaning(),
        "repair": finding.kind.remedy(),
    })
}
