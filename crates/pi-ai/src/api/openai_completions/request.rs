//! The request: URL, headers and the body in the key order in which it is sent.

use serde_json::{Map, Value, json};

use crate::api::content::plain_id;
use crate::api::openai::{LONG_RETENTION, cache_key};
use crate::api::payload::{MessageList, Payload};
use crate::api::wire::WireRequest;
use crate::api::{cache_control, endpoint, quirks};
use crate::context::{Context, ToolDefinition};
use crate::error::Error;
use crate::handoff;
use crate::message::Message;
use crate::model::Model;
use crate::options::{CacheRetention, StreamOptions};
use crate::thinking::ThinkingLevel;

use super::compat::Compat;
use super::{cache, convert, headers, reasoning};

/// Tool call ids may be this long.
const MAX_ID: usize = 40;
const MESSAGES: &str = "messages";
/// Part of the base URL of OpenAI itself, which takes cache keys with any retention.
const OPENAI: &str = "api.openai.com";
/// Part of the base URL of Vercel's gateway.
const VERCEL_GATEWAY: &str = "ai-gateway.vercel.sh";

/// Builds the request. `effort` is what the model is asked for, `None` for no reasoning.
pub(super) fn build(
    model: &Model,
    context: &Context,
    options: &StreamOptions,
    effort: Option<ThinkingLevel>,
    tool_choice: Option<&Value>,
) -> Result<WireRequest, Error> {
    // The driver made sure that there is one.
    let key = options.given_api_key().unwrap_or_default();
    let compat = Compat::of(model);
    let (messages, tools) = prompt(model, context, options, &compat);
    let mut body = Map::new();
    body.insert("model".to_owned(), model.id.as_str().into());
    body.insert(MESSAGES.to_owned(), Value::Null);
    body.insert("stream".to_owned(), true.into());
    put_settings(&mut body, model, options, &compat);
    put_tools(&mut body, context, tools, &compat);
    if let Some(choice) = tool_choice {
        body.insert("tool_choice".to_owned(), choice.clone());
    }
    reasoning::apply(&mut body, model, &compat, effort);
    route(&mut body, model, &compat);
    quirks::put_sampling(&mut body, model);
    Ok(WireRequest {
        url: endpoint::url(model, options, "/chat/completions")?,
        headers: headers::build(model, context, options, &compat, key)?,
        body: Payload::new(body, MESSAGES, messages),
    })
}

/// Messages and tools, cache markers included.
fn prompt(model: &Model, context: &Context, options: &StreamOptions, compat: &Compat<'_>) -> (MessageList, Vec<Value>) {
    let now = options.clock.now_ms();
    let transcript = handoff::transform(&context.messages, model, |id, _| normalise_id(id, model), now);
    let marker = cache_control::marker(options, compat.supports_long_cache_retention);
    let marker = marker.filter(|_| compat.anthropic_cache_control);
    // Markers may go into any message.
    let messages = if marker.is_some() { MessageList::kept() } else { MessageList::of_call(options) };
    let mut messages = convert::convert(context, &transcript, model, compat, messages);
    let mut tools: Vec<Value> = context.tools.iter().map(|tool| definition(tool, compat)).collect();
    if let Some(marker) = marker {
        cache::mark_all(messages.values_mut(), &mut tools, &marker);
    }
    (messages, tools)
}

fn put_settings(body: &mut Map<String, Value>, model: &Model, options: &StreamOptions, compat: &Compat<'_>) {
    let (cache_key, cache_retention) = prompt_cache(model, options, compat);
    let settings = [
        ("prompt_cache_key", cache_key.map(Value::from)),
        ("prompt_cache_retention", cache_retention.map(Value::from)),
        ("stream_options", compat.supports_usage_in_streaming.then(|| json!({"include_usage": true}))),
        ("store", compat.supports_store.then(|| false.into())),
        (compat.max_tokens_field, options.max_tokens.filter(|limit| *limit > 0).map(Value::from)),
        ("temperature", options.temperature.map(Value::from)),
        ("priority", quirks::value(model, "vllmPriority").filter(|priority| priority.is_number()).cloned()),
    ];
    body.extend(settings.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
}

fn put_tools(body: &mut Map<String, Value>, context: &Context, tools: Vec<Value>, compat: &Compat<'_>) {
    let stream = !tools.is_empty() && compat.zai_tool_stream;
    // Some endpoints reject a history with tool calls when the request has no `tools`.
    if !tools.is_empty() || uses_tools(context) {
        body.insert("tools".to_owned(), tools.into());
    }
    if stream {
        body.insert("tool_stream".to_owned(), true.into());
    }
}

fn uses_tools(context: &Context) -> bool {
    context.messages.iter().any(|message| match &**message {
        Message::ToolResult(_) => true,
        Message::Assistant(message) => message.tool_calls().next().is_some(),
        Message::User(_) | Message::Other(_) => false,
    })
}

fn definition(tool: &ToolDefinition, compat: &Compat<'_>) -> Value {
    let mut function = Map::new();
    function.insert("name".into(), tool.name.as_str().into());
    function.insert("description".into(), tool.description.as_str().into());
    function.insert("parameters".into(), tool.parameters.clone());
    if compat.supports_strict_mode {
        function.insert("strict".into(), false.into());
    }
    json!({"type": "function", "function": function})
}

/// Cache key and retention, as far as they are to be sent.
fn prompt_cache(model: &Model, options: &StreamOptions, compat: &Compat<'_>) -> (Option<String>, Option<&'static str>) {
    let retention = options.resolved_cache_retention();
    let long = retention == CacheRetention::Long && compat.supports_long_cache_retention;
    let keyed = long || (retention != CacheRetention::None && model.base_url.contains(OPENAI));
    let key = cache_key(options).filter(|_| keyed);
    (key, long.then_some(LONG_RETENTION))
}

/// Preferences for routers that choose among providers.
fn route(body: &mut Map<String, Value>, model: &Model, compat: &Compat<'_>) {
    if let Some(routing) = compat.open_router_routing {
        body.insert("provider".to_owned(), routing.clone().into());
    }
    let Some(routing) = compat.vercel_gateway_routing.filter(|_| model.base_url.contains(VERCEL_GATEWAY)) else {
        return;
    };
    let gateway: Map<String, Value> = ["only", "order"]
        .into_iter()
        .filter_map(|key| routing.get(key).map(|value| (key.to_owned(), value.clone())))
        .collect();
    if !gateway.is_empty() {
        body.insert("providerOptions".to_owned(), json!({"gateway": gateway}));
    }
}

/// Ids of the responses formats have two parts, of which only the first is the call's; others may be too long.
fn normalise_id(id: &str, model: &Model) -> String {
    match id.split_once('|') {
        Some((call, _)) => plain_id(call, MAX_ID),
        None if model.provider == "openai" => id.chars().take(MAX_ID).collect(),
        None => id.to_owned(),
    }
}
