//! The files of `fixtures/extension_examples`.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

/// A file of the recordings.
pub(crate) fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/extension_examples")
        .canonicalize()
        .unwrap()
        .join(name)
}

/// Its JSON.
pub(crate) fn read(name: &str) -> Value {
    let text = std::fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Replaces it.
pub(crate) fn write(name: &str, value: &impl Serialize) {
    std::fs::write(path(name), serde_json::to_string_pretty(value).unwrap() + "\n").unwrap();
}

/// The file with the run of a unit.
pub(crate) fn run(unit: &str) -> String {
    format!("runs/{}.json", unit.trim_end_matches(".ts").trim_end_matches('/'))
}
