//! Streams without end: of each kind of content of each format, and of what is no content at all.

use super::server::{Answer, Ending, head};

/// A stream that never ends.
pub(super) struct Endless {
    pub(super) name: &'static str,
    pub(super) head: Vec<u8>,
    pub(super) repeated: Vec<u8>,
    /// Whether it says something that is kept.
    pub(super) has_content: bool,
}

/// Text of one frame: long, so that the limit is reached soon.
const TEXT: usize = 64 * 1024;

pub(super) fn of(api: &str) -> Vec<Endless> {
    let text = "x".repeat(TEXT);
    let kinds: Vec<(&str, String, String)> = match api {
        "anthropic-messages" => anthropic(&text),
        "google-generative-ai" => google(&text),
        "openai-codex-responses" | "openai-responses" => responses(&text),
        "bedrock-converse-stream" => return bedrock(&text),
        _ => chat(api, &text),
    };
    let frame = |lines: &str| lines.lines().map(frame).collect::<String>().into_bytes();
    let made = kinds.into_iter().map(|(name, head, repeated)| Endless {
        name,
        head: frame(&head),
        repeated: frame(&repeated),
        has_content: name != "nothing",
    });
    made.collect()
}

/// A server-sent event, named as its data is typed.
fn frame(data: &str) -> String {
    let kind = data.strip_prefix("{\"type\":\"").and_then(|rest| rest.split('"').next());
    let name = kind.map(|kind| format!("event: {kind}\n")).unwrap_or_default();
    format!("{name}data: {data}\n\n")
}

