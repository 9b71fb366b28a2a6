//! Runs the conformance scenarios that lie beside the checkout and holds the result against a committed list: a
//! scenario that passed once must go on passing. The list (`xtask/conformance-passing.txt`) only grows. What versions
//! after 0.79.10 added has scenarios of this project's own, in `fixtures/conformance`; all of them have to pass.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::scenarios::{Outcome, TRIES, areas, read_list, run_all, settle};
use crate::workspace::{exit_code, program, quoted, root, shared};

/// The committed list, relative to the workspace root.
pub(crate) const LIST: &str = "xtask/conformance-passing.txt";
/// The area of this project's own scenarios, with their traces beside them.
const OWN: &str = "newer";
const OWN_DIR: &str = "fixtures/conformance";

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

/// Runs the scenarios of the areas and judges the outcomes.
///
/// # Errors
/// When a listed scenario does not pass, or the harness cannot be run.
pub(crate) fn run(options: &Options) -> Result<()> {
    let Some(harness) = shared("conformance")? else { return Ok(()) };
    if options.areas.is_empty() || options.areas.iter().any(|area| area == OWN) {
        run_own(&harness, &program(&options.bin)?)?;
    }
    let listed = read_list(LIST)?;
    let areas = areas(&options.areas, &listed);
    if areas.iter().all(|area| area == OWN) && !areas.is_empty() {
        return Ok(());
    }
    if areas.is_empty() {
        bail!("conformance: {LIST} is empty: name areas, and add what passes with --update");
    }
    let outcomes = run_harness(&harness, &program(&options.bin)?, &areas)?;
    settle("conformance", LIST, &areas, &outcomes, options.update)
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
    let mut command = Command::new("python3");
    command.arg(harness.join("run.py")).arg("--bin").arg(quoted(bin)?).arg("--golden").arg(harness.join("golden"));
    for area in areas {
        command.arg("-k").arg(format!("{area}/*"));
    }
    run_all("conformance", &mut command)
}
