//! Settings and credentials in storages: memory, files, one of the program's own. All keep what others wrote.

use std::path::Path;
use std::sync::{Arc, Mutex};

use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::config::Error;
use pi_coding_agent::env::Env;
use pi_coding_agent::settings::{SettingsManager, SettingsScope};
use pi_coding_agent::storage::{Change, FileStorage, MemoryStorage, Storage, StorageError};
use serde_json::{Value, json};

/// A table of a database, for example: it may be out of reach.
#[derive(Default)]
struct Table {
    row: Mutex<Option<String>>,
    is_down: Mutex<bool>,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Table")
    }
}

impl Table {
    fn check(&self) -> Result<(), StorageError> {
        if *self.is_down.lock().unwrap() { Err(StorageError::new(self, "the connection is gone")) } else { Ok(()) }
    }
}

impl Storage for Table {
    fn name(&self) -> String {
        "the table of settings".to_owned()
    }

    fn read(&self) -> Result<Option<String>, Error> {
        self.check()?;
        Ok(self.row.lock().unwrap().clone())
    }

    fn update(&self, change: &mut Change<'_>) -> Result<(), Error> {
        self.check()?;
        let mut row = self.row.lock().unwrap();
        *row = Some(change(row.as_deref())?);
        Ok(())
    }
}

fn env() -> Env {
    Env::fixed([("HOME", "/nowhere")])
}

fn auth(storage: &Arc<dyn Storage>) -> AuthStorage {
    AuthStorage::from_storage(Arc::clone(storage), env(), pi_ai::system_clock())
}

fn settings(global: &Arc<dyn Storage>, project: Option<&Arc<dyn Storage>>) -> SettingsManager {
    SettingsManager::from_storage(Arc::clone(global), project.cloned(), env())
}

/// One of each kind, empty.
fn storages(dir: &Path) -> [Arc<dyn Storage>; 3] {
    [
        Arc::new(MemoryStorage::default()),
        Arc::new(FileStorage::credentials(dir.join("new/auth.json"), pi_ai::system_clock())),
        Arc::<Table>::default(),
    ]
}

fn put(storage: &Arc<dyn Storage>, text: &str) {
    storage.update(&mut |_| Ok(text.to_owned())).unwrap();
}

fn kept(storage: &Arc<dyn Storage>) -> Value {
    serde_json::from_str(&storage.read().unwrap().unwrap()).unwrap()
}

#[tokio::test]
async fn credentials_are_kept_and_what_others_wrote_stays() {
    let dir = tempfile::tempdir().unwrap();
    for storage in storages(dir.path()) {
        let (one, other) = (auth(&storage), auth(&storage));
        assert_eq!(one.providers(), [""; 0]);
        one.set_api_key("anthropic", "one").unwrap();
        other.set_api_key("openai", "two").unwrap();
        let entry = |key: &str| json!({"type": "api_key", "key": key});
        assert_eq!(kept(&storage), json!({"anthropic": entry("one"), "openai": entry("two")}), "{storage:?}");
        one.reload();
        assert_eq!(one.api_key("openai").await.unwrap().unwrap().expose(), "two");
        one.remove("anthropic").unwrap();
        assert_eq!(kept(&storage), json!({"openai": entry("two")}));
        let shown = format!("{storage:?}{one:?}");
        assert!(!shown.contains("two"), "{shown}");
    }
}

