//! Feeds the recorded provider streams that lie beside the checkout to a built program and compares what it makes
//! of them: in one piece, in small pieces, and cut in half.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::models::format_table;
use crate::workspace::{program, quoted, shared};

/// The ways in which each stream is served.
const WAYS: &[&[&str]] = &[&[], &["--split", "1"], &["--split", "7"], &["--split", "61"], &["--truncated"]];

/// Streams that are served at the same time. The harness waits half a second for each server to end, which costs no
/// processor: with one per core, most of the time would be spent waiting.
const AT_ONCE: &str = "16";

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The program to test.
    #[arg(long)]
    bin: PathBuf,
    /// Wire formats to check; all finished ones by default.
    apis: Vec<String>,
}

/// Runs every wire format in every way.
///
/// # Errors
/// When a stream is read differently, a cut stream does not end in an error, or nothing was compared.
pub(crate) fn run(options: &Options) -> Result<()> {
    let Some(harness) = shared("wire")? else { return Ok(()) };
    let bin = program(&options.bin)?;
    let apis: Vec<&str> =
        if options.apis.is_empty() { format_table::names() } else { options.apis.iter().map(String::as_str).collect() };
    let mut problems = Vec::new();
    for api in apis {
        for way in WAYS {
            problems.extend(check(&harness, &bin, api, way)?);
        }
    }
    crate::settle("wire", &problems, "The differences are above.")
}

/// Runs one format in one way; a sentence when something is wrong.
fn check(harness: &Path, bin: &Path, api: &str, way: &[&str]) -> Result<Option<String>> {
    let mut command = Command::new("python3");
    command
        .arg(harness.join("check.py"))
        .arg("--bin")
        .arg(quoted(bin)?)
        .args(["--api", api])
        .args(["-j", AT_ONCE])
        .args(way);
    let output = command.output().context("cannot run python3: is it installed?")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let name = format!("{api} {}", way.join(" "));
    let name = name.trim_end();
    println!("wire: {name}\n{}", text.trim_end());
    let Some(tally) = tally(&text) else {
        bail!("wire: check.py ended without a result: {}", String::from_utf8_lossy(&output.stderr).trim());
    };
    Ok(judge(name, tally))
}

/// Reads `P passed, F failed, S s` from the last line.
fn tally(text: &str) -> Option<(usize, usize)> {
    let mut fields = text.lines().last()?.split(", ");
    let passed = fields.next()?.strip_suffix(" passed")?.parse().ok()?;
    let failed = fields.next()?.strip_suffix(" failed")?.parse().ok()?;
    Some((passed, failed))
}

fn judge(name: &str, (passed, failed): (usize, usize)) -> Option<String> {
    match (passed, failed) {
        (0, 0) => Some(format!("{name}: no stream was compared; is the name right?")),
        (_, 0) => None,
        (_, failed) => Some(format!("{name}: {failed} streams are read differently")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_result() {
        let text =
            "a/b: .content: 1 items, wanted 2\nanthropic-messages   12 passed, 1 failed\n12 passed, 1 failed, 3 s\n";
        assert_eq!(tally(text), Some((12, 1)));
        assert_eq!(tally("Traceback\n"), None);
        assert_eq!(tally(""), None);
    }

    #[test]
    fn failures_and_empty_runs_are_problems() {
        assert_eq!(judge("x", (13, 0)), None);
        assert!(judge("x", (12, 1)).unwrap().contains("1 streams are read differently"));
        assert!(judge("x", (0, 0)).unwrap().contains("no stream was compared"));
    }
}
