//! Requests: snapshots per topic, the payload hook, and what the reference sends.

use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use pi_ai::transport::HttpRequest;
use pi_ai::{
    BedrockConverseStream, BedrockOptions, Context, Message, Model, PayloadHook, StreamOptions, ThinkingLevel,
};
use serde_json::{Value, json};

use super::{API, model, sealed, unsigned};
use crate::formats::requests::{level, map, model as patched, options, render, text};
use crate::formats::run::{Canned, End, call, collect, with_transport};
use crate::formats::{files, fixtures, handoffs, read_json, shared};

/// All requests of a topic, as text.
fn topic(path: &Path) -> String {
    let fixture = read_json(path);
    let contexts = read_json(&fixtures("requests").join("contexts.json"));
    let mut text = String::new();
    for case in fixture["cases"].as_array().unwrap() {
        let name = case["context"].as_str().unwrap();
        let context = fixture["contexts"].get(name).unwrap_or(&contexts[name]);
        let context: Context = serde_json::from_value(context.clone()).unwrap();
        let model = patched(&fixture["model"], &case["model"]);
        let sent = request(&model, &context, case).map_or_else(|error| format!("! {error}\n"), |sent| render(&sent));
        writeln!(text, "## {}\n{sent}", case["name"].as_str().unwrap()).unwrap();
    }
    text
}

/// What is sent in a case, or the error text when nothing is.
fn request(model: &Arc<Model>, context: &Context, case: &Value) -> Result<HttpRequest, String> {
    let transport = Canned::stream("", 0, End::Closed);
    let mut base = options(&case["options"]);
    let own = std::mem::take(&mut base.env);
    base.env = sealed(&[("AWS_BEARER_TOKEN_BEDROCK", "bearer-test")]);
    base.env.extend(own);
    let outcome = match &case["explicit"] {
        Value::Null => call(model, context, base, &transport),
        explicit => {
            let base = with_transport(base, &transport);
            let options = explicit_options(explicit, base);
            collect(BedrockConverseStream::default().stream_with(Arc::clone(model), context.clone(), options))
        }
    };
    let error = outcome.message().error_message.clone().unwrap_or_default();
    if error.starts_with("Bedrock stream ended") { Ok(transport.request()) } else { Err(error) }
}

fn explicit_options(case: &Value, base: StreamOptions) -> BedrockOptions {
    BedrockOptions {
        base,
        region: text(&case["region"]),
        profile: text(&case["profile"]),
        bearer_token: text(&case["bearerToken"]),
        tool_choice: map(&case["toolChoice"]),
        reasoning: level(&case["reasoning"]),
        interleaved_thinking: case["interleavedThinking"].as_bool().unwrap_or(true),
        thinking_display: text(&case["thinkingDisplay"]),
        request_metadata: map(&case["requestMetadata"]),
    }
}

#[test]
fn requests_of_every_topic() {
    for path in files(&fixtures("requests").join(API), "json") {
        let name = format!("{API}@{}", path.file_stem().unwrap().to_str().unwrap());
        insta::assert_snapshot!(name, topic(&path));
    }
}

/// A conversation that two models had: whose blocks, ids, images and failures survive.
#[test]
fn a_conversation_with_another_model() {
    let model = model();
    let transport = Canned::stream("", 0, End::Closed);
    call(&model, &handoffs::context(&model), unsigned(), &transport);
    insta::assert_snapshot!(render(&transport.request()));
}

