//! The request: URL, headers and the body in the key order in which it is sent.

use serde_json::{Value, json};

use crate::api::cache_control::{self, mark};
use crate::api::content::plain_id;
use crate::api::endpoint;
use crate::api::payload::{MessageList, Payload};
use crate::api::wire::WireRequest;
use crate::context::Context;
use crate::error::Error;
use crate::handoff;
use crate::model::Model;
use crate::options::StreamOptions;

use super::compat::Compat;
use super::headers::{self, HeaderInput};
use super::thinking::Settings;
use super::{convert, oauth, tools};

/// Tool call ids may be this long.
const MAX_ID: usize = 64;
const MESSAGES: &str = "messages";

/// Builds the request.
pub(super) fn build(
    model: &Model,
    context: &Context,
    options: &StreamOptions,
    settings: &Settings,
) -> Result<WireRequest, Error> {
    // The driver made sure that there is one.
    let key = options.given_api_key().unwrap_or_default();
    let compat = Compat::of(model);
    let oauth = oauth::applies(model, key);
    let input = HeaderInput { model, context, options, compat, oauth, interleaved: settings.interleaved };
    Ok(WireRequest {
        url: endpoint::url(model, options, "/v1/messages")?,
        headers: headers::build(&input, key)?,
        body: body(&input, settings),
    })
}

fn body(input: &HeaderInput<'_>, settings: &Settings) -> Payload {
    let HeaderInput { model, context, options, compat, oauth, .. } = *input;
    let marker = cache_control::marker(options, compat.long_cache_retention);
    let marker = marker.as_ref();
    let temperature = options.temperature.filter(|_| compat.temperature && !settings.thinks());
    let tools = tools::convert(&context.tools, compat, oauth, marker);
    let (thinking, output_config) = settings.to_wire(model, compat);
    let user = options.metadata.get("user_id").and_then(Value::as_str);
    let entries = [
        ("model", Some(model.id.as_str().into())),
        (MESSAGES, Some(Value::Null)),
        ("max_tokens", Some(settings.max_tokens.into())),
        ("stream", Some(true.into())),
        ("system", system(context, oauth, marker)),
        ("temperature", temperature.map(Value::from)),
        ("tools", (!tools.is_empty()).then(|| tools.into())),
        ("thinking", thinking),
        ("output_config", output_config),
        ("metadata", user.map(|user| json!({"user_id": user}))),
        ("tool_choice", settings.tool_choice.as_ref().map(tool_choice)),
    ];
    Payload::of_entries(entries, MESSAGES, messages(input, marker))
}

fn tool_choice(choice: &Value) -> Value {
    match choice {
        Value::String(word) => json!({"type": word}),
        object => object.clone(),
    }
}

fn messages(input: &HeaderInput<'_>, marker: Option<&Value>) -> MessageList {
    let now = input.options.clock.now_ms();
    let messages = handoff::transform(&input.context.messages, input.model, |id, _| plain_id(id, MAX_ID), now);
    let mut converted = MessageList::of_call(input.options);
    convert::convert(&messages, input.compat, input.oauth, &mut converted);
    if let Some(marker) = marker {
        convert::mark_last(&mut converted, marker);
    }
    converted
}

fn system(context: &Context, oauth: bool, marker: Option<&Value>) -> Option<Value> {
    let prompt = context.system_prompt.as_deref().filter(|prompt| !prompt.is_empty());
    let texts = oauth.then_some(oauth::IDENTITY).into_iter().chain(prompt);
    let mut blocks: Vec<Value> = texts.map(|text| json!({"type": "text", "text": text})).collect();
    if let Some(marker) = marker {
        blocks.iter_mut().for_each(|block| mark(block, marker));
    }
    (!blocks.is_empty()).then_some(blocks.into())
}
