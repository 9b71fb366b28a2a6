//! The request: URL, headers, and what this format puts into the body.

use http::HeaderMap;

use crate::api::affinity::Affinity;
use crate::api::quirks::flag;
use crate::api::responses::body::{self, BodyParts};
use crate::api::responses::ids::TWO_PART_PROVIDERS;
use crate::api::wire::WireRequest;
use crate::api::{copilot, endpoint, openai};
use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::{CacheRetention, StreamOptions};

use super::options::OpenAiResponsesOptions;

/// Builds the request.
pub(super) fn build(
    model: &Model,
    context: &Context,
    options: &StreamOptions,
    explicit: &OpenAiResponsesOptions,
) -> Result<WireRequest, Error> {
    let retention = options.resolved_cache_retention();
    let long = retention == CacheRetention::Long && flag(model, "supportsLongCacheRetention").unwrap_or(true);
    let parts = BodyParts {
        model: &model.id,
        two_part: &TWO_PART_PROVIDERS,
        cache_key: openai::cache_key(options).filter(|_| retention != CacheRetention::None),
        cache_retention: long.then_some(openai::LONG_RETENTION),
        service_tier: explicit.service_tier.as_deref(),
        wish: explicit.wish(),
        says_off: model.provider != copilot::PROVIDER,
    };
    Ok(WireRequest {
        url: endpoint::url(model, options, "/responses")?,
        headers: headers(model, context, options)?,
        body: body::build(model, context, options, parts),
    })
}

fn headers(model: &Model, context: &Context, options: &StreamOptions) -> Result<HeaderMap, Error> {
    // The driver made sure that there is one.
    let key = options.given_api_key().unwrap_or_default();
    let mut headers = openai::headers(model, context, options, key)?;
    let cached = options.resolved_cache_retention() != CacheRetention::None;
    if let Some(session) = options.session_id.as_deref().filter(|id| cached && !id.is_empty()) {
        // The switch is older than the format, and says less.
        let id = flag(model, "sendSessionIdHeader").unwrap_or(true);
        let usual = if id { Affinity::OpenAi } else { Affinity::OpenAiNoSession };
        let format = Affinity::of(model).unwrap_or(usual);
        format.responses().iter().try_for_each(|name| headers.set(name, session))?;
    }
    Ok(headers.finish())
}
