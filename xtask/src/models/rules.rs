//! How a model is spoken to about which no row says anything: the provider's route, refined by the model's family.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::provider_table::{PROVIDERS, Provider, Route, When};
use super::rows::{Key, Wire};

/// The provider of that name.
pub(super) fn provider(name: &str) -> Option<&'static Provider> {
    PROVIDERS.iter().find(|provider| provider.name == name)
}

/// What the tables say about a model. `npm` is the package that its source names.
pub(super) fn wire(key: &Key, reasoning: bool, npm: Option<&str>) -> Result<Wire> {
    let provider = provider(&key.provider).with_context(|| format!("{key}: no such provider in provider_table.rs"))?;
    let route = provider.routes.iter().find(|route| fits(route, &key.id, npm));
    let route = route.with_context(|| format!("{key}: no route of the provider fits"))?;
    let headers: BTreeMap<String, String> =
        provider.headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let mut wire = Wire {
        api: route.api.to_owned(),
        base_url: route.base_url.to_owned(),
        headers: (!headers.is_empty()).then_some(headers),
        compat: match route.compat {
            "" => None,
            text => Some(serde_json::from_str(text).with_context(|| format!("compat of {}", provider.name))?),
        },
        thinking_level_map: None,
    };
    if reasoning {
        refine(&mut wire, &key.id);
    }
    Ok(wire)
}

fn fits(route: &Route, id: &str, npm: Option<&str>) -> bool {
    match route.when {
        When::Always => true,
        When::Id(starts) => starts.iter().any(|start| id.starts_with(start)),
        When::Npm(package) => npm == Some(package),
    }
}

/// What is known of model families, wherever they are served.
fn refine(wire: &mut Wire, id: &str) {
    if let Some(claude) = Claude::of(id) {
        wire.thinking_level_map = levels(&claude.levels());
        if wire.api == "anthropic-messages" && claude.is_adaptive() {
            let compat = wire.compat.get_or_insert_default();
            compat.insert("forceAdaptiveThinking".to_owned(), Value::Bool(true));
            if claude.lacks_temperature() {
                compat.insert("supportsTemperature".to_owned(), Value::Bool(false));
            }
        }
    } else if let Some(version) = version_after(id, "gpt-") {
        wire.thinking_level_map = gpt(&wire.api, version);
    } else if let Some(version) = version_after(id, "kimi-k") {
        wire.thinking_level_map = kimi(&wire.api, version);
    } else if wire.api.starts_with("google") {
        wire.thinking_level_map = gemini(id);
    }
}

fn levels(map: &Value) -> Option<serde_json::Map<String, Value>> {
    map.as_object().filter(|map| !map.is_empty()).cloned()
}

fn gpt(api: &str, version: (u32, u32)) -> Option<serde_json::Map<String, Value>> {
    let mut map = match (version >= (5, 2), api) {
        (_, "openai-codex-responses") => levels(&json!({"minimal": "low", "xhigh": "xhigh"})),
        (true, "openai-responses" | "azure-openai-responses") => levels(&json!({"off": null, "xhigh": "xhigh"})),
        (true, _) => levels(&json!({"xhigh": "xhigh"})),
        (false, "openai-responses" | "azure-openai-responses") if version >= (5, 0) => levels(&json!({"off": null})),
        _ => None,
    };
    // Foreign formats in front of the same models do not take the word.
    if version >= (5, 6) && (api.starts_with("openai-") || api.starts_with("azure-")) {
        map.get_or_insert_default().insert("max".to_owned(), "max".into());
    }
    map
}

/// Kimi thinks always, and knows three depths.
fn kimi(api: &str, version: (u32, u32)) -> Option<serde_json::Map<String, Value>> {
    let depths = json!({"off": null, "minimal": null, "low": "low", "medium": null, "high": "high", "xhigh": null, "max": "max"});
    (version >= (3, 0) && api == "openai-completions").then(|| levels(&depths)).flatten()
}

fn gemini(id: &str) -> Option<serde_json::Map<String, Value>> {
    let latest = id == "gemini-flash-latest" || id == "gemini-flash-lite-latest";
    if !latest && version_after(id, "gemini-").is_none_or(|version| version < (3, 0)) {
        return None;
    }
    if id.contains("-pro") {
        return levels(&json!({"off": null, "minimal": null, "low": "LOW", "medium": null, "high": "HIGH"}));
    }
    levels(&json!({"off": null}))
}

/// A Claude model, however its provider writes the id.
struct Claude<'a> {
    family: &'a str,
    version: (u32, u32),
}

impl<'a> Claude<'a> {
    fn of(id: &'a str) -> Option<Self> {
        let (_, rest) = id.split_once("claude-")?;
        let (family, _) = rest.split_once('-')?;
        let version = version_after(rest, &format!("{family}-"))?;
        matches!(family, "fable" | "haiku" | "opus" | "sonnet").then_some(Self { family, version })
    }

    /// Decides by itself how much to think.
    fn is_adaptive(&self) -> bool {
        self.family == "fable" || self.version >= (4, 6)
    }

    fn lacks_temperature(&self) -> bool {
        match self.family {
            "fable" => false,
            "opus" => self.version >= (4, 7),
            _ => self.version >= (5, 0),
        }
    }

