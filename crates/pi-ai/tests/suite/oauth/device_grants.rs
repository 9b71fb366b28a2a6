//! Kimi Code and xAI: device codes as RFC 8628 has them.

use pi_ai::auth::oauth::{KimiCodingOAuth, OAuthContext, OAuthCredentials, OAuthProvider, XaiOAuth};
use pi_ai::{Error, LoginError};
use serde_json::{Value, json};

use crate::oauth::support::{AuthServer, Browser, NOW, User, context};

const START: &str = "/device";
const TOKEN: &str = "/device/token";

fn both(server: &AuthServer) -> [Box<dyn OAuthProvider>; 2] {
    let (start, token) = (server.url(START), server.url(TOKEN));
    [
        Box::new(KimiCodingOAuth::builder().device_url(start.clone()).token_url(token.clone()).build()),
        Box::new(XaiOAuth::builder().device_url(start).token_url(token).build()),
    ]
}

/// Logs in while the polls get these answers, with stopped time. The number is the seconds that it took.
async fn polled(which: usize, answers: &[(u16, Value)]) -> (Result<OAuthCredentials, Error>, u64, AuthServer, User) {
    let server = AuthServer::start().await;
    for (status, body) in answers {
        server.answer(TOKEN, *status, body.clone());
    }
    let context = OAuthContext { http: Some(server.in_process()), ..context() };
    let (user, begin) = (User::with(Browser::Closed), tokio::time::Instant::now());
    let result = both(&server)[which].login(&user, &context).await;
    (result, begin.elapsed().as_secs(), server, user)
}

#[tokio::test]
async fn a_login_and_its_renewal() {
    for (provider, margin) in [(0, 0), (1, 300_000)] {
        let server = AuthServer::start().await;
        server.answer(TOKEN, 400, json!({"error": "authorization_pending"}));
        let (user, provider) = (User::with(Browser::Closed), &both(&server)[provider]);
        let credentials = provider.login(&user, &context()).await.unwrap();
        assert_eq!((credentials.expires, credentials.refresh.as_str()), (NOW + 3_600_000 - margin, "refresh-secret-1"));
        assert!(user.log().contains("https://login.example/device?user_code=ABCD-1234"), "{}", user.log());
        let renewed = provider.refresh_token(&credentials, &context()).await.unwrap();
        assert_eq!(renewed.refresh, "refresh-secret-2");
        insta::assert_snapshot!(format!("{}_requests", provider.id()), server.outline());
        // The refresh token stays when the answer has no new one.
        server.answer(TOKEN, 200, json!({"access_token": "a-secret", "expires_in": "60"}));
        let kept = provider.refresh_token(&renewed, &context()).await.unwrap();
        assert_eq!((kept.refresh.as_str(), kept.expires), ("refresh-secret-2", NOW + 60_000 - margin));
        let error = provider.refresh_token(&credentials, &context()).await.unwrap_err().to_string();
        assert!(error.contains("invalid_grant") && !error.contains("refresh-secret"), "{error}");
    }
}

#[tokio::test]
async fn the_real_services_are_the_default() {
    let (kimi, xai) = (KimiCodingOAuth::default(), XaiOAuth::default());
    assert_eq!(kimi.device_url, "https://auth.kimi.com/api/oauth/device_authorization");
    assert_eq!(kimi.token_url, "https://auth.kimi.com/api/oauth/token");
    assert_eq!(xai.device_url, "https://auth.x.ai/oauth2/device/code");
    assert_eq!(xai.token_url, "https://auth.x.ai/oauth2/token");
    assert!(!kimi.uses_callback_server() && !xai.uses_callback_server());
    let login = OAuthCredentials { access: "token".to_owned(), ..OAuthCredentials::default() };
    assert_eq!(kimi.headers(&login)["Authorization"], "Bearer token");
    assert!(xai.headers(&login).is_empty());
}

#[tokio::test(start_paused = true)]
async fn questions_come_at_the_pace_that_the_server_wants_after_a_pause() {
    let pending = json!({"error": "authorization_pending"});
    for which in 0..2 {
        let (result, seconds, server, _) =
            polled(which, &[(400, pending.clone()), (400, json!({"error": "slow_down"})), (503, json!(null))]).await;
        assert!(result.is_ok());
        assert_eq!((seconds, server.requests_for(TOKEN).len()), (2 + 2 + 7 + 7, 4));
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_ends_the_login() {
    for which in 0..2 {
        let denied = json!({"error": "access_denied", "error_description": "no device-secret"});
        let (result, ..) = polled(which, &[(400, denied)]).await;
        assert_eq!(result.unwrap_err().to_string(), "Device flow failed: access_denied: no REDACTED");
        let (result, ..) = polled(which, &[(400, json!({"error": "expired_token"}))]).await;
        assert_eq!(result.unwrap_err().to_string(), "Device flow failed: expired_token");
        let (result, ..) = polled(which, &[(200, json!({"access_token": "only-secret"}))]).await;
        assert_eq!(result.unwrap_err().to_string(), "the answer has no refresh_token");
    }
}

#[tokio::test]
async fn only_a_page_that_cannot_be_read_on_the_way_is_shown() {
    let server = AuthServer::start().await;
    for provider in both(&server) {
        for uri in ["http://login.example/device", "file:///etc/passwd", "login.example"] {
            let answer = json!({"device_code": "d", "user_code": "u", "verification_uri": uri});
            server.answer(START, 200, answer);
            let user = User::with(Browser::Closed);
            let error = provider.login(&user, &context()).await.unwrap_err();
            assert!(matches!(error, Error::Login(LoginError::UntrustedUri)) && user.log().is_empty(), "{error}");
        }
    }
}

#[tokio::test]
async fn a_login_that_cannot_begin_says_why() {
    let server = AuthServer::start().await;
    let mut errors = Vec::new();
    for provider in both(&server) {
        server.answer(START, 404, json!({"error": "not_found"}));
        server.answer(START, 200, json!({"user_code": "x", "verification_uri": "https://x.example"}));
        for _ in 0..2 {
            let error = provider.login(&User::with(Browser::Closed), &context()).await.unwrap_err();
            errors.push(error.to_string());
        }
    }
    insta::assert_snapshot!(errors.join("\n"), @r"
    Kimi Code device code request failed. details=HTTP 404: not_found
    Kimi Code device code request failed. details=the answer has no device_code
    xAI device code request failed. details=HTTP 404: not_found
    xAI device code request failed. details=the answer has no device_code
    ");
}
