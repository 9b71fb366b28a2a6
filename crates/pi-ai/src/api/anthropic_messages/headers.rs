//! Request headers: authentication by provider and kind of key, beta features.

use http::HeaderMap;

use crate::api::affinity::Affinity;
use crate::api::headers::Headers;
use crate::api::{copilot, endpoint};
use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::{CacheRetention, StreamOptions};

use super::compat::Compat;

const VERSION: &str = "2023-06-01";
const BETA_CLIENT: &str = "claude-code-20250219";
const BETA_OAUTH: &str = "oauth-2025-04-20";
const BETA_TOOL_STREAMING: &str = "fine-grained-tool-streaming-2025-05-14";
const BETA_INTERLEAVED: &str = "interleaved-thinking-2025-05-14";
/// The client that subscription keys belong to.
const CLIENT: &str = "claude-cli/2.1.75";

/// What decides about headers, besides the key.
pub(super) struct HeaderInput<'a> {
    pub(super) model: &'a Model,
    pub(super) context: &'a Context,
    pub(super) options: &'a StreamOptions,
    pub(super) compat: Compat,
    /// The key is a subscription key.
    pub(super) oauth: bool,
    /// The model may think between tool calls.
    pub(super) interleaved: bool,
}

/// All headers but those of the options.
pub(super) fn build(input: &HeaderInput<'_>, key: &str) -> Result<HeaderMap, Error> {
    let mut headers = Headers::default();
    headers.set("anthropic-version", VERSION)?;
    headers.set("anthropic-dangerous-direct-browser-access", "true")?;
    let betas = betas(input);
    if !betas.is_empty() {
        headers.set("anthropic-beta", &betas.join(","))?;
    }
    authenticate(&mut headers, input, key)?;
    headers.set_all(input.model.headers.as_ref())?;
    if input.model.provider == copilot::PROVIDER {
        copilot::set_headers(&mut headers, &input.context.messages)?;
    }
    Ok(headers.finish())
}

fn authenticate(headers: &mut Headers, input: &HeaderInput<'_>, key: &str) -> Result<(), Error> {
    match input.model.provider.as_str() {
        endpoint::CLOUDFLARE_GATEWAY => headers.set_bearer("cf-aig-authorization", key),
        copilot::PROVIDER => headers.set_bearer("authorization", key),
        _ if input.oauth => {
            headers.set_bearer("authorization", key)?;
            headers.set("user-agent", CLIENT)?;
            headers.set("x-app", "cli")
        }
        // The caller's header is the one: see `auth::oauth::KimiCodingOAuth`.
        "kimi-coding" if is_login(input, key) => Ok(()),
        _ if is_gateway_token(input, key) => headers.set_bearer("authorization", key),
        _ => {
            headers.set("x-api-key", key)?;
            match session(input) {
                Some(session) => headers.set(Affinity::of(input.model).unwrap_or(Affinity::OpenAi).messages(), session),
                None => Ok(()),
            }
        }
    }
}

/// Whether the caller sends the key as a bearer token, as it does with the token of a login.
fn is_login(input: &HeaderInput<'_>, key: &str) -> bool {
    let mut headers = input.options.headers.iter();
    headers.any(|(name, value)| {
        name.eq_ignore_ascii_case("authorization") && value.strip_prefix("Bearer ").is_some_and(|token| token == key)
    })
}

/// Whether the key is the one of `ANTHROPIC_AUTH_TOKEN`, which gateways take as a bearer token. Servers of other providers
/// that speak this format do not know it.
fn is_gateway_token(input: &HeaderInput<'_>, key: &str) -> bool {
    input.model.provider == "anthropic" && input.options.env_var("ANTHROPIC_AUTH_TOKEN").as_deref() == Some(key)
}

/// The session id that ties requests together, if the endpoint wants it.
fn session<'a>(input: &HeaderInput<'a>) -> Option<&'a str> {
    let wanted = input.compat.session_affinity && input.options.resolved_cache_retention() != CacheRetention::None;
    input.options.session_id.as_deref().filter(|id| wanted && !id.is_empty())
}

fn betas(input: &HeaderInput<'_>) -> Vec<&'static str> {
    let stream_tools = !input.context.tools.is_empty() && !input.compat.eager_tool_input;
    let interleaved = input.interleaved && !input.compat.adaptive_thinking;
    [
        (input.oauth, BETA_CLIENT),
        (input.oauth, BETA_OAUTH),
        (stream_tools, BETA_TOOL_STREAMING),
        (interleaved, BETA_INTERLEAVED),
    ]
    .into_iter()
    .filter_map(|(wanted, beta)| wanted.then_some(beta))
    .collect()
}
