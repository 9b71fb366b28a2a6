//! Model calls that scripts make, and what `pi-ai` knows of models: the module of that name in `js/pi-ai/`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use pi_ai::auth::env::{env_api_key, find_env_keys};
use pi_ai::thinking::{ThinkingBudgets, clamp_level, supported_levels};
use pi_ai::{
    ApiRegistry, AssistantMessage, AssistantMessageEvent, CacheRetention, Context, Model, PayloadHook, ResponseHook,
    StreamOptions, ThinkingLevel, ToolDefinition, ToolValidator, Transport, Usage, calculate_cost, get_model,
    get_models, get_providers, is_context_overflow, is_retryable_text, overflow_patterns, parse_streaming_json,
    repair_json,
};
use pi_script::{Callback, Data, OpError, Permission};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Ops, json as as_json};
use crate::errors::{failed, to_handler};
use crate::host::ScriptHost;
use crate::link::Link;
use crate::tool::coercion_mode;

pub(super) fn add(ops: &mut Ops<'_>) {
    add_models(ops);
    add_texts(ops);
    // Says every event to a function of the script; the message so far is put together there.
    ops.spawned("ai.stream", |host, _, mut args| async move {
        let (model, conversation) = (args.parse::<Model>(0)?, args.parse::<Context>(1)?);
        let wanted = args.parse::<Option<CallOptions>>(2)?.unwrap_or_default();
        permit_call(&host, &model, &wanted.env).await?;
        let listener = args.callback(3)?;
        let mut options = wanted.options();
        if let Some(cancel) = host.state.token(&mut args, 4)? {
            options.cancel = cancel;
        }
        let hooks = (args.callback_or_none(5)?, args.callback_or_none(6)?);
        let link = Link::to(&host);
        set_hooks(&mut options, &link, hooks);
        let apis = apis(&host, &mut options);
        send_events(&link, listener, apis.stream(Arc::new(model), conversation, options).map_err(failed)?).await
    });
    ops.sync("ai.hasApi", |host, _, mut args| {
        let apis = apis(host, &mut StreamOptions::default());
        Ok(apis.get(&args.text(0)?).is_some().into())
    });
}

/// Passes on what a model says, not faster than the script takes it in.
async fn send_events(
    link: &Link,
    listener: Callback,
    mut answer: pi_ai::AssistantMessageStream,
) -> pi_script::OpResult {
    while let Some(event) = answer.next().await {
        link.ask(listener, vec![event_json(&event).into()]).await.map_err(failed)?;
    }
    Ok(Data::Undefined)
}

/// Who may not make connections can still call the models that the session knows, the way they are known: not others, and
/// not elsewhere.
///
/// # Errors
/// `ERR_ACCESS_DENIED`.
pub(super) async fn permit_call(
    host: &ScriptHost,
    model: &Model,
    env: &BTreeMap<String, String>,
) -> Result<(), OpError> {
    let Err(refused) = host.permit(Permission::Network) else { return Ok(()) };
    let models = host.contexts.activations().iter().find_map(|api| api.context().models().ok());
    let Some(models) = models else { return Err(refused) };
    let known = models
        .find(&model.provider, &model.id)
        .filter(|known| (&known.api, &known.base_url, &known.headers) == (&model.api, &model.base_url, &model.headers));
    let Some(known) = known else { return Err(refused) };
    // Variables can name other servers.
    if env.is_empty() || models.request_auth(&known).await.is_ok_and(|auth| auth.env == *env) {
        return Ok(());
    }
    Err(refused)
}

/// The wire formats of the session, else the built-in ones; calls go where those of the session go.
pub(super) fn apis(host: &Arc<ScriptHost>, options: &mut StreamOptions) -> Arc<ApiRegistry> {
    match host.session() {
        Some(session) => {
            let surroundings = session.surroundings();
            options.http = surroundings.http;
            surroundings.apis
        }
        None => Arc::clone(host.apis()),
    }
}

