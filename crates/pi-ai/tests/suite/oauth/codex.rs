//! ChatGPT Plus and Pro: browser and device logins, the account in the token.

use pi_ai::Error;
use pi_ai::auth::oauth::{OAuthContext, OAuthCredentials, OAuthProvider, OpenAiCodexOAuth};
use serde_json::{Value, json};

use crate::oauth::support::{AuthServer, Browser, NOW, STATE, User, context};

const TOKEN: &str = "/oauth/token";
const START: &str = "/api/accounts/deviceauth/usercode";
const POLL: &str = "/api/accounts/deviceauth/token";

fn provider(server: &AuthServer) -> OpenAiCodexOAuth {
    OpenAiCodexOAuth::builder().auth_url(server.url("")).callback_port(0u16).build()
}

fn outline(server: &AuthServer) -> String {
    let text = server.outline();
    let pattern = regex::Regex::new(r"localhost(:|%3A)\d+").unwrap();
    let text = pattern.replace_all(&text, "localhost${1}PORT").into_owned();
    regex::Regex::new(r"127\.0\.0\.1(:|%3A)\d+").unwrap().replace_all(&text, "SERVER").into_owned()
}

#[tokio::test]
async fn a_login_by_way_of_the_browser() {
    let server = AuthServer::start().await;
    let user = User::with(Browser::Agrees).choosing("browser");
    let credentials = provider(&server).login(&user, &context()).await.unwrap();
    assert_eq!(credentials.expires, NOW + 3_600_000, "no margin");
    assert_eq!(Value::Object(credentials.extra.clone()), json!({"accountId": "acc-7"}));
    assert!(user.page().contains(&format!("state={STATE}&id_token_add_organizations=true")), "{}", user.page());
    insta::assert_snapshot!("codex_browser", outline(&server));
    insta::assert_snapshot!(user.log().lines().next().unwrap(), @"Select OpenAI Codex login method: browser = Browser login (default), device_code = Device code login (headless)");
    let renewed = provider(&server).refresh_token(&credentials, &context()).await.unwrap();
    assert_eq!((renewed.refresh.as_str(), &renewed.extra), ("refresh-secret-3", &credentials.extra));
    let body = &server.requests_for(TOKEN)[1].body;
    insta::assert_snapshot!(body, @"grant_type=refresh_token&refresh_token=refresh-secret-2&client_id=app_EMoamEEZ73f0CkXaXp7hrann");
}

#[tokio::test]
async fn a_login_by_way_of_another_device() {
    let server = AuthServer::start().await;
    server.answer(POLL, 403, json!({"error": {"code": "deviceauth_authorization_pending"}}));
    let user = User::with(Browser::Closed).choosing("device_code");
    let credentials = provider(&server).login(&user, &context()).await.unwrap();
    assert_eq!(credentials.extra["accountId"], "acc-7");
    insta::assert_snapshot!("codex_device", outline(&server));
    assert!(user.log().contains("ABCD-1234") && user.log().contains("/codex/device"), "{}", user.log());
}

#[tokio::test]
async fn no_choice_is_a_cancellation() {
    let server = AuthServer::start().await;
    let error = provider(&server).login(&User::with(Browser::Closed), &context()).await.unwrap_err();
    assert_eq!(error.to_string(), "Login cancelled");
    assert!(server.requests().is_empty());
}

/// A device login whose polls are answered so, with stopped time. Returns how many seconds it took.
async fn device(answers: &[(u16, Value)]) -> (Result<OAuthCredentials, Error>, u64, usize) {
    let server = AuthServer::start().await;
    for (status, body) in answers {
        server.answer(POLL, *status, body.clone());
    }
    let context = OAuthContext { http: Some(server.in_process()), ..context() };
    let begin = tokio::time::Instant::now();
    let user = User::with(Browser::Closed).choosing("device_code");
    let result = provider(&server).login(&user, &context).await;
    (result, begin.elapsed().as_secs(), server.requests_for(POLL).len())
}

#[tokio::test(start_paused = true)]
async fn patience_is_what_the_server_asks_for() {
    let pending = json!({"error": {"code": "deviceauth_authorization_pending"}});
    let (result, seconds, polls) =
        device(&[(400, pending), (404, json!({})), (429, json!({"error": "slow_down"})), (503, json!(null))]).await;
    assert_eq!(result.unwrap().extra["accountId"], "acc-7");
    assert_eq!((seconds, polls), (1 + 1 + 6 + 6, 5));
}

#[tokio::test(start_paused = true)]
async fn a_refusal_ends_the_login() {
    let (result, _, polls) = device(&[(400, json!({"error": "access_denied", "error_description": "no"}))]).await;
    assert_eq!((result.unwrap_err().to_string().as_str(), polls), ("Device flow failed: access_denied: no", 1));
    let (result, ..) = device(&[(400, json!({"error": {"code": "expired_token", "message": "too late"}}))]).await;
    assert_eq!(result.unwrap_err().to_string(), "Device flow failed: expired_token: too late");
}

#[tokio::test(start_paused = true)]
async fn a_code_that_nobody_types_in_runs_out() {
    let pending = vec![(403, json!({})); 1000];
    let (result, seconds, polls) = device(&pending).await;
    assert_eq!((result.unwrap_err().to_string().as_str(), seconds, polls), ("Device flow timed out", 900, 900));
    let (result, seconds, _) = device(&[vec![(403, json!({"error": "slow_down"}))], pending].concat()).await;
    assert!(result.unwrap_err().to_string().starts_with("Device flow timed out after one or more slow_down responses"));
    assert_eq!(seconds, 900);
}

#[tokio::test]
async fn a_device_login_that_cannot_begin_says_why() {
    let server = AuthServer::start().await;
    server.answer(START, 404, json!({"detail": "not enabled"}));
    server.answer(START, 200, json!({"user_code": "x"}));
    let user = User::with(Browser::Closed).choosing("device_code");
    let mut errors = Vec::new();
    for _ in 0..2 {
        errors.push(provider(&server).login(&user, &context()).await.unwrap_err().to_string());
    }
    insta::assert_snapshot!(errors.join("\n"), @r"
    OpenAI Codex device code request failed. details=HTTP 404: not enabled
    OpenAI Codex device code request failed. details=the answer has no device_auth_id
    ");
}

#[tokio::test]
async fn a_token_without_an_account_is_no_login_but_does_not_end_an_old_one() {
    let server = AuthServer::start().await;
    let opaque = json!({"access_token": "opaque-secret", "refresh_token": "refresh-secret-9", "expires_in": 60});
    server.answer(TOKEN, 200, opaque.clone());
    let user = User::with(Browser::Agrees).choosing("browser");
    let error = provider(&server).login(&user, &context()).await.unwrap_err();
    assert!(error.to_string().starts_with("Failed to extract accountId from token"), "{error}");
    let extra = json!({"accountId": "acc-1"}).as_object().unwrap().clone();
    let old = OAuthCredentials { refresh: "r-secret-1".into(), extra, ..OAuthCredentials::default() };
    server.answer(TOKEN, 200, opaque);
    let renewed = provider(&server).refresh_token(&old, &context()).await.unwrap();
    assert_eq!((renewed.refresh.as_str(), &renewed.extra["accountId"]), ("refresh-secret-9", &json!("acc-1")));
}
