//! The built-in models: all of them readable, all of the published ones present, each as its provider wants it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use pi_ai::auth::env::env_key_names;
use pi_ai::models_are_equal;
use pi_ai::thinking::{LevelMapping, clamp_level, level_mapping, supported_levels};
use pi_ai::{InputKind, Model, ThinkingLevel, Usage, calculate_cost, get_model, get_models, get_providers};
use serde_json::Value;

const APIS: [&str; 9] = [
    "anthropic-messages",
    "azure-openai-responses",
    "bedrock-converse-stream",
    "google-generative-ai",
    "google-vertex",
    "mistral-conversations",
    "openai-codex-responses",
    "openai-completions",
    "openai-responses",
];

fn all() -> Vec<Arc<Model>> {
    get_providers().flat_map(get_models).collect()
}

fn name(model: &Model) -> String {
    format!("{}/{}", model.provider, model.id)
}

/// Provider → id → model, as published; `None`, with a notice, where the file is absent.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn published(file: &str) -> Option<BTreeMap<String, BTreeMap<String, Value>>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/catalog").join(file);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).unwrap()),
        Err(error) => {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "{}: {error}", path.display());
            eprintln!("skipped: {}: {error}", path.display());
            None
        }
    }
}

#[test]
fn every_model_is_whole_and_found_by_its_name() {
    let models = all();
    assert!(models.len() > 1900, "{} models", models.len());
    assert_eq!(get_providers().len(), 41);
    for model in &models {
        let name = name(model);
        assert!(APIS.contains(&model.api.as_str()), "{name}: {}", model.api);
        assert_eq!(model.base_url.is_empty(), model.api == "azure-openai-responses", "{name}");
        assert!(!model.name.is_empty() && model.context_window > 0 && model.max_tokens > 0, "{name}");
        assert_eq!(model.input[0], InputKind::Text, "{name}");
        assert!(model.extra.is_empty() && model.cost.extra.is_empty(), "{name}");
        assert_eq!(get_model(&model.provider, &model.id).as_ref(), Some(model), "{name}");
        let json = serde_json::to_string(model).unwrap();
        assert_eq!(&serde_json::from_str::<Arc<Model>>(&json).unwrap(), model, "{name}");
    }
}

#[test]
fn lists_are_sorted_by_code_point() {
    assert!(get_providers().is_sorted());
    for provider in get_providers() {
        let ids: Vec<String> = get_models(provider).iter().map(|model| model.id.clone()).collect();
        assert!(ids.is_sorted() && ids.iter().collect::<BTreeSet<_>>().len() == ids.len(), "{provider}");
    }
}

#[test]
fn look_up_is_exact() {
    let model = get_model("anthropic", "claude-sonnet-4-5").unwrap();
    assert_eq!((model.api.as_str(), model.cost.output), ("anthropic-messages", 15.0));
    for (provider, id) in [
        ("anthropic", "claude-sonnet"),
        ("anthropic", "CLAUDE-SONNET-4-5"),
        ("Anthropic", "claude-sonnet-4-5"),
        ("", ""),
    ] {
        assert_eq!(get_model(provider, id), None, "{provider}/{id}");
    }
    assert!(get_models("nobody").is_empty());
}

#[test]
fn equal_models_have_the_same_name_whatever_else() {
    let (a, b) = (get_model("openai", "gpt-5").unwrap(), get_model("openai", "gpt-5-mini").unwrap());
    let renamed = Model { name: "Mine".into(), ..(*a).clone() };
    let moved = Model { provider: "mine".into(), ..(*a).clone() };
    assert!(models_are_equal(Some(&a), Some(&renamed)));
    assert!(!models_are_equal(Some(&a), Some(&b)));
    assert!(!models_are_equal(Some(&a), Some(&moved)));
    assert!(!models_are_equal(Some(&a), None));
    assert!(!models_are_equal(None, None));
}

#[test]
fn every_level_of_every_model_comes_to_a_supported_one() {
    for model in all() {
        let name = name(&model);
        for level in model.thinking_level_map.iter().flatten().map(|(level, _)| level) {
            assert!(ThinkingLevel::parse(level).is_some(), "{name}: {level}");
        }
        let supported = supported_levels(&model);
        assert!(supported.is_sorted() && !supported.is_empty(), "{name}: {supported:?}");
        if !model.reasoning {
            assert_eq!(supported, [ThinkingLevel::Off], "{name}");
        }
        for level in ThinkingLevel::ALL {
            let clamped = clamp_level(&model, level);
            assert!(supported.contains(&clamped), "{name}: {level:?} → {clamped:?}");
            assert_eq!(clamped == level, supported.contains(&level), "{name}: {level:?} → {clamped:?}");
        }
    }
}

