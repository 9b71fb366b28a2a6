//! Where an export goes when nobody says so.

use std::path::{Path, PathBuf};

use crate::host::iso_time::to_iso;

/// `pi-session-<file without extension>.html`, relative to the working directory.
pub fn default_html_name(session_file: &Path) -> PathBuf {
    let stem = session_file.file_stem().unwrap_or_default().to_string_lossy();
    format!("pi-session-{stem}.html").into()
}

/// `session-<time>.jsonl`, relative to the working directory; `now_ms` is the Unix time in milliseconds.
pub fn default_jsonl_name(now_ms: i64) -> PathBuf {
    format!("session-{}.jsonl", to_iso(now_ms).replace([':', '.'], "-")).into()
}
