//! A conversation that two models had, sent to each format: whose blocks, ids, images and failures survive.

use std::sync::Arc;

use pi_ai::transport::HttpRequest;
use pi_ai::{ApiRegistry, Context, Model, StreamOptions};
use serde_json::json;

use crate::formats::properties::options;
use crate::formats::requests::{render, render_body};
use crate::formats::run::{Canned, End, call};
use crate::formats::{fixtures, read_json};

/// Name of the snapshot, api, provider, model, kinds of input. Formats that are not built in are passed over.
const TARGETS: [(&str, &str, &str, &str, &[&str]); 12] = [
    ("anthropic", "anthropic-messages", "anthropic", "claude", &["text", "image"]),
    ("azure", "azure-openai-responses", "azure-openai-responses", "gpt-5.4", &["text", "image"]),
    ("bedrock", "bedrock-converse-stream", "amazon-bedrock", "anthropic.claude-sonnet-4-5-v1:0", &["text", "image"]),
    ("blind", "openai-completions", "mine", "blind", &["text"]),
    ("codex", "openai-codex-responses", "openai-codex", "gpt-5.4", &["text", "image"]),
    ("completions", "openai-completions", "openrouter", "router/model", &["text", "image"]),
    ("copilot", "openai-responses", "github-copilot", "gpt-5.4", &["text", "image"]),
    ("gemini-2", "google-generative-ai", "google", "gemini-2.5-pro", &["text", "image"]),
    ("gemini-3", "google-generative-ai", "google", "gemini-3-pro", &["text", "image"]),
    ("mistral", "mistral-conversations", "mistral", "mistral-medium-latest", &["text", "image"]),
    ("responses", "openai-responses", "openai", "gpt-5.4", &["text", "image"]),
    ("vertex", "google-vertex", "google-vertex", "gemini-3-flash", &["text", "image"]),
];

/// The conversation with the target as its first speaker.
pub(crate) fn context(model: &Model) -> Context {
    signed_context(model, "OWN")
}

/// The same, its thoughts signed in the speaker's own way.
fn signed_context(model: &Model, signature: &str) -> Context {
    let contexts = read_json(&fixtures("requests").join("contexts.json"));
    let mut conversation = contexts["handoff"].clone();
    conversation["messages"][1]["content"][0]["thinkingSignature"] = signature.into();
    let text = conversation.to_string();
    let own = text.replace("TARGET_API", &model.api).replace("TARGET_PROVIDER", &model.provider);
    serde_json::from_str(&own.replace("TARGET_MODEL", &model.id)).unwrap()
}

/// The request that the conversation with the target as its first speaker becomes.
fn request(
    api: &str,
    provider: &str,
    id: &str,
    input: &[&str],
    own_signature: &str,
    options: StreamOptions,
) -> HttpRequest {
    let model: Model = serde_json::from_value(json!({
        "id": id, "name": id, "api": api, "provider": provider, "baseUrl": "https://target.example", "reasoning": true,
        "input": input, "cost": {}, "contextWindow": 100000, "maxTokens": 8000,
    }))
    .unwrap();
    let transport = Canned::stream("", 0, End::Closed);
    let context = signed_context(&model, own_signature);
    call(&Arc::new(model), &context, options, &transport);
    transport.request()
}

/// The request with its headers.
pub(crate) fn sent_to(api: &str, provider: &str, id: &str, input: &[&str]) -> String {
    render(&request(api, provider, id, input, "OWN", StreamOptions::default()))
}

#[test]
fn one_conversation_for_every_format() {
    let known = ApiRegistry::builtin();
    for (name, api, provider, id, input) in TARGETS.iter().filter(|(_, api, ..)| known.get(api).is_some()) {
        // What a speaker signs its thoughts with is JSON in some formats, base64 in others.
        let signature = match api.ends_with("responses") {
            true => r#"{"type":"reasoning","id":"rs_own","summary":[]}"#,
            false => "c2lnbmVk",
        };
        let request = request(api, provider, id, input, signature, options());
        insta::assert_snapshot!(format!("to@{name}"), render_body(&request));
    }
}
