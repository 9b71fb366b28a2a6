//! Lists of scenarios that pass: one that passed once must go on passing, so a list only grows. How a harness is run, what it
//! reports, and what that means for a list.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::workspace::{exit_code, root};

/// Failing scenarios get so many further tries: machines under load miss deadlines.
pub(crate) const TRIES: &str = "2";
/// The scenarios of the reference are of 0.79.10. This brings back what that wrote, and that choices of models are remembered:
/// see "Versions" in `docs/compatibility.md`.
const OLD_LEVEL: &str = "PI_COMPAT=0.79";

/// One line of a harness's report.
#[derive(Debug, Deserialize)]
pub(crate) struct Outcome {
    /// Scenario, `area/name`.
    pub(crate) name: String,
    /// `PASS`, or one of several kinds of failure.
    pub(crate) status: String,
}

/// The scenarios of a list, a file relative to the workspace root with one per line.
///
/// # Errors
/// When it cannot be read, is not sorted, or has a name twice.
pub(crate) fn read_list(list: &str) -> Result<BTreeSet<String>> {
    listed(&root()?.join(list), list)
}

fn listed(path: &Path, list: &str) -> Result<BTreeSet<String>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let names: Vec<&str> = text.lines().collect();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] >= pair[1]) {
        bail!("{list} is not sorted or has a name twice: {} before {}", pair[0], pair[1]);
    }
    Ok(names.into_iter().map(str::to_owned).collect())
}

/// The areas asked for, else all of the list.
pub(crate) fn areas(asked: &[String], listed: &BTreeSet<String>) -> BTreeSet<String> {
    if asked.is_empty() {
        listed.iter().map(|name| area_of(name).to_owned()).collect()
    } else {
        asked.iter().cloned().collect()
    }
}

fn area_of(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

/// Runs all scenarios of the reference that `harness` has chosen, and returns its report.
///
/// # Errors
/// When it cannot be run, or writes no report.
pub(crate) fn run_all(check: &str, harness: &mut Command) -> Result<Vec<Outcome>> {
    let report = tempfile::NamedTempFile::new().context("cannot create a file for the report")?;
    harness.args(["--env", OLD_LEVEL, "--again", TRIES, "--report"]).arg(report.path()).arg("all");
    // 1 means that some scenario failed, which is ours to judge.
    match exit_code(harness)? {
        0 | 1 => {}
        code => bail!("{check}: run.py ended with code {code}; its words are above"),
    }
    let text = std::fs::read_to_string(report.path()).context("cannot read the report of run.py")?;
    serde_json::from_str(&text).context("the report of run.py is not what this command expects")
}

/// Prints what outcomes mean for a list, lets it grow when that is wanted, and fails when a listed scenario does not pass.
///
/// # Errors
/// As said.
pub(crate) fn settle(
    check: &str,
    list: &str,
    areas: &BTreeSet<String>,
    outcomes: &[Outcome],
    update: bool,
) -> Result<()> {
    let listed = read_list(list)?;
    let verdict = judge(&listed, areas, outcomes);
    println!("{check}: {} of {} scenarios pass", verdict.passed, verdict.total);
    for name in &verdict.new {
        println!("{check}: {name} passes and is not listed (--update adds it)");
    }
    if update && !verdict.new.is_empty() {
        std::fs::write(root()?.join(list), grown(&listed, &verdict.new))
            .with_context(|| format!("cannot write {list}"))?;
        println!("{check}: {} scenarios added to {list}", verdict.new.len());
    }
    crate::settle(check, &verdict.broken, "They passed before: mend the program, the list stays as it is.")
}

/// What the outcomes mean for the list.
#[derive(Debug, Default)]
struct Verdict {
    passed: usize,
    total: usize,
    /// Scenarios that pass and are not listed.
    new: BTreeSet<String>,
    /// A sentence per listed scenario that does not pass.
    broken: Vec<String>,
}

fn judge(listed: &BTreeSet<String>, areas: &BTreeSet<String>, outcomes: &[Outcome]) -> Verdict {
    let by_name: BTreeMap<&str, &str> = outcomes.iter().map(|o| (o.name.as_str(), o.status.as_str())).collect();
    let mut verdict = Verdict { total: by_name.len(), ..Verdict::default() };
    for (name, _) in by_name.iter().filter(|(_, status)| **status == "PASS") {
        verdict.passed += 1;
        if !listed.contains(*name) {
            verdict.new.insert((*name).to_owned());
        }
    }
    for name in listed.iter().filter(|name| areas.contains(area_of(name))) {
        match by_name.get(name.as_str()) {
            Some(&"PASS") => {}
            Some(status) => verdict.broken.push(format!("{name} no longer passes ({status})")),
            None => verdict.broken.push(format!("{name} did not run: is it still among the scenarios?")),
        }
    }
    verdict
}

/// The list with new names, one per line, sorted.
fn grown(listed: &BTreeSet<String>, new: &BTreeSet<String>) -> String {
    listed.union(new).map(|name| format!("{name}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn outcomes(pairs: &[(&str, &str)]) -> Vec<Outcome> {
        pairs.iter().map(|&(name, status)| Outcome { name: name.to_owned(), status: status.to_owned() }).collect()
    }

    #[test]
    fn a_listed_scenario_that_fails_or_vanishes_is_broken() {
        let listed = set(&["read/errors", "read/gone", "read/text", "write/errors"]);
        let report = outcomes(&[("read/errors", "FAIL"), ("read/text", "PASS"), ("read/images", "ERROR")]);
        let verdict = judge(&listed, &set(&["read"]), &report);
        assert_eq!(
            verdict.broken,
            ["read/errors no longer passes (FAIL)", "read/gone did not run: is it still among the scenarios?"]
        );
        assert_eq!((verdict.passed, verdict.total), (1, 3));
    }

    #[test]
    fn what_passes_anew_is_offered_and_the_list_only_grows() {
        let listed = set(&["read/text", "write/errors"]);
        let verdict = judge(&listed, &set(&["read"]), &outcomes(&[("read/text", "FAIL"), ("read/errors", "PASS")]));
        assert_eq!(verdict.new, set(&["read/errors"]));
        assert_eq!(grown(&listed, &verdict.new), "read/errors\nread/text\nwrite/errors\n");
    }

    #[test]
    fn areas_default_to_those_of_the_list() {
        let listed = set(&["read/errors", "read/text", "write/errors"]);
        assert_eq!(areas(&[], &listed), set(&["read", "write"]));
        assert_eq!(areas(&["cli".to_owned()], &listed), set(&["cli"]));
    }

    #[test]
    fn an_unsorted_list_fails() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for text in ["b/a\na/a\n", "a/a\na/a\n"] {
            std::fs::write(file.path(), text).unwrap();
            assert!(listed(file.path(), "list").unwrap_err().to_string().contains("not sorted"));
        }
    }

    #[test]
    fn the_committed_lists_are_sorted() {
        for list in [crate::conformance::LIST, crate::screens::LIST] {
            read_list(list).unwrap();
        }
    }
}
