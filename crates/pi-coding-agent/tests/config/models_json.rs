//! What `models.json` may say, and what is said about mistakes in it.

use std::fs;
use std::sync::Arc;

use pi_coding_agent::models::ModelRegistry;

use crate::support::{auth, model, names};

/// The error for a file of this content, with the directory masked.
fn error(content: &str) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("models.json");
    fs::write(&file, content).unwrap();
    let builtin = Arc::new(vec![model("builtin", "b1")]);
    let registry = ModelRegistry::new(auth(serde_json::json!({}), &[]), builtin, Some(file));
    let error = registry.error();
    if error.is_some() {
        assert_eq!(names(&registry.all()), ["builtin/b1"], "built-in models stay");
    }
    error.map(|text| text.replace(dir.path().to_str().unwrap(), "DIR"))
}

fn provider(rest: &str) -> String {
    format!(r#"{{"providers":{{"p":{{{rest}}}}}}}"#)
}

#[test]
fn mistakes_are_named_with_their_place() {
    let own = |rest: &str| provider(&format!(r#""baseUrl":"u","apiKey":"k","api":"a","models":[{{"id":"m"{rest}}}]"#));
    let cases = [
        "{\n  \"providers\": {\n    // a comment, with a comma\n    \"p\": nope\n  }\n}".to_owned(),
        "{ not json".to_owned(),
        String::new(),
        "[]".to_owned(),
        "{}".to_owned(),
        provider(r#""baseUrl":"","authHeader":"yes","headers":{"h":1}"#),
        provider(r#""models":[{"name":"x"},{"id":""},7]"#),
        own(r#","input":["text","smell"],"cost":{"input":"1","output":2,"cacheRead":0}"#),
        own(r#","thinkingLevelMap":{"low":1},"contextWindow":"big","reasoning":null"#),
        own(r#","compat":{"supportsLongCacheRetention":"yes"}"#),
        own(r#","compat":[]"#),
        provider(r#""modelOverrides":{"b.1":{"cost":{"input":"x"}}}"#),
        provider(""),
        provider(r#""apiKey":"k""#),
        provider(r#""models":[{"id":"m"}],"apiKey":"k""#),
        provider(r#""models":[{"id":"m"}],"baseUrl":"u""#),
        provider(r#""models":[{"id":"m"}],"baseUrl":"u","apiKey":"k""#),
        own(r#","contextWindow":0"#),
        own(r#","maxTokens":-1"#),
    ];
    let texts = cases.iter().map(|content| error(content).unwrap_or_else(|| panic!("{content} was accepted")));
    insta::assert_snapshot!(texts.collect::<Vec<_>>().join("\n=====\n"));
}

#[test]
fn what_people_write_is_accepted() {
    for content in [
        r#"{"providers":{}}"#.to_owned(),
        "{ // one\n \"providers\": { \"p\": { \"baseUrl\": \"http://x//y\", }, }, }".to_owned(),
        provider(r#""headers":{"h":"v"}"#),
        provider(r#""compat":{}"#),
        provider(r#""modelOverrides":{"x":{}}"#),
        // A key that only one shape knows may be of any kind, because the others do not look at it.
        provider(r#""compat":{"supportsStore":"yes"}"#),
        provider(r#""compat":{"chatTemplateKwargs":{"a":1,"b":{"$var":"thinking.effort","omitWhenOff":true}}}"#),
        r#"{"future":1,"providers":{"builtin":{"models":[{"id":"m","extra":true}]}}}"#.to_owned(),
    ] {
        assert_eq!(error(&content), None, "{content}");
    }
}

#[test]
fn a_missing_file_is_no_mistake_and_nothing_is_read_early() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("models.json");
    let registry = ModelRegistry::new(auth(serde_json::json!({}), &[]), Arc::new(vec![]), Some(file.clone()));
    fs::write(&file, provider(r#""baseUrl":"u","apiKey":"k","api":"a","models":[{"id":"m"}]"#)).unwrap();
    assert_eq!(names(&registry.all()), ["p/m"], "the file is read when something is asked");
    fs::remove_file(&file).unwrap();
    assert_eq!(registry.all().len(), 1);
    registry.refresh();
    assert_eq!((registry.all().len(), registry.error()), (0, None));
}
