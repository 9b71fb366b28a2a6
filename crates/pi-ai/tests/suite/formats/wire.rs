//! Recorded provider streams against what the reference made of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use pi_ai::{AssistantMessageEvent as Event, Context, Model, StreamOptions, ThinkingLevel};
use serde_json::{Map, Value, json};

#[cfg(feature = "bedrock")]
use crate::formats::bedrock;
use crate::formats::run::{Canned, End, call, json as message_json};
use crate::formats::{read_json, shared};

const APIS: &[&str] = &[
    "anthropic-messages",
    "azure-openai-responses",
    #[cfg(feature = "bedrock")]
    "bedrock-converse-stream",
    "google-generative-ai",
    "google-vertex",
    "mistral-conversations",
    "openai-codex-responses",
    "openai-completions",
    "openai-responses",
];
/// Formats whose streams end with a word of their own.
const CHAT: [&str; 2] = ["mistral-conversations", "openai-completions"];
/// Formats whose frames say in `event:` what the data says in `type`.
const NAMED_EVENTS: [&str; 4] =
    ["anthropic-messages", "azure-openai-responses", "openai-codex-responses", "openai-responses"];

fn model(api: &str, provider: &str, path: &str) -> Arc<Model> {
    let model = json!({
        "id": "fixture-model", "name": "Fixture Model", "api": api, "provider": provider,
        "baseUrl": format!("http://127.0.0.1:1{path}"),
        "reasoning": true, "input": ["text", "image"], "contextWindow": 200000, "maxTokens": 8192,
        "cost": {"input": 3, "output": 15, "cacheRead": 0.3, "cacheWrite": 3.75},
    });
    Arc::new(serde_json::from_value(model).unwrap())
}

fn options() -> StreamOptions {
    // As the recordings were made; formats that sign nothing do not look at it.
    let env = [("AWS_BEDROCK_SKIP_AUTH".to_owned(), "1".to_owned())].into();
    StreamOptions { reasoning: ThinkingLevel::Medium, env, ..StreamOptions::default() }
}

/// A recording, and what is known about it.
struct Case {
    name: String,
    /// What the reference made of it.
    record: Value,
    /// The recorded chunks, without framing.
    chunks: Vec<String>,
    model: Arc<Model>,
    /// Kinds of known defects.
    defects: BTreeSet<String>,
}

impl Case {
    /// The response body; `keep` cuts it after so many chunks, without the terminator.
    fn body(&self, keep: Option<usize>) -> Vec<u8> {
        let chunks = self.chunks.iter().take(keep.unwrap_or(usize::MAX));
        #[cfg(feature = "bedrock")]
        if self.model.api == "bedrock-converse-stream" {
            return chunks.flat_map(|chunk| bedrock::frame_of(chunk)).collect();
        }
        let mut body = String::new();
        let end = if self.model.api.starts_with("google-") { "\r\n\r\n" } else { "\n\n" };
        for chunk in chunks {
            if NAMED_EVENTS.contains(&self.model.api.as_str()) {
                writeln!(body, "event: {}", event_name(chunk)).unwrap();
            }
            write!(body, "data: {chunk}{end}").unwrap();
        }
        if keep.is_none() && CHAT.contains(&self.model.api.as_str()) {
            body.push_str("data: [DONE]\n\n");
        }
        body.into_bytes()
    }

    /// Where the outcome differs from the record, as far as the record counts.
    fn check(&self, split: usize) -> Vec<String> {
        let outcome =
            call(&self.model, &Context::default(), options(), &Canned::stream(&self.body(None), split, End::Closed));
        let got = with_marked_ids(message_json(outcome.message()));
        let want = &self.record["final"];
        let mut found = Vec::new();
        if self.defects.contains("reference-wrong") || self.defects.contains("text-only") {
            let part = |value: &Value| json!([value["stopReason"], value["usage"], value["responseId"]]);
            differences(&part(want), &part(&got), "", &mut found);
            return found;
        }
        differences(want, &got, "", &mut found);
        if self.defects.contains("fixture-artefact") {
            found.retain(|difference| difference.starts_with(".stopReason"));
            return found;
        }
        let (want, got) = (expected_events(&self.record), squash(&outcome.events));
        if want != got {
            found.push(format!("events: {got:?}, wanted {want:?}"));
        }
        found
    }
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
        let fixture = case["fixture"].as_str().unwrap();
        let api = case["api"].as_str().unwrap();
        let folder = entries[fixture]["provider"].as_str().unwrap();
        let provider = if api == "azure-openai-responses" { api } else { folder };
        Case {
            model: model(api, provider, ""),
            record: read_json(&wire.join("expected").join(&name)),
            chunks: chunks(&std::fs::read_to_string(wire.join(fixture)).unwrap(), &entries[fixture]["kind"]),
            defects: defects.remove(&name).unwrap_or_default(),
            name,
        }
    })
    .collect()
}

