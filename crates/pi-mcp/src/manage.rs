//! The servers as a user manages them on the command line: added to a file, removed from it, asked how they are doing.

use std::path::{Path, PathBuf};

use futures::future::join_all;
use pi_coding_agent::host::{FileKind, json_file};
use pi_coding_agent::paths::{PROJECT_DIR, Paths};
use serde_json::{Map, Value};

use crate::config::{self, SERVERS, ServerEntry};
use crate::server::{Place, Server};

/// Only the user reads what may hold keys.
const MODE: u32 = 0o600;

/// How a server is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerReport {
    /// Its name.
    pub name: String,
    /// The file that it stands in.
    pub file: PathBuf,
    /// What it has; or why it does not answer. Nothing for one that is switched off.
    pub state: Option<Result<ServerParts, String>>,
}

/// How much a server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerParts {
    /// Tools.
    pub tools: usize,
    /// Prompts.
    pub prompts: usize,
    /// Whether it has resources.
    pub resources: bool,
}

/// The user's file of servers, or that of the project.
pub fn servers_file(paths: &Paths, is_local: bool) -> PathBuf {
    let dir = if is_local { paths.cwd().join(PROJECT_DIR) } else { paths.agent_dir().to_owned() };
    dir.join("mcp.json")
}

/// Adds a server to a file; whether it takes the place of another.
///
/// # Errors
/// A sentence: what is wrong with the entry, or with the file.
pub fn add_server(file: &Path, name: &str, entry: Value) -> Result<bool, String> {
    ServerEntry::parse(name, &entry, file.to_owned()).map_err(|problem| format!("\"{name}\" {problem}"))?;
    change(file, |servers| servers.insert(name.to_owned(), entry).is_some())
}

/// Removes a server from a file; whether it was there.
///
/// # Errors
/// A sentence: what is wrong with the file.
pub fn remove_server(file: &Path, name: &str) -> Result<bool, String> {
    if !file.exists() {
        return Ok(false);
    }
    change(file, |servers| servers.shift_remove(name).is_some())
}

fn change(file: &Path, change: impl FnOnce(&mut Map<String, Value>) -> bool) -> Result<bool, String> {
    let sentence = |error: pi_coding_agent::host::Error| error.to_string();
    let mut object = json_file::read_object(file, FileKind::Settings).map_err(sentence)?.unwrap_or_default();
    let servers = object.entry(SERVERS).or_insert_with(|| Value::Object(Map::new()));
    let Value::Object(servers) = servers else {
        return Err(format!("{}: {SERVERS} must be an object", file.display()));
    };
    let changed = change(servers);
    if let Some(dir) = file.parent() {
        std::fs::create_dir_all(dir).map_err(|error| format!("{} cannot be made: {error}", dir.display()))?;
    }
    json_file::write_object(file, &object, FileKind::Settings, Some(MODE)).map_err(sentence)?;
    Ok(changed)
}

/// Starts every server, asks what it has, and ends it. The sentences are about files and entries that cannot be used.
pub async fn report(paths: &Paths, is_trusted: bool) -> (Vec<ServerReport>, Vec<String>) {
    let cwd = paths.cwd().to_owned();
    let configuration = config::read(paths.agent_dir(), &cwd, is_trusted);
    let place = Place { cwd, env: paths.env().clone() };
    let reports = configuration.servers.into_iter().map(|entry| {
        let place = place.clone();
        async move {
            let (name, file) = (entry.name.clone(), entry.file.clone());
            if !entry.is_enabled {
                return ServerReport { name, file, state: None };
            }
            let server = Server::new(entry, place, paths.agent_dir());
            let connected = server.connect().await;
            let parts = || {
                let metadata = server.metadata().unwrap_or_default();
                let (tools, prompts) = (metadata.tools.len(), metadata.prompts.len());
                ServerParts { tools, prompts, resources: metadata.has_resources }
            };
            let state = connected.map(|()| parts()).map_err(|error| error.to_string());
            server.close().await;
            ServerReport { name, file, state: Some(state) }
        }
    });
    (join_all(reports).await, configuration.problems)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn entries_come_and_go_and_nothing_else_changes() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("new/mcp.json");
        assert_eq!(remove_server(&file, "a"), Ok(false));
        assert_eq!(add_server(&file, "a", json!({"command": "x"})), Ok(false));
        assert_eq!(add_server(&file, "a", json!({"url": "https://x"})), Ok(true));
        assert_eq!(add_server(&file, "b", json!({})), Err("\"b\" needs a command or a url".to_owned()));
        let text = "{\n  // mine\n  \"other\": 1,\n  \"mcpServers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"y\"}}\n}\n";
        std::fs::write(&file, text).unwrap();
        assert_eq!(remove_server(&file, "a"), Ok(true));
        let changed = std::fs::read_to_string(&file).unwrap();
        assert!(
            changed.contains("// mine") && changed.contains("\"other\": 1") && !changed.contains("\"a\""),
            "{changed}"
        );
        std::fs::write(&file, "{\"mcpServers\": 7}").unwrap();
        let problem = add_server(&file, "a", json!({"command": "x"})).unwrap_err();
        assert!(problem.ends_with("mcpServers must be an object"), "{problem}");
    }
}
