//! The servers as a user manages them on the command line: added to a file, removed from it, asked how they are doing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::future::{BoxFuture, join_all};
use pi_ai::Clock;
use pi_coding_agent::auth_storage::LockedFile;
use pi_coding_agent::host::{FileKind, json_file};
use pi_coding_agent::paths::{PROJECT_DIR, Paths};
use pi_coding_agent::session::SessionHost;
use serde_json::{Map, Value};

use crate::config::{self, SERVERS, ServerEntry};
use crate::server::{Place, Server, User};

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

/// Adds a server to a file; whether it takes the place of another. `clock` tells the age of locks that others hold.
///
/// # Errors
/// A sentence: what is wrong with the entry, or with the file.
pub fn add_server(file: &Path, name: &str, entry: Value, clock: &Arc<dyn Clock>) -> Result<bool, String> {
    ServerEntry::parse(name, &entry, file.to_owned()).map_err(|problem| format!("\"{name}\" {problem}"))?;
    if let Some(dir) = file.parent() {
        std::fs::create_dir_all(dir).map_err(|error| format!("{} cannot be made: {error}", dir.display()))?;
    }
    change(file, clock, |servers| servers.insert(name.to_owned(), entry).is_some())
}

/// Removes a server from a file; whether it was there.
///
/// # Errors
/// A sentence: what is wrong with the file.
pub fn remove_server(file: &Path, name: &str, clock: &Arc<dyn Clock>) -> Result<bool, String> {
    if !file.exists() {
        return Ok(false);
    }
    change(file, clock, |servers| servers.shift_remove(name).is_some())
}

/// Changes the servers of a file under its lock: two programs that do so at once both get what they want. A file in which
/// nothing changes is not written.
fn change(
    file: &Path,
    clock: &Arc<dyn Clock>,
    change: impl FnOnce(&mut Map<String, Value>) -> bool,
) -> Result<bool, String> {
    let _lock = LockedFile::acquire(file.to_owned(), clock).map_err(|error| error.to_string())?;
    let sentence = |error: pi_coding_agent::host::Error| error.to_string();
    let mut object = json_file::read_object(file, FileKind::Settings).map_err(sentence)?.unwrap_or_default();
    let servers = object.entry(SERVERS).or_insert_with(|| Value::Object(Map::new()));
    let Value::Object(servers) = servers else {
        return Err(format!("{}: {SERVERS} must be an object", file.display()));
    };
    let before = servers.clone();
    let outcome = change(servers);
    if *servers != before {
        json_file::write_object(file, &object, FileKind::Settings, Some(MODE)).map_err(sentence)?;
    }
    Ok(outcome)
}

/// Starts every server, asks what it has, and ends it. The sentences are about what cannot be used: files, entries, and
/// what servers list.
pub fn report(host: &SessionHost, is_trusted: bool) -> BoxFuture<'_, (Vec<ServerReport>, Vec<String>)> {
    Box::pin(async move {
        let paths = &host.paths;
        let cwd = paths.cwd().to_owned();
        let configuration = config::read(paths.agent_dir(), &cwd, is_trusted);
        let place = Place {
            cwd,
            env: paths.env().clone(),
            agent_dir: paths.agent_dir().to_owned(),
            clock: Arc::clone(&host.clock),
            user: User::default(),
        };
        let reports = configuration.servers.into_iter().map(|entry| {
            let place = place.clone();
            async move {
                let (name, file) = (entry.name.clone(), entry.file.clone());
                if !entry.is_enabled {
                    return (ServerReport { name, file, state: None }, Vec::new());
                }
                let server = Server::new(entry, place, paths.agent_dir());
                let connected = server.connect().await;
                let parts = || {
                    let metadata = server.metadata().unwrap_or_default();
                    let (tools, prompts) = (metadata.tools.len(), metadata.prompts.len());
                    ServerParts { tools, prompts, resources: metadata.has_resources }
                };
                let problems = server.problems().iter().map(|problem| server.sentence(problem)).collect();
                let state = connected.map(|()| parts()).map_err(|error| error.to_string());
                server.close().await;
                (ServerReport { name, file, state: Some(state) }, problems)
            }
        });
        let (reports, problems): (Vec<_>, Vec<Vec<String>>) = join_all(reports).await.into_iter().unzip();
        (reports, configuration.problems.into_iter().chain(problems.into_iter().flatten()).collect())
    })
}

#[cfg(test)]
mod tests {
    use pi_ai::system_clock;
    use serde_json::json;

    use super::*;

    fn add_server(file: &Path, name: &str, entry: Value) -> Result<bool, String> {
        super::add_server(file, name, entry, &system_clock())
    }

    fn remove_server(file: &Path, name: &str) -> Result<bool, String> {
        super::remove_server(file, name, &system_clock())
    }

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
    #[test]
    fn a_file_in_which_nothing_changes_is_not_written() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("mcp.json");
        for text in ["{\"other\":1}", "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}"] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(remove_server(&file, "b"), Ok(false));
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
        assert_eq!(add_server(&file, "a", json!({"command": "x"})), Ok(true));
        assert!(!std::fs::read_to_string(&file).unwrap().contains('\n'));
    }

    #[test]
    fn no_entry_is_lost_to_another_program() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("mcp.json");
        let add = &|name: String| loop {
            match add_server(&file, &name, json!({"command": "x"})) {
                Ok(is_replaced) => return assert!(!is_replaced),
                Err(problem) => assert!(problem.contains("is locked by another process"), "{problem}"),
            }
        };
        std::thread::scope(|scope| {
            for at in 0..8 {
                scope.spawn(move || (0..4).for_each(|of| add(format!("{at}-{of}"))));
            }
        });
        let stored = json_file::read_object(&file, FileKind::Settings).unwrap().unwrap();
        assert_eq!(stored[SERVERS].as_object().unwrap().len(), 32);
    }
}
