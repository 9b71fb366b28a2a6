//! Request headers: those of OpenAI's formats, and session affinity.

use http::HeaderMap;

use crate::api::affinity::Affinity;
use crate::api::openai;
use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::{CacheRetention, StreamOptions};

use super::compat::Compat;

/// All headers but those of the options.
pub(super) fn build(
    model: &Model,
    context: &Context,
    options: &StreamOptions,
    compat: &Compat<'_>,
    key: &str,
) -> Result<HeaderMap, Error> {
    let mut headers = openai::headers(model, context, options, key)?;
    let affine = compat.send_session_affinity_headers && options.resolved_cache_retention() != CacheRetention::None;
    if let Some(session) = options.session_id.as_deref().filter(|id| affine && !id.is_empty()) {
        let format = Affinity::of(model).unwrap_or(Affinity::OpenAi);
        format.completions().iter().try_for_each(|name| headers.set(name, session))?;
    }
    Ok(headers.finish())
}
