//! Logins with a subscription: renewed once, kept whatever happens, and never printed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::auth::oauth::{
    AnthropicOAuth, AuthPage, DeviceCode, OAuthCallbacks, OAuthContext, OAuthRegistry, SelectPrompt, TextPrompt,
};
use pi_ai::{Clock, SystemClock};
use pi_coding_agent::auth_storage::AuthStorage;
use pi_coding_agent::config::Error;
use pi_coding_agent::env::Env;
use pi_coding_agent::models::ModelRegistry;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::support::{NOW, auth, clock, model, names, registry};
use crate::token_server::TokenServer;

const FIRST: &str = "refresh-secret-0";

/// A directory with an `auth.json`, and a server that renews what is in it.
struct Stage {
    dir: TempDir,
    server: TokenServer,
}

impl Stage {
    /// The login of `anthropic` expires at that time.
    fn new(expires: i64) -> Self {
        let stage = Self { dir: tempfile::tempdir().unwrap(), server: TokenServer::start(FIRST) };
        stage.write(&json!({
            "other": {"type": "future", "field": [1, 2]},
            "anthropic": {"type": "oauth", "refresh": FIRST, "access": "access-secret-0", "expires": expires, "mail": "me"},
            "openai": {"type": "api_key", "key": "key-secret"},
        }));
        stage
    }

    fn file(&self) -> PathBuf {
        self.dir.path().join("auth.json")
    }

    fn write(&self, value: &Value) {
        fs::write(self.file(), value.to_string()).unwrap();
    }

    fn read(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.file()).unwrap()).unwrap()
    }

    /// A storage as one process has it.
    fn storage(&self) -> AuthStorage {
        storage(self.file(), &self.server.url(), clock())
    }
}

fn storage(file: PathBuf, token_url: &str, clock: Arc<dyn Clock>) -> AuthStorage {
    let providers = OAuthRegistry::default();
    providers.register(Arc::new(AnthropicOAuth::builder().token_url(token_url).callback_port(0u16).build()));
    let env = Env::fixed([("ANTHROPIC_API_KEY", "from-env")]);
    AuthStorage::new(file, env, clock).with_oauth(Arc::new(providers), OAuthContext::default())
}

async fn key(auth: &AuthStorage) -> Result<Option<String>, String> {
    let key = auth.api_key("anthropic").await.map_err(|error| error.to_string())?;
    Ok(key.map(|key| key.expose().to_owned()))
}

fn is_locked(dir: &Path) -> bool {
    dir.join("auth.json.lock").exists()
}

#[tokio::test]
async fn a_login_is_used_as_it_is_until_it_expires() {
    let stage = Stage::new(NOW + 1);
    let auth = stage.storage();
    assert_eq!(key(&auth).await, Ok(Some("access-secret-0".into())));
    assert!(auth.is_oauth("anthropic") && auth.has_auth("anthropic") && !auth.is_oauth("openai"));
    assert!(stage.server.requests().is_empty());
    stage.write(&json!({"unheard-of": {"type": "oauth", "access": "a", "refresh": "r", "expires": NOW + 1}}));
    auth.reload();
    assert!(auth.api_key("unheard-of").await.unwrap().is_none() && auth.has_auth("unheard-of"));
}

#[tokio::test]
async fn many_tasks_renew_once_and_nothing_else_changes() {
    let stage = Stage::new(NOW);
    let auth = stage.storage();
    let keys = futures::future::join_all((0..20).map(|_| key(&auth))).await;
    assert!(keys.iter().all(|key| *key == Ok(Some("access-secret-1".into()))), "{keys:?}");
    assert_eq!(stage.server.requests().len(), 1);
    insta::assert_snapshot!("renewed_file", fs::read_to_string(stage.file()).unwrap());
    assert!(!is_locked(stage.dir.path()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(stage.file()).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

/// This test is also the program of the processes that it starts.
#[tokio::test]
async fn many_processes_renew_once() {
    const FILE: &str = "PI_TEST_AUTH_FILE";
    const URL: &str = "PI_TEST_TOKEN_URL";
    if let (Ok(file), Ok(url)) = (std::env::var(FILE), std::env::var(URL)) {
        let key = key(&storage(file.into(), &url, Arc::new(SystemClock))).await.unwrap();
        assert_eq!(key.as_deref(), Some("access-secret-1"));
        return;
    }
    let stage = Stage::new(0);
    // Long enough for all of them to want it.
    stage.server.on_request(|_| std::thread::sleep(Duration::from_millis(500)));
    let start = |_| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["logins::many_processes_renew_once", "--exact"]).stdout(Stdio::piped());
        command.env(FILE, stage.file()).env(URL, stage.server.url()).spawn().unwrap()
    };
    let children: Vec<_> = (0..4).map(start).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
    }
    assert_eq!(stage.server.requests().len(), 1);
    assert_eq!(stage.read()["anthropic"]["refresh"], "refresh-secret-1");
    assert!(!is_locked(stage.dir.path()));
}

