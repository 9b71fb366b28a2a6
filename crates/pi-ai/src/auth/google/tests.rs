//! Token flows from end to end: a token server and a Vertex endpoint on loopback, keys that are made for the test.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{KeyPair, RSA_PKCS1_2048_8192_SHA256, RsaKeyPair, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::clock::FixedClock;
use crate::context::Context;
use crate::message::StopReason;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::registry::ApiRegistry;
use crate::stream::AssistantMessageStream;
use crate::testing::{Ran, Reply, Server, run};
use crate::transport::ReqwestTransport;
use crate::transport::cassette::{Recorder, Replayer};

const ANSWER: &str =
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"hi\"}]},\"finishReason\":\"STOP\"}]}\n\n";
const HOUR: i64 = 3_600_000;

/// A home directory and credentials for calls.
struct Setup {
    home: TempDir,
    env: BTreeMap<String, String>,
    now: i64,
}

impl Setup {
    fn new() -> Self {
        let home = TempDir::new().unwrap();
        let path = home.path().display().to_string();
        let env = [
            ("HOME", path.as_str()),
            ("GOOGLE_APPLICATION_CREDENTIALS", ""),
            ("GOOGLE_CLOUD_API_KEY", ""),
            ("GOOGLE_CLOUD_PROJECT", "p"),
            ("GOOGLE_CLOUD_LOCATION", "global"),
            // Nobody listens there.
            ("GCE_METADATA_HOST", "127.0.0.1:1"),
        ];
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        Self { home, env, now: 1_700_000_000_000 }
    }

