//! The body that `openai-responses` and `azure-openai-responses` send, in its key order.

use serde_json::{Map, Value};

use crate::api::payload::{MessageList, Payload};
use crate::context::Context;
use crate::model::Model;
use crate::options::StreamOptions;

use super::reasoning::Wish;
use super::{convert, reasoning, tools};

/// What the two formats put in differently.
#[derive(Debug, Clone, Default)]
pub(crate) struct BodyParts<'a> {
    /// The model as the server calls it.
    pub(crate) model: &'a str,
    /// Providers whose servers know two-part tool call ids.
    pub(crate) two_part: &'a [&'a str],
    /// `prompt_cache_key`.
    pub(crate) cache_key: Option<String>,
    /// `prompt_cache_retention`.
    pub(crate) cache_retention: Option<&'a str>,
    /// `service_tier`.
    pub(crate) service_tier: Option<&'a str>,
    /// How much thinking is wanted.
    pub(crate) wish: Wish<'a>,
    /// Whether a model is told when no thinking is wanted.
    pub(crate) says_off: bool,
}

/// Builds the body.
pub(crate) fn build(model: &Model, context: &Context, options: &StreamOptions, parts: BodyParts<'_>) -> Payload {
    let mut input = MessageList::of_call(options);
    input.extend(convert::instructions(context, model));
    convert::input(context, model, parts.two_part, options.clock.now_ms(), &mut input);
    let tools = tools::definitions(&context.tools, &false.into());
    let entries = [
        ("model", Some(parts.model.into())),
        (convert::INPUT, Some(Value::Null)),
        ("stream", Some(true.into())),
        ("prompt_cache_key", parts.cache_key.map(Value::from)),
        ("prompt_cache_retention", parts.cache_retention.map(Value::from)),
        ("store", Some(false.into())),
        ("max_output_tokens", options.max_tokens.filter(|limit| *limit > 0).map(Value::from)),
        ("temperature", options.temperature.map(Value::from)),
        ("service_tier", parts.service_tier.map(Value::from)),
        ("tools", (!tools.is_empty()).then(|| tools.into())),
    ];
    let mut body: Map<String, Value> =
        entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
    reasoning::apply(&mut body, model, parts.wish, parts.says_off);
    Payload::new(body, convert::INPUT, input)
}
