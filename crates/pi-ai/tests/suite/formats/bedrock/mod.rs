//! The wire format `bedrock-converse-stream`, from our own fixtures: requests, streams, signatures, and where keys come
//! from. Here is what these tests share.

mod keys;
mod requests;
mod server;
mod signatures;
mod streams;

use std::collections::BTreeMap;
use std::sync::Arc;

use aws_smithy_eventstream::frame::write_message_to;
use aws_smithy_types::event_stream::{Header, HeaderValue, Message};
use http::HeaderMap;
use pi_ai::{AssistantMessage, BedrockConverseStream, BedrockOptions, Context, Model, StreamOptions};
use serde_json::{Value, json};

const API: &str = "bedrock-converse-stream";
/// 2030-01-02T03:04:05Z
const NOW: i64 = 1_893_553_445_000;

/// Variables that may be set on the machine at hand and must not matter.
const MACHINE: [&str; 14] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_BEDROCK_FORCE_CACHE",
    "AWS_BEDROCK_SKIP_AUTH",
    "AWS_CONFIG_FILE",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_DEFAULT_REGION",
    "AWS_PROFILE",
    "AWS_REGION",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
];

/// An environment in which only these variables are set.
fn sealed(variables: &[(&str, &str)]) -> BTreeMap<String, String> {
    let blank = MACHINE.iter().map(|name| ((*name).to_owned(), String::new()));
    let own = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    blank.chain([("HOME".to_owned(), "/nonexistent".to_owned())]).chain(own).collect()
}

fn unsigned() -> StreamOptions {
    StreamOptions { env: sealed(&[("AWS_BEARER_TOKEN_BEDROCK", "bearer-test")]), ..StreamOptions::default() }
}

fn model() -> Arc<Model> {
    let model = json!({
        "id": "anthropic.claude-own-v1:0", "name": "Own", "api": API, "provider": "amazon-bedrock", "reasoning": true,
        "baseUrl": "https://bedrock-runtime.us-east-1.amazonaws.com", "input": ["text", "image"],
        "contextWindow": 100000, "maxTokens": 8000,
        "cost": {"input": 3, "output": 15, "cacheRead": 0.3, "cacheWrite": 3.75},
    });
    Arc::new(serde_json::from_value(model).unwrap())
}

/// A frame with these headers.
fn frame(headers: &[(&str, &str)], payload: &str) -> Vec<u8> {
    let headers = headers.iter().map(|(name, value)| {
        let value = HeaderValue::String((*value).to_owned().into());
        Header::new((*name).to_owned(), value)
    });
    let mut bytes = Vec::new();
    let message = Message::new_from_parts(headers.collect(), payload.as_bytes().to_vec());
    write_message_to(&message, &mut bytes).unwrap();
    bytes
}

/// The frame of a line `{"<event>": <payload>}`; an event that begins with a colon is a message of that type.
pub(crate) fn frame_of(line: &str) -> Vec<u8> {
    let line: Value = serde_json::from_str(line).unwrap();
    let (event, payload) = line.as_object().unwrap().iter().next().unwrap();
    let part = |key: &str| payload[key].as_str().unwrap();
    match event.as_str() {
        ":exception" => {
            let headers = [(":exception-type", part("type")), (":message-type", "exception")];
            frame(&headers, &payload["payload"].to_string())
        }
        ":error" => {
            let headers = [(":message-type", "error"), (":error-code", part("code")), (":error-message", part("text"))];
            frame(&headers, "")
        }
        ":raw" => frame(&[(":event-type", part("type")), (":message-type", "event")], part("payload")),
        _ => {
            let kind = (":content-type", "application/json");
            frame(&[(":event-type", event), kind, (":message-type", "event")], &payload.to_string())
        }
    }
}

/// Runs a call in real time.
fn run(api: &BedrockConverseStream, model: Arc<Model>, options: BedrockOptions) -> Arc<AssistantMessage> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(api.stream_with(model, Context::prompt("hi"), options).result())
}

fn text_headers(headers: &HeaderMap) -> BTreeMap<String, String> {
    headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap_or("").to_owned())).collect()
}
