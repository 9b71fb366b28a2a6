//! Snapshots of requests, one per topic. Cases and conversations are in `fixtures/requests`.

use std::fmt::Write;
use std::sync::Arc;

use pi_ai::transport::HttpRequest;
use pi_ai::{
    AnthropicMessages, AnthropicOptions, ApiRegistry, Context, GoogleGenerativeAi, GoogleVertex, MistralConversations,
    MistralOptions, Model, OpenAiCompletions, OpenAiCompletionsOptions, StreamOptions, ThinkingLevel,
};
use serde_json::{Map, Value};

use crate::formats::run::{Canned, End, call, collect, with_transport};
use crate::formats::{files, fixtures, read_json, responses};

/// What a subscription key looks like; in pieces, so that no search for keys finds it.
pub(crate) const SUBSCRIPTION: &str = concat!("sk-ant-", "oat-test");

/// Variables that would change a request.
const UNSET: [&str; 10] = [
    "AZURE_OPENAI_API_VERSION",
    "AZURE_OPENAI_BASE_URL",
    "AZURE_OPENAI_DEPLOYMENT_NAME_MAP",
    "AZURE_OPENAI_RESOURCE_NAME",
    "GCLOUD_PROJECT",
    "GOOGLE_CLOUD_LOCATION",
    "GOOGLE_CLOUD_PROJECT",
    "OPENAI_ORG_ID",
    "OPENAI_PROJECT_ID",
    "PI_CACHE_RETENTION",
];

#[test]
fn requests_of_every_topic() {
    for path in files(&fixtures("requests"), "json") {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name != "contexts" {
            insta::assert_snapshot!(name.clone(), topic(&name));
        }
    }
}

#[test]
fn a_call_without_a_key_sends_nothing() {
    for file in ["anthropic-prompt", "azure", "completions-prompt", "mistral-prompt", "responses-prompt"] {
        let fixture = read_json(&fixtures("requests").join(format!("{file}.json")));
        let mut model = model(&fixture["model"], &Value::Null);
        Arc::get_mut(&mut model).unwrap().provider = "keyless".into();
        let transport = Canned::stream("", 0, End::Closed);
        let options = StreamOptions { api_key: Some("  ".into()), ..StreamOptions::default() };
        let outcome = call(&model, &Context::prompt("hi"), options, &transport);
        assert_eq!(outcome.message().error_message.as_deref(), Some("No API key for provider: keyless"));
        assert_eq!(outcome.events.len(), 1);
    }
}

#[test]
fn a_header_that_is_not_legal_is_named_but_not_shown() {
    let fixture = read_json(&fixtures("requests").join("anthropic-prompt.json"));
    let options = StreamOptions { api_key: Some("two\nlines".into()), ..StreamOptions::default() };
    let transport = Canned::stream("", 0, End::Closed);
    let outcome = call(&model(&fixture["model"], &Value::Null), &Context::prompt("hi"), options, &transport);
    let error = outcome.message().error_message.clone().unwrap();
    assert!(error.starts_with("Invalid request header \"x-api-key\"") && !error.contains("lines"), "{error}");
}

/// All requests of a topic, as text.
fn topic(name: &str) -> String {
    let folder = fixtures("requests");
    let fixture = read_json(&folder.join(format!("{name}.json")));
    let contexts = read_json(&folder.join("contexts.json"));
    let mut text = String::new();
    for case in fixture["cases"].as_array().unwrap() {
        let name = case["context"].as_str().unwrap();
        let context = fixture["contexts"].get(name).unwrap_or(&contexts[name]);
        let context: Context = serde_json::from_value(context.clone()).unwrap();
        let model = model(&fixture["model"], &case["model"]);
        writeln!(text, "## {}\n{}", case["name"].as_str().unwrap(), render(&request(&model, &context, case))).unwrap();
    }
    text
}

/// A model with some fields replaced.
pub(crate) fn model(base: &Value, patch: &Value) -> Arc<Model> {
    let mut model = base.as_object().unwrap().clone();
    for (key, value) in patch.as_object().into_iter().flatten() {
        model.insert(key.clone(), value.clone());
    }
    Arc::new(serde_json::from_value(Value::Object(model)).unwrap())
}

