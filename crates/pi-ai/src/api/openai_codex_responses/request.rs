//! The request: URL and body, in the key order in which it is sent. The format's own headers come after the hooks.

use serde_json::{Value, json};

use crate::api::effort::{mapped, word};
use crate::api::headers::Headers;
use crate::api::openai;
use crate::api::payload::{MessageList, Payload};
use crate::api::responses::ids::TWO_PART_PROVIDERS;
use crate::api::responses::reasoning::{ENCRYPTED_CONTENT, thinking};
use crate::api::responses::{convert, tools};
use crate::api::wire::WireRequest;
use crate::auth::codex_account;
use crate::context::Context;
use crate::error::{Error, NetworkError};
use crate::model::Model;
use crate::options::StreamOptions;
use crate::thinking::ThinkingLevel;

use super::options::OpenAiCodexResponsesOptions;

/// Where requests go unless the model says otherwise.
const BASE_URL: &str = "https://chatgpt.com/backend-api";
/// What the server wants to be told where there is no system prompt.
const INSTRUCTIONS: &str = "You are a helpful assistant.";
const VERBOSITY: &str = "low";

/// Builds the request, without the format's own headers.
pub(super) fn build(
    model: &Model,
    context: &Context,
    options: &StreamOptions,
    explicit: &OpenAiCodexResponsesOptions,
) -> Result<WireRequest, Error> {
    check_transport(options)?;
    // A wrong key should be named before hooks of the caller run.
    codex_account::id(options.given_api_key().unwrap_or_default().trim())?;
    let mut headers = Headers::default();
    headers.set_all(model.headers.as_ref())?;
    Ok(WireRequest {
        url: url(&model.base_url),
        headers: headers.finish(),
        body: body(model, context, options, explicit),
    })
}

/// An explicit wish for a WebSocket is not ignored silently.
fn check_transport(options: &StreamOptions) -> Result<(), Error> {
    use crate::options::Transport;
    match options.transport {
        Some(Transport::Websocket | Transport::WebsocketCached) if cfg!(not(feature = "codex-ws")) => {
            let detail = "WebSocket transport is not available in this runtime: pi-ai was built without its feature \
                          \"codex-ws\". Choose the transport \"sse\" or \"auto\".";
            Err(Error::Network(NetworkError::WebSocket { detail: detail.to_owned(), code: None }))
        }
        _ => Ok(()),
    }
}

fn url(base: &str) -> String {
    let base = if base.trim().is_empty() { BASE_URL } else { base };
    let base = base.trim_end_matches('/');
    let rest = match base {
        _ if base.ends_with("/codex/responses") => "",
        _ if base.ends_with("/codex") => "/responses",
        _ => "/codex/responses",
    };
    format!("{base}{rest}")
}

fn body(model: &Model, context: &Context, options: &StreamOptions, explicit: &OpenAiCodexResponsesOptions) -> Payload {
    let prompt = context.system_prompt.as_deref().filter(|prompt| !prompt.is_empty());
    let mut input = MessageList::of_call(options);
    convert::input(context, model, &TWO_PART_PROVIDERS, options.clock.now_ms(), &mut input);
    let tools = tools::definitions(&context.tools, &Value::Null);
    let verbosity = explicit.text_verbosity.as_deref().unwrap_or(VERBOSITY);
    let entries = [
        ("model", Some(model.id.as_str().into())),
        ("store", Some(false.into())),
        ("stream", Some(true.into())),
        ("instructions", Some(prompt.unwrap_or(INSTRUCTIONS).into())),
        (convert::INPUT, Some(Value::Null)),
        ("text", Some(json!({"verbosity": verbosity}))),
        ("include", Some(json!([ENCRYPTED_CONTENT]))),
        ("prompt_cache_key", openai::cache_key(options).map(Value::from)),
        ("tool_choice", Some(options.tool_choice.clone().unwrap_or_else(|| "auto".into()))),
        ("parallel_tool_calls", Some(true.into())),
        ("temperature", options.temperature.map(Value::from)),
        ("service_tier", explicit.service_tier.as_deref().map(Value::from)),
        ("tools", (!tools.is_empty()).then(|| tools.into())),
        ("reasoning", explicit.reasoning_effort.map(|effort| reasoning(model, effort, explicit))),
    ];
    Payload::of_entries(entries, convert::INPUT, input)
}

fn reasoning(model: &Model, effort: ThinkingLevel, explicit: &OpenAiCodexResponsesOptions) -> Value {
    let effort = match effort {
        ThinkingLevel::Off => mapped(model, effort).unwrap_or("none"),
        level => word(model, level),
    };
    thinking(effort, explicit.reasoning_summary.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls() {
        for (base, expected) in [
            ("", "https://chatgpt.com/backend-api/codex/responses"),
            ("  ", "https://chatgpt.com/backend-api/codex/responses"),
            ("https://a.example", "https://a.example/codex/responses"),
            ("https://a.example/x//", "https://a.example/x/codex/responses"),
            ("https://a.example/codex/", "https://a.example/codex/responses"),
            ("https://a.example/codex/responses", "https://a.example/codex/responses"),
        ] {
            assert_eq!(url(base), expected);
        }
    }
}
