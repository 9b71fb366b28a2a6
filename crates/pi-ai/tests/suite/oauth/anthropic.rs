//! Claude Pro and Max: what is sent, what is stored, what the user sees.

use std::time::Duration;

use pi_ai::auth::oauth::{AnthropicOAuth, OAuthCredentials, OAuthProvider};
use serde_json::json;

use crate::oauth::support::{AuthServer, Browser, NOW, User, VERIFIER, context, free_port, is_open, redirect_of};

const TOKEN: &str = "/v1/oauth/token";

fn provider(server: &AuthServer, port: u16) -> AnthropicOAuth {
    AnthropicOAuth::builder()
        .authorize_url(server.url("/oauth/authorize"))
        .token_url(server.url(TOKEN))
        .callback_port(port)
        .build()
}

fn stored(refresh: &str) -> OAuthCredentials {
    let extra = json!({"account": "kept"}).as_object().unwrap().clone();
    OAuthCredentials { refresh: refresh.into(), access: "old-secret-access".into(), expires: 1, extra }
}

fn filters() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"localhost(:|%3A)\d+", "localhost${1}PORT");
    settings.add_filter(r"127\.0\.0\.1:\d+", "SERVER");
    settings
}

#[tokio::test]
async fn a_login_by_way_of_the_browser() {
    let server = AuthServer::start().await;
    let user = User::with(Browser::Agrees);
    let credentials = provider(&server, 0).login(&user, &context()).await.unwrap();
    assert_eq!(credentials.expires, NOW + 3_600_000 - 300_000);
    assert_eq!((credentials.refresh.as_str(), credentials.extra.len()), ("refresh-secret-2", 0));
    assert!(credentials.access.starts_with("sk-ant-oat-secret-2."));
    let (status, page) = user.browser_shows().await;
    assert!(status == 200 && page.contains("Logged in"), "{status} {page}");
    filters().bind(|| {
        insta::assert_snapshot!("anthropic_page", user.page());
        insta::assert_snapshot!("anthropic_requests", server.outline());
        insta::assert_snapshot!("anthropic_log", user.log());
    });
}

#[tokio::test]
async fn the_real_service_is_the_default() {
    let default = AnthropicOAuth::default();
    assert_eq!(default.authorize_url, "https://claude.ai/oauth/authorize");
    assert_eq!(default.token_url, "https://platform.claude.com/v1/oauth/token");
    assert_eq!((default.callback_port, default.uses_callback_server()), (53692, true));
}

#[tokio::test]
async fn every_form_of_a_pasted_code_logs_in() {
    let server = AuthServer::start().await;
    let code_of = |redirect: &str| redirect.split_once("code=").unwrap().1.split('&').next().unwrap().to_owned();
    for form in ["url", "query", "code#state", "code"] {
        let user = User::with(Browser::Closed).pasting(move |page| async move {
            let redirect = redirect_of(page).await?;
            let code = code_of(&redirect);
            Ok(match form {
                "url" => redirect,
                "query" => redirect.split_once('?').unwrap().1.to_owned(),
                "code#state" => format!(" {code}#{VERIFIER}\n"),
                _ => code,
            })
        });
        let credentials = provider(&server, 0).login(&user, &context()).await;
        assert!(credentials.unwrap().access.starts_with("sk-ant-oat"), "{form}");
    }
}

#[tokio::test]
async fn without_a_port_or_a_field_the_user_is_asked() {
    let server = AuthServer::start().await;
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let user = User::with(Browser::Closed).answering(redirect_of);
    provider(&server, port).login(&user, &context()).await.unwrap();
    let exchange = &server.requests_for(TOKEN)[0].fields();
    assert_eq!(exchange["redirect_uri"], format!("http://localhost:{port}/callback"));
    let log = user.log().replace(&port.to_string(), "PORT");
    filters().bind(|| insta::assert_snapshot!("anthropic_port_taken", log));
}

#[tokio::test]
async fn an_empty_field_leads_to_the_question_and_an_empty_answer_to_an_error() {
    let server = AuthServer::start().await;
    let nothing = |_| async { Ok(" ".to_owned()) };
    let user = User::with(Browser::Closed).pasting(nothing).answering(redirect_of);
    provider(&server, 0).login(&user, &context()).await.unwrap();
    let user = User::with(Browser::Closed).pasting(nothing).answering(nothing);
    let error = provider(&server, 0).login(&user, &context()).await.unwrap_err();
    assert_eq!(error.to_string(), "Missing authorization code");
}

#[tokio::test]
async fn browser_and_field_race_and_the_port_is_closed_after_either() {
    let server = AuthServer::start().await;
    let port = free_port();
    let user = User::with(Browser::Agrees).pasting(|_| std::future::pending());
    provider(&server, port).login(&user, &context()).await.unwrap();
    assert!(!is_open(port));
    let user = User::with(Browser::Closed).pasting(redirect_of);
    provider(&server, port).login(&user, &context()).await.unwrap();
    assert!(!is_open(port));
}