    /// This setup with a credentials file.
    fn with(mut self, credentials: &Value) -> Self {
        let path = self.write("credentials.json", &text(credentials));
        self.env.insert("GOOGLE_APPLICATION_CREDENTIALS".into(), path.display().to_string());
        self
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.home.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    fn options(&self) -> StreamOptions {
        let clock = Arc::new(FixedClock(self.now));
        StreamOptions { env: self.env.clone(), clock, ..StreamOptions::default() }
    }

    fn stream(&self, base_url: &str, options: StreamOptions) -> AssistantMessageStream {
        let text = str::to_owned;
        let model = Arc::new(Model {
            id: text("gemini"),
            api: text("google-vertex"),
            provider: text("google-vertex"),
            base_url: text(base_url),
            ..Model::default()
        });
        ApiRegistry::builtin().stream(model, Context::prompt("q"), options).unwrap()
    }

    async fn call(&self, vertex: &Server) -> Ran {
        run(self.stream(&vertex.url(), self.options())).await
    }

    /// The error of a call that must not reach Vertex.
    async fn refusal(&self) -> Ran {
        let vertex = Server::start([]).await;
        let ran = self.call(&vertex).await;
        assert_eq!(ran.message.stop_reason, StopReason::Error);
        assert!(vertex.requests().is_empty());
        ran
    }
}

/// The text of a credentials file, told apart from all others in this process by the blanks at its end.
///
/// Tokens are kept for the whole process, by this text. The port in it is not enough to tell tests apart: when a
/// server has ended, the system may give its port to another one.
fn text(credentials: &Value) -> String {
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    format!("{credentials}{:number$}", "")
}

fn token(value: &str) -> Reply {
    json_reply(200, &json!({"access_token": value, "expires_in": 3600, "token_type": "Bearer"}))
}

fn json_reply(status: u16, body: &Value) -> Reply {
    Reply::plain(status, "content-type: application/json\r\n", &body.to_string())
}

fn user(server: &Server) -> Value {
    json!({
        "type": "authorized_user", "client_id": "id-1", "client_secret": "client-secret-1", "refresh_token": "1//refresh",
        "quota_project_id": "payer", "token_uri": format!("{}/token", server.url()), "universe_domain": "googleapis.com",
    })
}

/// A service account with a new key, and the key's public half.
fn service_account(server: &Server) -> (Value, Vec<u8>) {
    let key = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
    let der: Pkcs8V1Der<'_> = key.as_der().unwrap();
    let body = STANDARD.encode(der.as_ref());
    // In pieces, so that no search for keys finds it.
    let pem = format!("-----BEGIN {kind}-----\n{body}\n-----END {kind}-----\n", kind = concat!("PRIVATE", " KEY"));
    let account = json!({
        "type": "service_account", "client_email": "robot@p.example", "private_key": pem, "private_key_id": "kid-1",
        "token_uri": format!("{}/token", server.url()),
    });
    (account, key.public_key().as_ref().to_vec())
}

fn form(body: &str) -> BTreeMap<String, String> {
    form_urlencoded::parse(body.as_bytes()).into_owned().collect()
}

fn decoded(part: &str) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

#[tokio::test]
async fn a_person_is_known_by_a_refresh_token() {
    let tokens = Server::start([token("token-one"), token("token-two")]).await;
    let vertex = Server::start([Reply::events(ANSWER), Reply::events(ANSWER), Reply::events(ANSWER)]).await;
    let mut setup = Setup::new().with(&user(&tokens));
    assert_eq!(setup.call(&vertex).await.message.text(), "hi");
    // The token is good for nearly an hour.
    setup.now += HOUR * 9 / 10;
    setup.call(&vertex).await;
    assert_eq!(tokens.requests().len(), 1);
    setup.now += HOUR / 20;
    setup.call(&vertex).await;

    let asked = tokens.requests();
    let fields = ["grant_type", "client_id", "client_secret", "refresh_token"];
    let values = ["refresh_token", "id-1", "client-secret-1", "1//refresh"];
    let expected = fields.into_iter().map(str::to_owned).zip(values.map(str::to_owned)).collect();
    assert_eq!(form(&asked[0].body), expected);
    assert_eq!(asked[0].header("content-type"), Some("application/x-www-form-urlencoded"));
    assert_eq!(asked.len(), 2);
    let sent = vertex.requests();
    let bearer: Vec<_> = sent.iter().map(|request| request.header("authorization").unwrap()).collect();
    assert_eq!(bearer, ["Bearer token-one", "Bearer token-one", "Bearer token-two"]);
    assert!(sent.iter().all(|request| request.header("x-goog-user-project") == Some("payer")));
    assert!(sent.iter().all(|request| request.header("x-goog-api-key").is_none()));
    let path = "POST /v1/publishers/google/models/gemini:streamGenerateContent?alt=sse HTTP/1.1";
    assert_eq!(sent[0].head.lines().next(), Some(path));
}

#[tokio::test]
async fn a_service_account_signs_a_statement() {
    let tokens = Server::start([token("robot-token")]).await;
    let vertex = Server::start([Reply::events(ANSWER)]).await;
    let (account, public_key) = service_account(&tokens);
    let setup = Setup::new().with(&account);
    assert_eq!(setup.call(&vertex).await.error(), "");
    assert_eq!(vertex.requests()[0].header("authorization"), Some("Bearer robot-token"));

    let asked = form(&tokens.requests()[0].body);
    assert_eq!(asked["grant_type"], "urn:ietf:params:oauth:grant-type:jwt-bearer");
    let (statement, signature) = asked["assertion"].rsplit_once('.').unwrap();
    let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, public_key);
    key.verify(statement.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap();
    let (header, claims) = statement.split_once('.').unwrap();
    assert_eq!(decoded(header), json!({"alg": "RS256", "typ": "JWT", "kid": "kid-1"}));
    let scope = "https://www.googleapis.com/auth/cloud-platform";
    let expected = json!({
        "iss": "robot@p.example", "scope": scope, "aud": format!("{}/token", tokens.url()), "iat": 1_700_000_000,
        "exp": 1_700_003_600,
    });
    assert_eq!(decoded(claims), expected);
}

#[tokio::test]
async fn credentials_of_the_gcloud_tool_are_found() {
    let tokens = Server::start([token("gcloud-token")]).await;
    let vertex = Server::start([Reply::events(ANSWER)]).await;
    let setup = Setup::new();
    setup.write(".config/gcloud/application_default_credentials.json", &text(&user(&tokens)));
    setup.call(&vertex).await;
    assert_eq!(vertex.requests()[0].header("authorization"), Some("Bearer gcloud-token"));
}

#[tokio::test]
async fn a_machine_asks_its_metadata_server() {
    let metadata = Server::start([token("machine-token")]).await;
    let vertex = Server::start([Reply::events(ANSWER)]).await;
    let mut setup = Setup::new();
    setup.env.insert("GCE_METADATA_HOST".into(), metadata.address().to_string());
    setup.call(&vertex).await;
    assert_eq!(vertex.requests()[0].header("authorization"), Some("Bearer machine-token"));
    let asked = &metadata.requests()[0];
    assert!(asked.head.starts_with("GET /computeMetadata/v1/instance/service-accounts/default/token?scopes="));
    assert_eq!(asked.header("metadata-flavor"), Some("Google"));
}

#[tokio::test]
async fn a_service_account_is_spoken_for() {
    let expires = "2023-11-14T23:13:20Z";
    let tokens = Server::start([token("person-token")]).await;
    let iam = Server::start([json_reply(200, &json!({"accessToken": "robot-token", "expireTime": expires}))]).await;
    let vertex = Server::start([Reply::events(ANSWER), Reply::events(ANSWER)]).await;
    let setup = Setup::new().with(&json!({
        "type": "impersonated_service_account", "source_credentials": user(&tokens), "delegates": ["d"],
        "service_account_impersonation_url": format!("{}/robot:generateAccessToken", iam.url()),
    }));
    setup.call(&vertex).await;
    setup.call(&vertex).await;
    let sent = vertex.requests();
    assert!(sent.iter().all(|request| request.header("authorization") == Some("Bearer robot-token")));
    let asked = iam.requests();
    assert_eq!((asked.len(), asked[0].header("authorization")), (1, Some("Bearer person-token")));
    let body: Value = serde_json::from_str(&asked[0].body).unwrap();
    let scope = "https://www.googleapis.com/auth/cloud-platform";
    assert_eq!(body, json!({"scope": [scope], "lifetime": "3600s", "delegates": ["d"]}));
}

#[tokio::test]
async fn a_foreign_identity_is_exchanged() {
    for from_url in [false, true] {
        let sts = Server::start([token("federated-token")]).await;
        let provider = Server::start([json_reply(200, &json!({"value": "subject-token"}))]).await;
        let vertex = Server::start([Reply::events(ANSWER)]).await;
        let setup = Setup::new();
        let source = if from_url {
            let format = json!({"type": "json", "subject_token_field_name": "value"});
            json!({"url": format!("{}/id", provider.url()), "headers": {"x-proof": "1"}, "format": format})
        } else {
            json!({"file": setup.write("subject", "subject-token\n")})
        };
        let setup = setup.with(&json!({
            "type": "external_account", "audience": "//iam/pool", "token_url": format!("{}/v1/token", sts.url()),
            "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "credential_source": source,
        }));
        assert_eq!(setup.call(&vertex).await.error(), "");
        assert_eq!(vertex.requests()[0].header("authorization"), Some("Bearer federated-token"));
        let asked = form(&sts.requests()[0].body);
        assert_eq!((asked["subject_token"].as_str(), asked["audience"].as_str()), ("subject-token", "//iam/pool"));
        assert_eq!(asked["grant_type"], "urn:ietf:params:oauth:grant-type:token-exchange");
        assert!(!from_url || provider.requests()[0].header("x-proof") == Some("1"));
    }
}

#[tokio::test]
async fn many_calls_at_once_fetch_one_token() {
    let tokens = Server::start([token("shared-token")]).await;
    let vertex = Server::start((0..8).map(|_| Reply::events(ANSWER))).await;
    let setup = Setup::new().with(&user(&tokens));
    let calls = futures::future::join_all((0..8).map(|_| setup.call(&vertex))).await;
    assert!(calls.iter().all(|ran| ran.message.text() == "hi"));
    assert_eq!(tokens.requests().len(), 1);
}

#[tokio::test]
async fn a_wait_for_a_token_can_be_cancelled() {
    let tokens = Server::start([Reply::silent().await_close(), token("late-token")]).await;
    let vertex = Server::start([Reply::events(ANSWER)]).await;
    let setup = Setup::new().with(&user(&tokens));
    let options = setup.options();
    let cancel = options.cancel.clone();
    let call = tokio::spawn(run(setup.stream(&vertex.url(), options)));
    tokens.received(1).await;
    cancel.cancel();
    assert_eq!(call.await.unwrap().message.stop_reason, StopReason::Aborted);
    tokio::time::timeout(Duration::from_secs(20), tokens.client_closed()).await.unwrap();
    // The next call is not held up by the one that was given up.
    assert_eq!(setup.call(&vertex).await.message.text(), "hi");
}

#[tokio::test]
async fn refused_credentials_are_not_shown() {
    let complaint =
        json!({"error": "invalid_grant", "error_description": "Token 1//refresh of client-secret-1 is gone."});
    let tokens = Server::start([json_reply(400, &complaint)]).await;
    let ran = Setup::new().with(&user(&tokens)).refusal().await;
    let host = tokens.address();
    let expected = format!(
        "Cannot authenticate with provider google-vertex: {host}/token answered 400: invalid_grant, Token REDACTED of \
         REDACTED is gone; `gcloud auth application-default login` renews the credentials."
    );
    assert_eq!(ran.error().replace("http://", ""), expected);
    assert!(ran.cause.unwrap().is_auth());
}

#[tokio::test]
async fn a_fetched_token_is_not_shown() {
    let tokens = Server::start([token("very-secret-token")]).await;
    let complaint = json!({"error": {"code": 401, "message": "bad very-secret-token"}});
    let vertex = Server::start([json_reply(401, &complaint)]).await;
    let ran = Setup::new().with(&user(&tokens)).call(&vertex).await;
    assert_eq!(ran.error(), r#"{"error":{"code":401,"message":"bad REDACTED"}}"#);
}

#[tokio::test]
async fn a_cassette_holds_no_token_request() {
    let tokens = Server::start([token("very-secret-token")]).await;
    let vertex = Server::start([Reply::events(ANSWER)]).await;
    let setup = Setup::new().with(&user(&tokens));
    let path = setup.home.path().join("call.jsonl");
    let recorder = Recorder::open(&path, ReqwestTransport::shared()).unwrap();
    let options = StreamOptions { http: Some(Arc::new(recorder)), ..setup.options() };
    assert_eq!(run(setup.stream(&vertex.url(), options)).await.message.text(), "hi");
    let cassette = std::fs::read_to_string(path).unwrap();
    assert_eq!(cassette.lines().count(), 1);
    assert!(cassette.contains("streamGenerateContent") && !cassette.contains("secret"), "{cassette}");
    assert_eq!(Replayer::parse(&cassette, "call").unwrap().first_model(), Some("gemini"));
}

#[tokio::test]
async fn a_token_server_in_trouble_may_be_asked_again() {
    let tokens = Server::start([json_reply(503, &json!({"error": {"message": "later"}})), token("second-token")]).await;
    let setup = Setup::new().with(&user(&tokens));
    let ran = setup.refusal().await;
    assert!(ran.error().ends_with("/token answered 503: later"), "{}", ran.error());
    assert!(ran.cause.unwrap().is_retryable());
    let vertex = Server::start([Reply::events(ANSWER)]).await;
    assert_eq!(setup.call(&vertex).await.message.text(), "hi");
}

#[tokio::test]
async fn answers_without_a_token_are_refused() {
    for answer in [json!({}), json!({"access_token": ""}), json!("text")] {
        let tokens = Server::start([json_reply(200, &answer)]).await;
        let ran = Setup::new().with(&user(&tokens)).refusal().await;
        assert!(ran.error().contains("the token server sent no token"), "{}", ran.error());
    }
    let tokens = Server::start([Reply::plain(200, "", "<html>")]).await;
    let ran = Setup::new().with(&user(&tokens)).refusal().await;
    assert!(ran.error().contains("/token answered with something that is not JSON"), "{}", ran.error());
}

#[tokio::test]
async fn what_is_wrong_with_credentials_is_said() {
    let tokens = Server::start([]).await;
    let (mut account, _) = service_account(&tokens);
    account["private_key"] = "no key, but secret".into();
    for (credentials, expected) in [
        (json!({"type": "gdch_service_account", "private_key": "no key, but secret"}), "type gdch_service_account"),
        (
            json!({"type": "authorized_user", "client_id": "no key, but secret"}),
            "of type authorized_user is incomplete",
        ),
        (json!(["no key, but secret"]), "of type (none) is incomplete"),
        (account, "service account robot@p.example: its private_key is not a PEM key"),
        (
            json!({
                "type": "external_account", "audience": "a", "subject_token_type": "t", "token_url": "u",
                "credential_source": {"executable": {"command": "no key, but secret"}},
            }),
            "external accounts are supported with a token from a file or a URL only",
        ),
    ] {
        let ran = Setup::new().with(&credentials).refusal().await;
        assert!(ran.error().contains(expected) && !ran.error().contains("secret"), "{}", ran.error());
        assert!(ran.cause.unwrap().is_auth());
    }
    let mut setup = Setup::new();
    let path = setup.write("bad.json", "{\"private_key\": secret").display().to_string();
    setup.env.insert("GOOGLE_APPLICATION_CREDENTIALS".into(), path.clone());
    let ran = setup.refusal().await;
    let expected = format!("the credentials file {path} is not JSON (line 1, column 17)");
    assert!(ran.error().contains(&expected), "{}", ran.error());
    setup.env.insert("GOOGLE_APPLICATION_CREDENTIALS".into(), "/does/not/exist.json".into());
    let ran = setup.refusal().await;
    assert!(ran.error().contains("the credentials file /does/not/exist.json cannot be read"), "{}", ran.error());
}

#[tokio::test]
async fn without_any_credentials_the_ways_out_are_named() {
    let ran = Setup::new().refusal().await;
    for way in ["GOOGLE_CLOUD_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "gcloud auth application-default login"] {
        assert!(ran.error().contains(way), "{}", ran.error());
    }
    assert!(ran.cause.unwrap().is_auth());
}
