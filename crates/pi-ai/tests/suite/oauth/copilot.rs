//! GitHub Copilot: device login, enterprise domains, Copilot tokens, the account's models.

use std::sync::Arc;

use pi_ai::auth::oauth::{GitHubCopilotOAuth, OAuthContext, OAuthCredentials, OAuthProvider};
use pi_ai::{Error, Model};
use serde_json::{Value, json};

use crate::oauth::support::{AuthServer, Browser, CopilotPaths, User, context};

const POLL: &str = "/github/github.com/login/oauth/access_token";
const START: &str = "/github/github.com/login/device/code";
const COPILOT_TOKEN: &str = "/api/github.com/copilot_internal/v2/token";

fn provider(server: &AuthServer) -> GitHubCopilotOAuth {
    GitHubCopilotOAuth::builder()
        .github_url(server.url(CopilotPaths::GITHUB))
        .api_url(server.url(CopilotPaths::API))
        .copilot_url(Some(server.url(CopilotPaths::COPILOT)))
        .models(Some(vec!["gpt-5".to_owned()]))
        .build()
}

/// A user whose account is at this domain.
fn user(domain: &'static str) -> User {
    User::with(Browser::Closed).answering(move |_| async move { Ok(domain.to_owned()) })
}

#[tokio::test]
async fn a_login_at_github() {
    let server = AuthServer::start().await;
    server.answer(POLL, 200, json!({"error": "authorization_pending"}));
    server.answer("/copilot/models/gpt-5/policy", 500, json!({"message": "failures are ignored"}));
    let user = user("");
    let credentials = provider(&server).login(&user, &context()).await.unwrap();
    let expected = json!({
        "refresh": "gho_secret_github", "access": "tid=secret;x=1", "expires": 1_800_000_000_000_i64 - 300_000,
        "availableModelIds": ["gpt-5"],
    });
    assert_eq!(serde_json::to_value(&credentials).unwrap(), expected);
    insta::assert_snapshot!("copilot_requests", server.outline());
    insta::assert_snapshot!("copilot_log", user.log());
}