#[test]
fn settings_are_kept_and_what_others_wrote_stays() {
    let dir = tempfile::tempdir().unwrap();
    for (global, project) in storages(dir.path()).into_iter().zip(storages(&dir.path().join("project"))) {
        put(&global, "{\n  // A friend said so.\n  \"theme\": \"light\",\n  \"ofTheFuture\": 1\n}");
        put(&project, r#"{"theme": "dark"}"#);
        let (one, other) = (settings(&global, Some(&project)), settings(&global, None));
        assert_eq!(
            (one.interface().theme().as_deref(), other.interface().theme().as_deref()),
            (Some("dark"), Some("light")),
            "{global:?}"
        );
        one.models().set_default_model("openai", "gpt-5").unwrap();
        other.network().set_transport(pi_ai::Transport::Sse).unwrap();
        one.set(SettingsScope::Project, &["retry", "maxRetries"], Some(7.into())).unwrap();
        let text = global.read().unwrap().unwrap();
        assert!(text.contains("// A friend said so.") && text.contains("ofTheFuture"), "{text}");
        let anew = settings(&global, Some(&project));
        assert_eq!(anew.models().default_model().as_deref(), Some("gpt-5"));
        assert_eq!((anew.network().transport(), anew.retry().max_retries), (pi_ai::Transport::Sse, 7));
        assert_eq!(kept(&project), json!({"theme": "dark", "retry": {"maxRetries": 7}}));
        // A project that is not trusted neither counts nor changes.
        anew.set_project_trusted(false);
        assert_eq!(anew.interface().theme().as_deref(), Some("light"));
        let refused = anew.set(SettingsScope::Project, &["theme"], Some("x".into()));
        assert!(matches!(refused, Err(Error::ProjectNotTrusted)));
    }
}

#[test]
fn what_cannot_be_read_is_told_and_never_written() {
    let dir = tempfile::tempdir().unwrap();
    for storage in storages(dir.path()) {
        put(&storage, "{oops");
        let (settings, auth) = (settings(&storage, None), auth(&storage));
        let problems: Vec<String> = settings.drain_problems().iter().map(ToString::to_string).collect();
        assert!(problems.len() == 1 && problems[0].contains(&storage.name()), "{problems:?}");
        let refused = settings.interface().set_theme("dark").unwrap_err().to_string();
        assert!(refused.starts_with(&format!("{} is not saved", storage.name())), "{refused}");
        assert!(matches!(auth.set_api_key("openai", "key"), Err(Error::NotOverwritten { .. })));
        assert_eq!(auth.drain_problems().len(), 1);
        assert_eq!(storage.read().unwrap().as_deref(), Some("{oops"));
    }
}

#[test]
fn a_storage_that_fails_is_named_and_costs_nothing() {
    let table = Arc::new(Table::default());
    let storage: Arc<dyn Storage> = Arc::clone(&table) as _;
    let (settings, auth) = (settings(&storage, None), auth(&storage));
    auth.set_api_key("openai", "key").unwrap();
    *table.is_down.lock().unwrap() = true;
    let failed = "Cannot use the table of settings: the connection is gone";
    assert_eq!(settings.interface().set_theme("dark").unwrap_err().to_string(), failed);
    assert_eq!(settings.interface().theme().as_deref(), Some("dark"), "it is in force for this run");
    assert_eq!(auth.remove("openai").unwrap_err().to_string(), failed);
    assert_eq!(auth.providers(), ["openai"]);
    *table.is_down.lock().unwrap() = false;
    settings.flush().unwrap();
    assert_eq!(kept(&storage)["theme"], "dark");
}

#[test]
fn changes_of_many_threads_are_all_kept() {
    let dir = tempfile::tempdir().unwrap();
    for storage in storages(dir.path()) {
        let auth = auth(&storage);
        std::thread::scope(|scope| {
            for number in 0..4 {
                let auth = &auth;
                scope.spawn(move || auth.set_api_key(&format!("p{number}"), "key").unwrap());
            }
        });
        let kept = kept(&storage);
        assert_eq!(kept.as_object().unwrap().len(), 4, "{storage:?}");
        let mut known = auth.providers();
        known.sort();
        assert_eq!(known, ["p0", "p1", "p2", "p3"]);
    }
}

#[cfg(unix)]
#[test]
fn a_file_is_private_and_heeds_the_lock_of_others() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("private/auth.json");
    let storage: Arc<dyn Storage> = Arc::new(FileStorage::credentials(&file, pi_ai::system_clock()));
    let auth = auth(&storage);
    auth.set_api_key("openai", "key").unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    let lock = dir.path().join("private/auth.json.lock");
    std::fs::create_dir(&lock).unwrap();
    assert!(matches!(
        auth.set_api_key("openai", "other"),
        Err(Error::Host(pi_coding_agent::host::Error::FileLocked { .. }))
    ));
    std::fs::remove_dir(&lock).unwrap();
    auth.set_api_key("openai", "other").unwrap();
    assert_eq!(kept(&storage)["openai"]["key"], "other");
}
