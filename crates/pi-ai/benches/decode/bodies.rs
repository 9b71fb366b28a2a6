//! Bodies in the shape of recorded ones, one text of many deltas per wire format. The prose is our own.

use super::payloads::{Anthropic, Bedrock, Chunk, Gemini, Responses, parse};

/// Deltas per answer.
const DELTAS: usize = 2000;
const WORDS: [&str; 8] = [" the", " quick", " brown\\n", " fox", " jumps", " \\\"over\\\"", " a", " dög"];

/// A response body and what is in it.
pub(crate) struct Body {
    pub(crate) api: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// The JSON texts of its frames.
    pub(crate) payloads: Vec<String>,
    /// Parses one of them into a struct.
    pub(crate) parse: fn(&str),
}

/// One body per wire format.
pub(crate) fn bodies() -> Vec<Body> {
    let mut bodies = vec![sse("anthropic-messages", anthropic(), parse::<Anthropic>, true)];
    for api in ["openai-responses", "azure-openai-responses", "openai-codex-responses"] {
        bodies.push(sse(api, responses(), parse::<Responses>, true));
    }
    for api in ["openai-completions", "mistral-conversations"] {
        bodies.push(sse(api, chunks(), parse::<Chunk>, false));
    }
    for api in ["google-generative-ai", "google-vertex"] {
        bodies.push(sse(api, gemini(), parse::<Gemini>, false));
    }
    #[cfg(feature = "bedrock")]
    bodies.push(bedrock());
    bodies
}

fn sse(api: &'static str, payloads: Vec<String>, parse: fn(&str), named: bool) -> Body {
    let frame = |payload: &String| {
        let kind = payload.split('"').nth(3).unwrap();
        if named { format!("event: {kind}\ndata: {payload}\n\n") } else { format!("data: {payload}\n\n") }
    };
    let bytes = payloads.iter().map(frame).collect::<String>().into_bytes();
    Body { api, bytes, payloads, parse }
}

/// What comes before, a delta per word, what comes after.
fn around(before: &[&str], delta: impl Fn(usize, &str) -> String, after: &[&str]) -> Vec<String> {
    let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let deltas = (0..DELTAS).map(|n| delta(n, WORDS[n % WORDS.len()]));
    own(before).into_iter().chain(deltas).chain(own(after)).collect()
}

fn anthropic() -> Vec<String> {
    around(
        &[
            r#"{"type":"message_start","message":{"id":"msg_01","type":"message","role":"assistant","content":[],"usage":{"input_tokens":9,"output_tokens":1}}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        ],
        |_, word| {
            format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{word}"}}}}"#)
        },
        &[
            r#"{"type":"content_block_stop","index":0}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2000}}"#,
            r#"{"type":"message_stop"}"#,
        ],
    )
}

fn responses() -> Vec<String> {
    const ITEM: &str = "msg_0e2ed64344ac7f31016994b30597248197afefe0ff4bfd83ec";
    let delta = |n: usize, word: &str| {
        format!(
            r#"{{"type":"response.output_text.delta","content_index":0,"delta":"{word}","item_id":"{ITEM}","logprobs":[],"obfuscation":"NBzQFZHtY7Dwh","output_index":0,"sequence_number":{n}}}"#
        )
    };
    let before = [
        r#"{"type":"response.created","response":{"id":"resp_1","status":"in_progress","output":[]},"sequence_number":0}"#.to_owned(),
        format!(
            r#"{{"type":"response.output_item.added","item":{{"id":"{ITEM}","type":"message","status":"in_progress","content":[],"role":"assistant"}},"output_index":0,"sequence_number":1}}"#
        ),
        format!(
            r#"{{"type":"response.content_part.added","content_index":0,"item_id":"{ITEM}","output_index":0,"part":{{"type":"output_text","annotations":[],"logprobs":[],"text":""}},"sequence_number":2}}"#
        ),
    ];
    let text: String = (0..DELTAS).map(|n| WORDS[n % WORDS.len()]).collect();
    let after = [
        format!(
            r#"{{"type":"response.output_item.done","item":{{"id":"{ITEM}","type":"message","status":"completed","content":[{{"type":"output_text","annotations":[],"text":"{text}"}}],"role":"assistant"}},"output_index":0,"sequence_number":9000}}"#
        ),
        r#"{"type":"response.completed","response":{"id":"resp_1","status":"completed","usage":{"input_tokens":9,"output_tokens":2000,"total_tokens":2009}},"sequence_number":9001}"#.to_owned(),
    ];
    around(&before.each_ref().map(String::as_str), delta, &after.each_ref().map(String::as_str))
}

fn chunks() -> Vec<String> {
    let chunk = |delta: &str, finish: &str| {
        format!(
            r#"{{"id":"chatcmpl-3556c041-562b-471f-9a90-763dbcea5a3f","object":"chat.completion.chunk","created":1770770846,"model":"model","system_fingerprint":"fp_78ac7f3229","choices":[{{"index":0,"delta":{delta},"logprobs":null,"finish_reason":{finish}}}]}}"#
        )
    };
    around(
        &[&chunk(r#"{"role":"assistant","content":""}"#, "null")],
        |_, word| chunk(&format!(r#"{{"content":"{word}"}}"#), "null"),
        &[&chunk("{}", r#""stop""#)],
    )
}

fn gemini() -> Vec<String> {
    let chunk = |text: &str, end: &str, tokens: usize| {
        format!(
            r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{text}"}}],"role":"model"}}{end},"index":0}}],"usageMetadata":{{"promptTokenCount":9,"candidatesTokenCount":{tokens},"totalTokenCount":324,"promptTokensDetails":[{{"modality":"TEXT","tokenCount":9}}],"thoughtsTokenCount":302}},"modelVersion":"gemini-3-pro-preview","responseId":"M3iLaY-AI7zTxN8P3Piw4Qg"}}"#
        )
    };
    around(&[], |n, word| chunk(word, "", n), &[&chunk("", r#","finishReason":"STOP""#, DELTAS)])
}

/// Binary frames: lengths, headers and checksums around the JSON.
#[cfg(feature = "bedrock")]
fn bedrock() -> Body {
    use aws_smithy_eventstream::frame::write_message_to;
    use aws_smithy_types::event_stream::{Header, HeaderValue, Message};

    let payloads = around(
        &[r#"{"role":"assistant"}"#],
        |_, word| format!(r#"{{"contentBlockIndex":0,"delta":{{"text":"{word}"}},"p":"abcdefghijklmnop"}}"#),
        &[r#"{"contentBlockIndex":0,"p":"abc"}"#, r#"{"stopReason":"end_turn","p":"abc"}"#],
    );
    let last = payloads.len() - 1;
    let mut bytes = Vec::new();
    for (at, payload) in payloads.iter().enumerate() {
        let kind = match last - at {
            0 => "messageStop",
            1 => "contentBlockStop",
            _ if at == 0 => "messageStart",
            _ => "contentBlockDelta",
        };
        let headers = [(":event-type", kind), (":content-type", "application/json"), (":message-type", "event")];
        let message = headers.into_iter().fold(Message::new(payload.clone()), |message, (name, value)| {
            message.add_header(Header::new(name, HeaderValue::String(value.to_owned().into())))
        });
        write_message_to(&message, &mut bytes).unwrap();
    }
    Body { api: "bedrock-converse-stream", bytes, payloads, parse: parse::<Bedrock> }
}
