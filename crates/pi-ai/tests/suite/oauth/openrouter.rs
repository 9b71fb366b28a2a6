//! OpenRouter: a page without a state, a redirect to a path that nobody can guess, a key that stays.

use pi_ai::auth::oauth::{OAuthCredentials, OAuthProvider, OpenRouterOAuth};

use crate::oauth::support::{AuthServer, Browser, STATE, User, context, fetch, redirect_of};

const KEYS: &str = "/auth/keys";

fn provider(server: &AuthServer) -> OpenRouterOAuth {
    OpenRouterOAuth::builder().authorize_url(server.url("/auth")).keys_url(server.url(KEYS)).build()
}

fn filters() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"127\.0\.0\.1%3A\d+", "CALLBACK");
    settings.add_filter(r"127\.0\.0\.1:\d+", "SERVER");
    settings
}

#[tokio::test]
async fn a_login_by_way_of_the_browser_ends_with_a_key_that_never_expires() {
    let server = AuthServer::start().await;
    let user = User::with(Browser::Agrees);
    let credentials = provider(&server).login(&user, &context()).await.unwrap();
    let expected =
        serde_json::json!({"refresh": "", "access": "sk-or-v1-secret-2", "expires": 9_007_199_254_740_991_i64});
    assert_eq!(serde_json::to_value(&credentials).unwrap(), expected);
    let (status, page) = user.browser_shows().await;
    assert!(status == 200 && page.contains("Logged in"), "{status} {page}");
    filters().bind(|| {
        insta::assert_snapshot!("openrouter_page", user.page());
        insta::assert_snapshot!("openrouter_requests", server.outline());
    });
    assert_eq!(provider(&server).refresh_token(&credentials, &context()).await.unwrap(), credentials);
    assert_eq!(server.requests_for(KEYS).len(), 1, "there is nothing to renew");
}

#[tokio::test]
async fn the_real_service_is_the_default() {
    let default = OpenRouterOAuth::default();
    assert_eq!(default.authorize_url, "https://openrouter.ai/auth");
    assert_eq!(default.keys_url, "https://openrouter.ai/api/v1/auth/keys");
    assert!(default.uses_callback_server());
}

#[tokio::test]
async fn only_the_path_of_this_login_counts() {
    let server = AuthServer::start().await;
    let user = User::with(Browser::Closed);
    let (provider, context) = (provider(&server), context());
    let login = provider.login(&user, &context);
    let visit = async {
        let page = user.page_opened().await;
        assert!(page.contains(&format!("%2Foauth%2Fcallback%2F{STATE}")), "{page}");
        let redirect = redirect_of(page).await.unwrap();
        let foreign = redirect.replace(STATE, "another");
        assert_eq!(fetch(&foreign).await.0, 404);
        assert_eq!(fetch(redirect.split_once('?').unwrap().0).await.0, 400, "without a code the login goes on");
        assert_eq!(fetch(&redirect).await.0, 200);
    };
    let (credentials, ()) = tokio::join!(login, visit);
    assert_eq!(credentials.unwrap().access, "sk-or-v1-secret-2");
}

#[tokio::test]
async fn a_code_or_an_address_may_be_pasted() {
    for whole in [true, false] {
        let server = AuthServer::start().await;
        let user = User::with(Browser::Closed).pasting(move |page| async move {
            let redirect = redirect_of(page).await?;
            let code = redirect.split_once("code=").unwrap().1.to_owned();
            Ok(if whole { redirect } else { code })
        });
        let credentials = provider(&server).login(&user, &context()).await.unwrap();
        assert_eq!(credentials.access, "sk-or-v1-secret-2");
    }
}

#[tokio::test]
async fn a_refusal_is_told_without_the_code() {
    let server = AuthServer::start().await;
    let login = |user: User| {
        let (provider, context) = (provider(&server), context());
        async move { provider.login(&user, &context).await.map(|_: OAuthCredentials| ()).unwrap_err().to_string() }
    };
    let wrong = login(User::with(Browser::Closed).pasting(|_| async { Ok("wrong-secret-code".to_owned()) })).await;
    server.answer(KEYS, 200, serde_json::json!({"user_id": "u"}));
    let without_key = login(User::with(Browser::Agrees)).await;
    let refused = User::with(Browser::Closed)
        .pasting(|_| async { Ok("http://127.0.0.1:1/x?error=access_denied&error_description=nope".to_owned()) });
    let errors = [wrong, without_key, login(refused).await].join("\n");
    assert!(!errors.contains("secret"), "{errors}");
    filters().bind(|| insta::assert_snapshot!("openrouter_errors", errors));
}
