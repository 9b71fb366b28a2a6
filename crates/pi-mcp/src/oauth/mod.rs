//! Logins to servers (OAuth 2.1 with PKCE). The protocol is that of `rmcp`; here is what the user sees of it, where logins are
//! kept, and how a connection uses one.
//!
//! | File | What is in it |
//! |---|---|
//! | `metadata` | what is known of an authorization server |
//! | `registration` | how it gets to know pi |
//! | `callback` | the port of this machine that a browser comes back to |
//! | `store` | logins as they are kept |

mod callback;
mod metadata;
mod registration;
pub(crate) mod store;

use std::time::Duration;

use pi_coding_agent::extension::{DialogOptions, ExtensionUi, NotifyKind};
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationRequest, AuthorizationSession, OAuthClientConfig,
};
use url::Url;

use crate::config::OAuthConfig;
use crate::pages::OpenPage;
use callback::{Callback, is_of};
use metadata::Known;
use store::LoginStore;

/// A login that takes longer is given up.
const PATIENCE: Duration = Duration::from_secs(600);
/// What we are called where clients register.
const CLIENT_NAME: &str = "pi";

/// A server to log in to.
#[derive(Debug)]
pub(crate) struct LoginTarget<'a> {
    pub(crate) url: &'a str,
    pub(crate) config: &'a OAuthConfig,
    /// What the login has to permit besides what it permitted before.
    pub(crate) scopes: &'a [String],
}

/// Logs in: the browser shows the page of the server, and comes back to a port of this machine; where it cannot, the user
/// pastes the address that it ended up at.
///
/// # Errors
/// What went wrong, as the end of a sentence.
pub(crate) async fn login(
    target: &LoginTarget<'_>,
    store: LoginStore,
    ui: &dyn ExtensionUi,
    pages: &OpenPage,
) -> Result<(), String> {
    let (config, url) = (target.config, target.url);
    let callback = Callback::bind(&config.callback).await.map_err(|error| match config.callback.port() {
        Some(port) => format!("port {port} is not to be had: {error}"),
        None => format!("no port of this machine is to be had: {error}"),
    })?;
    let before = store.get()?.map(|login| login.granted_scopes).unwrap_or_default();
    let mut manager = manager(url, store).await?;
    let known = Known::for_login(url, config, &manager).await?;
    let (document, callback) = registration::document(&config.registration, url, &known.metadata, callback)?;
    let takes_documents = registration::takes_documents(&known.metadata);
    manager.set_metadata(known.metadata);
    let mut request = request(target, callback.redirect_uri(), before, known.scopes);
    request.client_metadata_url = document;
    let session = AuthorizationSession::new(manager, request).await.map_err(|(_, error)| match error {
        AuthError::RegistrationFailed(detail) if takes_documents => pi_ai::without_known_secrets(&format!(
            "the server does not let programs register ({detail}). It knows them by documents about them: put \
             \"oauth\": {{\"clientRegistration\": \"cimd\"}} into the entry"
        )),
        error if known.is_published => sentence(error),
        // Servers of 2025 may have their logins at places that everybody knows.
        error => format!("the server says nothing of logins ({error})"),
    })?;
    let page = Url::parse(session.get_authorization_url()).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let page = page.ok_or("the server names an address to log in that is no page of the web")?;
    let state = page.query_pairs().find(|(name, _)| name == "state").map(|(_, state)| state.into_owned());
    let state = state.ok_or("the login has no state")?;
    let is_opened = pages.open(page.as_str());
    let what = if is_opened { "The browser opens this page; if it does not, open it" } else { "Open this page" };
    ui.notify(&format!("{what}: {page}"), Some(NotifyKind::Info)).await;
    let redirect_uri = callback.redirect_uri();
    let back = tokio::select! {
        back = callback.redirected(&state) => back,
        back = pasted(ui, &state, &redirect_uri) => back?,
        () = tokio::time::sleep(PATIENCE) => return Err("nobody logged in within 10 minutes".to_owned()),
    };
    if let Some(refusal) = refusal(&back) {
        return Err(format!("it was refused: {refusal}"));
    }
    session.handle_callback_url(back.as_str()).await.map(drop).map_err(sentence)
}

