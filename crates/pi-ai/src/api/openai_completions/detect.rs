//! Guesses from provider id and base URL which server answers: the table of known hosts.

use crate::model::Model;

/// Servers with a dialect of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Host {
    Zai,
    Together,
    Moonshot,
    OpenRouter,
    CloudflareWorkers,
    CloudflareGateway,
    Nvidia,
    AntLing,
    Grok,
    DeepSeek,
    Chutes,
    /// Hosts whose only peculiarity is that they lack OpenAI's own extras.
    Plain,
}

/// How a host is recognised: by provider id, or by a part of the base URL.
struct Signature {
    host: Host,
    providers: &'static [&'static str],
    urls: &'static [&'static str],
}

const fn signature(host: Host, providers: &'static [&'static str], urls: &'static [&'static str]) -> Signature {
    Signature { host, providers, urls }
}

const SIGNATURES: [Signature; 12] = [
    signature(Host::Zai, &["zai", "zai-coding-cn"], &["api.z.ai", "open.bigmodel.cn"]),
    signature(Host::Together, &["together"], &["api.together.ai", "api.together.xyz"]),
    signature(Host::Moonshot, &["moonshotai", "moonshotai-cn"], &["api.moonshot."]),
    signature(Host::OpenRouter, &["openrouter"], &["openrouter.ai"]),
    signature(Host::CloudflareWorkers, &["cloudflare-workers-ai"], &["api.cloudflare.com"]),
    signature(Host::CloudflareGateway, &["cloudflare-ai-gateway"], &["gateway.ai.cloudflare.com"]),
    signature(Host::Nvidia, &["nvidia"], &["integrate.api.nvidia.com"]),
    signature(Host::AntLing, &["ant-ling"], &["api.ant-ling.com"]),
    signature(Host::Grok, &["xai"], &["api.x.ai"]),
    signature(Host::DeepSeek, &["deepseek"], &["deepseek.com"]),
    signature(Host::Chutes, &[], &["chutes.ai"]),
    // The provider id of DeepSeek at another URL says nothing about the server; its URL does.
    signature(Host::Plain, &["cerebras", "opencode"], &["cerebras.ai", "chutes.ai", "deepseek.com", "opencode.ai"]),
];

/// Hosts that lack OpenAI's own extras (stored completions, the developer role).
const NON_STANDARD: [Host; 9] = [
    Host::Plain,
    Host::Grok,
    Host::Nvidia,
    Host::Together,
    Host::Zai,
    Host::Moonshot,
    Host::CloudflareWorkers,
    Host::CloudflareGateway,
    Host::AntLing,
];

/// The hosts that a model's provider and URL point to; mostly none or one.
#[derive(Debug, Clone, Default)]
pub(super) struct Hosts(Vec<Host>);

impl Hosts {
    pub(super) fn of(model: &Model) -> Self {
        let matches = |signature: &&Signature| {
            signature.providers.contains(&model.provider.as_str())
                || signature.urls.iter().any(|part| model.base_url.contains(part))
        };
        Self(SIGNATURES.iter().filter(matches).map(|signature| signature.host).collect())
    }

    pub(super) fn has(&self, host: Host) -> bool {
        self.0.contains(&host)
    }

    pub(super) fn has_any(&self, hosts: &[Host]) -> bool {
        self.0.iter().any(|host| hosts.contains(host))
    }

    pub(super) fn is_standard(&self) -> bool {
        !self.has_any(&NON_STANDARD)
    }
}
