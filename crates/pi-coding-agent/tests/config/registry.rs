//! Built-in and own models together, and what requests to them need.

use std::fs;
use std::sync::Arc;

use pi_ai::thinking::supported_levels;
use pi_ai::{Model, ThinkingLevel};
use pi_coding_agent::models::{CatalogModels, DEFAULT_MODELS, ModelRegistry, ModelSource, default_model_of};
use serde_json::{Value, json};

use crate::support::{auth, model, names, registry};

struct Fixture {
    _dir: tempfile::TempDir,
    registry: ModelRegistry,
}

/// A registry of two built-in providers with this `models.json`, credentials and environment.
fn fixture(models_json: &Value, stored: Value, env: &[(&str, &str)]) -> Fixture {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("models.json");
    fs::write(&file, models_json.to_string()).unwrap();
    let builtin: Vec<Arc<Model>> = vec![model("one", "a"), model("one", "b"), model("two", "c")];
    let registry = ModelRegistry::new(auth(stored, env), Arc::new(builtin), Some(file));
    assert_eq!(registry.error(), None);
    Fixture { _dir: dir, registry }
}

fn json_of(model: &Model) -> String {
    serde_json::to_string(model).unwrap()
}

#[test]
fn own_models_are_added_and_replace_in_place() {
    let config = json!({"providers": {
        "three": {"baseUrl": "http://three", "apiKey": "k", "api": "x", "models": [{"id": "m"}, {"id": "n"}]},
        "one": {"models": [{"id": "a", "name": "own a"}, {"id": "z"}]},
    }});
    let fixture = fixture(&config, json!({}), &[]);
    let all = fixture.registry.all();
    assert_eq!(names(&all), ["one/a", "one/b", "two/c", "one/z", "three/m", "three/n"]);
    assert_eq!(fixture.registry.providers(), ["one", "two", "three"]);
    assert_eq!(fixture.registry.find("one", "a").unwrap().name, "own a");
    assert_eq!(fixture.registry.find("One", "a"), None);
    insta::assert_snapshot!(format!("{}\n{}", json_of(&all[3]), json_of(&all[4])));
}

#[test]
fn built_in_models_can_be_changed() {
    let config = json!({"providers": {"one": {
        "baseUrl": "http://proxy", "compat": {"supportsStore": false, "openRouterRouting": {"only": ["x"], "zdr": true}},
        "modelOverrides": {
            "b": {"name": "B", "reasoning": false, "cost": {"output": 7}, "contextWindow": 5, "maxTokens": 6.0,
                  "input": ["text"], "thinkingLevelMap": {"high": null, "xhigh": "max"},
                  "compat": {"openRouterRouting": {"only": ["y"]}, "supportsStrictMode": true}},
            "unknown": {"name": "ignored"},
        },
        "models": [{"id": "own", "baseUrl": "http://own", "compat": {"supportsStore": true}}],
    }}});
    let fixture = fixture(&config, json!({}), &[]);
    let shown: Vec<_> = fixture.registry.models_of("one").iter().map(|model| json_of(model)).collect();
    insta::assert_snapshot!(shown.join("\n"));
    assert_eq!(fixture.registry.find("two", "c"), Some(model("two", "c")));
}

#[test]
fn only_models_with_a_key_are_available() {
    let own = |key: &str| json!({"baseUrl": "u", "apiKey": key, "api": "x", "models": [{"id": "m"}]});
    let config = json!({"providers": {
        "literal": own("k"), "variable": own("$SET"), "unset": own("$UNSET"), "command": own("!exit 1"),
    }});
    let stored = json!({"two": {"type": "api_key", "key": "$UNSET"}});
    let fixture = fixture(&config, stored, &[("SET", "1")]);
    assert_eq!(names(&fixture.registry.available()), ["two/c", "literal/m", "variable/m", "command/m"]);
    assert!(!fixture.registry.has_configured_auth(&model("one", "a")));
    fixture.registry.auth().set_runtime_key("one", "k");
    assert!(fixture.registry.has_configured_auth(&model("one", "a")));
}

#[tokio::test]
async fn requests_get_key_headers_and_variables() {
    let config = json!({"providers": {"one": {
        "apiKey": "$KEY", "authHeader": true, "name": "Number One",
        "headers": {"x-a": "pre-${KEY}-post", "x-b": "!echo from-command", "x-c": "$$literal", "x-d": "provider"},
        "modelOverrides": {"a": {"headers": {"x-d": "model", "x-e": "$OWN"}}},
    }}});
    let stored = json!({"one": {"type": "api_key", "key": "stored", "env": {"OWN": "own", "KEY": "own-key"}}});
    let fixture = fixture(&config, stored, &[("KEY", "k")]);
    let auth = fixture.registry.request_auth(&model("one", "a")).await.unwrap();
    insta::assert_debug_snapshot!((&auth.api_key, &auth.headers, &auth.env));
    let printed = format!("{auth:?}");
    assert!(!printed.contains("stored") && !printed.contains("own-key"), "{printed}");
    assert_eq!(fixture.registry.display_name("one"), "Number One");
    assert_eq!(fixture.registry.provider_key("one").await.unwrap().expose(), "stored");
}

