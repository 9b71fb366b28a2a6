//! What is configured and what is wrong with it, as far as that shows without starting a server or running a command.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use pi_coding_agent::env::Env;
use pi_coding_agent::paths::Paths;
use serde_json::Value;
use url::Url;

use crate::config::{ServerEntry, TransportConfig, files, servers_of};
use crate::error::Error;

/// One finding about a configured server, or about a file that should name some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerCheck {
    /// The server; absent where the finding is about the whole file.
    pub name: Option<String>,
    /// The file that it stands in.
    pub file: PathBuf,
    /// Whether that file belongs to the project and not to the user.
    pub is_of_project: bool,
    /// What was found.
    pub state: CheckState,
}

/// What was found about a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckState {
    /// Nothing is wrong: the program that would be started, or the origin that would be called.
    Ready(String),
    /// It is switched off.
    Off,
    /// This file, which comes later, has a server of the same name.
    Replaced(PathBuf),
    /// The project is not trusted, so the file is not read for sessions.
    Untrusted,
    /// It cannot be used.
    Wrong {
        /// What is wrong.
        problem: String,
        /// The way out.
        remedy: String,
    },
}

/// Checks all servers of the user's and the project's files. Several findings may be about one server.
pub fn check_servers(paths: &Paths, is_trusted: bool) -> Vec<ServerCheck> {
    let mut checks: Vec<ServerCheck> = Vec::new();
    for (at, file) in files(paths.agent_dir(), paths.cwd(), true).into_iter().enumerate() {
        let is_of_project = at > 0;
        let found = check_file(&file, is_trusted || !is_of_project, paths);
        // Of two servers with one name the later one counts.
        let is_replaced = |name: &str| found.iter().any(|found| found.counts && found.name.as_deref() == Some(name));
        for check in checks.iter_mut().filter(|check| check.name.as_deref().is_some_and(is_replaced)) {
            check.state = CheckState::Replaced(file.clone());
        }
        checks.extend(found.into_iter().map(|found| {
            let file = file.clone();
            ServerCheck { name: found.name, file, is_of_project, state: found.state }
        }));
    }
    // Several mistakes of one server that is replaced.
    checks.dedup();
    checks
}

/// A finding in one file.
struct Found {
    name: Option<String>,
    state: CheckState,
    /// Whether sessions take the entry, be it usable or not.
    counts: bool,
}

fn check_file(file: &Path, counts: bool, paths: &Paths) -> Vec<Found> {
    let about_file = |state| vec![Found { name: None, state, counts: false }];
    let servers = match servers_of(file) {
        Ok(servers) => servers,
        Err(_) if !counts => return about_file(CheckState::Untrusted),
        Err(problem) => {
            let remedy = format!("correct {}; until then it names no servers", file.display());
            return about_file(CheckState::Wrong { problem, remedy });
        }
    };
    let of_server = |(name, value): (String, Value)| -> Vec<Found> {
        let (states, counts) = match counts {
            true => check_value(&name, &value, file, paths),
            false => (vec![CheckState::Untrusted], false),
        };
        states.into_iter().map(|state| Found { name: Some(name.clone()), state, counts }).collect()
    };
    servers.into_iter().flat_map(of_server).collect()
}

/// What is to be said of an entry, and whether sessions take it.
fn check_value(name: &str, value: &Value, file: &Path, paths: &Paths) -> (Vec<CheckState>, bool) {
    match ServerEntry::parse(name, value, file.to_owned()) {
        Ok(entry) if !entry.is_enabled => (vec![CheckState::Off], true),
        Ok(entry) => (check_entry(&entry, paths), true),
        Err(problem) => {
            let remedy = format!("correct it in {}; until then it is left out", file.display());
            (vec![CheckState::Wrong { problem, remedy }], false)
        }
    }
}

/// One finding if nothing is wrong, else each mistake.
fn check_entry(entry: &ServerEntry, paths: &Paths) -> Vec<CheckState> {
    let mut check = EntryCheck { entry, env: paths.env(), wrong: Vec::new() };
    if let Some(secret) = &entry.oauth.client_secret {
        check.value(secret);
    }
    let reached = match &entry.transport {
        TransportConfig::Stdio { command, args, env, cwd } => {
            args.iter().for_each(|text| drop(check.path(text)));
            check.values(env);
            check.program(command, env, cwd.as_deref(), paths.cwd())
        }
        TransportConfig::Http { url, headers } => {
            check.headers(headers);
            check.address(url)
        }
    };
    match (check.wrong.is_empty(), reached) {
        (true, Some(reached)) => vec![CheckState::Ready(reached)],
        _ => check.wrong,
    }
}