#[tokio::test]
async fn cancelling_ends_every_wait() {
    let server = AuthServer::start().await;
    let port = free_port();
    for field in [false, true] {
        let (context, user) = (context(), User::with(Browser::Closed));
        let user = if field { user.pasting(|_| std::future::pending()) } else { user };
        let cancel = async {
            user.page_opened().await;
            assert!(is_open(port));
            context.cancel.cancel();
        };
        let provider = provider(&server, port);
        let (result, ()) = tokio::join!(provider.login(&user, &context), cancel);
        assert_eq!(result.unwrap_err().to_string(), "Login cancelled");
        assert!(!is_open(port));
    }
    // While the code is exchanged.
    server.be_silent(TOKEN);
    let (context, user) = (context(), User::with(Browser::Agrees));
    let cancel = async {
        while server.requests_for(TOKEN).is_empty() {
            tokio::task::yield_now().await;
        }
        context.cancel.cancel();
    };
    let provider = provider(&server, 0);
    let (result, ()) = tokio::join!(provider.login(&user, &context), cancel);
    assert_eq!(result.unwrap_err().to_string(), "Login cancelled");
}

#[tokio::test]
async fn a_user_who_does_not_answer_cancels() {
    let server = AuthServer::start().await;
    let user =
        User::with(Browser::Closed).pasting(|_| async { Err(pi_ai::Error::Login(pi_ai::LoginError::Cancelled)) });
    let error = provider(&server, 0).login(&user, &context()).await.unwrap_err();
    assert_eq!(error.to_string(), "Login cancelled");
}

#[tokio::test]
async fn a_pasted_code_of_another_login_is_refused() {
    let server = AuthServer::start().await;
    let user = User::with(Browser::Closed).pasting(|_| async { Ok("code#other".to_owned()) });
    let error = provider(&server, 0).login(&user, &context()).await.unwrap_err();
    assert_eq!(error.to_string(), "OAuth state mismatch");
    assert!(server.requests_for(TOKEN).is_empty());
}

#[tokio::test]
async fn a_code_that_the_server_does_not_know_is_reported() {
    let server = AuthServer::start().await;
    let user = User::with(Browser::Closed).pasting(|_| async { Ok("code-secret-stale".to_owned()) });
    let error = provider(&server, 0).login(&user, &context()).await.unwrap_err().to_string();
    filters().bind(|| insta::assert_snapshot!("anthropic_exchange_error", error));
}

#[tokio::test]
async fn a_renewal_asks_once_names_no_scope_and_keeps_what_it_does_not_know() {
    let server = AuthServer::start().await;
    let first = provider(&server, 0).login(&User::with(Browser::Agrees), &context()).await.unwrap();
    let old = OAuthCredentials { extra: stored("").extra, ..first };
    let renewed = provider(&server, 0).refresh_token(&old, &context()).await.unwrap();
    let requests = server.requests_for(TOKEN);
    assert_eq!(requests.len(), 2);
    insta::assert_snapshot!(requests[1].body, @r#"{"grant_type":"refresh_token","client_id":"9d1c250a-e61b-44d9-88ed-5944d1962f5e","refresh_token":"refresh-secret-2"}"#);
    assert_eq!((renewed.refresh.as_str(), &renewed.extra), ("refresh-secret-3", &old.extra));
    assert_eq!(renewed.expires, NOW + 3_300_000);
    // The old one is void now.
    let error = provider(&server, 0).refresh_token(&old, &context()).await.unwrap_err().to_string();
    filters().bind(|| insta::assert_snapshot!("anthropic_refresh_error", error));
}

#[tokio::test]
async fn a_server_may_keep_the_refresh_token_and_say_nothing_about_time() {
    let server = AuthServer::start().await;
    server.answer(TOKEN, 200, json!({"access_token": "new-secret"}));
    let renewed = provider(&server, 0).refresh_token(&stored("r-secret-1"), &context()).await.unwrap();
    assert_eq!((renewed.refresh.as_str(), renewed.access.as_str()), ("r-secret-1", "new-secret"));
    assert_eq!(renewed.expires, NOW + 3_300_000);
}

#[tokio::test]
async fn answers_that_are_none_are_named() {
    let server = AuthServer::start().await;
    for (status, body) in [(200, json!("text")), (200, json!({"refresh_token": "x"})), (502, json!("<html>"))] {
        server.answer(TOKEN, status, body);
    }
    let mut errors = Vec::new();
    for _ in 0..3 {
        let result = provider(&server, 0).refresh_token(&stored("r-secret-1"), &context()).await;
        errors.push(result.unwrap_err().to_string());
    }
    let nobody = AnthropicOAuth::builder().token_url(format!("http://127.0.0.1:{}/x", free_port())).build();
    errors.push(nobody.refresh_token(&stored("r-secret-1"), &context()).await.unwrap_err().to_string());
    server.be_silent(TOKEN);
    let mut context = context();
    context.request_timeout = Duration::from_millis(50);
    let result = provider(&server, 0).refresh_token(&stored("r-secret-1"), &context).await;
    errors.push(result.unwrap_err().to_string());
    filters().bind(|| insta::assert_snapshot!("anthropic_bad_answers", errors.join("\n")));
}
