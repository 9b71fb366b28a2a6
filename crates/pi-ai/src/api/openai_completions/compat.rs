//! The dialect of an endpoint: what detection says, overridden key by key by the model's `compat`.

use serde_json::{Map, Value};

use crate::api::quirks::{flag, object, value, word};
use crate::model::Model;

use super::detect::{Host, Hosts};

/// Reasoning parameter dialects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThinkingFormat {
    OpenAi,
    OpenRouter,
    DeepSeek,
    Together,
    Zai,
    Qwen,
    ChatTemplate,
    QwenChatTemplate,
    StringThinking,
    AntLing,
}

impl ThinkingFormat {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "openai" => Self::OpenAi,
            "openrouter" => Self::OpenRouter,
            "deepseek" => Self::DeepSeek,
            "together" => Self::Together,
            "zai" => Self::Zai,
            "qwen" => Self::Qwen,
            "chat-template" => Self::ChatTemplate,
            "qwen-chat-template" => Self::QwenChatTemplate,
            "string-thinking" => Self::StringThinking,
            "ant-ling" => Self::AntLing,
            _ => return None,
        })
    }

    fn detect(hosts: &Hosts) -> Self {
        [
            (Host::DeepSeek, Self::DeepSeek),
            (Host::Zai, Self::Zai),
            (Host::Together, Self::Together),
            (Host::AntLing, Self::AntLing),
            (Host::OpenRouter, Self::OpenRouter),
        ]
        .into_iter()
        .find_map(|(host, format)| hosts.has(host).then_some(format))
        .unwrap_or(Self::OpenAi)
    }
}

/// Name of the output limit's field.
const MAX_TOKENS: &str = "max_tokens";
const MAX_COMPLETION_TOKENS: &str = "max_completion_tokens";

const NO_EFFORT: [Host; 7] =
    [Host::Grok, Host::Zai, Host::Moonshot, Host::Together, Host::CloudflareGateway, Host::Nvidia, Host::AntLing];
const OLD_LIMIT_FIELD: [Host; 6] =
    [Host::Chutes, Host::Moonshot, Host::CloudflareGateway, Host::Together, Host::Nvidia, Host::AntLing];
const NO_STRICT: [Host; 4] = [Host::Moonshot, Host::Together, Host::CloudflareGateway, Host::Nvidia];
const NO_LONG_CACHE: [Host; 5] =
    [Host::Together, Host::CloudflareWorkers, Host::CloudflareGateway, Host::Nvidia, Host::AntLing];

/// The dialect in force for a model. Fields are named after the keys of `compat`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Compat<'a> {
    pub(super) supports_store: bool,
    pub(super) supports_developer_role: bool,
    pub(super) supports_reasoning_effort: bool,
    pub(super) supports_usage_in_streaming: bool,
    pub(super) max_tokens_field: &'a str,
    pub(super) requires_tool_result_name: bool,
    pub(super) requires_assistant_after_tool_result: bool,
    pub(super) requires_thinking_as_text: bool,
    pub(super) requires_non_null_assistant_content: bool,
    pub(super) requires_reasoning_content: bool,
    pub(super) thinking_format: ThinkingFormat,
    pub(super) chat_template_kwargs: Option<&'a Map<String, Value>>,
    pub(super) open_router_routing: Option<&'a Map<String, Value>>,
    pub(super) vercel_gateway_routing: Option<&'a Map<String, Value>>,
    pub(super) zai_tool_stream: bool,
    pub(super) supports_strict_mode: bool,
    /// `cacheControlFormat` is `anthropic`, the only one there is.
    pub(super) anthropic_cache_control: bool,
    pub(super) send_session_affinity_headers: bool,
    pub(super) supports_long_cache_retention: bool,
}

impl<'a> Compat<'a> {
    pub(super) fn of(model: &'a Model) -> Self {
        let hosts = Hosts::of(model);
        let flag = |key: &str, detected: bool| flag(model, key).unwrap_or(detected);
        let old_limit = hosts.has_any(&OLD_LIMIT_FIELD);
        Self {
            supports_store: flag("supportsStore", hosts.is_standard()),
            supports_developer_role: flag("supportsDeveloperRole", knows_developer_role(model, &hosts)),
            supports_reasoning_effort: flag("supportsReasoningEffort", !hosts.has_any(&NO_EFFORT)),
            supports_usage_in_streaming: flag("supportsUsageInStreaming", true),
            max_tokens_field: word(model, "maxTokensField").unwrap_or(if old_limit {
                MAX_TOKENS
            } else {
                MAX_COMPLETION_TOKENS
            }),
            requires_tool_result_name: flag("requiresToolResultName", false),
            requires_assistant_after_tool_result: flag("requiresAssistantAfterToolResult", false),
            requires_thinking_as_text: flag("requiresThinkingAsText", false),
            requires_non_null_assistant_content: flag("requiresNonNullAssistantContent", false),
            requires_reasoning_content: flag("requiresReasoningContentOnAssistantMessages", hosts.has(Host::DeepSeek)),
            thinking_format: word(model, "thinkingFormat")
                .and_then(ThinkingFormat::parse)
                .unwrap_or_else(|| ThinkingFormat::detect(&hosts)),
            chat_template_kwargs: object(model, "chatTemplateKwargs"),
            // Also when it is empty: whoever names it wants the field sent.
            open_router_routing: value(model, "openRouterRouting").and_then(Value::as_object),
            vercel_gateway_routing: object(model, "vercelGatewayRouting"),
            zai_tool_stream: flag("zaiToolStream", false),
            supports_strict_mode: flag("supportsStrictMode", !hosts.has_any(&NO_STRICT)),
            anthropic_cache_control: word(model, "cacheControlFormat")
                .map_or(is_anthropic_on_openrouter(model), |format| format == "anthropic"),
            send_session_affinity_headers: flag("sendSessionAffinityHeaders", false),
            supports_long_cache_retention: flag("supportsLongCacheRetention", !hosts.has_any(&NO_LONG_CACHE)),
        }
    }
}

fn knows_developer_role(model: &Model, hosts: &Hosts) -> bool {
    if hosts.has(Host::OpenRouter) {
        return ["anthropic/", "openai/"].iter().any(|vendor| model.id.starts_with(vendor));
    }
    hosts.is_standard()
}

fn is_anthropic_on_openrouter(model: &Model) -> bool {
    model.provider == "openrouter" && model.id.starts_with("anthropic/")
}
