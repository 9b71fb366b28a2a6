//! Where keys come from, and that nobody prints them.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, Mutex, MutexGuard};

use pi_ai::SystemClock;
use pi_coding_agent::auth_storage::{AuthSource, AuthStatus, AuthStorage, Keyring};
use pi_coding_agent::config::Error;
use pi_coding_agent::env::Env;
use serde_json::{Value, json};

use crate::support::{NOW, auth};

async fn key(auth: &AuthStorage, provider: &str) -> Result<Option<String>, String> {
    let key = auth.api_key(provider).await.map_err(|error| error.to_string())?;
    Ok(key.map(|key| key.expose().to_owned()))
}

#[tokio::test]
async fn sources_have_an_order() {
    let env = [("OPENAI_API_KEY", "from-env"), ("GROQ_API_KEY", "groq-env"), ("NAME", "by-name")];
    let stored = json!({
        "openai": {"type": "api_key", "key": "stored"},
        "xai": {"type": "api_key", "key": "$NAME-$OWN", "env": {"OWN": "own"}},
        "groq": {"type": "api_key", "key": "$NOT_SET"},
        "mistral": {"type": "api_key", "key": "!echo printed"},
        "odd": {"type": "future"},
    });
    let auth = auth(stored, &env);
    auth.set_runtime_key("openai", "for-this-run");
    assert_eq!(key(&auth, "openai").await, Ok(Some("for-this-run".into())));
    auth.remove_runtime_key("openai");
    assert_eq!(key(&auth, "openai").await, Ok(Some("stored".into())));
    assert_eq!(key(&auth, "xai").await, Ok(Some("by-name-own".into())));
    assert_eq!(key(&auth, "mistral").await, Ok(Some("printed".into())));
    assert_eq!(key(&auth, "odd").await, Ok(None));
    assert_eq!(key(&auth, "nobody").await, Ok(None));
    auth.remove("groq").unwrap();
    assert_eq!(key(&auth, "groq").await, Ok(Some("groq-env".into())));
    assert_eq!(auth.provider_env("xai"), [("OWN".to_owned(), "own".to_owned())].into());
}

#[tokio::test]
async fn a_stored_key_that_does_not_resolve_gives_way_to_the_environment() {
    let stored = json!({
        "groq": {"type": "api_key", "key": "$NOT_SET"},
        "xai": {"type": "api_key", "key": "!exit 1"},
    });
    let auth = auth(stored, &[("GROQ_API_KEY", "groq-env")]);
    for _ in 0..2 {
        assert_eq!(key(&auth, "groq").await, Ok(Some("groq-env".into())));
    }
    let told: Vec<_> = auth.drain_problems().iter().map(Error::to_string).collect();
    let text = "Failed to resolve API key for provider \"groq\" from environment variable: NOT_SET; GROQ_API_KEY from the \
                environment is used instead. Correct or remove the entry in auth.json.";
    assert_eq!(told, [text], "once");
    let text = "Failed to resolve API key for provider \"xai\" from shell command: exit 1";
    assert_eq!(key(&auth, "xai").await, Err(text.into()), "nothing else to use");
}

/// A keyring in memory; locked ones refuse.
#[derive(Debug, Default)]
struct Drawer {
    secrets: Mutex<BTreeMap<String, String>>,
    locked: bool,
}

impl Drawer {
    fn open(&self) -> Result<MutexGuard<'_, BTreeMap<String, String>>, String> {
        if self.locked { Err("it is locked.".to_owned()) } else { Ok(self.secrets.lock().unwrap()) }
    }
}

impl Keyring for Drawer {
    fn get(&self, provider: &str) -> Result<Option<String>, String> {
        Ok(self.open()?.get(provider).cloned())
    }

    fn set(&self, provider: &str, secret: &str) -> Result<(), String> {
        self.open()?.insert(provider.to_owned(), secret.to_owned());
        Ok(())
    }

    fn delete(&self, provider: &str) -> Result<(), String> {
        self.open()?.remove(provider);
        Ok(())
    }
}

