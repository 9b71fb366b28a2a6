//! What the user has allowed for good, by project: `permissions.json` in the configuration directory.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::Clock;
use serde_json::{Map, Value, json};

use crate::host::dir_lock::DirLock;
use crate::host::json_file::{read_object, write_object};
use crate::host::paths::Paths;
use crate::host::{self, FileKind, without_links};

/// Only the user may change what they allow.
const MODE: u32 = 0o600;

/// Something that can be allowed for good.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum AllowedKey {
    /// A command, by its words.
    Command(Vec<String>),
    /// Changes of a file, by its real path.
    Path(String),
    /// A tool, by its name.
    Tool(String),
}

impl AllowedKey {
    /// The list that it stands in, and how.
    fn stored(&self) -> (&'static str, Value) {
        match self {
            Self::Command(words) => ("commands", json!(words)),
            Self::Path(path) => ("paths", json!(path)),
            Self::Tool(name) => ("tools", json!(name)),
        }
    }
}

/// What is allowed in one project.
#[derive(Debug)]
pub(super) struct Allowed {
    cwd: PathBuf,
    project: String,
    keys: HashSet<AllowedKey>,
}

impl Allowed {
    /// Reads it. A file that cannot be read allows nothing.
    pub(super) async fn read(paths: &Paths, cwd: &Path) -> Self {
        let (file, cwd) = (file(paths), cwd.to_owned());
        let read = move || {
            let project = without_links(&cwd).to_string_lossy().into_owned();
            let stored = read_object(&file, FileKind::Settings).ok().flatten().unwrap_or_default();
            let keys = stored.get(&project).map(keys).unwrap_or_default();
            Self { cwd, project, keys }
        };
        let nothing = |_| Self { cwd: PathBuf::new(), project: String::new(), keys: HashSet::new() };
        tokio::task::spawn_blocking(read).await.unwrap_or_else(nothing)
    }

    /// Whether it is that of the project in a directory: a session may have gone elsewhere.
    pub(super) fn is_of(&self, cwd: &Path) -> bool {
        self.cwd == cwd
    }

    pub(super) fn has(&self, key: &AllowedKey) -> bool {
        self.keys.contains(key)
    }

    /// Adds to it, for good.
    pub(super) async fn add(
        &mut self,
        key: AllowedKey,
        paths: &Paths,
        clock: &Arc<dyn Clock>,
    ) -> Result<(), host::Error> {
        self.keys.insert(key.clone());
        let (path, clock, project) = (file(paths), Arc::clone(clock), self.project.clone());
        let file = path.clone();
        // Another process may have the lock: waiting for it blocks.
        let stored = tokio::task::spawn_blocking(move || {
            let _lock = DirLock::acquire(&file, &*clock)?;
            store(&file, &project, &key)
        });
        stored
            .await
            .unwrap_or_else(|stopped| Err(host::Error::FileWrite { path, source: std::io::Error::other(stopped) }))
    }
}

fn file(paths: &Paths) -> PathBuf {
    paths.agent_dir().join("permissions.json")
}

fn keys(project: &Value) -> HashSet<AllowedKey> {
    let list = |name: &str| project[name].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let words = |value: &Value| value.as_array()?.iter().map(text).collect::<Option<Vec<_>>>();
    let commands = list("commands").iter().filter_map(words).map(AllowedKey::Command);
    let paths = list("paths").iter().filter_map(text).map(AllowedKey::Path);
    let tools = list("tools").iter().filter_map(text).map(AllowedKey::Tool);
    commands.chain(paths).chain(tools).collect()
}

fn store(file: &Path, project: &str, key: &AllowedKey) -> Result<(), host::Error> {
    let mut stored = read_object(file, FileKind::Settings)?.unwrap_or_default();
    let of_project = stored.entry(project.to_owned()).or_insert_with(|| Value::Object(Map::new()));
    if !of_project.is_object() {
        *of_project = Value::Object(Map::new());
    }
    let (list, value) = key.stored();
    let list = &mut of_project[list];
    match list.as_array_mut() {
        Some(list) if list.contains(&value) => return Ok(()),
        Some(list) => list.push(value),
        None => *list = json!([value]),
    }
    write_object(file, &stored, FileKind::Settings, Some(MODE))
}

#[cfg(test)]
mod tests {
    use pi_ai::system_clock;

    use super::*;
    use crate::host::env::Env;

    fn paths(dir: &Path) -> Paths {
        let env = Env::fixed([("PI_CODING_AGENT_DIR", dir.join("agent").display().to_string())]);
        Paths::new(env, dir)
    }

    #[tokio::test]
    async fn what_is_allowed_holds_in_its_project_and_for_the_next_run() {
        let dir = tempfile::tempdir().unwrap();
        let paths = paths(dir.path());
        std::fs::create_dir_all(paths.agent_dir()).unwrap();
        let (here, there) = (dir.path().join("here"), dir.path().join("there"));
        let keys = [
            AllowedKey::Command(vec!["cargo".to_owned(), "test".to_owned()]),
            AllowedKey::Path("/a/b".to_owned()),
            AllowedKey::Tool("deploy".to_owned()),
        ];
        let mut allowed = Allowed::read(&paths, &here).await;
        for key in &keys {
            assert!(!allowed.has(key));
            allowed.add(key.clone(), &paths, &system_clock()).await.unwrap();
            allowed.add(key.clone(), &paths, &system_clock()).await.unwrap();
        }
        let (again, elsewhere) = (Allowed::read(&paths, &here).await, Allowed::read(&paths, &there).await);
        assert!(keys.iter().all(|key| again.has(key) && !elsewhere.has(key)));
        let text = std::fs::read_to_string(file(&paths)).unwrap();
        assert_eq!(text.matches("deploy").count(), 1, "{text}");
        // A file that cannot be read allows nothing, and is not overwritten.
        std::fs::write(file(&paths), "no object").unwrap();
        let mut broken = Allowed::read(&paths, &here).await;
        assert!(!broken.has(&keys[0]) && broken.add(keys[0].clone(), &paths, &system_clock()).await.is_err());
        assert!(broken.has(&keys[0]));
        assert_eq!(std::fs::read_to_string(file(&paths)).unwrap(), "no object");
    }
}
