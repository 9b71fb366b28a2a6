//! The reference's example extensions under `pi`: each is loaded, its registrations and a scripted run are compared with
//! what was recorded from the reference, what it draws on a terminal is held by snapshots, and
//! `docs/extensions-compatibility.md` says what came of it.
//!
//! The examples come with the reference's package: `PI_REFERENCE_PACKAGE` names its directory, otherwise npm fetches it.
//! `fixtures/extension_examples/README.md` says how the recordings are made.

mod draws;
mod keys;
mod mask;
mod npm;
mod package;
mod perform;
mod play;
mod program;
mod recordings;
mod registrations;
mod report;
mod scenario;
mod script;
#[allow(dead_code, unused_imports, reason = "other tests use more of it")]
mod tests;
mod trace;

/// Whether the example is one of those that `PI_EXAMPLES` names; without it all are.
fn is_chosen(unit: &str) -> bool {
    let wanted = std::env::var("PI_EXAMPLES").unwrap_or_default();
    wanted.is_empty() || wanted.split(',').any(|name| unit.starts_with(name))
}
