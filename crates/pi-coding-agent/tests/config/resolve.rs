//! From what a user wrote to a model.

use std::sync::Arc;

use pi_ai::{Model, ThinkingLevel};
use pi_coding_agent::models::{CliModel, ModelRegistry, PatternMatch, match_pattern, resolve_cli_model, resolve_scope};
use serde_json::json;

use crate::support::{auth, model, registry};

const MODELS: &[(&str, &str)] = &[
    ("amazon-bedrock", "us.anthropic.claude-sonnet-4-5"),
    ("anthropic", "claude-sonnet-4-5-20250929"),
    ("anthropic", "claude-sonnet-4-5"),
    ("anthropic", "claude-opus-4-1-20250805"),
    ("openai", "gpt-5.4"),
    ("openai", "gpt-5.4-mini"),
    ("openrouter", "qwen/qwen3-coder:exacto"),
    ("openrouter", "openai/gpt-5.4"),
    ("openrouter", "zai/glm-5"),
    ("zai", "glm-5"),
    ("groq", "openai/gpt-oss-120b"),
    ("azure", "gpt-5.4"),
];

fn models() -> Vec<Arc<Model>> {
    MODELS.iter().map(|(provider, id)| model(provider, id)).collect()
}

fn show(found: PatternMatch) -> String {
    let name = found.model.map_or("-".to_owned(), |model| format!("{}/{}", model.provider, model.id));
    let level = found.thinking_level.map_or(String::new(), |level| format!(" at {}", level.as_str()));
    let warning = found.warning.map_or(String::new(), |warning| format!(" ({warning})"));
    format!("{name}{level}{warning}")
}

#[test]
fn patterns_find_models() {
    let models = models();
    let report = |lenient: bool, patterns: &[&str]| {
        let lines =
            patterns.iter().map(|pattern| format!("{pattern}: {}\n", show(match_pattern(pattern, &models, lenient))));
        lines.collect::<String>()
    };
    let strict = report(
        false,
        &[
            "claude-sonnet-4-5",
            "ANTHROPIC/Claude-Sonnet-4-5",
            " anthropic / claude-sonnet-4-5 ",
            "sonnet",
            "opus",
            "gpt-5.4",
            "azure/gpt-5.4",
            "mini:high",
            "anthropic/claude-opus-4-1-20250805:xhigh",
            "qwen/qwen3-coder:exacto",
            "qwen3-coder:exacto:low",
            "qwen3-coder:low",
            "mini:huge",
            "mini:",
            "nothing",
            "",
        ],
    );
    let lenient = report(true, &["mini:huge", "mini:high:random", "mini:random:high", "mini:", "nothing:huge"]);
    insta::assert_snapshot!(format!("{strict}--- lenient\n{lenient}"));
}

#[test]
fn scopes_are_lists_of_patterns() {
    let models = models();
    let scope = |patterns: &[&str]| {
        let (scope, warnings) = resolve_scope(patterns, &models);
        let lines = scope.iter().map(|scoped| {
            let found = PatternMatch {
                model: Some(scoped.model.clone()),
                thinking_level: scoped.thinking_level,
                warning: None,
            };
            show(found)
        });
        lines.chain(warnings).collect::<Vec<_>>().join(", ")
    };
    for (patterns, expected) in [
        (
            &["openai/*:high"][..],
            "openai/gpt-5.4 at high, openai/gpt-5.4-mini at high, openrouter/openai/gpt-5.4 at high, groq/openai/gpt-oss-120b at high",
        ),
        (&["OPENROUTER/*"], "No models match pattern \"OPENROUTER/*\""),
        (&["groq/*"], "No models match pattern \"groq/*\""),
        (&["groq/*/*"], "groq/openai/gpt-oss-120b"),
        (&["gpt-5.?"], "openai/gpt-5.4, azure/gpt-5.4"),
        (&["glm-[45]", "zai/glm-5:low"], "zai/glm-5"),
        (&["zai/glm-5:low", "glm-[45]"], "zai/glm-5 at low"),
        (
            &["mini:huge"],
            "openai/gpt-5.4-mini, Invalid thinking level \"huge\" in pattern \"mini:huge\". Using default instead.",
        ),
        (&["[", "nope"], "No models match pattern \"[\", No models match pattern \"nope\""),
    ] {
        assert_eq!(scope(patterns), expected, "{patterns:?}");
    }
}

