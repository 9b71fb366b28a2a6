//! Whatever a model says arrives at the client as if there were no proxy.

use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use futures::StreamExt;
use pi_ai::proxy::encode_events;
use pi_ai::scripted::{self, ScriptedProvider};
use pi_ai::{
    AssistantMessage, AssistantMessageStream, ContentBlock, Cost, Extra, Name, StopReason, TextContent,
    ThinkingContent, ToolCall, Usage,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

use crate::proxy::support::{Memory, Ran, Server, StreamFn, call, client, options, run, serving};

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap());
static PROVIDER: LazyLock<ScriptedProvider> = LazyLock::new(|| ScriptedProvider::new(Default::default()));
static SERVER: LazyLock<(Server, Arc<StreamFn>)> = LazyLock::new(|| {
    let server = RUNTIME.block_on(Server::proxy(serving(&PROVIDER).1));
    let stream = server.stream_fn();
    (server, stream)
});

/// JSON as it may stand in arguments and unknown fields.
fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1.0e9..1.0e9f64).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner).prop_map(Value::Object),
        ]
    })
}

fn object(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec((".{0,8}", value), 0..4).prop_map(Map::from_iter)
}

fn extra() -> impl Strategy<Value = Extra> {
    prop::collection::vec(("x-[a-z]{1,4}", json_value()), 0..2).prop_map(Extra::from_iter)
}

fn signature() -> impl Strategy<Value = Option<String>> {
    prop::option::of(".{0,10}")
}

fn block() -> impl Strategy<Value = ContentBlock> {
    let text = (".{0,60}", signature(), extra())
        .prop_map(|(text, text_signature, extra)| ContentBlock::Text(TextContent { text, text_signature, extra }));
    let thinking = (".{0,60}", signature(), prop::option::of(any::<bool>()), extra()).prop_map(
        |(thinking, thinking_signature, redacted, extra)| {
            ContentBlock::Thinking(ThinkingContent { thinking, thinking_signature, redacted, extra })
        },
    );
    let call = (".{0,8}", ".{0,8}", object(json_value()), signature(), extra()).prop_map(
        |(id, name, arguments, thought_signature, extra)| {
            let arguments = Value::Object(arguments);
            ContentBlock::from(ToolCall { id, name, arguments, thought_signature, extra })
        },
    );
    let silent = prop_oneof![
        extra().prop_map(|extra| ContentBlock::Other(Box::new(json!({"type": "hologram", "extra": extra})))),
        Just(ContentBlock::image("AAAA", "image/png")),
    ];
    prop_oneof![4 => text, 3 => thinking, 3 => call, 1 => silent]
}

fn usage() -> impl Strategy<Value = Usage> {
    (0..1_000_000u64, 0..1_000_000u64, 0.0..10.0f64, prop::option::of(0..9u64), extra()).prop_map(
        |(input, output, cost, cache_write_1h, extra)| Usage {
            input,
            output,
            total_tokens: input + output,
            cost: Cost { input: cost, total: cost, ..Cost::default() },
            cache_write_1h,
            extra,
            ..Usage::default()
        },
    )
}

fn message() -> impl Strategy<Value = AssistantMessage> {
    let reason = prop_oneof![
        Just(StopReason::Stop),
        Just(StopReason::Length),
        Just(StopReason::ToolUse),
        Just(StopReason::Error),
        Just(StopReason::Aborted),
        Just(StopReason::Other("bored".to_owned())),
    ];
    let head = (prop::collection::vec(block(), 0..5), reason, prop::option::of(".{1,20}"), usage());
    let tail = (signature(), signature(), prop::option::of(prop::collection::vec(json_value(), 0..3)), extra());
    (head, tail).prop_map(|((content, stop_reason, error_message, usage), tail)| {
        let (response_id, response_model, diagnostics, extra) = tail;
        AssistantMessage {
            content,
            stop_reason,
            error_message,
            usage,
            response_id,
            response_model: response_model.map(Name::from),
            diagnostics,
            extra,
            ..AssistantMessage::default()
        }
    })
}

fn direct(message: &AssistantMessage) -> AssistantMessageStream {
    let provider = ScriptedProvider::playing([message.clone()]);
    let (stream, _) = serving(&provider);
    RUNTIME.block_on(call(&stream, &provider.model(), options()))
}