/// An entry that can be read, and what is wrong with its values.
struct EntryCheck<'a> {
    entry: &'a ServerEntry,
    env: &'a Env,
    wrong: Vec<CheckState>,
}

impl EntryCheck<'_> {
    fn note(&mut self, problem: &Error, remedy: &str) {
        let remedy = format!("{remedy} in {}", self.entry.file.display());
        let state = CheckState::Wrong { problem: problem.to_string(), remedy };
        if !self.wrong.contains(&state) {
            self.wrong.push(state);
        }
    }

    fn taken<T>(&mut self, value: Result<T, Error>) -> Option<T> {
        let missing = match value {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        let variable = match &missing {
            Error::Variable { variable, .. } => variable.as_str(),
            _ => "NAME",
        };
        self.note(&missing, &format!("set it before pi starts, or write ${{{variable}:-a default}}"));
        None
    }

    /// A value of `env` or `headers`; what a command would print is not known.
    fn value(&mut self, text: &str) {
        if !text.starts_with('!') {
            self.taken(self.entry.text(text, self.env));
        }
    }

    fn values(&mut self, values: &BTreeMap<String, String>) {
        values.values().for_each(|text| self.value(text));
    }

    fn path(&mut self, text: &str) -> Option<String> {
        self.taken(self.entry.path(text, self.env))
    }

    fn handshake(&mut self, detail: String, remedy: &str) {
        self.note(&Error::Handshake { server: self.entry.name.clone(), detail }, remedy);
    }

    fn headers(&mut self, headers: &BTreeMap<String, String>) {
        self.values(headers);
        for name in headers.keys() {
            if http::HeaderName::from_bytes(name.as_bytes()).is_err() {
                self.handshake(format!("\"{name}\" is no name of a header"), "correct \"headers\"");
            }
        }
    }

    /// Where requests would go, without what may be a secret in the address.
    fn address(&mut self, url: &str) -> Option<String> {
        let url = self.taken(self.entry.text(url, self.env))?;
        match Url::parse(&url) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => Some(url.origin().ascii_serialization()),
            _ => {
                self.handshake("its url does not begin with http:// or https://".to_owned(), "correct \"url\"");
                None
            }
        }
    }

    /// The program, if it is there.
    fn program(
        &mut self,
        command: &str,
        env: &BTreeMap<String, String>,
        cwd: Option<&str>,
        project: &Path,
    ) -> Option<String> {
        let command = self.path(command)?;
        let cwd = match cwd {
            Some(cwd) => project.join(self.path(cwd)?),
            None => project.to_owned(),
        };
        let server = self.entry.name.clone();
        if !cwd.is_dir() {
            let detail = format!("there is no directory {}", cwd.display());
            self.note(&Error::Start { server, detail }, "make it, or correct \"cwd\"");
            return None;
        }
        // A program is looked for on the path that it is going to have.
        let own = env.get("PATH").and_then(|path| self.entry.text(path, self.env).ok());
        let path = own.or_else(|| self.env.var("PATH")).unwrap_or_default();
        let is_there = match command.contains('/') {
            true => is_program(&cwd.join(&command)),
            false => std::env::split_paths(&path).any(|dir| is_program(&cwd.join(dir).join(&command))),
        };
        if !is_there {
            self.note(&Error::NoProgram { server, command }, "install it, or correct \"command\"");
            return None;
        }
        Some(command)
    }
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;

    /// Checks one entry in a project with the program `bin/there`.
    fn check(value: &Value) -> Vec<CheckState> {
        let dir = tempfile::tempdir().unwrap();
        let bin = dir.path().join("bin");
        fs::create_dir(&bin).unwrap();
        for (name, mode) in [("there", 0o755), ("text", 0o644)] {
            fs::write(bin.join(name), "").unwrap();
            fs::set_permissions(bin.join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        let env = Env::fixed([("PATH", bin.to_str().unwrap()), ("SET", "value"), ("HOME", "/home/me")]);
        let paths = Paths::new(env, dir.path().to_owned());
        check_value("x", value, Path::new("mcp.json"), &paths).0
    }

    #[test]
    fn entries_that_can_be_used_say_how_they_are_reached() {
        for (value, reached) in [
            (json!({"command": "there", "args": ["${SET}", "~/x"], "env": {"A": "!cat s3cret"}}), "there"),
            (json!({"command": "bin/there"}), "bin/there"),
            (json!({"command": "there", "cwd": "bin"}), "there"),
            (json!({"command": "text", "env": {"PATH": "/bin"}, "enabled": false}), ""),
            (json!({"command": "sh", "env": {"PATH": "/bin"}}), "sh"),
            (json!({"url": "https://me:s3cret@a.example:8443/mcp?key=s3cret"}), "https://a.example:8443"),
            (json!({"url": "${URL:-http://127.0.0.1:1/mcp}", "headers": {"X-A": "${SET}"}}), "http://127.0.0.1:1"),
        ] {
            let expected = if reached.is_empty() { CheckState::Off } else { CheckState::Ready(reached.to_owned()) };
            assert_eq!(check(&value), [expected], "{value}");
        }
    }

    #[test]
    fn each_mistake_has_a_sentence_and_a_way_out() {
        for (value, problem, remedy) in [
            (json!({}), "needs a command or a url", "correct it in mcp.json; until then it is left out"),
            (
                json!({"command": "absent"}),
                "MCP server \"x\" cannot be started: there is no program \"absent\". Is it installed, and on the PATH?",
                "install it, or correct \"command\" in mcp.json",
            ),
            (json!({"command": "text"}), "there is no program \"text\"", "install it"),
            (json!({"command": "./there"}), "there is no program \"./there\"", "install it"),
            (json!({"command": "there", "cwd": "gone"}), "there is no directory ", "make it, or correct \"cwd\""),
            (
                json!({"command": "there", "args": ["${UNSET}"], "env": {"A": "${UNSET}"}}),
                "MCP server \"x\" needs the environment variable UNSET, which is not set",
                "set it before pi starts, or write ${UNSET:-a default} in mcp.json",
            ),
            (json!({"url": "https://a", "headers": {"X": "Bearer ${UNSET}"}}), "variable UNSET", "set it"),
            (
                json!({"url": "https://a", "headers": {"a b": "c"}}),
                "\"a b\" is no name of a header",
                "correct \"headers\"",
            ),
            (json!({"url": "ftp://a"}), "url must begin with http:// or https://: ftp://a", "correct it in mcp.json"),
            (json!({"url": "${URL:-ftp://a}"}), "its url does not begin with http://", "correct \"url\" in mcp.json"),
            (json!({"url": "https://a", "type": "sse"}), "the old HTTP+SSE transport", "correct it in mcp.json"),
            (
                json!({"url": "https://a", "oauth": {"clientId": "c", "clientSecret": "${UNSET}"}}),
                "variable UNSET",
                "set it",
            ),
        ] {
            let found = check(&value);
            let [CheckState::Wrong { problem: said, remedy: way_out }] = found.as_slice() else {
                panic!("{value}: {found:?}")
            };
            assert!(said.contains(problem) && way_out.starts_with(remedy), "{value}: {said} -> {way_out}");
        }
    }

    #[test]
    fn later_files_replace_earlier_ones_and_untrusted_ones_do_not() {
        let dir = tempfile::tempdir().unwrap();
        let (agent, cwd) = (dir.path().join("agent"), dir.path().join("project"));
        fs::create_dir_all(cwd.join(".pi")).unwrap();
        fs::create_dir_all(&agent).unwrap();
        fs::write(agent.join("mcp.json"), r#"{"mcpServers": {"a": {"url": "http://a"}, "b": {"url": "http://b"}}}"#)
            .unwrap();
        fs::write(cwd.join(".mcp.json"), r#"{"mcpServers": {"a": {"command": "absent"}, "b": {}}}"#).unwrap();
        fs::write(cwd.join(".pi/mcp.json"), "{oops").unwrap();
        let paths = Paths::new(Env::fixed([("HOME", "/home/me")]), cwd.clone()).with_agent_dir(&agent);
        let states = |is_trusted| -> Vec<(Option<String>, String)> {
            let checks = check_servers(&paths, is_trusted);
            checks.into_iter().map(|check| (check.name, format!("{:?}", check.state))).collect()
        };
        let is = |found: &(Option<String>, String), name: Option<&str>, state: &str| {
            assert!(found.0.as_deref() == name && found.1.starts_with(state), "{found:?}, not {name:?} {state}");
        };
        let trusted = states(true);
        assert_eq!(trusted.len(), 5, "{trusted:?}");
        is(&trusted[0], Some("a"), "Replaced");
        is(&trusted[1], Some("b"), "Ready");
        is(&trusted[2], Some("a"), "Wrong");
        is(&trusted[3], Some("b"), "Wrong");
        is(&trusted[4], None, "Wrong");
        let untrusted = states(false);
        assert_eq!(untrusted.len(), 5, "{untrusted:?}");
        is(&untrusted[0], Some("a"), "Ready(\"http://a\")");
        is(&untrusted[2], Some("a"), "Untrusted");
        is(&untrusted[4], None, "Untrusted");
    }
}
