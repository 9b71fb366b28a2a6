//! The shape of `models.json`, as a table.

use super::schema::Field;
use super::schema::Shape::{
    self, AnyText, Either, List, Number, Object, OneOf, Record, Scalar, Switch, Text, TextOrNull,
};

const fn field(name: &'static str, shape: &'static Shape) -> Field {
    Field { name, shape, required: false }
}

const fn required(name: &'static str, shape: &'static Shape) -> Field {
    Field { name, shape, required: true }
}

const TEXTS: Shape = List(&AnyText);
const HEADERS: Shape = Record(&AnyText);
const INPUT: Shape = List(&OneOf(&["text", "image"]));

const LEVEL_MAP: Shape = Object(&[
    field("off", &TextOrNull),
    field("minimal", &TextOrNull),
    field("low", &TextOrNull),
    field("medium", &TextOrNull),
    field("high", &TextOrNull),
    field("xhigh", &TextOrNull),
    field("max", &TextOrNull),
]);

const COST: Shape = Object(&[
    required("input", &Number),
    required("output", &Number),
    required("cacheRead", &Number),
    required("cacheWrite", &Number),
    field("tiers", &TIERS),
]);

const TIERS: Shape = List(&Object(&[
    required("inputTokensAbove", &Number),
    field("input", &Number),
    field("output", &Number),
    field("cacheRead", &Number),
    field("cacheWrite", &Number),
]));

/// Whatever the server takes.
const SAMPLING: Shape = Object(&[]);

const COST_OVERRIDE: Shape = Object(&[
    field("input", &Number),
    field("output", &Number),
    field("cacheRead", &Number),
    field("cacheWrite", &Number),
    field("tiers", &TIERS),
]);

const NUMBER_OR_TEXT: Shape = Either(&[Number, AnyText]);

const PERCENTILES: Shape = Either(&[
    Number,
    Object(&[field("p50", &Number), field("p75", &Number), field("p90", &Number), field("p99", &Number)]),
]);

const OPEN_ROUTER_ROUTING: Shape = Object(&[
    field("allow_fallbacks", &Switch),
    field("require_parameters", &Switch),
    field("data_collection", &OneOf(&["deny", "allow"])),
    field("zdr", &Switch),
    field("enforce_distillable_text", &Switch),
    field("order", &TEXTS),
    field("only", &TEXTS),
    field("ignore", &TEXTS),
    field("quantizations", &TEXTS),
    field("sort", &Either(&[AnyText, Object(&[field("by", &AnyText), field("partition", &TextOrNull)])])),
    field(
        "max_price",
        &Object(&[
            field("prompt", &NUMBER_OR_TEXT),
            field("completion", &NUMBER_OR_TEXT),
            field("image", &NUMBER_OR_TEXT),
            field("audio", &NUMBER_OR_TEXT),
            field("request", &NUMBER_OR_TEXT),
        ]),
    ),
    field("preferred_min_throughput", &PERCENTILES),
    field("preferred_max_latency", &PERCENTILES),
]);

const THINKING_FORMATS: Shape = OneOf(&[
    "openai",
    "openrouter",
    "together",
    "deepseek",
    "zai",
    "qwen",
    "chat-template",
    "qwen-chat-template",
    "string-thinking",
    "ant-ling",
]);

const TEMPLATE_VALUE: Shape = Either(&[
    Scalar,
    Object(&[required("$var", &OneOf(&["thinking.enabled", "thinking.effort"])), field("omitWhenOff", &Switch)]),
]);

const AFFINITY: Shape = OneOf(&["openai", "openai-nosession", "openrouter"]);

const COMPLETIONS_COMPAT: Shape = Object(&[
    field("supportsStore", &Switch),
    field("supportsDeveloperRole", &Switch),
    field("supportsReasoningEffort", &Switch),
    field("supportsUsageInStreaming", &Switch),
    field("maxTokensField", &OneOf(&["max_completion_tokens", "max_tokens"])),
    field("requiresToolResultName", &Switch),
    field("requiresAssistantAfterToolResult", &Switch),
    field("requiresThinkingAsText", &Switch),
    field("requiresReasoningContentOnAssistantMessages", &Switch),
    field("thinkingFormat", &THINKING_FORMATS),
    field("chatTemplateKwargs", &Record(&TEMPLATE_VALUE)),
    field("cacheControlFormat", &OneOf(&["anthropic"])),
    field("openRouterRouting", &OPEN_ROUTER_ROUTING),
    field("vercelGatewayRouting", &Object(&[field("only", &TEXTS), field("order", &TEXTS)])),
    field("supportsStrictMode", &Switch),
    field("supportsLongCacheRetention", &Switch),
    field("supportsFinishReason", &Switch),
    field("requiresNonNullAssistantContent", &Switch),
    field("vllmPriority", &Number),
    field("sessionAffinityFormat", &AFFINITY),
]);

const RESPONSES_COMPAT: Shape = Object(&[
    field("supportsDeveloperRole", &Switch),
    field("sendSessionIdHeader", &Switch),
    field("sessionAffinityFormat", &AFFINITY),
    field("supportsLongCacheRetention", &Switch),
]);

const ANTHROPIC_COMPAT: Shape = Object(&[
    field("supportsEagerToolInputStreaming", &Switch),
    field("supportsLongCacheRetention", &Switch),
    field("sendSessionAffinityHeaders", &Switch),
    field("supportsCacheControlOnTools", &Switch),
    field("sessionAffinityFormat", &AFFINITY),
    field("forceAdaptiveThinking", &Switch),
]);

/// One of the three is enough: which one applies depends on the wire format, and keys that a shape does not know
/// are fine with it.
const COMPAT: Shape = Either(&[COMPLETIONS_COMPAT, RESPONSES_COMPAT, ANTHROPIC_COMPAT]);

/// A model of one's own.
pub(super) const MODEL: Shape = Object(&[
    required("id", &Text),
    field("name", &Text),
    field("api", &Text),
    field("baseUrl", &Text),
    field("reasoning", &Switch),
    field("thinkingLevelMap", &LEVEL_MAP),
    field("input", &INPUT),
    field("cost", &COST),
    field("contextWindow", &Number),
    field("maxTokens", &Number),
    field("headers", &HEADERS),
    field("compat", &COMPAT),
    field("samplingParams", &SAMPLING),
]);

const OVERRIDE: Shape = Object(&[
    field("name", &Text),
    field("reasoning", &Switch),
    field("thinkingLevelMap", &LEVEL_MAP),
    field("input", &INPUT),
    field("cost", &COST_OVERRIDE),
    field("contextWindow", &Number),
    field("maxTokens", &Number),
    field("headers", &HEADERS),
    field("compat", &COMPAT),
    field("samplingParams", &SAMPLING),
]);

const PROVIDER: Shape = Object(&[
    field("name", &Text),
    field("baseUrl", &Text),
    field("apiKey", &Text),
    field("api", &Text),
    field("headers", &HEADERS),
    field("compat", &COMPAT),
    field("authHeader", &Switch),
    field("models", &List(&MODEL)),
    field("modelOverrides", &Record(&OVERRIDE)),
]);

/// The whole file.
pub(super) const MODELS_JSON: Shape = Object(&[required("providers", &Record(&PROVIDER))]);
