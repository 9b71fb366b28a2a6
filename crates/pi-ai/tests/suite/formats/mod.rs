//! The wire formats, from the public API down to the bytes of requests and streams, without a socket (but for `hostile`).

#[cfg(feature = "bedrock")]
mod bedrock;
mod classification;
mod classification_table;
mod codex;
mod decoders;
mod google;
mod google_rules;
mod handoffs;
#[cfg(feature = "http")]
mod hostile;
mod mistral;
mod properties;
mod requests;
mod responses;
mod responses_rules;
mod round_trip;
mod run;
mod traces;
mod wire;

use std::path::{Path, PathBuf};

use serde_json::Value;

/// A folder of our own fixtures.
fn fixtures(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(folder)
}

#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
/// The material that several projects share, beside the checkout; `None` (with a notice) where it is absent.
fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{} is missing", path.display());
    eprintln!("skipped: {} is not there", path.display());
    None
}

fn read_json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder with an extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}
