//! Recorded provider streams against what the reference made of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::context::Context;
use crate::event::AssistantMessageEvent as Event;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::thinking::ThinkingLevel;

use super::run::{OwnedFrame, decode, frames, json as message_json, request};
use super::{read_json, shared};

const APIS: [&str; 2] = ["anthropic-messages", "openai-completions"];

fn model(api: &str, provider: &str, base_url: &str) -> Arc<Model> {
    let model = json!({
        "id": "fixture-model", "name": "Fixture Model", "api": api, "provider": provider, "baseUrl": base_url,
        "reasoning": true, "input": ["text", "image"], "contextWindow": 200000, "maxTokens": 8192,
        "cost": {"input": 3, "output": 15, "cacheRead": 0.3, "cacheWrite": 3.75},
    });
    Arc::new(serde_json::from_value(model).unwrap())
}

fn options() -> StreamOptions {
    StreamOptions { reasoning: ThinkingLevel::Medium, api_key: Some("key".into()), ..StreamOptions::default() }
}

/// The frames of a recording; `keep` cuts it after so many chunks, without the terminator.
fn recording(wire: &Path, entry: &Value, api: &str, keep: Option<usize>) -> Vec<OwnedFrame> {
    let text = std::fs::read_to_string(wire.join(entry["id"].as_str().unwrap())).unwrap();
    let chunks: Vec<String> = if entry["kind"] == "sse" {
        let data = frames(&text).into_iter().map(|(_, data)| data);
        data.filter(|data| data != "[DONE]").collect()
    } else {
        text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
    };
    let kept = chunks.into_iter().take(keep.unwrap_or(usize::MAX));
    if api == "anthropic-messages" {
        return kept.map(|chunk| (event_name(&chunk), chunk)).collect();
    }
    let done = keep.is_none().then(|| "[DONE]".to_owned());
    kept.chain(done).map(|data| (None, data)).collect()
}

fn event_name(chunk: &str) -> Option<String> {
    serde_json::from_str::<Value>(chunk).unwrap()["type"].as_str().map(str::to_owned)
}

/// Every recording of our formats: its expected record, its frames, its model, the kinds of known defects.
struct Case {
    name: String,
    record: Value,
    entry: Value,
    model: Arc<Model>,
    defects: BTreeSet<String>,
}

fn cases(wire: &Path) -> Vec<Case> {
    let manifest = read_json(&wire.join("manifest.json"));
    let entries: BTreeMap<&str, &Value> =
        manifest["entries"].as_array().unwrap().iter().map(|entry| (entry["id"].as_str().unwrap(), entry)).collect();
    let mut defects: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for defect in read_json(&wire.join("defects.json"))["entries"].as_array().unwrap() {
        for case in defect["cases"].as_array().unwrap() {
            let kinds = defects.entry(case.as_str().unwrap().to_owned()).or_default();
            kinds.insert(defect["kind"].as_str().unwrap().to_owned());
        }
    }
    let index = read_json(&wire.join("expected/index.json"));
    let ours = index["cases"].as_array().unwrap().iter().filter(|case| APIS.contains(&case["api"].as_str().unwrap()));
    ours.map(|case| {
        let name = case["case"].as_str().unwrap().to_owned();
        let entry = entries[case["fixture"].as_str().unwrap()].clone();
        let provider = entry["provider"].as_str().unwrap();
        Case {
            model: model(case["api"].as_str().unwrap(), provider, "http://127.0.0.1:1"),
            record: read_json(&wire.join("expected").join(&name)),
            defects: defects.remove(&name).unwrap_or_default(),
            entry,
            name,
        }
    })
    .collect()
}

