//! ChatGPT Plus and Pro for Codex: authorization code with PKCE in a browser, or a code to type in elsewhere.
//!
//! # Layout
//! Here: the choice between the two, the exchange, the renewal. `browser`, `device`: the way to a code.

use std::fmt::Display;

use futures::future::{BoxFuture, FutureExt};
use serde_json::Value;
use typed_builder::TypedBuilder;

use super::callbacks::{OAuthCallbacks, SelectOption, SelectPrompt};
use super::credentials::OAuthCredentials;
use super::exchange::{failed, post_form, succeed};
use super::provider::{OAuthContext, OAuthProvider};
use super::token::TokenReply;
use crate::auth::codex_account;
use crate::error::{Error, LoginError};

mod browser;
mod device;

const CLIENT_ID: &str = "app_EMoamEEZ73f0CkXaXp7hrann";
const AUTH_URL: &str = "https://auth.openai.com";
const CALLBACK_PORT: u16 = 1455;
const ACCOUNT_ID: &str = "accountId";

const BROWSER: &str = "browser";
const DEVICE_CODE: &str = "device_code";

/// The login of ChatGPT Plus and Pro subscribers. The default is the real service.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(setter(into)))]
pub struct OpenAiCodexOAuth {
    /// Service that users log in to, without a path.
    #[builder(default = AUTH_URL.to_owned())]
    pub auth_url: String,
    /// Port of the redirect; 0 lets the system choose, which the real service does not accept.
    #[builder(default = CALLBACK_PORT)]
    pub callback_port: u16,
}

impl Default for OpenAiCodexOAuth {
    fn default() -> Self {
        Self::builder().build()
    }
}

/// A code and what its exchange must repeat. Not `Debug`: both are secrets.
struct Code {
    code: String,
    verifier: String,
    redirect_uri: String,
}

impl OAuthProvider for OpenAiCodexOAuth {
    fn id(&self) -> &str {
        "openai-codex"
    }

    fn name(&self) -> &str {
        "ChatGPT Plus/Pro (Codex Subscription)"
    }

    fn uses_callback_server(&self) -> bool {
        true
    }

    fn login<'a>(
        &'a self,
        callbacks: &'a dyn OAuthCallbacks,
        context: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, Error>> {
        self.log_in(callbacks, context).boxed()
    }

    fn refresh_token<'a>(
        &'a self,
        credentials: &'a OAuthCredentials,
        context: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, Error>> {
        self.renew(credentials, context).boxed()
    }
}

impl OpenAiCodexOAuth {
    async fn log_in(&self, callbacks: &dyn OAuthCallbacks, context: &OAuthContext) -> Result<OAuthCredentials, Error> {
        let code = match context.cancellable(callbacks.on_select(methods())).await?.as_deref() {
            Some(BROWSER) => browser::code(self, callbacks, context).await?,
            Some(DEVICE_CODE) => device::code(self, callbacks, context).await?,
            _ => return Err(Error::Login(LoginError::Cancelled)),
        };
        callbacks.on_progress("Exchanging the code for tokens…");
        self.exchange(&code, context).await
    }

    async fn exchange(&self, code: &Code, context: &OAuthContext) -> Result<OAuthCredentials, Error> {
        let fields = [
            ("grant_type", "authorization_code"),
            ("client_id", CLIENT_ID),
            ("code", &*code.code),
            ("code_verifier", &*code.verifier),
            ("redirect_uri", &*code.redirect_uri),
        ];
        self.ask(&fields, context, &[&code.code, &code.verifier], None).await
    }

    async fn renew(&self, old: &OAuthCredentials, context: &OAuthContext) -> Result<OAuthCredentials, Error> {
        let fields = [("grant_type", "refresh_token"), ("refresh_token", &*old.refresh), ("client_id", CLIENT_ID)];
        self.ask(&fields, context, &[&old.refresh, &old.access], Some(old)).await
    }

    /// What the token endpoint makes of a form: a new login, or the continuation of an old one.
    async fn ask(
        &self,
        fields: &[(&str, &str)],
        context: &OAuthContext,
        secrets: &[&str],
        old: Option<&OAuthCredentials>,
    ) -> Result<OAuthCredentials, Error> {
        let url = self.url("/oauth/token");
        let what = if old.is_some() { "token refresh" } else { "token exchange" };
        let wording = |details: &str| format!("OpenAI Codex {what} request failed. url={url}; details={details}");
        let answer = async {
            let reply = succeed(context, post_form(&url, fields), secrets).await?;
            TokenReply { reply: &reply, context, margin_ms: 0 }.credentials(old)
        };
        let mut credentials = answer.await.map_err(|error| failed(error, wording))?;
        match (codex_account::id(&credentials.access), old) {
            (Ok(id), _) => {
                credentials.extra.insert(ACCOUNT_ID.to_owned(), Value::String(id));
            }
            // The old refresh token may be void by now: a login that still has an account is kept.
            (Err(_), Some(old)) if old.extra_text(ACCOUNT_ID).is_some() => {}
            (Err(error), _) => return Err(error),
        }
        Ok(credentials)
    }

    fn url(&self, path: impl Display) -> String {
        format!("{}{path}", self.auth_url)
    }
}

fn methods() -> SelectPrompt {
    let option = |id: &str, label: &str| SelectOption { id: id.to_owned(), label: label.to_owned() };
    SelectPrompt {
        message: "Select OpenAI Codex login method:".to_owned(),
        options: vec![option(BROWSER, "Browser login (default)"), option(DEVICE_CODE, "Device code login (headless)")],
    }
}