/// Options of a call, as scripts write them. What no wire format here knows is ignored.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct CallOptions {
    pub(super) temperature: Option<f64>,
    pub(super) max_tokens: Option<u64>,
    pub(super) api_key: Option<String>,
    cache_retention: Option<CacheRetention>,
    session_id: Option<String>,
    pub(super) headers: BTreeMap<String, String>,
    timeout_ms: Option<f64>,
    websocket_connect_timeout_ms: Option<f64>,
    transport: Option<Transport>,
    max_retries: Option<u32>,
    max_retry_delay_ms: Option<f64>,
    metadata: Map<String, Value>,
    env: BTreeMap<String, String>,
    pub(super) reasoning: Option<ThinkingLevel>,
    /// The name that some wire formats have for it.
    reasoning_effort: Option<ThinkingLevel>,
    thinking_budgets: Option<ThinkingBudgets>,
    tool_choice: Option<Value>,
}

impl CallOptions {
    pub(super) fn options(self) -> StreamOptions {
        let milliseconds = |value: Option<f64>, default: Duration| {
            let value = value.and_then(|value| Duration::try_from_secs_f64(value / 1000.0).ok());
            value.unwrap_or(default)
        };
        let defaults = StreamOptions::default();
        StreamOptions {
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            api_key: self.api_key,
            cache_retention: self.cache_retention,
            session_id: self.session_id,
            headers: self.headers,
            timeout: milliseconds(self.timeout_ms.filter(|limit| *limit > 0.0), defaults.timeout),
            websocket_connect_timeout: milliseconds(
                self.websocket_connect_timeout_ms,
                defaults.websocket_connect_timeout,
            ),
            transport: self.transport,
            max_retries: self.max_retries.unwrap_or(defaults.max_retries),
            max_retry_delay: milliseconds(self.max_retry_delay_ms, defaults.max_retry_delay),
            metadata: self.metadata,
            env: self.env,
            reasoning: self.reasoning.or(self.reasoning_effort).unwrap_or_default(),
            thinking_budgets: self.thinking_budgets,
            tool_choice: self.tool_choice,
            ..defaults
        }
    }
}

/// Functions of the script that see the request and the response.
fn set_hooks(options: &mut StreamOptions, link: &Link, hooks: (Option<Callback>, Option<Callback>)) {
    let (payload, response) = hooks;
    options.on_payload = payload.map(|callback| {
        let link = link.clone();
        PayloadHook::new(move |payload, model| {
            let (link, args) = (link.clone(), vec![payload.into(), Data::json(&*model)]);
            async move { Ok(call(&link, callback, args).await?.into_json().filter(|value| !value.is_null())) }
        })
    });
    options.on_response = response.map(|callback| {
        let link = link.clone();
        ResponseHook::new(move |response, model| {
            let said = json!({"status": response.status, "headers": response.headers});
            let (link, args) = (link.clone(), vec![said.into(), Data::json(&*model)]);
            async move { call(&link, callback, args).await.map(drop) }
        })
    });
}

async fn call(link: &Link, callback: Callback, args: Vec<Data>) -> Result<Data, String> {
    link.ask(callback, args).await.map_err(|error| to_handler(error).to_string())
}

/// An event without the message so far. Where a block opens or closes, the block is along; with `start` the message is.
pub(super) fn event_json(event: &AssistantMessageEvent) -> Value {
    use AssistantMessageEvent as Event;
    let mut said = json!({"type": event.kind()});
    if let Some(index) = event.content_index() {
        said["contentIndex"] = index.into();
    }
    let block = || {
        let index = event.content_index()?;
        event.partial()?.with(|message| message.content.get(index).and_then(|block| serde_json::to_value(block).ok()))
    };
    match event {
        Event::Start { partial } => said["message"] = partial.with(message_json),
        Event::TextStart { .. } | Event::ThinkingStart { .. } | Event::ToolCallStart { .. } => {
            said["block"] = block().unwrap_or_default();
        }
        Event::TextDelta { delta, .. } | Event::ThinkingDelta { delta, .. } | Event::ToolCallDelta { delta, .. } => {
            said["delta"] = delta.as_str().into();
        }
        Event::TextEnd { content, .. } | Event::ThinkingEnd { content, .. } => {
            said["content"] = content.as_str().into();
            said["block"] = block().unwrap_or_default();
        }
        Event::ToolCallEnd { .. } => said["block"] = block().unwrap_or_default(),
        Event::Done { reason, message } => {
            said["reason"] = json!(reason);
            said["message"] = message_json(message);
        }
        Event::Error { reason, error, .. } => {
            said["reason"] = json!(reason);
            said["error"] = message_json(error);
        }
    }
    said
}

