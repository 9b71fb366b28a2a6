//! The files that name servers: the user's, and two of a project that is trusted.

use std::path::{Path, PathBuf};

use pi_coding_agent::host::{FileKind, json_file};
use pi_coding_agent::paths::PROJECT_DIR;
use serde_json::{Map, Value};

use super::entry::ServerEntry;

/// Key of the servers in each of the files.
pub(crate) const SERVERS: &str = "mcpServers";
/// Where an editor keeps them: files that were copied from there would be without servers, and without a word.
const OTHER_SERVERS: &str = "servers";
const NAME: &str = "mcp.json";
const SHARED_NAME: &str = ".mcp.json";

/// The servers of a session, and what is wrong with its files.
#[derive(Debug, Default)]
pub(crate) struct Configuration {
    /// In the order of the files; of two with one name the later one counts.
    pub(crate) servers: Vec<ServerEntry>,
    /// Sentences about files and entries that are left out.
    pub(crate) problems: Vec<String>,
}

impl Configuration {
    /// Takes in servers that are in no file. Their values are taken as they are.
    pub(crate) fn hand_over(&mut self, servers: &Map<String, Value>) {
        for (name, value) in servers {
            match ServerEntry::parse(name, value, PathBuf::new()) {
                Ok(mut entry) => {
                    entry.is_literal = true;
                    self.put(entry);
                }
                Err(problem) => self.problems.push(format!("MCP server \"{name}\" {problem}")),
            }
        }
    }

    /// Takes in servers that extensions have registered.
    pub(crate) fn register(&mut self, servers: &Map<String, Value>) {
        for (name, value) in servers {
            match ServerEntry::parse(name, value, PathBuf::new()) {
                Ok(entry) => self.put(entry),
                Err(problem) => self.problems.push(format!("MCP server \"{name}\" of an extension {problem}")),
            }
        }
    }

    /// Of two with one name the later one counts.
    fn put(&mut self, entry: ServerEntry) {
        match self.servers.iter_mut().find(|other| other.name == entry.name) {
            Some(place) => *place = entry,
            None => self.servers.push(entry),
        }
    }
}

/// The files of a directory, the user's first. Those of a project count if it is trusted.
pub(crate) fn files(agent_dir: &Path, cwd: &Path, is_trusted: bool) -> Vec<PathBuf> {
    let project = [cwd.join(SHARED_NAME), cwd.join(PROJECT_DIR).join(NAME)];
    std::iter::once(agent_dir.join(NAME)).chain(project.into_iter().filter(|_| is_trusted)).collect()
}

/// Whether one of the files is there, trusted or not. Nothing is read.
pub fn has_servers(agent_dir: &Path, cwd: &Path) -> bool {
    files(agent_dir, cwd, true).iter().any(|file| file.exists())
}

/// Reads the files. What is wrong with one of them, or with an entry, costs nothing but that.
pub(crate) fn read(agent_dir: &Path, cwd: &Path, is_trusted: bool) -> Configuration {
    let mut configuration = Configuration::default();
    for file in files(agent_dir, cwd, is_trusted) {
        let servers = match servers_of(&file) {
            Ok(servers) => servers,
            Err(problem) => {
                configuration.problems.push(problem);
                continue;
            }
        };
        for (name, value) in servers {
            match ServerEntry::parse(&name, &value, file.clone()) {
                Ok(entry) => configuration.put(entry),
                Err(problem) => configuration.problems.push(format!("{}: \"{name}\" {problem}", file.display())),
            }
        }
    }
    configuration
}

