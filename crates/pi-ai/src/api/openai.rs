//! What all formats of OpenAI share in their requests: headers that every server sees, the key of the prompt cache.

use crate::api::headers::Headers;
use crate::api::{copilot, endpoint};
use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;

/// Variables that say on whose account a call goes, and the headers that they become.
const ACCOUNT: [(&str, &str); 2] = [("OPENAI_ORG_ID", "OpenAI-Organization"), ("OPENAI_PROJECT_ID", "OpenAI-Project")];

/// Cache keys may be this long, in code points.
const MAX_CACHE_KEY: usize = 64;

/// The value of `prompt_cache_retention` for the longest retention.
pub(crate) const LONG_RETENTION: &str = "24h";

/// The session as a key of the provider's prompt cache.
pub(crate) fn cache_key(options: &StreamOptions) -> Option<String> {
    let session = options.session_id.as_deref().filter(|id| !id.is_empty())?;
    Some(session.chars().take(MAX_CACHE_KEY).collect())
}

/// Headers that name the account, before any others.
///
/// # Errors
/// [`RequestError::InvalidHeader`](crate::RequestError::InvalidHeader) for a variable that is no header value.
pub(crate) fn account_headers(options: &StreamOptions) -> Result<Headers, Error> {
    let mut headers = Headers::default();
    for (variable, name) in ACCOUNT {
        if let Some(value) = options.env_var(variable) {
            headers.set(name, value.trim())?;
        }
    }
    Ok(headers)
}

/// Account, authentication, the model's headers and Copilot's; a format adds those of the session.
///
/// # Errors
/// [`RequestError::InvalidHeader`](crate::RequestError::InvalidHeader) for a key or header that is not legal in HTTP.
pub(crate) fn headers(model: &Model, context: &Context, options: &StreamOptions, key: &str) -> Result<Headers, Error> {
    let mut headers = account_headers(options)?;
    let gateway = model.provider == endpoint::CLOUDFLARE_GATEWAY;
    headers.set_bearer(if gateway { "cf-aig-authorization" } else { "authorization" }, key)?;
    headers.set_all(model.headers.as_ref())?;
    if model.provider == copilot::PROVIDER {
        copilot::set_headers(&mut headers, &context.messages)?;
    }
    Ok(headers)
}
