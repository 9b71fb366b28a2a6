//! The wire formats and the keys of `compat` that each reads: one row per format, for the checks of the catalogue and
//! for the recorded streams.

const COMPLETIONS: &[&str] = &[
    "cacheControlFormat",
    "chatTemplateKwargs",
    "maxTokensField",
    "openRouterRouting",
    "requiresAssistantAfterToolResult",
    "requiresReasoningContentOnAssistantMessages",
    "requiresThinkingAsText",
    "requiresToolResultName",
    "sendSessionAffinityHeaders",
    "sessionAffinityFormat",
    "supportsDeveloperRole",
    "supportsLongCacheRetention",
    "supportsReasoningEffort",
    "supportsStore",
    "supportsStrictMode",
    "supportsUsageInStreaming",
    "thinkingFormat",
    "vercelGatewayRouting",
    "zaiToolStream",
];
const RESPONSES: &[&str] =
    &["sendSessionIdHeader", "sessionAffinityFormat", "supportsDeveloperRole", "supportsLongCacheRetention"];
const ANTHROPIC: &[&str] = &[
    "allowEmptySignature",
    "forceAdaptiveThinking",
    "sendSessionAffinityHeaders",
    "sessionAffinityFormat",
    "supportsCacheControlOnTools",
    "supportsEagerToolInputStreaming",
    "supportsLongCacheRetention",
    "supportsTemperature",
];

/// A wire format: its name and the keys of `compat` that it reads.
type Format = (&'static str, &'static [&'static str]);

/// All wire formats. A new one is a row here.
const FORMATS: &[Format] = &[
    ("anthropic-messages", ANTHROPIC),
    ("azure-openai-responses", RESPONSES),
    ("bedrock-converse-stream", &[]),
    ("google-generative-ai", &[]),
    ("google-vertex", &[]),
    ("mistral-conversations", &[]),
    ("openai-codex-responses", RESPONSES),
    ("openai-completions", COMPLETIONS),
    ("openai-responses", RESPONSES),
];

/// The names of all formats.
pub(crate) fn names() -> Vec<&'static str> {
    FORMATS.iter().map(|(name, _)| *name).collect()
}

/// The keys of `compat` that a format reads; `None` if there is no such format.
pub(super) fn compat_keys(api: &str) -> Option<&'static [&'static str]> {
    FORMATS.iter().find(|(name, _)| *name == api).map(|(_, keys)| *keys)
}
