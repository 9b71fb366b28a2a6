//! Runs the conformance scenarios that lie beside the checkout and holds the result against a committed list: a
//! scenario that passed once must go on passing. The list (`xtask/conformance-passing.txt`) only grows. What versions
//! after 0.79.10 added has scenarios of this project's own, in `fixtures/conformance`; all of them have to pass.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::workspace::{exit_code, program, quoted, root, shared};

/// The committed list, relative to the workspace root.
const LIST: &str = "xtask/conformance-passing.txt";
/// The area of this project's own scenarios, with their traces beside them.
const OWN: &str = "newer";
const OWN_DIR: &str = "fixtures/conformance";
/// Failing scenarios get so many further tries: machines under load miss deadlines.
const TRIES: &str = "2";

/// Brings back what 0.79.10 wrote: see "Versions" in `docs/compatibility.md`.
const OLD_LEVEL: &str = "PI_COMPAT=0.79";

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The program to test.
    #[arg(long)]
    bin: PathBuf,
    /// Adds scenarios that pass now to the list; never removes one.
    #[arg(long)]
    update: bool,
    /// Areas to run, for example `anthropic`; all areas of the list by default.
    areas: Vec<String>,
}

/// One line of the harness's report.
#[derive(Debug, Deserialize)]
struct Outcome {
    /// Scenario, `area/name`.
    name: String,
    /// `PASS`, or one of several kinds of failure.
    status: String,
}

/// Runs the scenarios of the areas and judges the outcomes.
///
/// # Errors
/// When a listed scenario does not pass, or the harness cannot be run.
pub(crate) fn run(options: &Options) -> Result<()> {
    let Some(harness) = shared("conformance")? else { return Ok(()) };
    if options.areas.is_empty() || options.areas.iter().any(|area| area == OWN) {
        run_own(&harness, &program(&options.bin)?)?;
    }
    let list = root()?.join(LIST);
    let listed = read_list(&list)?;
    let areas = areas(&options.areas, &listed);
    if areas.iter().all(|area| area == OWN) && !areas.is_empty() {
        return Ok(());
    }
    if areas.is_empty() {
        bail!("conformance: {LIST} is empty: name areas, and add what passes with --update");
    }
    let outcomes = run_harness(&harness, &program(&options.bin)?, &areas)?;
    let verdict = judge(&listed, &areas, &outcomes);
    println!("conformance: {verdict}");
    if options.update && !verdict.new.is_empty() {
        std::fs::write(&list, grown(&listed, &verdict.new)).with_context(|| format!("cannot write {LIST}"))?;
        println!("conformance: {} scenarios added to {LIST}", verdict.new.len());
    }
    crate::settle("conformance", &verdict.broken, "They passed before: mend the program, the list stays as it is.")
}

fn read_list(path: &Path) -> Result<BTreeSet<String>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let names: Vec<&str> = text.lines().collect();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] >= pair[1]) {
        bail!("{LIST} is not sorted or has a name twice: {} before {}", pair[0], pair[1]);
    }
    Ok(names.into_iter().map(str::to_owned).collect())
}

/// The areas asked for, else all of the list.
fn areas(asked: &[String], listed: &BTreeSet<String>) -> BTreeSet<String> {
    if asked.is_empty() {
        listed.iter().map(|name| area_of(name).to_owned()).collect()
    } else {
        asked.iter().cloned().collect()
    }
}

fn area_of(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

/// The scenarios of this project: as clients of today meet the program, with all additions.
fn run_own(harness: &Path, bin: &Path) -> Result<()> {
    let dir = root()?.join(OWN_DIR);
    let mut command = Command::new("python3");
    command.arg(harness.join("run.py")).arg("--bin").arg(quoted(bin)?).arg("--golden").arg(dir.join("golden"));
    match exit_code(command.args(["--again", TRIES]).arg(dir.join(OWN).with_extension("py")))? {
        0 => Ok(()),
        code => bail!("conformance: run.py ended with code {code} for {OWN_DIR}: mend the program, the traces stay"),
    }
}

fn run_harness(harness: &Path, bin: &Path, areas: &BTreeSet<String>) -> Result<Vec<Outcome>> {
    let report = tempfile::NamedTempFile::new().context("cannot create a file for the report")?;
    let mut command = Command::new("python3");
    command.arg(harness.join("run.py")).arg("--bin").arg(quoted(bin)?).arg("--golden").arg(harness.join("golden"));
    // The traces are those of 0.79.10: what newer versions added, and choices that are no longer remembered, are left out.
    command.args(["--env", OLD_LEVEL]).args(["--again", TRIES]).arg("--report").arg(report.path());
    for area in areas {
        command.arg("-k").arg(format!("{area}/*"));
    }
    // 1 means that some scenario failed, which is ours to judge.
    match exit_code(command.arg("all"))? {
        0 | 1 => {}
        code => bail!("conformance: run.py ended with code {code}; its words are above"),
    }
    let text = std::fs::read_to_string(report.path()).context("cannot read the report of run.py")?;
    serde_json::from_str(&text).context("the report of run.py is not what this command expects")
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

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} scenarios pass", self.passed, self.total)?;
        for name in &self.new {
            write!(f, "\nconformance: {name} passes and is not listed (--update adds it)")?;
        }
        Ok(())
    }
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
        assert!(verdict.to_string().contains("read/errors passes and is not listed"));
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
            assert!(read_list(file.path()).unwrap_err().to_string().contains("not sorted"));
        }
    }

    #[test]
    fn the_committed_list_is_sorted() {
        read_list(&root().unwrap().join(LIST)).unwrap();
    }
}
