//! No token, code or verifier in any error text or `Debug` output, however chatty the server is.

use pi_ai::auth::oauth::{
    AnthropicOAuth, GitHubCopilotOAuth, OAuthApiKey, OAuthCredentials, OAuthProvider, OpenAiCodexOAuth,
};
use serde_json::{Value, json};

use crate::oauth::support::{AuthServer, Browser, CopilotPaths, User, VERIFIER, context, redirect_of};

/// Answers that repeat what they were sent, or give out what they should keep.
fn chatty(secret: &str) -> Vec<(u16, Value)> {
    vec![
        (400, json!({"error": "invalid_grant", "error_description": format!("{secret} is not good")})),
        (
            400,
            json!({"error": {"type": secret, "message": format!("bad: {secret}\nnot sk-ant-oat01-unheard-of-secret")}}),
        ),
        (401, json!({"message": secret, "access_token": "unheard-of-secret"})),
        (500, json!(format!("stack trace with {secret}"))),
        (200, json!({"refresh_token": "unheard-of-secret"})),
        (200, json!(["unheard-of-secret"])),
    ]
}

fn check(text: &str) {
    assert!(!text.contains("secret") && !text.contains(VERIFIER), "{text}");
}

#[tokio::test]
async fn renewals_keep_their_secrets() {
    let server = AuthServer::start().await;
    let anthropic = AnthropicOAuth::builder().token_url(server.url("/v1/oauth/token")).build();
    let codex = OpenAiCodexOAuth::builder().auth_url(server.url("")).build();
    let copilot = GitHubCopilotOAuth::builder().api_url(server.url(CopilotPaths::API)).build();
    let providers: [(&dyn OAuthProvider, &str); 3] = [
        (&anthropic, "/v1/oauth/token"),
        (&codex, "/oauth/token"),
        (&copilot, "/api/github.com/copilot_internal/v2/token"),
    ];
    let old = OAuthCredentials {
        refresh: "refresh-secret-0".into(),
        access: "access-secret-0".into(),
        ..OAuthCredentials::default()
    };
    for (provider, path) in providers {
        for (status, body) in chatty("refresh-secret-0") {
            server.answer(path, status, body);
            let error = provider.refresh_token(&old, &context()).await.unwrap_err();
            check(&format!("{error} {error:?} {provider:?}"));
        }
    }
    let key = OAuthApiKey { new_credentials: old.clone(), api_key: "access-secret-0".into() };
    check(&format!("{old:?} {key:?} {:?}", context()));
}

#[tokio::test]
async fn logins_keep_their_secrets() {
    let server = AuthServer::start().await;
    let (authorize, token) = (server.url("/oauth/authorize"), server.url("/v1/oauth/token"));
    let provider = AnthropicOAuth::builder().authorize_url(authorize).token_url(token).callback_port(0u16).build();
    let verifier = (400, json!({"error": "invalid_grant", "error_description": format!("{VERIFIER} does not fit")}));
    for (status, body) in chatty("code-secret-1").into_iter().chain([verifier]) {
        server.answer("/v1/oauth/token", status, body);
        let user = User::with(Browser::Closed).pasting(|page| async move {
            redirect_of(page).await?;
            Ok("code-secret-1".to_owned())
        });
        let error = provider.login(&user, &context()).await.unwrap_err();
        check(&format!("{error} {error:?} {}", user.log()));
    }
}

#[tokio::test]
async fn device_logins_keep_their_secrets() {
    let server = AuthServer::start().await;
    let codex = OpenAiCodexOAuth::builder().auth_url(server.url("")).build();
    let copilot = GitHubCopilotOAuth::builder().github_url(server.url(CopilotPaths::GITHUB)).build();
    let providers: [(&dyn OAuthProvider, &str); 2] =
        [(&codex, "/api/accounts/deviceauth/token"), (&copilot, "/github/github.com/login/oauth/access_token")];
    for (provider, path) in providers {
        for (_, body) in chatty("device-secret").into_iter().filter(|(status, _)| *status < 500) {
            server.answer(path, 400, body);
            let user = User::with(Browser::Closed).choosing("device_code").answering(|_| async { Ok(String::new()) });
            let error = provider.login(&user, &context()).await.unwrap_err();
            check(&format!("{error} {error:?} {}", user.log()));
        }
    }
}
