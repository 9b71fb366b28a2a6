//! The structs that a client library would have for the payloads of the bodies: what `parse` fills.

#![allow(dead_code, reason = "fields are there to be filled")]

use std::hint::black_box;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Parses a payload into a struct.
pub(crate) fn parse<T: DeserializeOwned>(payload: &str) {
    black_box(serde_json::from_slice::<T>(payload.as_bytes()).unwrap());
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Anthropic {
    MessageStart { message: AnthropicMessage },
    ContentBlockStart { index: u32, content_block: AnthropicBlock },
    ContentBlockDelta { index: u32, delta: AnthropicDelta },
    ContentBlockStop { index: u32 },
    MessageDelta { delta: AnthropicEnd },
    MessageStop,
}

#[derive(Deserialize)]
pub(crate) struct AnthropicMessage {
    id: String,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum AnthropicBlock {
    Text { text: String },
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum AnthropicDelta {
    TextDelta { text: String },
}

#[derive(Deserialize)]
pub(crate) struct AnthropicEnd {
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Chunk {
    id: String,
    object: String,
    created: u64,
    model: String,
    system_fingerprint: Option<String>,
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
pub(crate) struct Choice {
    index: u32,
    delta: Delta,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Delta {
    role: Option<String>,
    content: Option<String>,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
pub(crate) enum Responses {
    #[serde(rename = "response.created")]
    Created { response: Response, sequence_number: u32 },
    #[serde(rename = "response.output_item.added")]
    ItemAdded { item: Item, output_index: u32, sequence_number: u32 },
    #[serde(rename = "response.content_part.added")]
    PartAdded { content_index: u32, item_id: String, output_index: u32, part: Part, sequence_number: u32 },
    #[serde(rename = "response.output_text.delta")]
    TextDelta {
        content_index: u32,
        item_id: String,
        output_index: u32,
        delta: String,
        sequence_number: u32,
        obfuscation: Option<String>,
    },
    #[serde(rename = "response.output_item.done")]
    ItemDone { item: Item, output_index: u32, sequence_number: u32 },
    #[serde(rename = "response.completed")]
    Completed { response: Response, sequence_number: u32 },
}

#[derive(Deserialize)]
pub(crate) struct Response {
    id: String,
    status: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Item {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    content: Vec<Part>,
    role: Option<String>,
    status: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Part {
    #[serde(rename = "type")]
    kind: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Gemini {
    candidates: Vec<Candidate>,
    usage_metadata: GeminiUsage,
    model_version: String,
    response_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Candidate {
    content: Content,
    finish_reason: Option<String>,
    index: Option<u32>,
}

#[derive(Deserialize)]
pub(crate) struct Content {
    parts: Vec<TextPart>,
    role: String,
}

#[derive(Deserialize)]
pub(crate) struct TextPart {
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GeminiUsage {
    prompt_token_count: u64,
    candidates_token_count: u64,
    total_token_count: u64,
    prompt_tokens_details: Vec<Modality>,
    thoughts_token_count: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Modality {
    modality: String,
    token_count: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Bedrock {
    role: Option<String>,
    content_block_index: Option<u32>,
    delta: Option<BedrockDelta>,
    p: Option<String>,
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct BedrockDelta {
    text: String,
}