#[tokio::test]
async fn a_renewal_that_fails_changes_nothing_and_says_what_to_do() {
    let stage = Stage::new(NOW);
    stage.server.accept("something-else");
    let before = fs::read(stage.file()).unwrap();
    let auth = stage.storage();
    let error = auth.api_key("anthropic").await.unwrap_err();
    assert!(matches!(&error, Error::OAuthRefresh { provider, .. } if provider == "anthropic"));
    let text = error.to_string().replace(&stage.server.url(), "URL");
    insta::assert_snapshot!(text, @"Authentication failed for \"anthropic\". Credentials may have expired or network is unavailable. Run '/login anthropic' to re-authenticate. (Anthropic token refresh request failed. url=URL; details=HTTP 400: invalid_grant: refresh token REDACTED is not valid)");
    assert!(!pi_ai::is_retryable_text(&text), "a retry mends nothing");
    assert!(!format!("{error:?} {auth:?}").contains("secret"));
    assert_eq!(fs::read(stage.file()).unwrap(), before);
    assert!(!is_locked(stage.dir.path()));
    // The next call tries again.
    stage.server.accept(FIRST);
    assert_eq!(key(&auth).await, Ok(Some("access-secret-2".into())));
}

#[tokio::test]
async fn an_unreachable_provider_is_worth_a_retry() {
    let stage = Stage::new(NOW);
    let closed = format!("http://{}", std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let error = key(&storage(stage.file(), &closed, clock())).await.unwrap_err();
    assert!(error.contains("Connection error.") && pi_ai::is_retryable_text(&error), "{error}");
    assert_eq!(stage.read()["anthropic"]["refresh"], FIRST);
}

#[tokio::test]
async fn what_others_did_meanwhile_counts() {
    let login = |access: &str, expires: i64| {
        let entry = json!({"type": "oauth", "refresh": "theirs", "access": access, "expires": expires});
        json!({"anthropic": entry})
    };
    // Another process has renewed it.
    let stage = Stage::new(NOW);
    let auth = stage.storage();
    assert!(auth.has_auth("anthropic"));
    stage.write(&login("fresh", NOW + 1));
    assert_eq!(key(&auth).await, Ok(Some("fresh".into())));
    // Somebody has logged out.
    let stage = Stage::new(NOW);
    let auth = stage.storage();
    assert!(auth.is_oauth("anthropic"));
    stage.write(&json!({}));
    assert_eq!(key(&auth).await, Ok(Some("from-env".into())));
    assert!(stage.server.requests().is_empty());
    // Somebody logs in again while the renewal is under way.
    let stage = Stage::new(NOW);
    let (file, theirs) = (stage.file(), login("newer", NOW + 1).to_string());
    stage.server.on_request(move |_| fs::write(&file, &theirs).unwrap());
    assert_eq!(key(&stage.storage()).await, Ok(Some("newer".into())));
    assert_eq!(stage.read(), login("newer", NOW + 1));
    // … and the renewal fails for that reason.
    let stage = Stage::new(NOW);
    let (file, theirs) = (stage.file(), login("newer", NOW + 1).to_string());
    stage.server.accept("theirs");
    stage.server.on_request(move |_| fs::write(&file, &theirs).unwrap());
    assert_eq!(key(&stage.storage()).await, Ok(Some("newer".into())));
    // Somebody logs out while the renewal is under way.
    let stage = Stage::new(NOW);
    let file = stage.file();
    stage.server.on_request(move |_| fs::write(&file, "{}").unwrap());
    assert_eq!(key(&stage.storage()).await, Ok(Some("access-secret-1".into())));
    assert_eq!(stage.read(), json!({}));
}

#[tokio::test]
async fn a_renewal_goes_on_without_the_caller() {
    let stage = Stage::new(NOW);
    stage.server.on_request(|_| std::thread::sleep(Duration::from_millis(200)));
    let auth = stage.storage();
    let caller = tokio::time::timeout(Duration::from_millis(50), auth.api_key("anthropic")).await;
    assert!(caller.is_err());
    auth.settle(Duration::from_secs(30)).await;
    assert_eq!(stage.read()["anthropic"]["refresh"], "refresh-secret-1");
    assert_eq!(key(&auth).await, Ok(Some("access-secret-1".into())));
    assert_eq!(stage.server.requests().len(), 1);
}

#[tokio::test]
async fn a_renewal_that_cannot_be_written_is_kept_for_the_run() {
    let stage = Stage::new(NOW);
    let file = stage.file();
    stage.server.on_request(move |_| fs::write(&file, "{ oops").unwrap());
    let auth = stage.storage();
    assert_eq!(key(&auth).await, Ok(Some("access-secret-1".into())));
    assert_eq!(fs::read_to_string(stage.file()).unwrap(), "{ oops", "not made worse");
    let problems: Vec<_> = auth.drain_problems().iter().map(Error::to_string).collect();
    assert!(problems.iter().any(|problem| problem.contains("is not saved")), "{problems:?}");
    assert_eq!(key(&auth).await, Ok(Some("access-secret-1".into())));
    assert_eq!(stage.server.requests().len(), 1);
}

#[tokio::test]
async fn a_file_that_cannot_be_written_is_not_renewed() {
    let stage = Stage::new(NOW);
    let auth = stage.storage();
    assert!(auth.is_oauth("anthropic"));
    fs::write(stage.file(), "{ oops").unwrap();
    assert!(matches!(auth.api_key("anthropic").await, Err(Error::NotOverwritten { .. })));
    assert!(stage.server.requests().is_empty(), "the refresh token is still good");
}

#[tokio::test]
async fn a_renewal_waits_for_who_changes_the_file() {
    let stage = Stage::new(NOW);
    let lock = stage.dir.path().join("auth.json.lock");
    fs::create_dir(&lock).unwrap();
    let auth = stage.storage();
    let release = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(stage.server.requests().is_empty());
        fs::remove_dir(&lock).unwrap();
    };
    let (key, ()) = tokio::join!(key(&auth), release);
    assert_eq!(key, Ok(Some("access-secret-1".into())));
}

