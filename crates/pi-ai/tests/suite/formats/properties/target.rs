//! The models that requests are made for, one line each, and how to see the request.

use std::sync::Arc;

use pi_ai::{ApiRegistry, CacheRetention, Context, Message, Model, StreamOptions, ToolDefinition, Transport};
use serde_json::{Value, json};

use super::rules;
use crate::formats::run::{Canned, End, call};

/// A model of an api, and the rules by which its requests are judged.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) api: &'static str,
    pub(super) provider: &'static str,
    pub(super) model: &'static str,
    /// Quirks of the endpoint, as JSON.
    compat: &'static str,
    pub(super) rules: fn(&Value) -> Result<(), String>,
}

const fn target(
    api: &'static str,
    provider: &'static str,
    model: &'static str,
    compat: &'static str,
    rules: fn(&Value) -> Result<(), String>,
) -> Target {
    Target { api, provider, model, compat, rules }
}

/// A new api needs a line here and, if it speaks a language of its own, a function in `rules`.
const TARGETS: [Target; 15] = [
    target("anthropic-messages", "anthropic", "claude", "{}", rules::anthropic),
    target("openai-completions", "openai", "gpt", "{}", rules::openai_chat),
    target("openai-completions", "openrouter", "anthropic/claude", "{}", rules::chat),
    target(
        "openai-completions",
        "mine",
        "bridged",
        r#"{"requiresAssistantAfterToolResult":true}"#,
        rules::bridged_chat,
    ),
    target("openai-completions", "mine", "plain", r#"{"requiresThinkingAsText":true}"#, rules::chat),
    target("mistral-conversations", "mistral", "mistral", "{}", rules::mistral),
    target("openai-responses", "openai", "gpt", "{}", rules::responses),
    target("openai-responses", "github-copilot", "gpt", "{}", rules::responses),
    target("azure-openai-responses", "azure-openai-responses", "gpt", "{}", rules::responses),
    target("openai-codex-responses", "openai-codex", "gpt", "{}", rules::responses),
    target("google-generative-ai", "google", "gemini-2.5-pro", "{}", rules::google),
    target("google-generative-ai", "google", "gemini-3-pro", "{}", rules::google),
    target("google-vertex", "google-vertex", "claude-on-vertex", "{}", rules::google),
    target("bedrock-converse-stream", "amazon-bedrock", "anthropic.claude-sonnet-4-5-v1:0", "{}", rules::bedrock),
    target("bedrock-converse-stream", "amazon-bedrock", "amazon.nova-pro-v1:0", "{}", rules::bedrock),
];

/// The targets whose api is built in.
pub(super) fn targets() -> impl Iterator<Item = &'static Target> {
    let known = ApiRegistry::builtin();
    TARGETS.iter().filter(move |target| known.get(target.api).is_some())
}

/// A key that is good enough for every api: one reads an account out of it.
const KEY: &str = "e30.eyJodHRwczovL2FwaS5vcGVuYWkuY29tL2F1dGgiOnsiY2hhdGdwdF9hY2NvdW50X2lkIjoiYWNjdCJ9fQ.c2ln";

/// Options with which every api can make a request, and caches what it can.
pub(crate) fn options() -> StreamOptions {
    let env = [("AWS_BEDROCK_SKIP_AUTH", "1"), ("AWS_REGION", "us-east-1"), ("PI_CACHE_RETENTION", "")];
    StreamOptions {
        api_key: Some(KEY.into()),
        cache_retention: Some(CacheRetention::Short),
        session_id: Some("session".into()),
        transport: Some(Transport::Sse),
        env: env.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        ..StreamOptions::default()
    }
}

impl Target {
    fn model(&self, accepts_images: bool) -> Arc<Model> {
        let input: &[&str] = if accepts_images { &["text", "image"] } else { &["text"] };
        let model = json!({
            "id": self.model, "name": self.model, "api": self.api, "provider": self.provider,
            "baseUrl": "https://target.example/v1", "reasoning": true, "input": input, "cost": {},
            "contextWindow": 100_000, "maxTokens": 8000, "compat": serde_json::from_str::<Value>(self.compat).unwrap(),
        });
        Arc::new(serde_json::from_value(model).unwrap())
    }

    /// The body that is sent for a conversation.
    pub(super) fn body(&self, messages: Vec<Arc<Message>>, accepts_images: bool) -> Value {
        let parameters = json!({"type": "object", "properties": {"path": {"type": "string"}}});
        let tool = ToolDefinition { name: "look".into(), description: "Looks.".into(), parameters };
        let context = Context { system_prompt: Some("Be brief.".into()), messages, tools: vec![Arc::new(tool)] };
        let transport = Canned::stream("", 0, End::Closed);
        call(&self.model(accepts_images), &context, options(), &transport);
        serde_json::from_slice(&transport.request().body).unwrap()
    }

    /// An id that the target itself gave to its n-th call.
    pub(super) fn own_id(&self, number: usize) -> String {
        match self.api {
            "mistral-conversations" => format!("own{number:06}"),
            "openai-responses" | "azure-openai-responses" | "openai-codex-responses" => {
                format!("call_own{number}|fc_own{number}")
            }
            _ => format!("own_{number}"),
        }
    }

    /// What the target itself signs text with.
    pub(super) fn text_signature(&self, number: usize) -> Option<String> {
        match self.api {
            "openai-responses" | "azure-openai-responses" | "openai-codex-responses" => {
                Some(json!({"v": 1, "id": format!("msg_own{number}")}).to_string())
            }
            "google-generative-ai" | "google-vertex" => Some("c2lnbmVk".into()),
            _ => None,
        }
    }

    /// What the target itself signs thinking with.
    pub(super) fn thinking_signature(&self) -> Option<String> {
        match self.api {
            "openai-responses" | "azure-openai-responses" | "openai-codex-responses" => {
                Some(json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"}).to_string())
            }
            "openai-completions" => Some("reasoning_content".into()),
            "mistral-conversations" => None,
            _ => Some("c2lnbmVk".into()),
        }
    }
}