fn request(
    target: &LoginTarget<'_>,
    redirect_uri: String,
    before: Vec<String>,
    wanted: Vec<String>,
) -> AuthorizationRequest {
    let config = target.config;
    let mut request = AuthorizationRequest::new(redirect_uri);
    request = request.with_client_name(config.client_name.as_deref().unwrap_or(CLIENT_NAME));
    if let Some(id) = &config.client_id {
        request = request.with_preregistered_client(id);
        if let Some(secret) = &config.client_secret {
            request = request.with_client_secret(secret);
        }
    }
    // A login that is to permit more goes on to permit what it did.
    let configured = config.scope.iter().flat_map(|scope| scope.split_whitespace().map(str::to_owned));
    let mut scopes: Vec<String> = Vec::new();
    let all = configured.chain(if target.scopes.is_empty() { Vec::new() } else { before });
    for scope in all.chain(target.scopes.iter().cloned()) {
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    let scopes = if scopes.is_empty() { wanted } else { scopes };
    if scopes.is_empty() { request.with_initial_scope_selection() } else { request.with_scopes(scopes) }
}

/// What the user pastes; for ever where nobody can.
async fn pasted(ui: &dyn ExtensionUi, state: &str, redirect_uri: &str) -> Result<Url, String> {
    if !ui.is_available() {
        return std::future::pending().await;
    }
    let mut question = "Without a browser on this machine: paste the address that it ended up at".to_owned();
    loop {
        let answer = ui.input(&question, None, DialogOptions::default()).await.ok_or("it was cancelled")?;
        match Url::parse(answer.trim()) {
            Ok(url) if is_of(&url, state) => return Ok(url),
            Ok(_) => "That is the address of another login. Paste the one of this".clone_into(&mut question),
            Err(_) => question = format!("That is no address. It begins with {redirect_uri}"),
        }
    }
}

fn refusal(url: &Url) -> Option<String> {
    let get = |name: &str| url.query_pairs().find(|(other, _)| other == name).map(|(_, value)| value.into_owned());
    let error = get("error")?;
    Some(match get("error_description") {
        Some(description) => format!("{error}: {description}"),
        None => error,
    })
}

async fn manager(url: &str, store: LoginStore) -> Result<AuthorizationManager, String> {
    // Servers of a company have addresses of that company.
    let mut manager = AuthorizationManager::new_allowing_private_addresses(url).await.map_err(sentence)?;
    manager.set_credential_store(store);
    Ok(manager)
}

/// What a connection authorizes its requests with; `None` if nobody has logged in.
///
/// # Errors
/// What went wrong, as the end of a sentence.
pub(crate) async fn authorized(
    url: &str,
    config: &OAuthConfig,
    store: LoginStore,
) -> Result<Option<AuthorizationManager>, String> {
    let Some(login) = store.get()?.filter(|login| login.token_response.is_some()) else { return Ok(None) };
    let mut manager = manager(url, store).await?;
    let known = Known::for_connection(url, config, &manager).await?;
    manager.set_metadata(known.metadata);
    if !manager.initialize_from_store().await.map_err(sentence)? {
        return Ok(None);
    }
    if let (Some(id), Some(secret)) = (&config.client_id, &config.client_secret)
        && *id == login.client_id
    {
        let client = OAuthClientConfig::new(id, url).with_client_secret(secret);
        manager.configure_client(client).map_err(sentence)?;
    }
    Ok(Some(manager))
}

/// The end of a sentence about a failed login.
#[expect(clippy::needless_pass_by_value, reason = "results hand their errors over")]
fn sentence(error: AuthError) -> String {
    let text = match &error {
        AuthError::RegistrationFailed(detail) => format!(
            "the server does not let programs register ({detail}). Register one there, and put its id into the entry: \
             \"oauth\": {{\"clientId\": \"...\"}}"
        ),
        AuthError::NoAuthorizationSupport => "the server has no logins".to_owned(),
        AuthError::PkceUnsupported => {
            "the server does not know PKCE with S256, without which logins can be stolen".to_owned()
        }
        error => crate::error::with_causes(error),
    };
    pi_ai::without_known_secrets(&text)
}