#[test]
fn levels_are_clamped_as_specified() {
    use ThinkingLevel::{High, Low, Max, Medium, Minimal, Off, Xhigh};
    for (provider, id, asked, expected) in [
        ("anthropic", "claude-sonnet-4-5", Xhigh, High),
        ("google", "gemini-3-pro-preview", Off, Low),
        ("google", "gemini-3-pro-preview", Minimal, Low),
        ("google", "gemini-3-pro-preview", Medium, High),
        ("google", "gemini-3-pro-preview", Xhigh, High),
        ("deepseek", "deepseek-v4-pro", Low, High),
        ("groq", "qwen/qwen3-32b", Medium, High),
        ("openai", "gpt-4o", High, Off),
        ("openai", "gpt-5.5", Max, Xhigh),
        ("openai", "gpt-5.6-sol", Max, Max),
        ("anthropic", "claude-sonnet-4-5", Max, High),
        ("anthropic", "claude-sonnet-4-6", Xhigh, Max),
        ("moonshotai", "kimi-k3", Medium, High),
    ] {
        assert_eq!(clamp_level(&get_model(provider, id).unwrap(), asked), expected, "{provider}/{id} {asked:?}");
    }
    let wire = |provider, id, level| match level_mapping(&get_model(provider, id).unwrap(), level) {
        LevelMapping::Value(value) => value.to_owned(),
        other => panic!("{provider}/{id}: {other:?}"),
    };
    assert_eq!(wire("groq", "qwen/qwen3-32b", High), "default");
    assert_eq!(wire("anthropic", "claude-opus-4-6", Xhigh), "max");
    assert_eq!(wire("anthropic", "claude-opus-4-7", Xhigh), "xhigh");
    for (provider, id) in [
        ("amazon-bedrock", "anthropic.claude-opus-4-7"),
        ("anthropic", "claude-fable-5"),
        ("anthropic", "claude-opus-4-6"),
        ("anthropic", "claude-sonnet-4-6"),
        ("azure-openai-responses", "gpt-5.6-sol"),
        ("deepseek", "deepseek-v4-pro"),
        ("fireworks", "accounts/fireworks/models/kimi-k3"),
        ("github-copilot", "gpt-5.6-sol"),
        ("kimi-coding", "k3"),
        ("moonshotai", "kimi-k3"),
        ("openai", "gpt-5.6-sol"),
        ("openai-codex", "gpt-5.6-sol"),
        ("opencode-go", "kimi-k3"),
        ("openrouter", "moonshotai/kimi-k3"),
        ("zai", "glm-5.2"),
    ] {
        assert_eq!(wire(provider, id, Max), "max");
    }
}

#[test]
fn prices_are_prices() {
    for model in all() {
        let mut usage = Usage { input: 1_000_000, output: 1_000_000, ..Usage::default() };
        let total = calculate_cost(&model, &mut usage);
        assert!(total.is_finite() && total >= 0.0, "{}: {total}", name(&model));
        assert!((total - model.cost.input - model.cost.output).abs() < 1e-9, "{}: {total}", name(&model));
    }
}

#[test]
fn every_provider_is_reachable() {
    // These find their credentials in other ways.
    let without_key = ["amazon-bedrock", "openai-codex"];
    for provider in get_providers() {
        assert_eq!(env_key_names(provider).is_empty(), without_key.contains(&provider), "{provider}");
    }
}

/// Those keys of a published model that say how it is spoken to.
fn wire(model: &Value) -> BTreeMap<&str, &Value> {
    let keys = ["api", "baseUrl", "headers", "compat", "thinkingLevelMap"];
    keys.into_iter().filter_map(|key| Some((key, model.get(key)?))).collect()
}

/// The thinking level `max` came after the published catalogue.
fn forget_max(model: &mut Value) {
    let Some(map) = model.get_mut("thinkingLevelMap").and_then(Value::as_object_mut) else { return };
    if map.shift_remove("max").is_some() && map.is_empty() {
        model.as_object_mut().unwrap().shift_remove("thinkingLevelMap");
    }
}

#[test]
fn all_published_models_are_there_and_spoken_to_as_before() {
    let Some(published) = published("reference.json") else { return };
    let mut count = 0;
    for (provider, models) in published {
        for (id, expected) in models {
            let model = get_model(&provider, &id).unwrap_or_else(|| panic!("{provider}/{id} is missing"));
            let mut ours = serde_json::to_value(&model).unwrap();
            forget_max(&mut ours);
            assert_eq!(wire(&ours), wire(&expected), "{provider}/{id}");
            count += 1;
        }
    }
    assert_eq!(count, 979);
}

/// What changes from month to month.
fn facts(model: &Value) -> [&Value; 9] {
    let cost = &model["cost"];
    [
        &model["reasoning"],
        &model["input"],
        &cost["input"],
        &cost["output"],
        &cost["cacheRead"],
        &cost["cacheWrite"],
        &model["contextWindow"],
        &model["maxTokens"],
        &model["provider"],
    ]
}

#[test]
fn newer_facts_win() {
    let (Some(old), Some(new)) = (published("reference.json"), published("current.json")) else { return };
    let mut missing = Vec::new();
    for (provider, models) in &new {
        let provider = if provider == "azure" { "azure-openai-responses" } else { provider };
        for (id, expected) in models {
            let Some(model) = get_model(provider, id) else {
                missing.push(format!("{provider}/{id}"));
                continue;
            };
            let mut expected = expected.clone();
            expected["provider"] = provider.into();
            assert_eq!(facts(&serde_json::to_value(&model).unwrap()), facts(&expected), "{provider}/{id}");
        }
    }
    // It comes without an address.
    assert_eq!(missing, ["azure-openai-responses/deepseek-v4-pro"]);
    for (provider, models) in old {
        let newer = if provider == "azure-openai-responses" { "azure" } else { &provider };
        for (id, expected) in models.iter().filter(|(id, _)| !new.get(newer).is_some_and(|it| it.contains_key(*id))) {
            let model = serde_json::to_value(get_model(&provider, id).unwrap()).unwrap();
            assert_eq!(facts(&model), facts(expected), "{provider}/{id}");
        }
    }
}
