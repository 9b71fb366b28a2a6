//! The request: URL, headers and the payload in the shape of Mistral's own SDK.

use http::HeaderMap;
use serde_json::{Map, Value, json};

use crate::api::endpoint;
use crate::api::headers::Headers;
use crate::api::wire::WireRequest;
use crate::context::{Context, ToolDefinition};
use crate::error::Error;
use crate::model::Model;
use crate::options::{CacheRetention, StreamOptions};
use crate::thinking::{LevelMapping, clamp_level, level_mapping};

use super::convert;
use super::options::MistralOptions;

/// Models that think on demand; the others that can think are switched by the prompt mode.
const BY_EFFORT: [&str; 3] = ["mistral-small-2603", "mistral-small-latest", "mistral-medium-3.5"];
/// The effort of a level for which the model has no word.
const DEFAULT_EFFORT: &str = "high";
const REASONING_MODE: &str = "reasoning";

/// What a call asks for beyond the prompt.
#[derive(Debug, Default)]
pub(super) struct Settings<'a> {
    tool_choice: Option<&'a Value>,
    prompt_mode: Option<&'a str>,
    reasoning_effort: Option<&'a str>,
}

impl<'a> Settings<'a> {
    /// What the caller asked for in the provider's own terms.
    pub(super) fn explicit(explicit: &'a MistralOptions, options: &'a StreamOptions) -> Self {
        Self {
            tool_choice: explicit.tool_choice.as_ref().or(options.tool_choice.as_ref()),
            prompt_mode: explicit.prompt_mode.as_deref(),
            reasoning_effort: explicit.reasoning_effort.as_deref(),
        }
    }

    /// What a thinking level means to the model.
    pub(super) fn from_level(model: &'a Model, options: &'a StreamOptions) -> Self {
        let settings = Self { tool_choice: options.tool_choice.as_ref(), ..Self::default() };
        let level = clamp_level(model, options.reasoning).enabled();
        match level.filter(|_| model.reasoning) {
            None => settings,
            Some(level) if BY_EFFORT.contains(&model.id.as_str()) => {
                let effort = match level_mapping(model, level) {
                    LevelMapping::Value(word) => word,
                    LevelMapping::Unsupported | LevelMapping::Default => DEFAULT_EFFORT,
                };
                Self { reasoning_effort: Some(effort), ..settings }
            }
            Some(_) => Self { prompt_mode: Some(REASONING_MODE), ..settings },
        }
    }
}

/// Builds the request.
pub(super) fn build(
    model: &Model,
    context: &Context,
    options: &StreamOptions,
    settings: &Settings<'_>,
) -> Result<WireRequest, Error> {
    Ok(WireRequest {
        url: endpoint::url(model, options, "/v1/chat/completions")?,
        headers: headers(model, options)?,
        body: payload(model, context, options, settings).into(),
    })
}

/// All headers but those of the options.
fn headers(model: &Model, options: &StreamOptions) -> Result<HeaderMap, Error> {
    let mut headers = Headers::default();
    headers.set("accept", "text/event-stream")?;
    // The provider's own SDK sends it in every request.
    headers.set("cookie", "")?;
    // The driver made sure that there is a key.
    headers.set_bearer("authorization", options.given_api_key().unwrap_or_default())?;
    if let Some(session) = session(options) {
        headers.set("x-affinity", session)?;
    }
    headers.set_all(model.headers.as_ref())?;
    Ok(headers.finish())
}

/// The session by which the provider finds the cached prompt.
fn session(options: &StreamOptions) -> Option<&str> {
    let cached = options.cache_retention != Some(CacheRetention::None);
    options.session_id.as_deref().filter(|id| cached && !id.is_empty())
}

fn payload(model: &Model, context: &Context, options: &StreamOptions, settings: &Settings<'_>) -> Value {
    let tools: Vec<Value> = context.tools.iter().map(|tool| definition(tool)).collect();
    let entries = [
        ("model", Some(model.id.as_str().into())),
        ("stream", Some(true.into())),
        ("messages", Some(convert::messages(model, context, options).into())),
        ("tools", (!tools.is_empty()).then(|| tools.into())),
        ("temperature", options.temperature.map(Value::from)),
        ("maxTokens", options.max_tokens.map(Value::from)),
        ("toolChoice", settings.tool_choice.cloned()),
        ("promptMode", settings.prompt_mode.map(Value::from)),
        ("reasoningEffort", settings.reasoning_effort.map(Value::from)),
        ("promptCacheKey", session(options).map(Value::from)),
    ];
    entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect::<Map<_, _>>().into()
}

fn definition(tool: &ToolDefinition) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "strict": false,
            "parameters": tool.parameters,
        },
    })
}