    fn levels(&self) -> Value {
        match self.family {
            "fable" => json!({"off": null, "xhigh": "xhigh", "max": "max"}),
            "opus" if self.version == (4, 6) => json!({"xhigh": "max", "max": "max"}),
            _ if self.lacks_temperature() => json!({"xhigh": "xhigh", "max": "max"}),
            _ if self.is_adaptive() => json!({"max": "max"}),
            _ => json!({}),
        }
    }
}

/// `4-6`, `4.6` or `4` behind `start`; longer numbers are dates.
fn version_after(id: &str, start: &str) -> Option<(u32, u32)> {
    let (_, rest) = id.split_once(start)?;
    let mut numbers = rest.split(['-', '.', ':', '@']).map(|part| {
        let digits = !part.is_empty() && part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| part.parse().ok()).flatten()
    });
    let major = numbers.next()??;
    Some((major, numbers.next().flatten().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_are_sorted_and_every_route_is_readable() {
        assert!(PROVIDERS.is_sorted_by_key(|provider| provider.name));
        for provider in PROVIDERS {
            for route in provider.routes {
                assert!(super::super::format_table::compat_keys(route.api).is_some(), "{}", provider.name);
                if !route.compat.is_empty() {
                    let compat: BTreeMap<String, Value> = serde_json::from_str(route.compat).unwrap();
                    assert!(!compat.is_empty(), "{}", provider.name);
                }
            }
            let last = provider.routes.last().unwrap();
            assert!(matches!(last.when, When::Always), "{}: the last route must fit everything", provider.name);
        }
    }

    #[test]
    fn versions_are_read_as_providers_write_them() {
        for (id, start, expected) in [
            ("claude-opus-4-6", "opus-", Some((4, 6))),
            ("anthropic/claude-opus-4.6", "opus-", Some((4, 6))),
            ("claude-opus-4-20250514", "opus-", Some((4, 0))),
            ("us.anthropic.claude-opus-4-6-v1", "opus-", Some((4, 6))),
            ("gpt-5-mini", "gpt-", Some((5, 0))),
            ("gpt-5.10", "gpt-", Some((5, 10))),
            ("gpt-4o", "gpt-", None),
            ("gpt-oss-120b", "gpt-", None),
            ("o3", "gpt-", None),
        ] {
            assert_eq!(version_after(id, start), expected, "{id}");
        }
    }

    #[test]
    fn new_models_follow_their_family() {
        let show = |provider: &str, id: &str, npm: Option<&str>| {
            serde_json::to_string(&wire(&Key::new(provider, id), true, npm).unwrap()).unwrap()
        };
        let lines = [
            show("anthropic", "claude-opus-9", None),
            show("anthropic", "claude-sonnet-4-5", None),
            show("amazon-bedrock", "eu.anthropic.claude-opus-4-6-v2:0", None),
            show("github-copilot", "gpt-5.9", None),
            show("google", "gemini-3.9-pro-preview", None),
            show("kimi-coding", "k9", None),
            show("opencode", "grok-9", Some("@ai-sdk/openai")),
            show("opencode", "grok-9", None),
            show("openrouter", "openai/gpt-5.9", None),
            show("openrouter", "moonshotai/kimi-k3.5", None),
        ];
        assert_eq!(lines.join("\n"), EXPECTED.trim());
    }

    const EXPECTED: &str = r#"
{"api":"anthropic-messages","baseUrl":"https://api.anthropic.com","compat":{"forceAdaptiveThinking":true,"supportsTemperature":false},"thinkingLevelMap":{"xhigh":"xhigh","max":"max"}}
{"api":"anthropic-messages","baseUrl":"https://api.anthropic.com"}
{"api":"bedrock-converse-stream","baseUrl":"https://bedrock-runtime.eu-central-1.amazonaws.com","thinkingLevelMap":{"xhigh":"max","max":"max"}}
{"api":"openai-responses","baseUrl":"https://api.individual.githubcopilot.com","headers":{"Copilot-Integration-Id":"vscode-chat","Editor-Plugin-Version":"copilot-chat/0.35.0","Editor-Version":"vscode/1.107.0","User-Agent":"GitHubCopilotChat/0.35.0"},"thinkingLevelMap":{"off":null,"xhigh":"xhigh","max":"max"}}
{"api":"google-generative-ai","baseUrl":"https://generativelanguage.googleapis.com/v1beta","thinkingLevelMap":{"off":null,"minimal":null,"low":"LOW","medium":null,"high":"HIGH"}}
{"api":"anthropic-messages","baseUrl":"https://api.kimi.com/coding","headers":{"User-Agent":"KimiCLI/1.5"}}
{"api":"openai-responses","baseUrl":"https://opencode.ai/inference/openai/v1","compat":{"sendSessionIdHeader":false}}
{"api":"openai-completions","baseUrl":"https://opencode.ai/inference/openai/v1","compat":{"maxTokensField":"max_tokens"}}
{"api":"openai-completions","baseUrl":"https://openrouter.ai/api/v1","thinkingLevelMap":{"xhigh":"xhigh","max":"max"}}
{"api":"openai-completions","baseUrl":"https://openrouter.ai/api/v1","thinkingLevelMap":{"off":null,"minimal":null,"low":"low","medium":null,"high":"high","xhigh":null,"max":"max"}}
"#;
}
