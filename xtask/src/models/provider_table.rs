//! The providers, as a table: which source lists their models, and how a model is spoken to about which nothing more
//! is known. Rows of `published.jsonl` and `wire.jsonl` win over it.

/// Who is asked for facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    ModelsDev,
    OpenRouter,
    VercelGateway,
}

impl Source {
    /// All of them; where two list a model, the earlier one counts.
    pub(super) const ALL: [Self; 3] = [Self::ModelsDev, Self::OpenRouter, Self::VercelGateway];

    /// As people know it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ModelsDev => "models.dev",
            Self::OpenRouter => "OpenRouter",
            Self::VercelGateway => "Vercel AI Gateway",
        }
    }
}

/// A provider.
#[derive(Debug)]
pub(super) struct Provider {
    pub(super) name: &'static str,
    pub(super) listed: Listed,
    /// Tried in order; the last one fits everything.
    pub(super) routes: &'static [Route],
    /// Sent with every request.
    pub(super) headers: &'static [(&'static str, &'static str)],
}

/// Where its models are listed.
#[derive(Debug)]
pub(super) enum Listed {
    /// By models.dev under this key.
    ModelsDev(&'static str),
    /// By models.dev under this key, only ids that begin with one of these; the flagged prefixes are cut off.
    Prefixed(&'static str, &'static [(&'static str, bool)]),
    /// By a source of its own.
    Own,
    /// Nowhere: its models are those of another provider that speak this wire format.
    Copies(&'static str, &'static str),
    /// Nowhere: the overrides add its models.
    Nowhere,
}

/// How a model is spoken to.
#[derive(Debug)]
pub(super) struct Route {
    pub(super) when: When,
    pub(super) api: &'static str,
    pub(super) base_url: &'static str,
    /// A JSON object, or empty.
    pub(super) compat: &'static str,
}

/// Which models a route is for.
#[derive(Debug)]
pub(super) enum When {
    Always,
    /// The id begins with one of these.
    Id(&'static [&'static str]),
    /// The source names this package.
    Npm(&'static str),
}

const AM: &str = "anthropic-messages";
const OC: &str = "openai-completions";
const OR: &str = "openai-responses";
const GG: &str = "google-generative-ai";
const BR: &str = "bedrock-converse-stream";

const fn route(when: When, api: &'static str, base_url: &'static str, compat: &'static str) -> Route {
    Route { when, api, base_url, compat }
}

const fn always(api: &'static str, base_url: &'static str, compat: &'static str) -> Route {
    route(When::Always, api, base_url, compat)
}

const fn plain(name: &'static str, listed: Listed, routes: &'static [Route]) -> Provider {
    Provider { name, listed, routes, headers: &[] }
}

const fn same(name: &'static str, routes: &'static [Route]) -> Provider {
    plain(name, Listed::ModelsDev(name), routes)
}

const COPILOT: &str = "https://api.individual.githubcopilot.com";
const MOONSHOT: &str = r#"{"maxTokensField":"max_tokens","supportsDeveloperRole":false,"supportsReasoningEffort":false,"supportsStore":false,"supportsStrictMode":false,"thinkingFormat":"deepseek"}"#;
const DEEPSEEK: &str = r#"{"requiresReasoningContentOnAssistantMessages":true,"thinkingFormat":"deepseek"}"#;
const NVIDIA: &str = r#"{"maxTokensField":"max_tokens","supportsDeveloperRole":false,"supportsLongCacheRetention":false,"supportsReasoningEffort":false,"supportsStore":false,"supportsStrictMode":false}"#;
const TOGETHER: &str = r#"{"maxTokensField":"max_tokens","supportsDeveloperRole":false,"supportsLongCacheRetention":false,"supportsReasoningEffort":false,"supportsStore":false,"supportsStrictMode":false,"thinkingFormat":"together"}"#;
const ANT_LING: &str = r#"{"maxTokensField":"max_tokens","supportsDeveloperRole":false,"supportsLongCacheRetention":false,"supportsReasoningEffort":false,"supportsStore":false}"#;
const FIREWORKS: &str = r#"{"sendSessionAffinityHeaders":true,"supportsCacheControlOnTools":false,"supportsEagerToolInputStreaming":false,"supportsLongCacheRetention":false}"#;
const BASETEN: &str = r#"{"maxTokensField":"max_tokens","sendSessionAffinityHeaders":true,"supportsDeveloperRole":false,"supportsLongCacheRetention":false,"supportsReasoningEffort":true,"supportsStore":false,"supportsStrictMode":true,"thinkingFormat":"openai"}"#;
const QWEN: &str =
    r#"{"supportsDeveloperRole":false,"supportsReasoningEffort":false,"supportsStore":false,"thinkingFormat":"qwen"}"#;
const ZAI: &str = r#"{"supportsDeveloperRole":false,"thinkingFormat":"zai","zaiToolStream":true}"#;
const AFFINITY: &str = r#"{"sendSessionAffinityHeaders":true}"#;
const NO_DEVELOPER: &str = r#"{"supportsDeveloperRole":false}"#;
const MAX_TOKENS: &str = r#"{"maxTokensField":"max_tokens"}"#;
const NO_SESSION: &str = r#"{"sendSessionIdHeader":false}"#;

/// All providers, sorted.
pub(super) const PROVIDERS: &[Provider] = &[
    same(
        "amazon-bedrock",
        &[
            route(When::Id(&["eu."]), BR, "https://bedrock-runtime.eu-central-1.amazonaws.com", ""),
            always(BR, "https://bedrock-runtime.us-east-1.amazonaws.com", ""),
        ],
    ),
    plain("ant-ling", Listed::Nowhere, &[always(OC, "https://api.ant-ling.com/v1", ANT_LING)]),
    same("anthropic", &[always(AM, "https://api.anthropic.com", "")]),
    plain("azure-openai-responses", Listed::Copies("openai", OR), &[always("azure-openai-responses", "", "")]),
    same("baseten", &[always(OC, "https://inference.baseten.co/v1", BASETEN)]),
    same("cerebras", &[always(OC, "https://api.cerebras.ai/v1", "")]),
    plain(
        "cloudflare-ai-gateway",
        Listed::Prefixed("cloudflare-ai-gateway", &[("anthropic/", true), ("openai/", true), ("workers-ai/", false)]),
        &[
            route(
                When::Id(&["claude"]),
                AM,
                "https://gateway.ai.cloudflare.com/v1/{CLOUDFLARE_ACCOUNT_ID}/{CLOUDFLARE_GATEWAY_ID}/anthropic",
                "",
            ),
            route(
                When::Id(&["workers-ai/"]),
                OC,
                "https://gateway.ai.cloudflare.com/v1/{CLOUDFLARE_ACCOUNT_ID}/{CLOUDFLARE_GATEWAY_ID}/compat",
                AFFINITY,
            ),
            always(
                OR,
                "https://gateway.ai.cloudflare.com/v1/{CLOUDFLARE_ACCOUNT_ID}/{CLOUDFLARE_GATEWAY_ID}/openai",
                "",
            ),
        ],
    ),
    same(
        "cloudflare-workers-ai",
        &[always(OC, "https://api.cloudflare.com/client/v4/accounts/{CLOUDFLARE_ACCOUNT_ID}/ai/v1", AFFINITY)],
    ),
    same("deepseek", &[always(OC, "https://api.deepseek.com", DEEPSEEK)]),
    plain(
        "fireworks",
        Listed::ModelsDev("fireworks-ai"),
        &[always(AM, "https://api.fireworks.ai/inference", FIREWORKS)],
    ),
    Provider {
        name: "github-copilot",
        listed: Listed::ModelsDev("github-copilot"),
        routes: &[
            route(When::Id(&["claude-"]), AM, COPILOT, ""),
            route(When::Id(&["gpt-5", "gpt-6", "oswe"]), OR, COPILOT, ""),
            always(
                OC,
                COPILOT,
                r#"{"supportsDeveloperRole":false,"supportsReasoningEffort":false,"supportsStore":false}"#,
            ),
        ],
        headers: &[
            ("Copilot-Integration-Id", "vscode-chat"),
            ("Editor-Plugin-Version", "copilot-chat/0.35.0"),
            ("Editor-Version", "vscode/1.107.0"),
            ("User-Agent", "GitHubCopilotChat/0.35.0"),
        ],
    },
    same("google", &[always(GG, "https://generativelanguage.googleapis.com/v1beta", "")]),
    plain(
        "google-vertex",
        // It also lists models of others, which are not reached this way.
        Listed::Prefixed("google-vertex", &[("gemini-", false)]),
        &[always("google-vertex", "https://{location}-aiplatform.googleapis.com", "")],
    ),
    same("groq", &[always(OC, "https://api.groq.com/openai/v1", "")]),
    same("huggingface", &[always(OC, "https://router.huggingface.co/v1", NO_DEVELOPER)]),
    Provider {
        name: "kimi-coding",
        listed: Listed::ModelsDev("kimi-for-coding"),
        routes: &[always(AM, "https://api.kimi.com/coding", "")],
        headers: &[("User-Agent", "KimiCLI/1.5")],
    },
    same("meta", &[always(OR, "https://api.meta.ai/v1", "")]),
    same("minimax", &[always(AM, "https://api.minimax.io/anthropic", "")]),
    same("minimax-cn", &[always(AM, "https://api.minimaxi.com/anthropic", "")]),
    same("mistral", &[always("mistral-conversations", "https://api.mistral.ai", "")]),
    same("moonshotai", &[always(OC, "https://api.moonshot.ai/v1", MOONSHOT)]),
    same("moonshotai-cn", &[always(OC, "https://api.moonshot.cn/v1", MOONSHOT)]),
    Provider {
        name: "nvidia",
        listed: Listed::ModelsDev("nvidia"),
        routes: &[always(OC, "https://integrate.api.nvidia.com/v1", NVIDIA)],
        headers: &[("NVCF-POLL-SECONDS", "3600")],
    },
    same("openai", &[always(OR, "https://api.openai.com/v1", "")]),
    plain("openai-codex", Listed::Nowhere, &[always("openai-codex-responses", "https://chatgpt.com/backend-api", "")]),
    same(
        "opencode",
        &[
            route(When::Npm("@ai-sdk/openai"), OR, "https://opencode.ai/inference/openai/v1", NO_SESSION),
            route(When::Npm("@ai-sdk/anthropic"), AM, "https://opencode.ai/inference/anthropic", ""),
            route(When::Npm("@ai-sdk/google"), GG, "https://opencode.ai/inference/google/v1beta", ""),
            always(OC, "https://opencode.ai/inference/openai/v1", MAX_TOKENS),
        ],
    ),
    same(
        "opencode-go",
        &[
            route(When::Npm("@ai-sdk/openai"), OR, "https://opencode.ai/inference/go/openai/v1", NO_SESSION),
            route(When::Npm("@ai-sdk/anthropic"), AM, "https://opencode.ai/inference/go/anthropic", ""),
            route(When::Npm("@ai-sdk/google"), GG, "https://opencode.ai/inference/go/google/v1beta", ""),
            always(OC, "https://opencode.ai/inference/go/openai/v1", MAX_TOKENS),
        ],
    ),
    plain("openrouter", Listed::Own, &[always(OC, "https://openrouter.ai/api/v1", "")]),
    plain(
        "qwen-token-plan",
        Listed::ModelsDev("alibaba-token-plan"),
        &[always(OC, "https://token-plan.ap-southeast-1.maas.aliyuncs.com/compatible-mode/v1", QWEN)],
    ),
    plain(
        "qwen-token-plan-cn",
        Listed::ModelsDev("alibaba-token-plan-cn"),
        &[always(OC, "https://token-plan.cn-beijing.maas.aliyuncs.com/compatible-mode/v1", QWEN)],
    ),
    plain(
        "qwen-token-plan-individual",
        Listed::Nowhere,
        &[always(OC, "https://token-plan.ap-southeast-1.maas.aliyuncs.com/compatible-mode/v1", QWEN)],
    ),
    plain(
        "qwen-token-plan-individual-cn",
        Listed::Nowhere,
        &[always(OC, "https://token-plan.cn-beijing.maas.aliyuncs.com/compatible-mode/v1", QWEN)],
    ),
    plain("together", Listed::ModelsDev("togetherai"), &[always(OC, "https://api.together.ai/v1", TOGETHER)]),
    plain("vercel-ai-gateway", Listed::Own, &[always(AM, "https://ai-gateway.vercel.sh", "")]),
    same("xai", &[always(OC, "https://api.x.ai/v1", "")]),
    same("xiaomi", &[always(OC, "https://api.xiaomimimo.com/v1", DEEPSEEK)]),
    same("xiaomi-token-plan-ams", &[always(OC, "https://token-plan-ams.xiaomimimo.com/v1", DEEPSEEK)]),
    same("xiaomi-token-plan-cn", &[always(OC, "https://token-plan-cn.xiaomimimo.com/v1", DEEPSEEK)]),
    same("xiaomi-token-plan-sgp", &[always(OC, "https://token-plan-sgp.xiaomimimo.com/v1", DEEPSEEK)]),
    plain("zai", Listed::ModelsDev("zai-coding-plan"), &[always(OC, "https://api.z.ai/api/coding/paas/v4", ZAI)]),
    plain(
        "zai-coding-cn",
        Listed::ModelsDev("zhipuai-coding-plan"),
        &[always(OC, "https://open.bigmodel.cn/api/coding/paas/v4", ZAI)],
    ),
];