#[cfg(unix)]
#[tokio::test]
async fn links_stay_links() {
    let stage = Stage::new(NOW);
    let elsewhere = tempfile::tempdir().unwrap();
    // The directory is a link …
    let dir = elsewhere.path().join("agent");
    std::os::unix::fs::symlink(stage.dir.path(), &dir).unwrap();
    let auth = storage(dir.join("auth.json"), &stage.server.url(), clock());
    assert_eq!(key(&auth).await, Ok(Some("access-secret-1".into())));
    assert!(auth.drain_problems().is_empty());
    assert_eq!(stage.read()["anthropic"]["access"], "access-secret-1");
    // … or the file is.
    let stage = Stage::new(NOW);
    let file = elsewhere.path().join("auth.json");
    std::os::unix::fs::symlink(stage.file(), &file).unwrap();
    let auth = storage(file.clone(), &stage.server.url(), clock());
    assert_eq!(key(&auth).await, Ok(Some("access-secret-1".into())));
    assert!(auth.drain_problems().is_empty() && fs::symlink_metadata(&file).unwrap().is_symlink());
    assert_eq!(stage.read()["anthropic"]["access"], "access-secret-1");
    assert!(!is_locked(stage.dir.path()) && !is_locked(elsewhere.path()));
}

#[tokio::test]
async fn logins_in_memory_are_renewed_as_well() {
    let server = TokenServer::start(FIRST);
    let stored = json!({"anthropic": {"type": "oauth", "refresh": FIRST, "access": "old", "expires": 0}});
    let Value::Object(stored) = stored else { panic!("an object") };
    let providers = OAuthRegistry::default();
    providers.register(Arc::new(AnthropicOAuth::builder().token_url(server.url()).build()));
    let auth = AuthStorage::in_memory(stored, Env::fixed([("A", "b")]), pi_ai::system_clock());
    let auth = auth.with_oauth(Arc::new(providers), OAuthContext::default());
    assert_eq!(key(&auth).await, Ok(Some("access-secret-1".into())));
    assert_eq!(auth.oauth_login("anthropic").unwrap().refresh, "refresh-secret-1");
}

/// A user who pastes this code.
struct Pastes(&'static str);

impl OAuthCallbacks for Pastes {
    fn on_auth(&self, _: AuthPage) {}

    fn on_device_code(&self, _: DeviceCode) {}

    fn on_prompt(&self, _: TextPrompt) -> BoxFuture<'_, Result<String, pi_ai::Error>> {
        async { Err(pi_ai::Error::Login(pi_ai::LoginError::Cancelled)) }.boxed()
    }

    fn on_select(&self, _: SelectPrompt) -> BoxFuture<'_, Result<Option<String>, pi_ai::Error>> {
        async { Ok(None) }.boxed()
    }

    fn on_manual_code_input(&self) -> Option<BoxFuture<'_, Result<String, pi_ai::Error>>> {
        Some(async { Ok(self.0.to_owned()) }.boxed())
    }
}

