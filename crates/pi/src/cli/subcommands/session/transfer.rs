//! `pi session export` and `pi session import`.

use std::path::Path;

use serde_json::json;

use super::Failure;
use super::places::Places;
use crate::cli::console::screen::{Screen, plain};
use pi_coding_agent::export::{ImportTarget, default_html_name, export_file, import_jsonl};

/// Makes a page or, when `out` ends in `.jsonl`, a session file of the current branch.
pub(super) fn export(file: &str, out: Option<&Path>, places: &Places, screen: &mut Screen) -> Result<u8, Failure> {
    let input = places.locate(file)?;
    let out = out.map_or_else(|| default_html_name(&input), Path::to_owned);
    let output = places.paths.resolve(&out.to_string_lossy());
    export_file(&input, &output, places.clock.now_ms())?;
    report("Exported to", &out, &output, screen)
}

/// Copies a session to where those of the working directory are.
pub(super) fn import(file: &str, places: &Places, screen: &mut Screen) -> Result<u8, Failure> {
    let source = places.file(file)?;
    let cwd = places.paths.cwd();
    let default = places.paths.default_session_dir(cwd);
    let dir = places.dir.as_deref().unwrap_or(&default);
    // The session need not have been made on this machine.
    let target = ImportTarget { dir, cwd, cwd_override: Some(cwd) };
    let imported = import_jsonl(&source, target)?;
    report("Imported to", &imported, &imported, screen)
}

fn report(what: &str, shown: &Path, path: &Path, screen: &mut Screen) -> Result<u8, Failure> {
    if screen.json {
        screen.json(&json!({ "path": path }))?;
    } else {
        screen.line(&format!("{what}: {}", plain(&shown.to_string_lossy())))?;
    }
    Ok(0)
}