#[tokio::test]
async fn a_key_can_be_in_the_keyring() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("auth.json");
    let storage = |keyring: &Arc<Drawer>, env: &[(&str, &str)]| {
        let env = Env::fixed(env.iter().copied());
        AuthStorage::new(file.clone(), env, Arc::new(SystemClock)).with_keyring(keyring.clone())
    };
    let drawer = Arc::new(Drawer::default());
    let auth = storage(&drawer, &[]);
    auth.set_keyring_key("groq", "gsk-secret").await.unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("keyring") && !text.contains("gsk-secret"), "{text}");
    assert!(auth.has_auth("groq"));
    assert_eq!(key(&auth, "groq").await, Ok(Some("gsk-secret".into())));

    let locked = Arc::new(Drawer { locked: true, ..Drawer::default() });
    let text = "The key of provider \"groq\" is in the system keyring: it is locked.";
    assert_eq!(key(&storage(&locked, &[]), "groq").await, Err(text.into()));
    let with_env = storage(&locked, &[("GROQ_API_KEY", "from-env")]);
    assert_eq!(key(&with_env, "groq").await, Ok(Some("from-env".into())));
    assert_eq!(with_env.drain_problems().len(), 1);
    assert!(with_env.forget("groq").await.is_err());
    assert!(fs::read_to_string(&file).unwrap().contains("keyring"), "nothing was removed");

    auth.forget("groq").await.unwrap();
    assert!(drawer.secrets.lock().unwrap().is_empty());
    assert_eq!(key(&auth, "groq").await, Ok(None));
}

#[test]
fn the_status_names_the_source() {
    let stored = json!({"openai": {"type": "api_key", "key": "k"}});
    let auth = auth(stored, &[("OPENAI_API_KEY", "e"), ("ANTHROPIC_API_KEY", "e")]);
    auth.set_runtime_key("xai", "k");
    let status = |configured, source| AuthStatus { configured, source };
    assert_eq!(auth.auth_status("openai"), status(true, Some(AuthSource::Stored)));
    assert_eq!(auth.auth_status("xai"), status(false, Some(AuthSource::Runtime)));
    let variable = AuthSource::Environment("ANTHROPIC_API_KEY".into());
    assert_eq!(auth.auth_status("anthropic"), status(false, Some(variable)));
    assert_eq!(auth.auth_status("groq"), status(false, None));
}

#[test]
fn nothing_is_read_before_it_is_needed_and_the_file_is_private() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("agent/auth.json");
    let auth = AuthStorage::new(path.clone(), Env::fixed([("HOME", "/h")]), Arc::new(SystemClock));
    assert!(!path.exists());
    assert!(!auth.has_auth("openai"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "{}");
    auth.set_api_key("openai", "k").unwrap();
    let edited = fs::read_to_string(&path).unwrap().replacen('{', "{\"other\":{\"type\":\"x\"},", 1);
    fs::write(&path, edited).unwrap();
    auth.set_api_key("xai", "k2").unwrap();
    insta::assert_snapshot!(fs::read_to_string(&path).unwrap());
    assert_eq!(auth.providers(), ["other", "openai", "xai"], "what others wrote is kept");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
    }
    assert!(!path.with_extension("json.lock").exists());
}

#[tokio::test]
async fn a_broken_file_is_reported_once_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("auth.json");
    fs::write(&path, "{ oops").unwrap();
    let auth = AuthStorage::new(path.clone(), Env::fixed([("OPENAI_API_KEY", "e")]), Arc::new(SystemClock));
    assert_eq!(key(&auth, "openai").await, Ok(Some("e".into())));
    let problems = auth.drain_problems();
    assert!(problems[0].to_string().contains("line 1 column 3"), "{problems:?}");
    assert!(auth.drain_problems().is_empty());
    assert!(matches!(auth.set_api_key("openai", "k"), Err(Error::NotOverwritten { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), "{ oops");
    fs::write(&path, r#"{"openai":{"type":"api_key","key":"repaired"}}"#).unwrap();
    auth.reload();
    assert_eq!(key(&auth, "openai").await, Ok(Some("repaired".into())));
}

#[tokio::test]
async fn no_key_is_ever_printed() {
    let stored: Value = json!({
        "a": {"type": "api_key", "key": "sk-secret-1", "env": {"X": "sk-secret-2"}},
        "b": {"type": "oauth", "access": "sk-secret-3", "refresh": "sk-secret-4", "expires": NOW},
    });
    let auth = auth(stored, &[]);
    auth.set_runtime_key("c", "sk-secret-5");
    let key = auth.api_key("a").await.unwrap();
    let printed = format!("{auth:?} {key:?}");
    assert!(!printed.contains("sk-secret"), "{printed}");
}