/// A message with its role, which only the enum of messages writes.
pub(super) fn message_json(message: &AssistantMessage) -> Value {
    serde_json::to_value(pi_ai::Message::from(message.clone())).unwrap_or_default()
}

fn add_models(ops: &mut Ops<'_>) {
    ops.sync("ai.getProviders", |_, _, _| as_json(&get_providers().collect::<Vec<_>>()));
    ops.sync("ai.getModels", |_, _, mut args| as_json(&get_models(&args.text(0)?)));
    ops.sync("ai.getModel", |_, _, mut args| {
        let model = get_model(&args.text(0)?, &args.text(1)?);
        Ok(model.map_or(Data::Undefined, |model| Data::json(&*model)))
    });
    ops.sync("ai.calculateCost", |_, _, mut args| {
        let (model, mut usage) = (args.parse::<Model>(0)?, args.parse::<Usage>(1)?);
        calculate_cost(&model, &mut usage);
        as_json(&usage.cost)
    });
    ops.sync("ai.supportedThinkingLevels", |_, _, mut args| as_json(&supported_levels(&args.parse::<Model>(0)?)));
    ops.sync("ai.clampThinkingLevel", |_, _, mut args| as_json(&clamp_level(&args.parse::<Model>(0)?, args.parse(1)?)));
    ops.sync("ai.findEnvKeys", |host, _, mut args| {
        let (provider, own) = (args.text(0)?, args.parse::<Option<BTreeMap<String, String>>>(1)?.unwrap_or_default());
        let keys = find_env_keys(&provider, &|name: &str| variable(host, &own, name));
        Ok(keys.map_or(Data::Undefined, |keys| Data::json(&keys)))
    });
    ops.sync("ai.getEnvApiKey", |host, _, mut args| {
        let (provider, own) = (args.text(0)?, args.parse::<Option<BTreeMap<String, String>>>(1)?.unwrap_or_default());
        let key = env_api_key(&provider, &|name: &str| variable(host, &own, name));
        Ok(key.map_or(Data::Undefined, Data::from))
    });
}

fn variable(host: &ScriptHost, own: &BTreeMap<String, String>, name: &str) -> Option<String> {
    own.get(name).cloned().or_else(|| host.env().var(name))
}

fn add_texts(ops: &mut Ops<'_>) {
    ops.sync("ai.validate", |_, _, mut args| {
        let (definition, arguments) = (args.parse::<ToolDefinition>(0)?, args.json(1).unwrap_or_default());
        let coercion = coercion_mode(args.parse(2)?);
        let validator = ToolValidator::new(&definition, coercion).map_err(failed)?;
        Ok(validator.validate(&arguments).map_err(failed)?.into())
    });
    ops.sync("ai.isContextOverflow", |_, _, mut args| {
        let (message, window) = (args.parse::<AssistantMessage>(0)?, args.parse::<Option<f64>>(1)?);
        Ok(is_context_overflow(&message, window.map(|window| window as u64)).into())
    });
    ops.sync("ai.isRetryableText", |_, _, mut args| Ok(is_retryable_text(&args.text(0)?).into()));
    ops.sync("ai.overflowPatterns", |_, _, _| as_json(&overflow_patterns()));
    ops.sync("ai.parseStreamingJson", |_, _, mut args| {
        Ok(parse_streaming_json(&args.text_or_none(0)?.unwrap_or_default()).into())
    });
    ops.sync("ai.repairJson", |_, _, mut args| Ok(repair_json(&args.text(0)?).into_owned().into()));
}