type Kind = (&'static str, String, String);

fn anthropic(text: &str) -> Vec<Kind> {
    let open = |block: &str| {
        format!(
            "{{\"type\":\"message_start\",\"message\":{{\"id\":\"m\",\"usage\":{{}}}}}}\n\
             {{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{block}}}"
        )
    };
    let delta = |kind: &str, field: &str| {
        format!(
            "{{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"{kind}\",\"{field}\":\"{text}\"}}}}"
        )
    };
    let tool = r#"{"type":"tool_use","id":"t","name":"n","input":{}}"#;
    let arguments =
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\":\""}}"#;
    let small: String = (0..400)
        .map(|_| "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n")
        .collect();
    vec![
        ("text", open(r#"{"type":"text","text":""}"#), delta("text_delta", "text")),
        ("thinking", open(r#"{"type":"thinking","thinking":""}"#), delta("thinking_delta", "thinking")),
        ("signature", open(r#"{"type":"thinking","thinking":""}"#), delta("signature_delta", "signature")),
        ("arguments", format!("{}\n{arguments}", open(tool)), delta("input_json_delta", "partial_json")),
        ("blocks", open(r#"{"type":"text","text":""}"#), small),
        ("nothing", open(r#"{"type":"text","text":""}"#), delta("text_delta", "no_text")),
    ]
}

fn chat(api: &str, text: &str) -> Vec<Kind> {
    let chunk = |delta: String| format!("{{\"id\":\"c\",\"choices\":[{{\"index\":0,\"delta\":{delta}}}]}}");
    let call = |arguments: &str| {
        chunk(format!(
            "{{\"tool_calls\":[{{\"index\":0,\"id\":\"abcdefghi\",\"type\":\"function\",\
             \"function\":{{\"name\":\"n\",\"arguments\":\"{arguments}\"}}}}]}}"
        ))
    };
    let mut kinds = vec![
        ("text", String::new(), chunk(format!("{{\"content\":\"{text}\"}}"))),
        ("arguments", call("{\\\"a\\\":\\\""), call(text)),
    ];
    if api == "openai-completions" {
        kinds.push(("thinking", String::new(), chunk(format!("{{\"reasoning_content\":\"{text}\"}}"))));
    }
    kinds
}

fn responses(text: &str) -> Vec<Kind> {
    let added = |item: &str| format!("{{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{item}}}");
    let delta = |kind: &str| {
        format!(
            "{{\"type\":\"response.{kind}.delta\",\"item_id\":\"i\",\"output_index\":0,\"content_index\":0,\
             \"summary_index\":0,\"delta\":\"{text}\"}}"
        )
    };
    let part = r#"{"type":"response.content_part.added","item_id":"i","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}"#;
    let summary = r#"{"type":"response.reasoning_summary_part.added","item_id":"i","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}"#;
    let message = added(r#"{"id":"i","type":"message","role":"assistant","content":[]}"#);
    let call = added(r#"{"id":"i","type":"function_call","call_id":"c","name":"n","arguments":""}"#);
    let call = format!(
        "{call}\n{{\"type\":\"response.function_call_arguments.delta\",\"item_id\":\"i\",\"output_index\":0,\
         \"delta\":\"{{\\\"a\\\":\\\"\"}}"
    );
    let reasoning = added(r#"{"id":"i","type":"reasoning","summary":[]}"#);
    vec![
        ("text", format!("{message}\n{part}"), delta("output_text")),
        ("arguments", call, delta("function_call_arguments")),
        ("thinking", format!("{reasoning}\n{summary}"), delta("reasoning_summary_text")),
    ]
}

fn google(text: &str) -> Vec<Kind> {
    let part = |part: String| format!("{{\"candidates\":[{{\"content\":{{\"parts\":[{part}]}}}}]}}");
    let call = part(format!("{{\"functionCall\":{{\"name\":\"n\",\"args\":{{\"a\":\"{text}\"}}}}}}"));
    vec![
        ("text", String::new(), part(format!("{{\"text\":\"{text}\"}}"))),
        ("thinking", String::new(), part(format!("{{\"text\":\"{text}\",\"thought\":true}}"))),
        ("calls", String::new(), call),
    ]
}

#[cfg(feature = "bedrock")]
fn bedrock(text: &str) -> Vec<Endless> {
    let frame = |event: &str, payload: String| crate::formats::bedrock::frame_of(&format!("{{\"{event}\":{payload}}}"));
    let start = frame("messageStart", "{\"role\":\"assistant\"}".to_owned());
    let delta = |delta: String| frame("contentBlockDelta", format!("{{\"contentBlockIndex\":0,\"delta\":{delta}}}"));
    let call = "{\"contentBlockIndex\":0,\"start\":{\"toolUse\":{\"toolUseId\":\"t\",\"name\":\"n\"}}}".to_owned();
    let call = [
        start.clone(),
        frame("contentBlockStart", call),
        delta("{\"toolUse\":{\"input\":\"{\\\"a\\\":\\\"\"}}".to_owned()),
    ];
    let kinds = [
        ("text", start.clone(), delta(format!("{{\"text\":\"{text}\"}}"))),
        ("thinking", start.clone(), delta(format!("{{\"reasoningContent\":{{\"text\":\"{text}\"}}}}"))),
        ("arguments", call.concat(), delta(format!("{{\"toolUse\":{{\"input\":\"{text}\"}}}}"))),
    ];
    kinds.into_iter().map(|(name, head, repeated)| Endless { name, head, repeated, has_content: true }).collect()
}

#[cfg(not(feature = "bedrock"))]
fn bedrock(_text: &str) -> Vec<Endless> {
    Vec::new()
}

/// Responses that are no answer of any format.
pub(super) fn junk() -> Vec<(&'static str, Answer)> {
    let stream = |repeated: Vec<u8>| Answer::endless(Vec::new(), repeated);
    let error = |status| Answer {
        pieces: vec![head(status, "application/json"), b"{\"error\":\"".to_vec()],
        repeated: vec![b'x'; 64 * 1024],
        ending: Ending::Closed,
    };
    let headers = Answer {
        pieces: vec![b"HTTP/1.1 200 OK\r\n".to_vec()],
        repeated: b"x-filler: ffffffffffffffffffffffffffffffffffffffff\r\n".repeat(100),
        ending: Ending::Closed,
    };
    // No encoding is asked for, so what claims to have one is taken as it is: bytes of no format.
    let compressed = Answer {
        pieces: vec![
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n"
                .to_vec(),
            [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3][..], &[0xff; 4096]].concat(),
        ],
        repeated: Vec::new(),
        ending: Ending::Closed,
    };
    vec![
        ("a line without end", stream(vec![b'x'; 64 * 1024])),
        ("data without end", Answer::endless(b"data: {\"type\":\"".to_vec(), vec![b'x'; 64 * 1024])),
        ("comments without end", stream(b": ping\n\n".repeat(8192))),
        ("unknown events without end", stream(b"event: ping\ndata: {\"type\":\"ping\"}\n\n".repeat(2048))),
        ("an error without end", error(400)),
        ("a failure without end", error(500)),
        ("headers without end", headers),
        ("a compressed body", compressed),
        ("deep JSON in a frame", {
            let deep = format!("data: {}\n\n", "[".repeat(1 << 20));
            Answer { ending: Ending::Closed, repeated: Vec::new(), ..Answer::endless(deep.into_bytes(), Vec::new()) }
        }),
    ]
}
