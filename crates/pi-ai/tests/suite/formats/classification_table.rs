//! What providers say when they refuse or break off: worded after their documentation and public reports, ids and
//! figures made up.

/// A response with an error status.
pub(crate) struct Refusal {
    pub(crate) provider: &'static str,
    pub(crate) api: &'static str,
    pub(crate) status: u16,
    pub(crate) headers: &'static [(&'static str, &'static str)],
    pub(crate) body: &'static str,
    /// Of `retry`, `overflow` and `auth` those that hold, in this order.
    pub(crate) expected: &'static str,
    /// Milliseconds.
    pub(crate) retry_after: Option<u64>,
}

const fn refusal(
    provider: &'static str,
    api: &'static str,
    status: u16,
    body: &'static str,
    expected: &'static str,
) -> Refusal {
    Refusal { provider, api, status, headers: &[], body, expected, retry_after: None }
}

const AM: &str = "anthropic-messages";
const OC: &str = "openai-completions";
const OR: &str = "openai-responses";
const AZ: &str = "azure-openai-responses";
const CX: &str = "openai-codex-responses";
const GG: &str = "google-generative-ai";
const BR: &str = "bedrock-converse-stream";
const MI: &str = "mistral-conversations";

/// Refused requests.
#[rustfmt::skip]
pub(crate) const REFUSALS: &[Refusal] = &[
    // Prompts that are too long.
    refusal("Anthropic", AM, 400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}"#, "overflow"),
    refusal("Anthropic", AM, 413, r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#, "overflow"),
    refusal("a proxy of Anthropic", AM, 413, "", "overflow"),
    refusal("OpenAI", OC, 400, r#"{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 130231 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#, "overflow"),
    refusal("OpenAI", OR, 400, r#"{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}"#, "overflow"),
    refusal("Azure", AZ, 400, r#"{"error":{"message":"Your input exceeds the context window of this model.","code":"context_length_exceeded"}}"#, "overflow"),
    refusal("LiteLLM", OC, 400, r#"{"error":{"message":"The request exceeds the model's maximum context length of 131,072 tokens"}}"#, "overflow"),
    refusal("LiteLLM", OC, 400, r#"{"error":{"message":"input exceeds maximum context length (32,768)"}}"#, "overflow"),
    refusal("Gemini", GG, 400, r#"{"error":{"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#, "overflow"),
    refusal("xAI", OC, 400, r#"{"error":{"message":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}}"#, "overflow"),
    refusal("Groq", OC, 400, r#"{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error"}}"#, "overflow"),
    refusal("OpenRouter", OC, 400, r#"{"error":{"message":"This endpoint's maximum context length is 65536 tokens. However, you requested about 70012 tokens","code":400}}"#, "overflow"),
    refusal("Poolside", OC, 400, r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"prompt exceeds the maximum allowed input length of 32,000 tokens"}}}"#, "overflow"),
    refusal("Together", OC, 400, r#"{"error":{"message":"The input (9000 tokens) is longer than the model's context length (8192 tokens)."}}"#, "overflow"),
    refusal("GitHub Copilot", OC, 400, r#"{"error":{"message":"prompt token count of 136112 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}"#, "overflow"),
    refusal("llama.cpp", OC, 400, r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error"}}"#, "overflow"),
    refusal("LM Studio", OC, 400, r#"{"error":{"message":"The number of tokens to keep from the initial prompt is greater than the context length"}}"#, "overflow"),
    refusal("MiniMax", OC, 400, r#"{"error":{"message":"invalid params, context window exceeds limit"}}"#, "overflow"),
    refusal("Kimi", OC, 400, r#"{"error":{"message":"Invalid request: Your request exceeded model token limit: 131072","type":"invalid_request_error"}}"#, "overflow"),
    refusal("Ollama", OC, 400, r#"{"error":{"message":"prompt too long; exceeded max context length by 4 tokens"}}"#, "overflow"),
    refusal("Cerebras", OC, 400, "", "overflow"),
    refusal("Cerebras", OC, 413, "", "overflow"),
    refusal("somebody", OC, 400, r#"{"error":{"message":"Too many tokens in the prompt"}}"#, "overflow"),
    refusal("somebody", OC, 400, r#"{"error":{"message":"token limit exceeded"}}"#, "overflow"),
    refusal("Mistral", MI, 400, r#"{"object":"error","message":"Prompt contains 131081 tokens and 0 draft tokens, too large for model with 131072 maximum context length","type":"invalid_request_prompt","code":"3051"}"#, "overflow"),
    refusal("Bedrock", BR, 400, r#"{"__type":"ValidationException","message":"Input is too long for requested model."}"#, "overflow"),
    // Prompts that are not too long, whatever it sounds like.
    refusal("OpenAI", OR, 400, "", ""),
    refusal("Bedrock", BR, 429, r#"{"__type":"ThrottlingException","message":"Too many tokens, please wait before trying again."}"#, "retry"),
    refusal("Mistral", MI, 413, "", ""),
    refusal("somebody", OC, 429, r#"{"error":{"message":"Rate limit reached: too many tokens per minute"}}"#, "retry"),
    refusal("Anthropic", AM, 400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 50000 > 8192, which is the maximum allowed number of output tokens"}}"#, ""),
    // Load.
    refusal("Anthropic", AM, 529, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#, "retry"),
    refusal("Anthropic", AM, 500, r#"{"type":"error","error":{"type":"api_error","message":"Internal server error"}}"#, "retry"),
    Refusal {
        headers: &[("retry-after", "12")], retry_after: Some(12_000),
        ..refusal("Anthropic", AM, 429, r#"{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of 40,000 input tokens per minute"}}"#, "retry")
    },
    Refusal {
        headers: &[("retry-after-ms", "1500"), ("retry-after", "2")], retry_after: Some(1500),
        ..refusal("OpenAI", OC, 429, r#"{"error":{"message":"Rate limit reached for gpt on tokens per min (TPM): Limit 30000, Used 29000.","type":"tokens","code":"rate_limit_exceeded"}}"#, "retry")
    },
    Refusal {
        headers: &[("retry-after", "Thu, 01 Jan 1970 00:00:07 GMT")], retry_after: Some(7000),
        ..refusal("somebody", OC, 503, r#"{"error":{"message":"Service Unavailable"}}"#, "retry")
    },
    Refusal { headers: &[("retry-after", "soon")], ..refusal("somebody", OC, 503, "upstream connect error or disconnect/reset before headers", "retry") },
    refusal("a proxy", OC, 502, "<html><title>502 Bad Gateway</title></html>", "retry"),
    refusal("a proxy", MI, 504, "<html><title>504 Gateway Time-out</title></html>", "retry"),
    refusal("Azure", AZ, 429, r#"{"error":{"code":"429","message":"Requests have exceeded call rate limit of your current tier."}}"#, "retry"),
    refusal("Gemini", GG, 503, r#"{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}"#, "retry"),
    refusal("Bedrock", BR, 503, r#"{"__type":"ServiceUnavailableException","message":"Bedrock is unable to process your request."}"#, "retry"),
    refusal("Mistral", MI, 429, r#"{"object":"error","message":"Service tier capacity exceeded for this model.","type":"service_tier_capacity_exceeded","code":"3505"}"#, "retry"),
    refusal("OpenRouter", OC, 502, r#"{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"upstream is gone"}}}"#, "retry"),
    // Budgets: waiting a little does not help.
    refusal("OpenAI", OC, 429, r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","code":"insufficient_quota"}}"#, ""),
    refusal("Anthropic", AM, 400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."}}"#, ""),
    refusal("OpenRouter", OC, 402, r#"{"error":{"message":"This request requires more credits, or fewer max_tokens.","code":402}}"#, ""),
    refusal("OpenCode", OC, 429, r#"{"error":{"type":"GoUsageLimitError","message":"Monthly usage limit reached"}}"#, ""),
    // Credentials.
    refusal("Anthropic", AM, 401, r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#, "auth"),
    refusal("OpenAI", OC, 401, r#"{"error":{"message":"Incorrect API key provided: sk-…","code":"invalid_api_key"}}"#, "auth"),
    refusal("OpenAI", OR, 403, r#"{"error":{"message":"Project does not have access to model","code":"model_not_found"}}"#, "auth"),
    refusal("Codex", CX, 401, r#"{"error":{"message":"Your authentication token has expired."}}"#, "auth"),
    refusal("Gemini", GG, 400, r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}"#, "auth"),
    refusal("Bedrock", BR, 403, r#"{"__type":"UnrecognizedClientException","message":"The security token included in the request is invalid."}"#, "auth"),
    refusal("Mistral", MI, 401, r#"{"message":"Unauthorized","request_id":"r"}"#, "auth"),
    // Mistakes.
    refusal("Anthropic", AM, 404, r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-none"}}"#, ""),
    refusal("OpenAI", OC, 400, r#"{"error":{"message":"Invalid schema for function 'read'","code":"invalid_function_parameters"}}"#, ""),
    refusal("Mistral", MI, 422, r#"{"detail":[{"type":"extra_forbidden","loc":["body","x"],"msg":"Extra inputs are not permitted"}]}"#, ""),
];

/// Streams that fail: api, body, classes.
#[rustfmt::skip]
pub(crate) const STREAMS: &[(&str, &str, &str)] = &[
    (AM, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n", "retry"),
    (AM, "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"usage\":{}}}\n\n", "retry"),
    (AM, "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"usage\":{}}}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"model_context_window_exceeded\"},\"usage\":{}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n", "overflow"),
    (AM, "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"usage\":{}}}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"refusal\"},\"usage\":{}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n", ""),
    (OC, "data: {\"error\":{\"message\":\"Provider returned error\",\"code\":502}}\n\n", "retry"),
    (OC, "data: {\"error\":{\"message\":\"prompt is too long\"}}\n\n", "overflow"),
    (OC, "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n", "retry"),
    (OC, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"network_error\"}]}\n\n", "retry"),
    (OC, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"model_context_window_exceeded\"}]}\n\n", "overflow"),
    (OC, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}\n\n", ""),
    (MI, "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n", "retry"),
    (MI, "data: {\"object\":\"error\",\"message\":\"Internal server error\"}\n\n", "retry"),
];

/// Texts as other programs left them in sessions: they name the failure, but no status and no format is known.
pub(crate) const TEXTS: &[(&str, &str)] = &[
    ("400 (no body)", "overflow"),
    ("413 status code (no body)", "overflow"),
    ("401 status code (no body)", ""),
    ("OpenAI API error (400): 400 status code (no body)", ""),
    ("Unhandled stop reason: model_context_window_exceeded", "overflow"),
    ("Validation error: Input is too long for requested model.", "overflow"),
    ("Throttling error: Too many tokens, please wait before trying again.", "retry"),
    ("Service unavailable: token limit exceeded for now", "retry"),
    ("429 rate limit: too many tokens per minute", "retry"),
    ("CONTEXT_LENGTH_EXCEEDED", "overflow"),
    ("Connection error.", "retry"),
    ("Request timed out.", "retry"),
    ("fetch failed", "retry"),
    ("terminated", "retry"),
    ("WebSocket closed 1006", "retry"),
    ("The operation timed out", "retry"),
    ("You have hit your ChatGPT usage limit (plus plan). Try again in ~5 min.", ""),
    ("FreeUsageLimitError: rate limit", ""),
    ("Error Code quota: Quota exceeded (429)", ""),
    ("400 bad field", ""),
    ("400 max_tokens: 15000 is more than 14290", ""),
    ("An unknown error occurred", ""),
    ("The model refused to complete the request", ""),
];