#[tokio::test]
async fn a_login_at_an_enterprise() {
    let server = AuthServer::start().await;
    let credentials = provider(&server).login(&user("https://company.ghe.com/x"), &context()).await.unwrap();
    assert_eq!(credentials.extra["enterpriseUrl"], "company.ghe.com");
    let renewed = provider(&server).refresh_token(&credentials, &context()).await.unwrap();
    assert_eq!(renewed, credentials);
    let paths: Vec<_> = server.requests().iter().map(|request| request.path.clone()).collect();
    insta::assert_snapshot!(paths.join("\n"), @r"
    /github/company.ghe.com/login/device/code
    /github/company.ghe.com/login/oauth/access_token
    /api/company.ghe.com/copilot_internal/v2/token
    /copilot/models/gpt-5/policy
    /copilot/models
    /api/company.ghe.com/copilot_internal/v2/token
    /copilot/models
    ");
}

#[tokio::test]
async fn what_users_and_servers_must_not_say() {
    let server = AuthServer::start().await;
    let failure = async |domain| provider(&server).login(&user(domain), &context()).await.unwrap_err().to_string();
    assert_eq!(failure("not a domain").await, "Invalid GitHub Enterprise URL/domain");
    assert!(server.requests().is_empty());
    for uri in ["javascript:alert(1)", "file:///etc/passwd", "not a url"] {
        let codes = json!({"device_code": "d", "user_code": "u", "verification_uri": uri});
        server.answer(START, 200, codes);
        assert_eq!(failure("").await, "Untrusted verification_uri in device code response");
    }
    server.answer(START, 200, json!({"user_code": "u"}));
    assert_eq!(failure("").await, "GitHub device code request failed. details=the answer has no device_code");
    server.answer(COPILOT_TOKEN, 403, json!({"message": "no subscription for gho_secret_github"}));
    let error = failure("").await.replace(&server.url(""), "SERVER");
    insta::assert_snapshot!(error, @"GitHub Copilot token request failed. url=SERVER/api/github.com/copilot_internal/v2/token; details=HTTP 403: no subscription for REDACTED");
}

/// A login whose polls are answered so, with stopped time, and how many seconds it took.
async fn device(answers: &[Value]) -> (Result<OAuthCredentials, Error>, u64) {
    let server = AuthServer::start().await;
    for body in answers {
        server.answer(POLL, 200, body.clone());
    }
    let context = OAuthContext { http: Some(server.in_process()), ..context() };
    let begin = tokio::time::Instant::now();
    let result = provider(&server).login(&user(""), &context).await;
    (result, begin.elapsed().as_secs())
}

#[tokio::test(start_paused = true)]
async fn patience_is_what_the_server_asks_for() {
    let pending = json!({"error": "authorization_pending"});
    let (result, seconds) = device(&[pending.clone(), json!({"error": "slow_down", "interval": 60}), pending]).await;
    result.unwrap();
    assert_eq!(seconds, 1 + 6 + 6);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_ends_the_login() {
    for (body, text) in [
        (json!({"error": "access_denied"}), "Device flow failed: access_denied"),
        (json!({"error": "expired_token", "error_description": "late"}), "Device flow failed: expired_token: late"),
        (json!({"odd": true}), "Device flow failed: HTTP 200"),
    ] {
        assert_eq!(device(&[body]).await.0.unwrap_err().to_string(), text);
    }
}

#[tokio::test(start_paused = true)]
async fn a_timeout_after_slow_down_hints_at_the_clock() {
    let (result, seconds) = device(&vec![json!({"error": "slow_down"}); 100]).await;
    assert!(result.unwrap_err().to_string().starts_with("Device flow timed out after one or more slow_down responses"));
    assert_eq!(seconds, 900);
}

#[tokio::test(start_paused = true)]
async fn a_list_that_does_not_come_is_not_waited_for() {
    let server = AuthServer::start().await;
    server.be_silent("/copilot/models");
    let context = OAuthContext { http: Some(server.in_process()), ..context() };
    let begin = tokio::time::Instant::now();
    let credentials = provider(&server).login(&user(""), &context).await.unwrap();
    assert_eq!((begin.elapsed().as_secs(), credentials.extra.len()), (5, 0));
}

#[tokio::test]
async fn cancelling_ends_the_wait() {
    let server = AuthServer::start().await;
    (0..100).for_each(|_| server.answer(POLL, 200, json!({"error": "authorization_pending"})));
    let context = context();
    let cancel = async {
        while server.requests_for(POLL).is_empty() {
            tokio::task::yield_now().await;
        }
        context.cancel.cancel();
    };
    let (provider, user) = (provider(&server), user(""));
    let (result, ()) = tokio::join!(provider.login(&user, &context), cancel);
    assert_eq!(result.unwrap_err().to_string(), "Login cancelled");
}

#[test]
fn models_are_those_of_the_account() {
    let model = |provider: &str, id: &str| {
        let base_url = "https://elsewhere".to_owned();
        Arc::new(Model { id: id.into(), provider: provider.into(), base_url, ..Model::default() })
    };
    let models = vec![model("github-copilot", "a"), model("github-copilot", "b"), model("openai", "b")];
    let login = json!({"access": "x;proxy-ep=proxy.business.githubcopilot.com;y", "availableModelIds": ["b"]});
    let credentials: OAuthCredentials = serde_json::from_value(login).unwrap();
    let modified = GitHubCopilotOAuth::default().modify_models(models, &credentials);
    let shown: Vec<_> = modified.iter().map(|model| format!("{} at {}", model.id, model.base_url)).collect();
    assert_eq!(shown, ["b at https://api.business.githubcopilot.com", "b at https://elsewhere"]);
}
