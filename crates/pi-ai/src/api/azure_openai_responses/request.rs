//! The request: URL, headers, and what this format puts into the body.

use http::HeaderMap;

use crate::api::openai;
use crate::api::responses::body::{self, BodyParts};
use crate::api::wire::WireRequest;
use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;

use super::location;
use super::options::AzureOpenAiResponsesOptions;

/// Providers whose servers know two-part tool call ids.
const TWO_PART_PROVIDERS: [&str; 4] = ["openai", "openai-codex", "opencode", super::NAME];

/// Builds the request.
pub(super) fn build(
    model: &Model,
    context: &Context,
    options: &StreamOptions,
    explicit: &AzureOpenAiResponsesOptions,
) -> Result<WireRequest, Error> {
    let parts = BodyParts {
        model: &location::deployment(model, options, explicit),
        two_part: &TWO_PART_PROVIDERS,
        // With any retention: Azure's cache costs nothing to write to and cannot be asked for a longer time.
        cache_key: openai::cache_key(options),
        cache_retention: None,
        service_tier: None,
        wish: explicit.wish(),
        says_off: true,
    };
    Ok(WireRequest {
        url: location::url(model, options, explicit)?,
        headers: headers(model, options)?,
        body: body::build(model, context, options, parts),
    })
}

fn headers(model: &Model, options: &StreamOptions) -> Result<HeaderMap, Error> {
    let mut headers = openai::account_headers(options)?;
    // The driver made sure that there is one.
    headers.set("api-key", options.given_api_key().unwrap_or_default())?;
    headers.set_all(model.headers.as_ref())?;
    Ok(headers.finish())
}
