//! Claude Pro and Max: authorization code with PKCE, JSON bodies.
//!
//! Wire facts: the state is the PKCE verifier, and the exchange repeats it; a renewal names no scope.

use futures::future::{BoxFuture, FutureExt};
use serde_json::{Value, json};
use typed_builder::TypedBuilder;
use url::form_urlencoded;

use super::callbacks::OAuthCallbacks;
use super::code_flow::{CodeFlow, Grant};
use super::credentials::OAuthCredentials;
use super::exchange::{failed, post_json, succeed};
use super::pasted_code::Tie;
use super::pkce::Pkce;
use super::provider::{OAuthContext, OAuthProvider};
use super::token::TokenReply;
use crate::error::Error;

const CLIENT_ID: &str = "9d1c250a-e61b-44d9-88ed-5944d1962f5e";
const AUTHORIZE_URL: &str = "https://claude.ai/oauth/authorize";
const TOKEN_URL: &str = "https://platform.claude.com/v1/oauth/token";
const SCOPE: &str =
    "org:create_api_key user:profile user:inference user:sessions:claude_code user:mcp_servers user:file_upload";
const CALLBACK_PORT: u16 = 53692;
const CALLBACK_PATH: &str = "/callback";
/// A token counts as expired five minutes early.
const MARGIN_MS: i64 = 300_000;

/// The login of Claude Pro and Max subscribers. The default is the real service.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(setter(into)))]
pub struct AnthropicOAuth {
    /// Page on which the user agrees.
    #[builder(default = AUTHORIZE_URL.to_owned())]
    pub authorize_url: String,
    /// Where codes and refresh tokens become access tokens.
    #[builder(default = TOKEN_URL.to_owned())]
    pub token_url: String,
    /// Port of the redirect; 0 lets the system choose, which the real service does not accept.
    #[builder(default = CALLBACK_PORT)]
    pub callback_port: u16,
}

impl Default for AnthropicOAuth {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl OAuthProvider for AnthropicOAuth {
    fn id(&self) -> &str {
        "anthropic"
    }

    fn name(&self) -> &str {
        "Anthropic (Claude Pro/Max)"
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

impl AnthropicOAuth {
    async fn log_in(&self, callbacks: &dyn OAuthCallbacks, context: &OAuthContext) -> Result<OAuthCredentials, Error> {
        let pkce = Pkce::new(&*context.random)?;
        let flow = CodeFlow {
            host: "localhost",
            port: self.callback_port,
            path: CALLBACK_PATH,
            tie: Tie::State(&pkce.verifier),
        };
        let grant = flow.run(callbacks, context, |redirect_uri| self.page(&pkce, redirect_uri)).await?;
        callbacks.on_progress("Exchanging the code for tokens…");
        self.exchange(&grant, &pkce, context).await
    }

    fn page(&self, pkce: &Pkce, redirect_uri: &str) -> String {
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs([
                ("code", "true"),
                ("client_id", CLIENT_ID),
                ("response_type", "code"),
                ("redirect_uri", redirect_uri),
                ("scope", SCOPE),
                ("code_challenge", &pkce.challenge),
                ("code_challenge_method", "S256"),
                ("state", &pkce.verifier),
            ])
            .finish();
        format!("{}?{query}", self.authorize_url)
    }

    async fn exchange(&self, grant: &Grant, pkce: &Pkce, context: &OAuthContext) -> Result<OAuthCredentials, Error> {
        let body = json!({
            "grant_type": "authorization_code",
            "client_id": CLIENT_ID,
            "code": grant.code,
            "state": pkce.verifier,
            "redirect_uri": grant.redirect_uri,
            "code_verifier": pkce.verifier,
        });
        let wording = |details: &str| {
            format!(
                "Token exchange request failed. url={}; redirect_uri={}; response_type=authorization_code; \
                 details={details}",
                self.token_url, grant.redirect_uri
            )
        };
        let first = self.ask(&body, context, &[&grant.code, &pkce.verifier], None).await;
        first.map_err(|error| failed(error, wording))
    }

    async fn renew(&self, old: &OAuthCredentials, context: &OAuthContext) -> Result<OAuthCredentials, Error> {
        let body = json!({"grant_type": "refresh_token", "client_id": CLIENT_ID, "refresh_token": old.refresh});
        let wording = |details: &str| {
            format!("Anthropic token refresh request failed. url={}; details={details}", self.token_url)
        };
        let renewed = self.ask(&body, context, &[&old.refresh, &old.access], Some(old)).await;
        renewed.map_err(|error| failed(error, wording))
    }

    /// What the token endpoint makes of a body: a new login, or the continuation of an old one.
    async fn ask(
        &self,
        body: &Value,
        context: &OAuthContext,
        secrets: &[&str],
        old: Option<&OAuthCredentials>,
    ) -> Result<OAuthCredentials, Error> {
        let reply = succeed(context, post_json(&self.token_url, body), secrets).await?;
        TokenReply { reply: &reply, context, margin_ms: MARGIN_MS }.credentials(old)
    }
}
