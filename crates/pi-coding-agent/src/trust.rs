//! Whether a project's own settings and resources count. They are somebody else's words, so without a decision of the
//! user they do not.
//!
//! Decisions are read here; who asks the user for one, and stores it, is elsewhere.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::error::Error;
use crate::json_file::read_object;
use crate::paths::Paths;
use crate::settings::{ProjectTrust, SettingsManager};

/// Decides about the project in `cwd`: what was said for this run (`approval`), else the decision stored for it or for
/// the nearest directory above it, else the user's setting `defaultProjectTrust`, of which only `always` is a yes.
///
/// # Errors
/// When the stored decisions cannot be read: [`Error::FileRead`], [`Error::InvalidJson`]. The project must not be trusted
/// then, for a no may be among them.
pub fn is_project_trusted(
    approval: Option<bool>,
    paths: &Paths,
    settings: &SettingsManager,
    cwd: &Path,
) -> Result<bool, Error> {
    if let Some(approved) = approval {
        return Ok(approved);
    }
    let stored = stored_decision(&paths.trust_file(), cwd)?;
    Ok(stored.unwrap_or_else(|| settings.default_project_trust() == ProjectTrust::Always))
}

/// The decision for the nearest directory that has one, from `cwd` upwards. Directories are stored by their real paths;
/// `null` is no decision.
fn stored_decision(file: &Path, cwd: &Path) -> Result<Option<bool>, Error> {
    let Some(decisions) = read_object(file)? else { return Ok(None) };
    let invalid = |dir: &String| Error::InvalidJson {
        path: file.to_owned(),
        detail: format!("the value of \"{dir}\" must be true, false or null"),
    };
    if let Some((dir, _)) = decisions.iter().find(|(_, value)| !value.is_boolean() && !value.is_null()) {
        return Err(invalid(dir));
    }
    // A directory that cannot be resolved has no other name.
    let cwd = fs::canonicalize(cwd).unwrap_or_else(|_| cwd.to_owned());
    let decision = |dir: &Path| decisions.get(dir.to_str()?).and_then(Value::as_bool);
    Ok(cwd.ancestors().find_map(decision))
}