/// Hooks see the operation's input, the model's id included; what they make of it is sent in the service's own order.
#[test]
fn a_payload_hook_sees_the_input_of_the_operation() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let keys = Arc::clone(&seen);
    let hook = move |mut payload: Value, _| {
        keys.lock().unwrap().extend(payload.as_object().unwrap().keys().cloned());
        payload["guardrailConfig"] = json!({"guardrailIdentifier": "g"});
        payload["zzz"] = json!(1);
        payload["modelId"] = json!("arn:aws:bedrock:eu-west-3:1:inference-profile/another");
        Box::pin(std::future::ready(Ok(Some(payload)))) as BoxFuture<'static, _>
    };
    let options = StreamOptions { on_payload: Some(PayloadHook::new(hook)), ..unsigned() };
    let options = BedrockOptions {
        base: options,
        request_metadata: [("team".into(), "a".into())].into(),
        ..BedrockOptions::default()
    };
    let transport = Canned::stream("", 0, End::Closed);
    let options = BedrockOptions { base: with_transport(options.base.clone(), &transport), ..options };
    collect(BedrockConverseStream::default().stream_with(model(), Context::prompt("hi"), options));
    assert_eq!(*seen.lock().unwrap(), ["modelId", "messages", "inferenceConfig", "requestMetadata"]);
    let sent: Value = serde_json::from_slice(&transport.request().body).unwrap();
    let path = "/model/arn%3Aaws%3Abedrock%3Aeu-west-3%3A1%3Ainference-profile%2Fanother/converse-stream";
    assert_eq!(transport.request().url, format!("https://bedrock-runtime.eu-west-3.amazonaws.com{path}"));
    let sent: Vec<&String> = sent.as_object().unwrap().keys().collect();
    assert_eq!(sent, ["messages", "inferenceConfig", "guardrailConfig", "requestMetadata", "zzz"]);
}

#[test]
fn the_request_is_that_of_the_reference() {
    let Some(wire) = shared("wire") else { return };
    let expected = read_json(&wire.join(format!("expected/requests/{API}.json")));
    let context: Context = serde_json::from_value(expected["context"].clone()).unwrap();
    let mut model = (*model()).clone();
    model.id = "fixture-model".into();
    model.name = "Fixture Model".into();
    model.base_url = "http://127.0.0.1:1".into();
    let options = StreamOptions { reasoning: ThinkingLevel::Medium, ..unsigned() };
    let transport = Canned::stream("", 0, End::Closed);
    call(&Arc::new(model), &context, options, &transport);
    let request = transport.request();
    let want = &expected["request"];
    assert_eq!(request.url.strip_prefix("http://127.0.0.1:1"), want["path"].as_str());
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    assert_eq!(body.to_string(), want["body"].to_string(), "same keys in the same order");
    // The record leaves out what changes from call to call.
    let kept = request.headers.keys().map(http::HeaderName::as_str).filter(|name| !name.starts_with("x-amz-"));
    let mut kept: Vec<&str> = kept.filter(|name| *name != "user-agent").collect();
    let mut recorded: Vec<&str> = want["headers"].as_object().unwrap().keys().map(String::as_str).collect();
    kept.sort_unstable();
    recorded.sort_unstable();
    assert_eq!(kept, recorded);
    assert_eq!(request.headers["content-type"], want["headers"]["content-type"].as_str().unwrap());
}

/// What was said earlier stays as it was sent, up to the cache point.
#[test]
fn a_longer_conversation_begins_like_the_shorter_one() {
    let contexts = read_json(&fixtures("requests").join("contexts.json"));
    let all: Context = serde_json::from_value(contexts["images"].clone()).unwrap();
    let mut before: Vec<Value> = Vec::new();
    for count in 1..=all.messages.len() {
        // A call and its results belong together.
        if all.messages.get(count).is_some_and(|next| matches!(**next, Message::ToolResult(_))) {
            continue;
        }
        let context = Context { messages: all.messages[..count].to_vec(), ..all.clone() };
        let transport = Canned::stream("", 0, End::Closed);
        call(&model(), &context, unsigned(), &transport);
        let sent: Value = serde_json::from_slice(&transport.request().body).unwrap();
        // Messages of one role are joined, so what counts is who said which block.
        let blocks = sent["messages"].as_array().unwrap().iter().flat_map(|message| {
            let blocks = message["content"].as_array().unwrap().iter();
            blocks.map(|block| json!([message["role"], block]))
        });
        let blocks: Vec<Value> = blocks.collect();
        assert_eq!(blocks[..before.len()], before[..], "{count} messages");
        before = blocks;
    }
    assert!(before.len() > 2);
}