fn chunks(text: &str, kind: &Value) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    if kind == "json-single-chunk" {
        return vec![serde_json::from_str::<Value>(text).unwrap().to_string()];
    }
    if kind != "sse" {
        return lines.map(str::to_owned).collect();
    }
    let data = lines.filter_map(|line| line.strip_prefix("data:")).map(str::trim);
    data.filter(|data| *data != "[DONE]").map(str::to_owned).collect()
}

/// The first `type` of a chunk, which is the event's own. Not every recorded chunk is JSON.
fn event_name(chunk: &str) -> &str {
    let (_, rest) = chunk.split_once("\"type\":\"").unwrap();
    rest.split('"').next().unwrap()
}

/// The message with made-up call ids as the records show them; the tests' clock shows 0.
fn with_marked_ids(mut message: Value) -> Value {
    for block in message["content"].as_array_mut().into_iter().flatten() {
        let marked = block["id"].as_str().map(|id| id.replace("_0_", "_<generated>_"));
        if let Some(id) = marked {
            block["id"] = id.into();
        }
    }
    message
}

fn check_all(split: usize) {
    let Some(wire) = shared("wire") else { return };
    let cases = cases(&wire);
    assert!(cases.len() > 20, "only {} recordings", cases.len());
    let failures: Vec<String> = cases
        .iter()
        .flat_map(|case| case.check(split).into_iter().map(|difference| format!("{}: {difference}", case.name)))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn recorded_streams_become_the_expected_messages_and_events() {
    check_all(0);
}

#[test]
fn how_the_network_cuts_a_stream_does_not_matter() {
    check_all(1);
    check_all(7);
    check_all(61);
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
        let body = case.body(cut["keptChunks"].as_u64().map(|kept| kept as usize));
        let outcome = call(&case.model, &Context::default(), options(), &Canned::stream(&body, 0, End::Closed));
        let got = with_marked_ids(message_json(outcome.message()));
        assert_eq!(got["stopReason"], "error", "{}", case.name);
        if !case.defects.contains("reference-wrong") {
            // Where the reference misses that something is missing, it reports a plain end.
            let mut want = cut["final"].clone();
            want["stopReason"] = "error".into();
            want["errorMessage"] = "some text".into();
            let mut found = Vec::new();
            differences(&want, &got, "", &mut found);
            assert_eq!(found, Vec::<String>::new(), "{}", case.name);
        }
        checked += 1;
    }
    assert!(checked > 15, "only {checked} recordings were cut");
}

#[test]
fn requests_are_those_of_the_reference() {
    let Some(wire) = shared("wire") else { return };
    for (api, path) in [
        ("anthropic-messages", ""),
        ("azure-openai-responses", "/openai/v1"),
        ("google-generative-ai", "/v1beta"),
        ("google-vertex", "/v1"),
        ("mistral-conversations", ""),
        ("openai-codex-responses", "/backend-api"),
        ("openai-completions", "/v1"),
        ("openai-responses", "/v1"),
    ] {
        let expected = read_json(&wire.join(format!("expected/requests/{api}.json")));
        let context: Context = serde_json::from_value(expected["context"].clone()).unwrap();
        let transport = Canned::stream("", 0, End::Closed);
        call(&model(api, "fixture", path), &context, options(), &transport);
        let request = transport.request();
        let want = &expected["request"];
        assert_eq!(request.url.strip_prefix("http://127.0.0.1:1"), want["path"].as_str());
        assert_eq!(Value::Object(visible_headers(&request.headers)), want["headers"]);
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        assert_eq!(body.to_string(), want["body"].to_string(), "same keys in the same order");
    }
}

/// Headers as the reference's records show them.
fn visible_headers(headers: &http::HeaderMap) -> Map<String, Value> {
    let shown = |name: &str, value: &str| match name {
        "api-key" | "authorization" | "x-api-key" | "x-goog-api-key" => "<credential>".into(),
        _ => value.into(),
    };
    let ours = headers.iter().filter(|(name, _)| *name != "user-agent");
    ours.map(|(name, value)| (name.as_str().to_owned(), shown(name.as_str(), value.to_str().unwrap()))).collect()
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
                    // Scratch of the reference.
                    "partialJson" if got.get(key).is_none() => {}
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