/// The entries of a file by name; none if there is no such file.
///
/// # Errors
/// A sentence that names the file.
pub(crate) fn servers_of(file: &Path) -> Result<Map<String, Value>, String> {
    let object = json_file::read_object(file, FileKind::Settings).map_err(|error| error.to_string())?;
    let Some(mut object) = object else { return Ok(Map::new()) };
    match object.shift_remove(SERVERS) {
        None if object.get(OTHER_SERVERS).is_some_and(Value::is_object) => {
            Err(format!("{}: its servers stand under \"{OTHER_SERVERS}\"; pi reads {SERVERS}", file.display()))
        }
        None => Ok(Map::new()),
        Some(Value::Object(servers)) => Ok(servers),
        Some(_) => Err(format!("{}: {SERVERS} must be an object", file.display())),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use pi_coding_agent::trust::trust_subjects;

    use super::*;

    fn names(configuration: &Configuration) -> Vec<&str> {
        configuration.servers.iter().map(|entry| entry.name.as_str()).collect()
    }

    #[test]
    fn every_file_of_a_project_needs_trust() {
        let root = tempfile::tempdir().unwrap();
        for file in files(Path::new("/agent"), root.path(), true).into_iter().skip(1) {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "{}").unwrap();
            let subjects = trust_subjects(root.path(), None);
            assert!(subjects.contains(&file), "{}: {subjects:?}", file.display());
        }
    }

    #[test]
    fn projects_count_when_trusted_and_bad_entries_cost_only_themselves() {
        let root = tempfile::tempdir().unwrap();
        let (agent, cwd) = (root.path().join("agent"), root.path().join("project"));
        fs::create_dir_all(&agent).unwrap();
        fs::create_dir_all(cwd.join(".pi")).unwrap();
        assert!(!has_servers(&agent, &cwd));
        let bom = "\u{feff}// mine\n{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"bad\": {}, \"b\": {\"command\": \"y\"}}}";
        fs::write(agent.join("mcp.json"), bom).unwrap();
        fs::write(cwd.join(".mcp.json"), r#"{"mcpServers": {"c": {"command": "z"}, "a": {"command": "other"}}}"#)
            .unwrap();
        fs::write(cwd.join(".pi/mcp.json"), "{oops").unwrap();
        assert!(has_servers(&agent, &cwd));
        let untrusted = read(&agent, &cwd, false);
        assert_eq!(names(&untrusted), ["a", "b"]);
        assert_eq!(untrusted.problems.len(), 1);
        assert!(untrusted.problems[0].ends_with("\"bad\" needs a command or a url"), "{:?}", untrusted.problems);
        let trusted = read(&agent, &cwd, true);
        assert_eq!(names(&trusted), ["a", "b", "c"]);
        assert_eq!(trusted.servers[0].file, cwd.join(".mcp.json"));
        assert_eq!(trusted.problems.len(), 2);
    }

    #[test]
    fn a_file_in_the_shape_of_an_editor_is_named() {
        let root = tempfile::tempdir().unwrap();
        for (text, problems) in [
            (r#"{"servers": {"a": {"command": "x"}}}"#, 1),
            (r#"{"servers": {}, "mcpServers": {}}"#, 0),
            (r#"{"other": {}}"#, 0),
        ] {
            fs::write(root.path().join("mcp.json"), text).unwrap();
            let found = read(root.path(), root.path(), false).problems;
            assert_eq!(found.len(), problems, "{text}");
            assert!(found.iter().all(|problem| problem.ends_with("stand under \"servers\"; pi reads mcpServers")));
        }
    }

    #[test]
    fn servers_that_are_handed_over_come_before_those_of_files_and_are_literal() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("mcp.json"), r#"{"mcpServers": {"a": {"command": "x"}}}"#).unwrap();
        let mut configuration = read(root.path(), root.path(), false);
        let servers = serde_json::json!({"a": {"command": "${Y}"}, "b": {"url": "http://b", "type": "sse"}});
        configuration.hand_over(servers.as_object().unwrap());
        assert_eq!(names(&configuration), ["a"]);
        assert!(configuration.servers[0].is_literal);
        assert!(configuration.problems[0].starts_with("MCP server \"b\" the old HTTP+SSE"), "{configuration:?}");
    }
}