fn cli(provider: Option<&str>, model: &str, thinking: Option<ThinkingLevel>, registry: &ModelRegistry) -> String {
    match resolve_cli_model(CliModel { provider, model: Some(model), thinking }, registry) {
        Ok(found) => {
            let reasoning = if found.model.as_ref().is_some_and(|model| model.reasoning) { "" } else { " [plain]" };
            let found =
                PatternMatch { model: found.model, thinking_level: found.thinking_level, warning: found.warning };
            show(found) + reasoning
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_command_line_names_models() {
    let registry = registry(MODELS, auth(json!({}), &[("ANTHROPIC_API_KEY", "k"), ("OPENROUTER_API_KEY", "k")]));
    let high = Some(ThinkingLevel::High);
    let mut report = String::new();
    for (provider, model, thinking) in [
        (None, "anthropic/claude-sonnet-4-5", None),
        (None, "Anthropic/sonnet:low", None),
        (None, "anthropic/sonnet:low", high),
        (None, "claude-sonnet-4-5-20250929", None),
        (Some("ANTHROPIC"), "opus", None),
        (Some("anthropic"), "anthropic/claude-sonnet-4-5", None),
        (Some("openrouter"), "qwen", None),
        (Some("openrouter"), "openai/gpt-5.4", None),
        // The provider has no key, but a router with one has exactly this id.
        (None, "openai/gpt-5.4", None),
        (None, "zai/glm-5", None),
        (None, "groq/openai/gpt-oss-120b", None),
        (None, "qwen/qwen3-coder:exacto", None),
        (None, "qwen/qwen3-coder:exacto:high", None),
        (Some("openai"), "gpt-9", None),
        (Some("openai"), "gpt-9:high", None),
        (Some("openai"), "gpt-9:huge", None),
        (Some("openai"), "gpt-9:low", high),
        (None, "openai/gpt-9", None),
        (Some("nobody"), "x", None),
        (None, "does-not-exist", None),
        (None, "nobody/x", None),
    ] {
        let provider_text = provider.unwrap_or("-");
        report.push_str(&format!("{provider_text} {model}: {}\n", cli(provider, model, thinking, &registry)));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn a_level_makes_a_custom_model_think() {
    let mut plain = Model::clone(&model("own", "m"));
    plain.reasoning = false;
    let models = vec![Arc::new(plain)];
    let registry = ModelRegistry::new(auth(json!({}), &[]), Arc::new(models), None);
    assert!(cli(Some("own"), "new", None, &registry).ends_with("[plain]"));
    assert!(cli(Some("own"), "new:off", None, &registry).ends_with("[plain]"));
    assert!(!cli(Some("own"), "new", Some(ThinkingLevel::Low), &registry).ends_with("[plain]"));
}

#[test]
fn without_a_model_nothing_is_looked_up() {
    let empty = registry(&[], auth(json!({}), &[]));
    let asked = CliModel { provider: None, model: None, thinking: Some(ThinkingLevel::Low) };
    let found = resolve_cli_model(asked, &empty).unwrap();
    assert_eq!((found.model, found.thinking_level), (None, Some(ThinkingLevel::Low)));
    let text = cli(None, "x", None, &empty);
    assert_eq!(text, "No models available. Check your installation or add models to models.json.");
}

#[test]
fn a_provider_alone_is_checked_and_ignored() {
    let registry = registry(&[("a", "a-1")], auth(json!({}), &[]));
    let ask = |provider| resolve_cli_model(CliModel { provider: Some(provider), ..CliModel::default() }, &registry);
    let found = ask("A").unwrap();
    assert_eq!((found.model, found.warning.as_deref()), (None, Some("--provider A is ignored without --model")));
    assert!(ask("b").unwrap_err().to_string().starts_with("Unknown provider \"b\"."));
}
