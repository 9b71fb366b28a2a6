//! The local end of a browser login: who is answered how, and that nobody else can end or steal a login.

use pi_ai::Error;
use pi_ai::auth::oauth::{AnthropicOAuth, OAuthCredentials, OAuthProvider};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinHandle;

use crate::oauth::support::{AuthServer, Browser, User, VERIFIER, context, fetch, redirect_of};

/// A login that waits for its redirect.
struct Waiting {
    login: JoinHandle<Result<OAuthCredentials, Error>>,
    /// Address of the callback, without a query.
    callback: String,
    page: String,
    _server: AuthServer,
}

async fn waiting() -> Waiting {
    let server = AuthServer::start().await;
    let (authorize, token) = (server.url("/oauth/authorize"), server.url("/v1/oauth/token"));
    let provider = AnthropicOAuth::builder().authorize_url(authorize).token_url(token).callback_port(0u16).build();
    let user = User::with(Browser::Closed);
    let watcher = user.clone();
    let login = tokio::spawn(async move { provider.login(&user, &context()).await });
    let page = watcher.page_opened().await;
    let redirect = redirect_of(page.clone()).await.unwrap();
    let callback = redirect.split_once('?').unwrap().0.to_owned();
    Waiting { login, callback, page, _server: server }
}

#[tokio::test]
async fn what_is_not_the_redirect_is_refused_and_the_login_goes_on() {
    let waiting = waiting().await;
    let callback = &waiting.callback;
    let other = callback.replace("/callback", "/favicon.ico");
    for (url, status, text) in [
        (other, 404, "Not found"),
        (format!("{callback}?code=c"), 400, "Missing OAuth state"),
        (format!("{callback}?code=c&state=wrong"), 400, "OAuth state mismatch"),
        (format!("{callback}?state={VERIFIER}"), 400, "Missing authorization code"),
        // Only the provider knows the state: nobody else can end the login.
        (format!("{callback}?error=access_denied"), 400, "Missing OAuth state"),
    ] {
        let (found, page) = fetch(&url).await;
        assert!(found == status && page.contains(text), "{url}: {found} {page}");
        assert!(page.starts_with("<!doctype html>"), "{page}");
        assert!(!page.contains(VERIFIER), "{page}");
    }
    let (status, page) = fetch(&redirect_of(waiting.page).await.unwrap()).await;
    assert!(status == 200 && page.contains("Logged in"), "{status} {page}");
    waiting.login.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_refusal_ends_the_login() {
    let waiting = waiting().await;
    let url = format!("{}?error=access_denied&error_description=not+%3Cyou%3E&state={VERIFIER}", waiting.callback);
    let (status, page) = fetch(&url).await;
    assert!(status == 400 && page.contains("not &lt;you&gt;"), "{status} {page}");
    let error = waiting.login.await.unwrap().unwrap_err().to_string();
    assert_eq!(error, "The login was refused: access_denied: not <you>");
}

#[tokio::test]
async fn connections_that_say_nothing_or_nonsense_do_not_disturb() {
    let waiting = waiting().await;
    let address = waiting.callback.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
    let connect = || tokio::net::TcpStream::connect(&address);
    let _silent = connect().await.unwrap();
    let mut nonsense = connect().await.unwrap();
    nonsense.write_all(b"\x16\x03\x01 hello\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    nonsense.read_to_end(&mut answer).await.unwrap();
    let mut post = connect().await.unwrap();
    post.write_all(b"POST /callback HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    post.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    let headers = answer.to_lowercase();
    for header in ["cache-control: no-store", "content-security-policy: default-src 'none'", "referrer-policy: no-"] {
        assert!(headers.contains(header), "{answer}");
    }
    fetch(&redirect_of(waiting.page).await.unwrap()).await;
    waiting.login.await.unwrap().unwrap();
}
