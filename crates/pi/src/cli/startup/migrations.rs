//! What older versions left in other places, brought to where it is looked for today. Each step is done once, and one that
//! cannot be done is told and hinders nothing.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde_json::{Map, Value, json};

use pi_coding_agent::host::json_file::{read_object, write_object};
use pi_coding_agent::host::{FileKind, open_regular};
use pi_coding_agent::paths::{PROJECT_DIR, Paths};
use pi_coding_agent::session::SessionHeader;
use pi_coding_agent::settings::{SettingsManager, SettingsScope};

const PRIVATE_FILE: u32 = 0o600;
/// No header of a session is longer.
const LONGEST_HEADER: u64 = 1 << 16;
const PROGRAMS: [&str; 4] = ["rg", "fd", "rg.exe", "fd.exe"];

/// Brings everything to its place; returns a sentence for each thing that was moved or could not be. Must run before
/// credentials are read. The project's files are only touched when it is trusted.
pub(super) fn run(paths: &Paths, settings: &SettingsManager) -> Vec<String> {
    let mut said = Vec::new();
    let dir = paths.agent_dir();
    if !dir.is_dir() {
        return said;
    }
    credentials(paths, settings, &mut said);
    sessions(paths, &mut said);
    for program in PROGRAMS {
        rename(&dir.join("tools").join(program), &dir.join("bin").join(program), &mut said);
    }
    rename(&dir.join("commands"), &dir.join("prompts"), &mut said);
    if settings.is_project_trusted() {
        let project = paths.cwd().join(PROJECT_DIR);
        rename(&project.join("commands"), &project.join("prompts"), &mut said);
    }
    said
}

/// Moves what is at the old place and not at the new one.
fn rename(old: &Path, new: &Path, said: &mut Vec<String>) {
    if !old.exists() || new.exists() {
        return;
    }
    let moved = new.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::rename(old, new));
    said.push(match moved {
        Ok(()) => format!("Moved {} to {}", old.display(), new.display()),
        Err(error) => format!("Cannot move {} to {} ({error}): move it yourself", old.display(), new.display()),
    });
}

/// `oauth.json` and the setting `apiKeys` become `auth.json`, unless there is one.
fn credentials(paths: &Paths, settings: &SettingsManager, said: &mut Vec<String>) {
    let (auth, oauth) = (paths.auth_file(), paths.agent_dir().join("oauth.json"));
    if auth.exists() {
        return;
    }
    let logins = match read_object(&oauth, FileKind::Credentials) {
        Ok(logins) => logins.unwrap_or_default(),
        Err(error) => return said.push(format!("{error}. Its logins are not taken over")),
    };
    let keys = settings.scope(SettingsScope::Global).get("apiKeys").and_then(Value::as_object).cloned();
    let keys = keys.unwrap_or_default();
    let credentials = merged(&logins, &keys);
    if credentials.is_empty() {
        return;
    }
    if let Err(error) = write_object(&auth, &credentials, FileKind::Credentials, Some(PRIVATE_FILE)) {
        return said.push(format!("{error}. Credentials of older versions stay where they are"));
    }
    let names = credentials.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    said.push(format!("Moved credentials to {}: {names}", auth.display()));
    rename(&oauth, &oauth.with_extension("json.migrated"), said);
    if !keys.is_empty() {
        let removed = settings.set(SettingsScope::Global, &["apiKeys"], None);
        said.extend(removed.err().map(|error| format!("{error} Remove \"apiKeys\" from it yourself")));
    }
}

/// A login wins over a key.
fn merged(logins: &Map<String, Value>, keys: &Map<String, Value>) -> Map<String, Value> {
    let keys = keys.iter().filter(|(_, key)| key.is_string());
    let mut all: Map<String, Value> =
        keys.map(|(name, key)| (name.clone(), json!({"type": "api_key", "key": key}))).collect();
    for (name, login) in logins.iter().filter_map(|(name, login)| Some((name, login.as_object()?))) {
        let mut entry = Map::from_iter([("type".to_owned(), json!("oauth"))]);
        entry.extend(login.clone());
        all.insert(name.clone(), entry.into());
    }
    all
}

/// Sessions that lie in the configuration directory itself go to those of their project.
fn sessions(paths: &Paths, said: &mut Vec<String>) {
    let entries = fs::read_dir(paths.agent_dir()).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl")).collect();
    files.sort();
    for file in files {
        let header = first_line(&file).and_then(|line| serde_json::from_str::<SessionHeader>(line.trim()).ok());
        let header = header.filter(|header| !header.cwd.is_empty());
        let (Some(header), Some(name)) = (header, file.file_name()) else { continue };
        rename(&file, &paths.default_session_dir(Path::new(&header.cwd)).join(name), said);
    }
}

fn first_line(file: &Path) -> Option<String> {
    let mut line = String::new();
    BufReader::new(open_regular(file).ok()?.take(LONGEST_HEADER)).read_line(&mut line).ok()?;
    Some(line)
}
