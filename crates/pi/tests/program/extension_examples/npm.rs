//! The part of the report about packages of the public registry: what each registers, as `.ci/packages` expects it.

use std::fmt::Write as _;

use serde_json::{Map, Value};

const INTRODUCTION: &str = include_str!("npm.md");
/// What was recorded from the reference, and what a run of `.ci/packages` has to find here.
const REGISTERED: &str = include_str!("../../../../../.ci/packages.d/registered.json");

/// The order in which kinds are listed.
const KINDS: [&str; 8] =
    ["tool", "command", "flag", "shortcut", "event", "provider", "message renderer", "entry renderer"];

pub(crate) fn section() -> String {
    let packages: Map<String, Value> = serde_json::from_str(REGISTERED).unwrap();
    let mut section = format!("\n{}\n\n| Package | What it registers |\n|---|---|\n", INTRODUCTION.trim_end());
    for (package, registered) in &packages {
        assert!(registered["failure"].is_null(), "{package} does not load under the reference");
        let counts = KINDS.iter().filter_map(|kind| Some((kind, registered[*kind].as_array()?.len())));
        let counts: Vec<String> =
            counts.map(|(kind, count)| format!("{count} {kind}{}", if count == 1 { "" } else { "s" })).collect();
        let _ = writeln!(section, "| `{package}` | {} |", counts.join(", "));
    }
    section
}