#[tokio::test]
async fn users_log_in_and_out() {
    let stage = Stage::new(NOW);
    stage.server.accept("pasted-code");
    let auth = stage.storage();
    let login = async |provider: &str, code| auth.login(provider, &Pastes(code), &CancellationToken::new()).await;
    let error = login("nobody", "x").await.unwrap_err();
    assert_eq!(error.to_string(), "Unknown OAuth provider: nobody");
    let before = fs::read(stage.file()).unwrap();
    let error = login("anthropic", "wrong").await.unwrap_err();
    assert!(error.to_string().starts_with("Token exchange request failed."), "{error}");
    assert_eq!(login("openai-codex", "x").await.unwrap_err().to_string(), "Login cancelled");
    assert_eq!(fs::read(stage.file()).unwrap(), before);
    login("anthropic", "pasted-code").await.unwrap();
    let expected = json!({"type": "oauth", "refresh": "refresh-secret-2", "access": "access-secret-2", "expires": NOW + 3_300_000});
    assert_eq!(stage.read()["anthropic"], expected);
    assert_eq!(key(&auth).await, Ok(Some("access-secret-2".into())));
    auth.logout("anthropic").unwrap();
    assert_eq!(
        stage.read(),
        json!({"other": {"type": "future", "field": [1, 2]}, "openai": {"type": "api_key", "key": "key-secret"}})
    );
    assert_eq!(key(&auth).await, Ok(Some("from-env".into())));
    fs::write(stage.file(), "{ oops").unwrap();
    auth.reload();
    assert!(matches!(login("anthropic", "x").await, Err(Error::NotOverwritten { .. })));
    let ids: Vec<_> = auth.oauth_providers().list().iter().map(|provider| provider.id().to_owned()).collect();
    assert_eq!(ids, ["anthropic", "github-copilot", "openai-codex", "kimi-coding", "openrouter", "xai"]);
}

#[tokio::test]
async fn a_login_counts_as_a_key_and_gives_way_to_models_json_when_it_fails() {
    let stage = Stage::new(NOW);
    stage.server.accept("something-else");
    let models = stage.dir.path().join("models.json");
    fs::write(&models, r#"{"providers": {"anthropic": {"apiKey": "from-models", "headers": {"x": "y"}}}}"#).unwrap();
    let auth = Arc::new(stage.storage());
    let claude = model("anthropic", "claude");
    let plain = ModelRegistry::new(Arc::clone(&auth), Arc::new(vec![Arc::clone(&claude)]), None);
    assert_eq!(names(&plain.available()), ["anthropic/claude"]);
    assert!(matches!(plain.request_auth(&claude).await, Err(Error::OAuthRefresh { .. })));
    let configured = ModelRegistry::new(auth, Arc::new(vec![Arc::clone(&claude)]), Some(models));
    let found = configured.request_auth(&claude).await.unwrap();
    assert_eq!(found.api_key.as_deref(), Some("from-models"));
}

#[test]
fn copilot_models_are_those_of_the_account() {
    let login = |ids: Value| json!({"type": "oauth", "access": "t;proxy-ep=proxy.biz.example;", "expires": 0, "availableModelIds": ids});
    let auth = auth(json!({"github-copilot": login(json!(["a"]))}), &[]);
    let registry = registry(&[("github-copilot", "a"), ("github-copilot", "b"), ("openai", "o")], Arc::clone(&auth));
    assert_eq!(names(&registry.all()), ["github-copilot/a", "openai/o"]);
    assert_eq!(names(&registry.available()), ["github-copilot/a"]);
    let found = registry.find("github-copilot", "a").unwrap();
    assert_eq!(found.base_url, "https://api.biz.example");
    assert!(registry.find("github-copilot", "b").is_none());
    let listed = registry.models_of("github-copilot");
    assert_eq!(listed, [found]);
    assert!(Arc::ptr_eq(&listed[0], &registry.models_of("github-copilot")[0]), "worked out once");
    assert_eq!(registry.display_name("github-copilot"), "GitHub Copilot");
    auth.logout("github-copilot").unwrap();
    assert_eq!(names(&registry.models_of("github-copilot")), ["github-copilot/a", "github-copilot/b"]);
    assert_eq!(registry.find("github-copilot", "a").unwrap().base_url, "https://github-copilot.example");
}
