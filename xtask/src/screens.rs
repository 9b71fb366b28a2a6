//! Runs the scenarios of the interactive mode, which lie beside the checkout, in a real pseudo-terminal and holds the result
//! against a committed list (`xtask/screens-passing.txt`), which only grows.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::scenarios::{areas, read_list, read_report, settle};
use crate::workspace::{exit_code, program, shared};

/// The committed list, relative to the workspace root.
pub(crate) const LIST: &str = "xtask/screens-passing.txt";
/// Failing scenarios get so many further tries: machines under load miss deadlines.
const TRIES: &str = "2";
/// The scenarios are those of 0.79.10, where choices of models are remembered: see "Versions" in `docs/compatibility.md`.
const OLD_LEVEL: &str = "PI_COMPAT=0.79";
/// What the mode does not have yet.
const TO_COME: [&str; 2] = ["tree/*", "extension/*"];

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The program to test.
    #[arg(long)]
    bin: PathBuf,
    /// A Python with the packages of the harness's requirements.txt.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// Adds scenarios that pass now to the list; never removes one.
    #[arg(long)]
    update: bool,
    /// Areas to run, for example `editor`; all by default.
    areas: Vec<String>,
}

/// Runs the scenarios of the areas and judges the outcomes.
///
/// # Errors
/// When a listed scenario does not pass, or the harness cannot be run.
pub(crate) fn run(options: &Options) -> Result<()> {
    let Some(harness) = shared("tui")? else { return Ok(()) };
    let report = tempfile::NamedTempFile::new().context("cannot create a file for the report")?;
    let code = exit_code(&mut harness_of(&harness, options, report.path())?)?;
    // 1 means that some scenario failed, which is ours to judge.
    if code > 1 {
        bail!("screens: run.py ended with code {code}; its words are above");
    }
    let wanted = areas(&options.areas, &read_list(LIST)?);
    settle("screens", LIST, &wanted, &read_report(report.path())?, options.update)
}

fn harness_of(harness: &Path, options: &Options, report: &Path) -> Result<Command> {
    let mut command = Command::new(&options.python);
    // A test may wait long: the limits are for a quiet machine.
    command.env("TUI_SLOW", "2").arg("run.py").current_dir(harness).arg("--bin").arg(program(&options.bin)?);
    command.args(["--env", OLD_LEVEL, "--again", TRIES, "--report"]).arg(report);
    for area in TO_COME {
        command.args(["-x", area]);
    }
    for area in &options.areas {
        command.args(["-k".to_owned(), format!("{area}/*")]);
    }
    command.arg("all");
    Ok(command)
}
