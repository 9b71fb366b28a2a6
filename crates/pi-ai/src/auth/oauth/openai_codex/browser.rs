//! A code by way of the browser on this machine.

use url::form_urlencoded;

use super::{CLIENT_ID, Code, OpenAiCodexOAuth};
use crate::auth::oauth::callbacks::OAuthCallbacks;
use crate::auth::oauth::code_flow::CodeFlow;
use crate::auth::oauth::pasted_code::Tie;
use crate::auth::oauth::pkce::{Pkce, random_state};
use crate::auth::oauth::provider::OAuthContext;
use crate::error::Error;

const SCOPE: &str = "openid profile email offline_access";
const CALLBACK_PATH: &str = "/auth/callback";

/// Sends the user to the provider's page and waits for the redirect.
pub(super) async fn code(
    provider: &OpenAiCodexOAuth,
    callbacks: &dyn OAuthCallbacks,
    context: &OAuthContext,
) -> Result<Code, Error> {
    let pkce = Pkce::new(&*context.random)?;
    let state = random_state(&*context.random)?;
    let flow =
        CodeFlow { host: "localhost", port: provider.callback_port, path: CALLBACK_PATH, tie: Tie::State(&state) };
    let page =
        |redirect_uri: &str| provider.url(format_args!("/oauth/authorize?{}", query(&pkce, &state, redirect_uri)));
    let grant = flow.run(callbacks, context, page).await?;
    Ok(Code { code: grant.code, verifier: pkce.verifier, redirect_uri: grant.redirect_uri })
}

fn query(pkce: &Pkce, state: &str, redirect_uri: &str) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs([
            ("response_type", "code"),
            ("client_id", CLIENT_ID),
            ("redirect_uri", redirect_uri),
            ("scope", SCOPE),
            ("code_challenge", &pkce.challenge),
            ("code_challenge_method", "S256"),
            ("state", state),
            ("id_token_add_organizations", "true"),
            ("codex_cli_simplified_flow", "true"),
            ("originator", "pi"),
        ])
        .finish()
}
