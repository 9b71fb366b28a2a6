//! Every declared setting is checked, read, listed in `docs/settings.md` and part of `docs/settings.schema.json`.
//! `UPDATE_SETTINGS=1` writes the two files.

mod page;
mod schema;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use pi_ai::thinking::default_budget;
use pi_ai::{DEFAULT_TIMEOUT, DEFAULT_WEBSOCKET_CONNECT_TIMEOUT, Model, ThinkingLevel};
use serde_json::{Map, Value, json};

use super::check::{check, known_keys};
use super::kind::Kind;
use super::object::put;
use super::spec::{DefaultValue, Spec};
use super::table::{self, ALL};
use super::{ResourceKind, SettingsManager, SettingsScope};
use crate::host::env::Env;

/// A file of the documentation, and what it should be; stored where that is asked for.
fn compare_or_write(name: &str, wanted: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os("UPDATE_SETTINGS").is_some() {
        std::fs::write(path, wanted).unwrap();
    } else {
        let stored = std::fs::read_to_string(path).unwrap_or_default();
        assert!(stored == wanted, "docs/{name} is stale: UPDATE_SETTINGS=1 writes it\n{wanted}");
    }
}

/// Settings in which only this one is set.
fn only(spec: &Spec, value: Value) -> Map<String, Value> {
    let mut settings = Map::new();
    put(&mut settings, &spec.path().collect::<Vec<_>>(), Some(value));
    settings
}

/// Values that a setting takes, each of them with an effect of its own.
fn samples(kind: Kind) -> Vec<Value> {
    match kind {
        Kind::Text => vec![json!("x")],
        Kind::Switch => vec![json!(true), json!(false)],
        Kind::Number | Kind::Limit | Kind::Positive | Kind::Count | Kind::Whole => vec![json!(7), json!(8)],
        Kind::Range(_, max) => vec![json!(max), json!(max - 1)],
        Kind::Texts | Kind::Packages => vec![json!(["x"])],
        Kind::OneOf(words) => words.iter().map(|word| json!(word)).collect(),
        Kind::Numbers(names) => names.iter().map(|name| json!({*name: 7})).collect(),
        Kind::PerModel(names) => names.iter().map(|name| json!({"p/m": {*name: 7}})).collect(),
        Kind::Grants(words) => words.iter().map(|word| json!({"x": [word]})).collect(),
    }
}

/// What all getters return for these settings. Getters that are declared with their setting are there by themselves.
fn report(settings: Map<String, Value>) -> String {
    let settings = SettingsManager::in_memory(settings, Env::fixed([("HOME", "/home/u")]));
    let model = Model { provider: "p".to_owned(), id: "m".to_owned(), ..(*Model::unknown()).clone() };
    let mut report = table::values(settings.keys());
    report.push(format!("{:?}", (settings.compaction(), settings.compaction_for(&model), settings.branch_summary())));
    report.push(format!("{:?}", (settings.retry(), settings.default_project_trust())));
    let network = settings.network();
    report.push(format!("{:?}", (network.http_idle_timeout(), network.websocket_connect_timeout())));
    report.push(format!("{:?}", network.provider_retry()));
    report.push(format!("{:?}", (settings.sessions().dir(), settings.sessions().limits())));
    let tools = settings.tools();
    report
        .push(format!("{:?}", (tools.default_tools(), tools.max_concurrent_commands(), tools.command_log_max_bytes())));
    report.push(format!("{:?}", (tools.images(), settings.extensions().limits())));
    let interface = settings.interface();
    report.push(format!("{:?}", (interface.terminal(), interface.show_hardware_cursor())));
    report.push(format!("{:?}", (interface.theme(), interface.code_block_indent())));
    report.push(format!("{:?}", settings.resources().packages(SettingsScope::Global)));
    for kind in [ResourceKind::Extensions, ResourceKind::Skills, ResourceKind::Prompts, ResourceKind::Themes] {
        report.push(format!("{:?}", settings.resources().paths(SettingsScope::Global, kind)));
    }
    report.join("\n")
}

#[test]
fn every_setting_is_read() {
    let absent = report(Map::new());
    for spec in ALL {
        let samples = samples(spec.kind);
        let reports: BTreeSet<String> = samples.iter().map(|value| report(only(spec, value.clone()))).collect();
        assert_eq!(reports.len(), samples.len(), "no getter tells the values of {} apart: {samples:?}", spec.key);
        assert!(reports.iter().any(|report| *report != absent), "no getter reads {}", spec.key);
    }
}

