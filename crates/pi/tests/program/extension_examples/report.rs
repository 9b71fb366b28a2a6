//! `docs/extensions-compatibility.md`.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::Value;

use super::scenario::{self, Scenario};
use super::{npm, recordings};

const INTRODUCTION: &str = include_str!("introduction.md");

/// What came of a unit.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    pub(crate) unit: String,
    /// Whether it loads here, and under the reference.
    pub(crate) loads: (bool, bool),
    /// Whether it registers the same.
    pub(crate) registers: bool,
    /// Whether its scripted run is the same; `None` where nothing can be run.
    pub(crate) runs: Option<bool>,
}

/// Where the report is.
pub(crate) fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/extensions-compatibility.md")
}

/// The whole report.
pub(crate) fn write(outcomes: &[Outcome]) -> String {
    let (remarks, scenarios) = (recordings::read("remarks.json"), scenario::all());
    let count = |fits: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| fits(outcome)).count();
    let total = outcomes.len();
    let mut report = INTRODUCTION.trim_end().to_owned();
    let (loads, registers, runs) =
        (count(|it| it.loads.0), count(|it| it.loads.0 && it.registers), count(|it| it.runs == Some(true)));
    let _ = write!(
        report,
        "\n\nOf {total} examples {loads} load, {registers} register the same, {runs} do the same in a scripted run. {} draw on a\nterminal; a snapshot holds what {} of them draw.\n",
        scenarios.len(),
        scenarios.values().filter(|scenario| scenario.pending.is_none()).count()
    );
    report.push_str("\n| Example | Loads | Registers | Runs | Draws | Remark |\n|---|---|---|---|---|---|\n");
    for outcome in outcomes {
        let remark = remarks[&outcome.unit].as_str().unwrap_or_default();
        let draws = match scenarios.get(&outcome.unit) {
            None => "–".to_owned(),
            Some(Scenario { draws, pending: None, .. }) => draws.join(", "),
            Some(Scenario { draws, pending: Some(why), .. }) => format!("({}: {why})", draws.join(", ")),
        };
        report.push_str(&row(outcome, &draws, remark));
    }
    report.push_str(&npm::section());
    report
}

/// Those that differ, and nobody has said why.
pub(crate) fn unexplained(outcomes: &[Outcome]) -> Vec<&Outcome> {
    let remarks = recordings::read("remarks.json");
    outcomes.iter().filter(|outcome| !is_fine(outcome) && remarks[&outcome.unit].is_null()).collect()
}

fn row(outcome: &Outcome, draws: &str, remark: &str) -> String {
    let loads = match outcome.loads {
        (true, _) => "yes",
        (false, false) => "no, as there",
        (false, true) => "no",
    };
    let registers = if !outcome.loads.0 {
        "–"
    } else if outcome.registers {
        "the same"
    } else {
        "differs"
    };
    let runs = match outcome.runs {
        Some(true) => "the same",
        Some(false) => "differs",
        None => "–",
    };
    format!("| `{}` | {loads} | {registers} | {runs} | {draws} | {remark} |\n", outcome.unit)
}

fn is_fine(outcome: &Outcome) -> bool {
    outcome.loads.0 && outcome.registers && outcome.runs == Some(true)
}

/// How two recordings differ.
pub(crate) fn difference(expected: &Value, found: &Value) -> String {
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    lines(&pretty(expected), &pretty(found))
}

/// How two texts differ.
pub(crate) fn lines(expected: &str, found: &str) -> String {
    similar::TextDiff::from_lines(expected, found).unified_diff().context_radius(2).to_string()
}
