//! Entries as the reference writes them, from the conformance traces next to the checkout.

use std::fs;
use std::path::{Path, PathBuf};

use pi_coding_agent::session::SessionEntry;
use serde_json::Value;

/// The traces of recorded session files; `None` where the checkout stands alone.
fn traces() -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/golden/session-file");
    if dir.is_dir() {
        return Some(dir);
    }
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{} is missing", dir.display());
    println!("skipped: no {}", dir.display());
    None
}

#[test]
fn recorded_entries_are_understood_and_kept() {
    let Some(dir) = traces() else { return };
    let mut understood = 0;
    for file in fs::read_dir(dir).unwrap() {
        let trace: Value = serde_json::from_slice(&fs::read(file.unwrap().path()).unwrap()).unwrap();
        let files = trace["sessions"].as_object().into_iter().flat_map(|sessions| sessions.values());
        for entry in files.filter_map(Value::as_array).flatten() {
            let kind = entry["type"].as_str().unwrap_or_default();
            // Masked messages are strings in a trace, and damaged lines have no type.
            if matches!(kind, "" | "session") || entry["message"].is_string() {
                continue;
            }
            let parsed: SessionEntry = serde_json::from_value(entry.clone()).unwrap();
            assert!(!matches!(parsed, SessionEntry::Other(_)), "{entry}");
            assert_eq!(serde_json::to_value(&parsed).unwrap(), *entry);
            understood += 1;
        }
    }
    assert!(understood > 50, "only {understood} entries were found");
}
