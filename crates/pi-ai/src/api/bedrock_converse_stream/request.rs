//! The payload: the input of the operation `ConverseStream`.

use serde_json::{Map, Value, json};

use crate::api::content::plain_id;
use crate::api::payload::{MessageList, Payload};
use crate::context::Context;
use crate::error::Error;
use crate::handoff;
use crate::model::Model;
use crate::options::{CacheRetention, StreamOptions};

use super::thinking::Settings;
use super::{convert, tools};

/// Tool call ids may be this long.
const MAX_ID: usize = 64;
const MESSAGES: &str = "messages";
/// Set to `1` where a model may cache although its name does not say so.
const FORCE_CACHE: &str = "AWS_BEDROCK_FORCE_CACHE";

/// Builds the payload.
pub(super) fn body(
    model: &Model,
    context: &Context,
    options: &StreamOptions,
    settings: &Settings,
    region: &str,
) -> Result<Payload, Error> {
    let cache_point = cache_point(options, settings);
    let cache_point = cache_point.as_ref();
    let metadata = &settings.metadata;
    let entries = [
        ("modelId", Some(model.id.as_str().into())),
        (MESSAGES, Some(Value::Null)),
        ("system", system(context, cache_point)),
        ("inferenceConfig", Some(limits(options, settings))),
        ("toolConfig", tools::config(&context.tools, settings.tool_choice.as_ref())),
        ("additionalModelRequestFields", settings.to_wire(model, region)),
        ("requestMetadata", (!metadata.is_empty()).then(|| json!(metadata))),
    ];
    Ok(Payload::of_entries(entries, MESSAGES, messages(model, context, options, settings, cache_point)?))
}

/// Marks the end of what shall be cached; `None` when nothing is to be.
fn cache_point(options: &StreamOptions, settings: &Settings) -> Option<Value> {
    if !settings.family.caches(options.env_var(FORCE_CACHE).as_deref() == Some("1")) {
        return None;
    }
    match options.resolved_cache_retention() {
        CacheRetention::None => None,
        CacheRetention::Short => Some(json!({"cachePoint": {"type": "default"}})),
        CacheRetention::Long => Some(json!({"cachePoint": {"type": "default", "ttl": "1h"}})),
    }
}

fn messages(
    model: &Model,
    context: &Context,
    options: &StreamOptions,
    settings: &Settings,
    cache_point: Option<&Value>,
) -> Result<MessageList, Error> {
    let now = options.clock.now_ms();
    let messages = handoff::transform(&context.messages, model, |id, _| plain_id(id, MAX_ID), now);
    let mut converted = MessageList::of_call(options);
    convert::convert(&messages, settings.family.is_claude(), &mut converted)?;
    if let Some(cache_point) = cache_point {
        convert::mark_last(&mut converted, cache_point);
    }
    Ok(converted)
}

fn system(context: &Context, cache_point: Option<&Value>) -> Option<Value> {
    let prompt = context.system_prompt.as_deref().filter(|prompt| !prompt.is_empty())?;
    Some([json!({"text": prompt})].into_iter().chain(cache_point.cloned()).collect())
}

fn limits(options: &StreamOptions, settings: &Settings) -> Value {
    let entries =
        [("maxTokens", settings.max_tokens.map(Value::from)), ("temperature", options.temperature.map(Value::from))];
    entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect::<Map<_, _>>().into()
}