#[test]
fn every_setting_is_checked() {
    for spec in ALL {
        for value in samples(spec.kind) {
            assert_eq!(check(&only(spec, value)), [] as [&str; 0], "{}", spec.key);
        }
        let is_object = matches!(spec.kind, Kind::Numbers(_) | Kind::PerModel(_) | Kind::Grants(_));
        let wrong = if is_object { json!(5) } else { json!({"x": 1}) };
        let expected = format!("\"{}\" must be {}; it is ignored", spec.key, spec.kind.describe());
        assert_eq!(check(&only(spec, wrong)), [expected]);
        assert_eq!(check(&only(spec, Value::Null)), [] as [&str; 0], "{}", spec.key);
    }
}

#[test]
fn an_object_that_is_none_is_reported_once() {
    for (key, expected) in [("retry", 1), ("terminal", 1), ("thinkingBudgets", 1)] {
        let settings = Map::from_iter([(key.to_owned(), json!([]))]);
        assert_eq!(check(&settings).len(), expected, "{key}");
    }
    let inner = Map::from_iter([("retry".to_owned(), json!({"enabled": 5, "provider": 5}))]);
    let expected = [
        r#""retry.enabled" must be true or false; it is ignored"#,
        r#""retry.provider" must be an object; it is ignored"#,
    ];
    assert_eq!(check(&inner), expected);
}

#[test]
fn the_defaults_are_those_in_force() {
    let absent = report(Map::new());
    for spec in ALL {
        let default = match spec.default {
            DefaultValue::Switch(is_on) => json!(is_on),
            DefaultValue::Number(number) => json!(number),
            DefaultValue::Word(word) => word(),
            DefaultValue::None | DefaultValue::Elsewhere(_) | DefaultValue::Depends(_) => continue,
        };
        assert_eq!(check(&only(spec, default.clone())), [] as [&str; 0], "{}", spec.key);
        assert_eq!(report(only(spec, default)), absent, "{}", spec.key);
    }
}

/// What the table says about defaults that other code fills in.
#[test]
fn the_defaults_of_other_code_are_those_of_the_table() {
    let elsewhere = |key: &str| {
        let spec = ALL.iter().find(|spec| spec.key == key).unwrap();
        let DefaultValue::Elsewhere(json) = spec.default else { panic!("{key}") };
        serde_json::from_str::<Value>(json).unwrap()
    };
    assert_eq!(elsewhere("retry.provider.timeoutMs"), DEFAULT_TIMEOUT.as_millis() as u64);
    assert_eq!(elsewhere("websocketConnectTimeoutMs"), DEFAULT_WEBSOCKET_CONNECT_TIMEOUT.as_millis() as u64);
    for (level, budget) in elsewhere("thinkingBudgets").as_object().unwrap() {
        assert_eq!(*budget, default_budget(ThinkingLevel::parse(level).unwrap()), "{level}");
    }
}

#[test]
fn declarations_are_complete() {
    let keys: BTreeSet<&str> = ALL.iter().map(|spec| spec.key).collect();
    assert_eq!(keys.len(), ALL.len(), "a key is declared twice");
    assert!(known_keys().len() > 70, "{:?}", known_keys());
    for spec in ALL {
        let sentence = spec.sentence.trim();
        assert!(sentence.ends_with('.') && !sentence.contains(['|', '\n']), "{}: {sentence:?}", spec.key);
        let inside = format!("{}.", spec.key);
        assert!(!keys.iter().any(|key| key.starts_with(&inside)), "{} is a value and an object", spec.key);
    }
    // Settings inside of one object stand together: `check` reports what is none once.
    let objects: Vec<&str> = ALL.iter().map(|spec| spec.key.split('.').next().unwrap()).collect();
    let mut runs = objects.clone();
    runs.dedup();
    assert_eq!(runs.len(), objects.into_iter().collect::<BTreeSet<_>>().len());
}

/// An editor's `$schema` is nobody's setting.
#[test]
fn the_name_of_the_schema_is_allowed() {
    let named = Map::from_iter([("$schema".to_owned(), json!(schema::ID))]);
    assert_eq!(check(&named), [] as [&str; 0]);
    let settings = SettingsManager::in_memory(named, Env::fixed([("HOME", "/")]));
    assert_eq!(Arc::new(settings).drain_problems().len(), 0);
}
