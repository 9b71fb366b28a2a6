//! A conversation that two models had, sent to each format: whose blocks, ids, images and failures survive.

use std::sync::Arc;

use pi_ai::{Context, Model, StreamOptions};
use serde_json::json;

use crate::requests::render;
use crate::run::{Canned, End, call};
use crate::{fixtures, read_json};

/// The conversation with the target as its first speaker.
fn context(model: &Model) -> Context {
    let contexts = read_json(&fixtures("requests").join("contexts.json"));
    let text = contexts["handoff"].to_string();
    let own = text.replace("TARGET_API", &model.api).replace("TARGET_PROVIDER", &model.provider);
    serde_json::from_str(&own.replace("TARGET_MODEL", &model.id)).unwrap()
}

fn sent_to(api: &str, provider: &str, id: &str, input: &[&str]) -> String {
    let model: Model = serde_json::from_value(json!({
        "id": id, "name": id, "api": api, "provider": provider, "baseUrl": "https://target.example", "reasoning": true,
        "input": input, "cost": {}, "contextWindow": 100000, "maxTokens": 8000,
    }))
    .unwrap();
    let transport = Canned::stream("", 0, End::Closed);
    call(&Arc::new(model.clone()), &context(&model), StreamOptions::default(), &transport);
    render(&transport.request())
}

#[test]
fn to_anthropic() {
    insta::assert_snapshot!(sent_to("anthropic-messages", "anthropic", "claude", &["text", "image"]));
}

#[test]
fn to_chat_completions() {
    insta::assert_snapshot!(sent_to("openai-completions", "openrouter", "router/model", &["text", "image"]));
}

#[test]
fn to_mistral() {
    insta::assert_snapshot!(sent_to("mistral-conversations", "mistral", "mistral-medium-latest", &["text", "image"]));
}

#[test]
fn to_a_model_without_eyes() {
    insta::assert_snapshot!(sent_to("openai-completions", "mine", "blind", &["text"]));
}