/// Runs the case against a server that says nothing, and returns what was sent.
fn request(model: &Arc<Model>, context: &Context, case: &Value) -> HttpRequest {
    let transport = Canned::stream("", 0, End::Closed);
    let mut base = with_transport(options(&case["options"]), &transport);
    if case["options"]["noKey"] == true {
        base.api_key = None;
    }
    let (model, context) = (Arc::clone(model), context.clone());
    match &case["explicit"] {
        Value::Null => {
            collect(ApiRegistry::builtin().get(&model.api).unwrap().stream(model, context, base));
        }
        explicit if model.api == "google-generative-ai" => {
            collect(GoogleGenerativeAi.stream_with(model, context, crate::formats::google::options(explicit, base)));
        }
        explicit if model.api == "google-vertex" => {
            collect(GoogleVertex.stream_with(model, context, crate::formats::google::vertex_options(explicit, base)));
        }
        explicit if model.api == "anthropic-messages" => {
            collect(AnthropicMessages.stream_with(model, context, anthropic_options(explicit, base)));
        }
        explicit if model.api == "mistral-conversations" => {
            collect(MistralConversations.stream_with(model, context, mistral_options(explicit, base)));
        }
        explicit if model.api.ends_with("-responses") => responses::stream_with(model, context, explicit, base),
        explicit => {
            collect(OpenAiCompletions.stream_with(model, context, completions_options(explicit, base)));
        }
    }
    transport.request()
}

pub(crate) fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

pub(crate) fn level(value: &Value) -> ThinkingLevel {
    value.as_str().and_then(ThinkingLevel::parse).unwrap_or_default()
}

pub(crate) fn map<T: serde::de::DeserializeOwned + Default>(value: &Value) -> T {
    if value.is_null() { T::default() } else { serde_json::from_value(value.clone()).unwrap() }
}

pub(crate) fn options(case: &Value) -> StreamOptions {
    let mut options = StreamOptions {
        api_key: (case["subscription"] == true).then(|| SUBSCRIPTION.to_owned()),
        temperature: case["temperature"].as_f64(),
        max_tokens: case["maxTokens"].as_u64(),
        cache_retention: map(&case["cacheRetention"]),
        session_id: text(&case["sessionId"]),
        headers: map(&case["headers"]),
        metadata: map(&case["metadata"]),
        env: map(&case["env"]),
        reasoning: level(&case["reasoning"]),
        thinking_budgets: map(&case["thinkingBudgets"]),
        tool_choice: map(&case["toolChoice"]),
        ..StreamOptions::default()
    };
    // What the machine at hand is set to must not matter.
    for variable in UNSET {
        options.env.entry(variable.into()).or_default();
    }
    options
}

fn anthropic_options(case: &Value, base: StreamOptions) -> AnthropicOptions {
    AnthropicOptions {
        base,
        thinking: case["thinking"].as_bool(),
        thinking_budget: case["thinkingBudget"].as_u64(),
        effort: text(&case["effort"]),
        thinking_display: text(&case["thinkingDisplay"]),
        interleaved_thinking: case["interleavedThinking"].as_bool().unwrap_or(true),
        tool_choice: map(&case["toolChoice"]),
    }
}

fn mistral_options(case: &Value, base: StreamOptions) -> MistralOptions {
    MistralOptions {
        base,
        tool_choice: map(&case["toolChoice"]),
        prompt_mode: text(&case["promptMode"]),
        reasoning_effort: text(&case["reasoningEffort"]),
    }
}

fn completions_options(case: &Value, base: StreamOptions) -> OpenAiCompletionsOptions {
    OpenAiCompletionsOptions {
        base,
        reasoning_effort: level(&case["reasoningEffort"]),
        tool_choice: map(&case["toolChoice"]),
    }
}

/// URL, headers, then one line per key of the body and per message and tool.
pub(crate) fn render(request: &HttpRequest) -> String {
    let mut text = format!("{} {}\n", request.method, request.url);
    let mut headers: Vec<(&str, &str)> =
        request.headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
    headers.sort_unstable();
    for (name, value) in headers {
        let value = value.replace(env!("CARGO_PKG_VERSION"), "VERSION").replace(SUBSCRIPTION, "SUBSCRIPTION");
        writeln!(text, "{name}: {value}").unwrap();
    }
    text + &render_body(request)
}

/// The body, one line per key and per message and tool.
pub(crate) fn render_body(request: &HttpRequest) -> String {
    let mut text = String::new();
    let body: Map<String, Value> = serde_json::from_slice(&request.body).unwrap();
    for (key, value) in &body {
        match value {
            Value::Array(items) => {
                writeln!(text, "{key} =").unwrap();
                items.iter().for_each(|item| writeln!(text, "  {item}").unwrap());
            }
            _ => writeln!(text, "{key} = {value}").unwrap(),
        }
    }
    text
}
