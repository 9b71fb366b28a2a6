//! OpenRouter: a page in the browser, and a key of the user's own account, which never expires.
//!
//! Wire facts: the page takes no state. What ties the redirect to this login is a path that nobody can guess.

use futures::future::{BoxFuture, FutureExt};
use serde_json::{Map, json};
use typed_builder::TypedBuilder;
use url::form_urlencoded;

use super::callbacks::OAuthCallbacks;
use super::code_flow::{CodeFlow, Grant};
use super::credentials::OAuthCredentials;
use super::exchange::{failed, post_json, succeed};
use super::pasted_code::Tie;
use super::pkce::{Pkce, random_state};
use super::provider::{OAuthContext, OAuthProvider};
use super::token::missing;
use crate::error::Error;

const AUTHORIZE_URL: &str = "https://openrouter.ai/auth";
const KEYS_URL: &str = "https://openrouter.ai/api/v1/auth/keys";
/// The largest whole number that programs in JavaScript read without loss.
const NEVER: i64 = 9_007_199_254_740_991;

/// The login of OpenRouter's users. The default is the real service.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(setter(into)))]
pub struct OpenRouterOAuth {
    /// Page on which the user agrees.
    #[builder(default = AUTHORIZE_URL.to_owned())]
    pub authorize_url: String,
    /// Where a code becomes a key.
    #[builder(default = KEYS_URL.to_owned())]
    pub keys_url: String,
}

impl Default for OpenRouterOAuth {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl OAuthProvider for OpenRouterOAuth {
    fn id(&self) -> &str {
        "openrouter"
    }

    fn name(&self) -> &str {
        "OpenRouter"
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

    /// The key stays what it is.
    fn refresh_token<'a>(
        &'a self,
        credentials: &'a OAuthCredentials,
        _context: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, Error>> {
        futures::future::ready(Ok(credentials.clone())).boxed()
    }
}

impl OpenRouterOAuth {
    async fn log_in(&self, callbacks: &dyn OAuthCallbacks, context: &OAuthContext) -> Result<OAuthCredentials, Error> {
        let pkce = Pkce::new(&*context.random)?;
        let path = format!("/oauth/callback/{}", random_state(&*context.random)?);
        let flow = CodeFlow { host: "127.0.0.1", port: 0, path: &path, tie: Tie::Path };
        let grant = flow.run(callbacks, context, |callback| self.page(&pkce, callback)).await?;
        callbacks.on_progress("Exchanging the code for a key…");
        self.exchange(&grant, &pkce, context).await
    }

    fn page(&self, pkce: &Pkce, callback: &str) -> String {
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs([
                ("callback_url", callback),
                ("code_challenge", &*pkce.challenge),
                ("code_challenge_method", "S256"),
            ])
            .finish();
        format!("{}?{query}", self.authorize_url)
    }

    async fn exchange(&self, grant: &Grant, pkce: &Pkce, context: &OAuthContext) -> Result<OAuthCredentials, Error> {
        let body = json!({"code": grant.code, "code_verifier": pkce.verifier, "code_challenge_method": "S256"});
        let wording =
            |details: &str| format!("OpenRouter key request failed. url={}; details={details}", self.keys_url);
        let answer = async {
            let reply = succeed(context, post_json(&self.keys_url, &body), &[&grant.code, &pkce.verifier]).await?;
            reply.text("key").map(str::to_owned).ok_or_else(|| missing("key"))
        };
        let access = answer.await.map_err(|error| failed(error, wording))?;
        Ok(OAuthCredentials { refresh: String::new(), access, expires: NEVER, extra: Map::new() })
    }
}
