//! The reference's example extensions under `pi`: each is loaded, its registrations and a scripted run are compared with
//! what was recorded from the reference, and `docs/extensions-compatibility.md` says what came of it.
//!
//! The examples come with the reference's package: `PI_REFERENCE_PACKAGE` names its directory, otherwise npm fetches it.
//! `fixtures/extension_examples/README.md` says how the recordings are made.

mod mask;
mod npm;
mod package;
mod play;
mod program;
mod recordings;
mod registrations;
mod report;
mod script;
#[allow(dead_code, unused_imports, reason = "other tests use more of it")]
mod tests;
mod trace;
