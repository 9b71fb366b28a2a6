//! Runs the scenarios of the interactive mode, which lie beside the checkout, in a real pseudo-terminal, and compares the
//! outcomes with a committed list (`xtask/screens-passing.txt`), which only grows.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::scenarios::{areas, read_list, run_all, settle};
use crate::workspace::{program, shared};

/// The committed list, relative to the workspace root.
pub(crate) const LIST: &str = "xtask/screens-passing.txt";

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
    let outcomes = run_all("screens", &mut harness_of(&harness, options)?)?;
    let wanted = areas(&options.areas, &read_list(LIST)?);
    settle("screens", LIST, &wanted, &outcomes, options.update)
}

fn harness_of(harness: &Path, options: &Options) -> Result<Command> {
    let mut command = Command::new(&options.python);
    // A test may wait long: the limits are for a quiet machine.
    command.env("TUI_SLOW", "2").arg("run.py").current_dir(harness).arg("--bin").arg(program(&options.bin)?);
    for area in &options.areas {
        command.args(["-k".to_owned(), format!("{area}/*")]);
    }
    Ok(command)
}