#[tokio::test]
async fn what_cannot_be_resolved_is_named() {
    let own = |rest: Value| {
        let mut provider = json!({"baseUrl": "u", "apiKey": "k", "api": "x", "models": [{"id": "m"}]});
        provider.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        provider
    };
    let config = json!({"providers": {
        "key": own(json!({"apiKey": "$A"})),
        "command": own(json!({"apiKey": "!exit 1"})),
        "header": own(json!({"headers": {"h": "$A$B"}})),
        "model-header": own(json!({"models": [{"id": "m", "headers": {"h": "!true"}}]})),
        "stored": own(json!({"apiKey": "fallback"})),
        "one": {"headers": {"h": "v"}, "authHeader": true},
    }});
    let stored = json!({"stored": {"type": "api_key", "key": "$A"}, "two": {"type": "api_key", "key": "$A"}});
    let fixture = fixture(&config, stored, &[]);
    let mut report = String::new();
    for (provider, id) in
        [("key", "m"), ("command", "m"), ("header", "m"), ("model-header", "m"), ("one", "a"), ("two", "c")]
    {
        let failed = fixture.registry.request_auth(&model(provider, id)).await.unwrap_err();
        report.push_str(&format!("{provider}: {failed}\n"));
    }
    insta::assert_snapshot!(report);
    // A stored key that does not resolve gives way to the one in models.json.
    let auth = fixture.registry.request_auth(&model("stored", "m")).await.unwrap();
    assert_eq!(auth.api_key.as_deref(), Some("fallback"));
}

#[tokio::test]
async fn no_key_at_all_is_left_to_the_wire_format() {
    let registry = registry(&[("one", "a")], auth(json!({}), &[]));
    assert_eq!(registry.request_auth(&model("one", "a")).await.unwrap(), Default::default());
}

#[tokio::test]
async fn commands_of_models_json_run_for_each_request() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let command = format!("!echo x >> {0}; wc -l < {0}", log.display());
    let config = json!({"providers": {"one": {"headers": {"h": command}}}});
    let fixture = fixture(&config, json!({}), &[]);
    for expected in ["1", "2"] {
        let auth = fixture.registry.request_auth(&model("one", "a")).await.unwrap();
        assert_eq!(auth.headers["h"], expected);
    }
}

#[test]
fn the_catalogue_is_a_source() {
    let anthropic = CatalogModels.models("anthropic");
    assert!(!anthropic.is_empty() && anthropic.iter().all(|model| model.provider == "anthropic"));
    assert!(CatalogModels.providers().contains(&"groq".to_owned()));
    let registry = ModelRegistry::new(auth(json!({}), &[("ANTHROPIC_API_KEY", "k")]), Arc::new(CatalogModels), None);
    assert_eq!(names(&registry.available()), names(&anthropic));
}

#[test]
fn every_provider_has_a_default_model_that_exists() {
    for provider in CatalogModels.providers() {
        let id = default_model_of(&provider).unwrap_or_else(|| panic!("{provider}"));
        assert!(pi_ai::get_model(&provider, id).is_some(), "{provider}/{id}");
    }
    assert_eq!(DEFAULT_MODELS.len(), CatalogModels.providers().len());
}

#[test]
fn models_json_overlays_every_provider_of_the_catalogue() {
    let mut providers = serde_json::Map::new();
    for provider in CatalogModels.providers() {
        let first = &CatalogModels.models(&provider)[0];
        let changes = json!({"maxTokens": 7, "thinkingLevelMap": {"high": "most", "max": "max"}, "cost": {"input": 9}});
        let own = json!({"id": "of-my-own", "api": first.api, "baseUrl": "https://mine.example"});
        let entry = json!({"modelOverrides": {first.id.as_str(): changes}, "models": [own], "headers": {"h": "v"}});
        providers.insert(provider, entry);
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("models.json");
    fs::write(&file, json!({"providers": providers}).to_string()).unwrap();
    let registry = ModelRegistry::new(auth(json!({}), &[]), Arc::new(CatalogModels), Some(file));
    assert_eq!(registry.error(), None);
    assert_eq!(registry.providers(), CatalogModels.providers());
    for provider in CatalogModels.providers() {
        let builtin = CatalogModels.models(&provider);
        let overlaid = registry.models_of(&provider);
        assert_eq!(overlaid.len(), builtin.len() + 1, "{provider}");
        let (first, rest) = overlaid.split_first().unwrap();
        let mut expected = (*builtin[0]).clone();
        expected.max_tokens = 7;
        expected.cost.input = 9.0;
        let levels = expected.thinking_level_map.get_or_insert_default();
        levels
            .extend([("high", "most"), ("max", "max")].map(|(level, sent)| (level.to_owned(), Some(sent.to_owned()))));
        assert_eq!(**first, expected, "{provider}");
        assert!(supported_levels(first).iter().all(|level| ThinkingLevel::ALL.contains(level)), "{provider}");
        let (own, others) = rest.split_last().unwrap();
        assert_eq!(others, &builtin[1..], "{provider}");
        assert_eq!(
            (own.id.as_str(), &own.api, own.base_url.as_str()),
            ("of-my-own", &builtin[0].api, "https://mine.example")
        );
    }
}