/// Sizes of chunks are drawn per delta, and the provider behind the server has said other things before.
fn without_deltas(mut ran: Ran) -> Ran {
    ran.events.retain(|event| !event["type"].as_str().unwrap().ends_with("_delta"));
    ran
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_message_survives_http(message in message()) {
        let there = RUNTIME.block_on(run(direct(&message)));
        PROVIDER.set_steps([message]);
        let (model, stream) = (PROVIDER.model(), &SERVER.1);
        let here = RUNTIME.block_on(async { run(call(stream, &model, options()).await).await });
        prop_assert_eq!(without_deltas(here), without_deltas(there));
    }

    #[test]
    fn chunks_may_end_anywhere(message in message(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..40)) {
        let there = RUNTIME.block_on(run(direct(&message)));
        let body: Vec<Bytes> = RUNTIME.block_on(encode_events(direct(&message)).map(Result::unwrap).collect());
        let body = body.concat();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.index(body.len())).collect();
        cuts.extend([0, body.len()]);
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|pair| Bytes::copy_from_slice(&body[pair[0]..pair[1]])).collect();
        let stream = client("http://nowhere", "t", Arc::new(Memory(pieces)));
        let model = ScriptedProvider::new(Default::default()).model();
        let here = RUNTIME.block_on(async { run(call(&stream, &model, options()).await).await });
        prop_assert_eq!(here, there);
    }
}

#[test]
fn plain_events_are_those_of_other_proxies() {
    let message = scripted::tool_use([
        ContentBlock::Thinking(ThinkingContent {
            thinking: "Hm.".to_owned(),
            thinking_signature: Some("sig".to_owned()),
            ..ThinkingContent::default()
        }),
        scripted::text("Hello."),
        scripted::tool_call("c1", "read", json!({"path": "a"})),
    ]);
    let body: Vec<Bytes> = RUNTIME.block_on(encode_events(direct(&message)).map(Result::unwrap).collect());
    insta::assert_snapshot!(String::from_utf8(body.concat()).unwrap(), @r#"
    data: {"type":"start"}

    data: {"type":"thinking_start","contentIndex":0}

    data: {"type":"thinking_delta","contentIndex":0,"delta":"Hm."}

    data: {"type":"thinking_end","contentIndex":0,"contentSignature":"sig"}

    data: {"type":"text_start","contentIndex":1}

    data: {"type":"text_delta","contentIndex":1,"delta":"Hello."}

    data: {"type":"text_end","contentIndex":1}

    data: {"type":"toolcall_start","contentIndex":2,"id":"c1","toolName":"read"}

    data: {"type":"toolcall_delta","contentIndex":2,"delta":"{\"path\":\"a\"}"}

    data: {"type":"toolcall_end","contentIndex":2}

    data: {"type":"done","reason":"toolUse","usage":{"input":2,"output":7,"cacheRead":0,"cacheWrite":0,"totalTokens":9,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}}
    "#);
}

#[test]
fn what_the_plain_events_would_lose_is_added() {
    let mut call = scripted::tool_call("c1", "read", json!({}));
    if let ContentBlock::ToolCall(call) = &mut call {
        Arc::make_mut(call).thought_signature = Some("proof".to_owned());
    }
    let redacted = ThinkingContent { redacted: Some(true), ..ThinkingContent::default() };
    let content = [ContentBlock::Other(Box::new(json!({"type": "hologram"}))), ContentBlock::Thinking(redacted), call];
    let message = AssistantMessage { response_id: Some("r1".to_owned()), ..scripted::tool_use(content) };
    let body: Vec<Bytes> = RUNTIME.block_on(encode_events(direct(&message)).map(Result::unwrap).collect());
    insta::assert_snapshot!(String::from_utf8(body.concat()).unwrap(), @r#"
    data: {"type":"start"}

    data: {"type":"block","contentIndex":0,"block":{"type":"hologram"}}

    data: {"type":"thinking_start","contentIndex":1}

    data: {"type":"thinking_end","contentIndex":1,"block":{"type":"thinking","thinking":"","redacted":true}}

    data: {"type":"toolcall_start","contentIndex":2,"id":"c1","toolName":"read"}

    data: {"type":"toolcall_delta","contentIndex":2,"delta":"{}"}

    data: {"type":"toolcall_end","contentIndex":2,"block":{"type":"toolCall","id":"c1","name":"read","arguments":{},"thoughtSignature":"proof"}}

    data: {"type":"done","reason":"toolUse","usage":{"input":2,"output":7,"cacheRead":0,"cacheWrite":0,"totalTokens":9,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"responseId":"r1"}
    "#);
}
