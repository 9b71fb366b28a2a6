//! The file of decisions about projects, for reading.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::config::Error;
use crate::host::json_file::read_object;
use crate::host::{self, FileKind, without_links};

/// The decision that is stored for the nearest directory that has one, from `cwd` upwards. Directories are stored by
/// their real paths; `null` is no decision.
///
/// # Errors
/// When the file cannot be read: [`host::Error::FileRead`](crate::host::Error::FileRead), [`host::Error::InvalidJson`](crate::host::Error::InvalidJson).
pub fn stored_decision(file: &Path, cwd: &Path) -> Result<Option<bool>, Error> {
    Ok(stored_entry(file, cwd)?.map(|(_, decision)| decision))
}

/// The same with the directory for which it is stored.
///
/// # Errors
/// When the file cannot be read: [`host::Error::FileRead`](crate::host::Error::FileRead), [`host::Error::InvalidJson`](crate::host::Error::InvalidJson).
pub fn stored_entry(file: &Path, cwd: &Path) -> Result<Option<(PathBuf, bool)>, Error> {
    let decisions = read_decisions(file)?;
    let cwd = without_links(cwd);
    let decision = |dir: &Path| decisions.get(dir.to_str()?).and_then(Value::as_bool);
    Ok(cwd.ancestors().find_map(|dir| Some((dir.to_owned(), decision(dir)?))))
}

/// Everything that is stored; a file that is not there holds nothing.
pub(crate) fn read_decisions(file: &Path) -> Result<Map<String, Value>, Error> {
    let decisions = read_object(file, FileKind::Trust)?.unwrap_or_default();
    let invalid = |dir: &String| host::Error::InvalidJson {
        path: file.to_owned(),
        detail: format!("the value of \"{dir}\" must be true, false or null"),
    };
    if let Some((dir, _)) = decisions.iter().find(|(_, value)| !value.is_boolean() && !value.is_null()) {
        return Err(invalid(dir).into());
    }
    Ok(decisions)
}