#[test]
fn recorded_streams_become_the_expected_messages_and_events() {
    let Some(wire) = shared("wire") else { return };
    let mut failures = Vec::new();
    for case in cases(&wire) {
        let frames = recording(&wire, &case.entry, &case.model.api, None);
        let outcome = decode(&case.model, &Context::default(), &options(), &frames);
        let mut found = Vec::new();
        let got = message_json(outcome.message());
        // Whoever looked after every frame saw the same content at the end.
        assert_eq!(outcome.snapshots.last().unwrap().content, outcome.message().content, "{}", case.name);
        let want = &case.record["final"];
        if case.defects.contains("reference-wrong") || case.defects.contains("text-only") {
            let part = |value: &Value| json!([value["stopReason"], value["usage"], value["responseId"]]);
            differences(&part(want), &part(&got), "", &mut found);
        } else {
            differences(want, &got, "", &mut found);
            if case.defects.contains("fixture-artefact") {
                found.retain(|difference| difference.starts_with(".stopReason"));
            } else {
                let (want, got) = (expected_events(&case.record), squash(&outcome.events));
                if want != got {
                    found.push(format!("events: {got:?}, wanted {want:?}"));
                }
            }
        }
        failures.extend(found.into_iter().map(|difference| format!("{}: {difference}", case.name)));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn cut_streams_end_in_an_error() {
    let Some(wire) = shared("wire") else { return };
    let mut checked = 0;
    for case in cases(&wire) {
        let cut = &case.record["truncated"];
        // Cut between two complete turns: nothing is missing.
        if cut.is_null() || cut["final"]["stopReason"] == "toolUse" {
            continue;
        }
        let kept = cut["keptChunks"].as_u64().unwrap() as usize;
        let outcome = decode(
            &case.model,
            &Context::default(),
            &options(),
            &recording(&wire, &case.entry, &case.model.api, Some(kept)),
        );
        let mut found = Vec::new();
        let got = message_json(outcome.message());
        if !case.defects.contains("reference-wrong") {
            differences(&cut["final"], &got, "", &mut found);
        }
        assert_eq!(got["stopReason"], "error", "{}", case.name);
        assert_eq!(found, Vec::<String>::new(), "{}", case.name);
        checked += 1;
    }
    assert!(checked > 15, "only {checked} recordings were cut");
}

#[test]
fn requests_are_those_of_the_reference() {
    let Some(wire) = shared("wire") else { return };
    for (api, path) in [("anthropic-messages", ""), ("openai-completions", "/v1")] {
        let expected = read_json(&wire.join(format!("expected/requests/{api}.json")));
        let context: Context = serde_json::from_value(expected["context"].clone()).unwrap();
        let model = model(api, "fixture", &format!("http://127.0.0.1:1{path}"));
        let request = request(&model, &context, &options()).unwrap();
        let want = &expected["request"];
        assert_eq!(request.url.strip_prefix("http://127.0.0.1:1"), want["path"].as_str());
        let headers: Map<String, Value> = request
            .headers
            .iter()
            .map(|(name, value)| {
                let secret = value.is_sensitive();
                let shown = if secret { "<credential>" } else { value.to_str().unwrap() };
                (name.as_str().to_owned(), shown.into())
            })
            .collect();
        assert_eq!(Value::Object(headers), want["headers"]);
        assert_eq!(request.body.to_string(), want["body"].to_string(), "same keys in the same order");
    }
}

/// Type and block of every event that is not about the whole message, a run of deltas counted once.
fn squash(events: &[Event]) -> Vec<(String, u64)> {
    let mut squashed: Vec<(String, u64)> = Vec::new();
    for event in events {
        let Some(at) = event.content_index() else { continue };
        let step = (event.kind().to_owned(), at as u64);
        if !(step.0.ends_with("_delta") && squashed.last() == Some(&step)) {
            squashed.push(step);
        }
    }
    squashed
}

fn expected_events(record: &Value) -> Vec<(String, u64)> {
    let events = record["events"].as_array().unwrap().iter();
    events
        .filter_map(|event| Some((event["type"].as_str().unwrap().to_owned(), event["contentIndex"].as_u64()?)))
        .collect()
}

/// Where two records differ; absent and zero are the same, error texts need only both be there.
fn differences(want: &Value, got: &Value, path: &str, found: &mut Vec<String>) {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            for key in want.keys().chain(got.keys().filter(|key| !want.contains_key(*key))) {
                let nothing = Value::Null;
                let (a, b) = (want.get(key).unwrap_or(&nothing), got.get(key).unwrap_or(&nothing));
                let path = format!("{path}.{key}");
                match key.as_str() {
                    "timestamp" | "responseModel" => {}
                    "errorMessage" if a.is_null() == b.is_null() => {}
                    _ if is_nothing(a) && is_nothing(b) => {}
                    _ => differences(a, b, &path, found),
                }
            }
        }
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            for (at, (a, b)) in want.iter().zip(got).enumerate() {
                differences(a, b, &format!("{path}[{at}]"), found);
            }
        }
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            if (a - b).abs() > 1e-9 * a.abs().max(1.0) {
                found.push(format!("{path}: {b}, wanted {a}"));
            }
        }
        _ if want == got => {}
        _ => found.push(format!("{path}: {got}, wanted {want}")),
    }
}

fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_f64() == Some(0.0)
}
