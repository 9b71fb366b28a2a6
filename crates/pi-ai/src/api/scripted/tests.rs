//! Tests of the scripted provider: what a caller sees.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use futures::stream::StreamExt;
use insta::assert_snapshot;
use serde_json::json;
use tokio::time::Instant;

use super::*;
use crate::context::Context;
use crate::message::{AssistantMessage, ContentBlock, Message, StopReason};
use crate::options::{CacheRetention, ResponseHook, StreamOptions};
use crate::registry::Api;
use crate::testing::run;
use crate::usage::Usage;
use crate::{Error, ThinkingLevel, ToolDefinition, UserMessage};

fn call(provider: &ScriptedProvider, options: StreamOptions) -> crate::AssistantMessageStream {
    provider.stream(provider.model(), Context::prompt("hi"), options)
}

/// All events in one line each, with the deltas.
async fn events(provider: &ScriptedProvider) -> String {
    let mut stream = call(provider, StreamOptions::default());
    let mut lines = Vec::new();
    while let Some(event) = stream.next().await {
        let json = format!("{event:?}");
        let delta = json.split("delta: ").nth(1).and_then(|rest| rest.split(", partial").next()).unwrap_or("");
        let index = event.content_index().map(|index| index.to_string()).unwrap_or_default();
        lines.push(format!("{index} {} {delta}", event.kind()).trim().to_owned());
    }
    lines.join("\n")
}

#[tokio::test]
async fn a_message_streams_block_by_block() {
    let provider = ScriptedProvider::playing([tool_use([
        thinking("I should read the file first."),
        text("Let me look."),
        tool_call("c1", "read", json!({ "path": "README.md", "limit": 5 })),
    ])]);
    assert_snapshot!(events(&provider).await, @r#"
    start
    0 thinking_start
    0 thinking_delta "I should read th"
    0 thinking_delta "e file first"
    0 thinking_delta "."
    0 thinking_end
    1 text_start
    1 text_delta "Let me look."
    1 text_end
    2 toolcall_start
    2 toolcall_delta "{\"path\":\"README."
    2 toolcall_delta "md\",\"limit\":"
    2 toolcall_delta "5}"
    2 toolcall_end
    done
    "#);
}

#[tokio::test]
async fn the_final_message_is_the_scripted_one() {
    let mut call_block = tool_call("c1", "read", json!({ "path": "ä€😀" }));
    if let ContentBlock::ToolCall(call) = &mut call_block {
        Arc::make_mut(call).thought_signature = Some("sig".into());
    }
    let content = vec![
        text("Grüße, 世界! 😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀"),
        text(""),
        call_block,
        ContentBlock::Other(Box::new(json!({ "type": "new" }))),
    ];
    let scripted = AssistantMessage {
        timestamp: 7,
        response_id: Some("r".into()),
        api: "ignored".into(),
        usage: Usage { input: 5, ..Usage::default() },
        ..tool_use(content)
    };
    let provider = ScriptedProvider::playing([scripted.clone()]);
    let message = call(&provider, StreamOptions::default()).result().await;
    let expected = AssistantMessage { api: "faux".into(), provider: "faux".into(), model: "faux-1".into(), ..scripted };
    assert_eq!(*message, expected);
}

#[tokio::test]
async fn the_same_seed_makes_the_same_chunks() {
    let script = || [message([text("x".repeat(500))])];
    let first = events(&ScriptedProvider::playing(script())).await;
    assert_eq!(first, events(&ScriptedProvider::playing(script())).await);
    let options = ScriptedOptions::builder().token_size(0..=0).build();
    let provider = ScriptedProvider::new(options);
    provider.set_steps(script());
    assert_eq!(events(&provider).await.matches("text_delta").count(), 125, "at least one token each");
}

#[tokio::test]
async fn steps_can_look_at_the_call() {
    let by_call = ScriptedStep::new(|call| {
        let seen = format!("{} {} {}", call.call_count, call.model.id, call.context.messages.len());
        Ok(message([text(format!("{seen} {}", call.options.reasoning.as_str()))]))
    });
    let later = ScriptedStep::from_async(|_| async {
        tokio::task::yield_now().await;
        Err("the script went wrong".to_owned())
    });
    let provider = ScriptedProvider::playing([by_call, later]);
    let options = StreamOptions { reasoning: ThinkingLevel::High, ..StreamOptions::default() };
    assert_eq!(call(&provider, options).result().await.text(), "1 faux-1 1 high");
    let failed = run(call(&provider, StreamOptions::default())).await;
    assert_eq!((failed.kinds.as_slice(), failed.error()), (&["error"][..], "the script went wrong"));
    assert_eq!(failed.message.usage, Usage::default());
}

#[tokio::test]
async fn an_empty_queue_is_an_error() {
    let provider = ScriptedProvider::new(ScriptedOptions::default());
    let ran = run(call(&provider, StreamOptions::default())).await;
    assert_eq!((ran.kinds.as_slice(), ran.error()), (&["error"][..], "No more faux responses queued"));
    assert!(matches!(ran.cause, Some(Error::Script { .. })));
    provider.append_steps([message([text("later")])]);
    assert_eq!((provider.pending(), provider.call_count()), (1, 1));
    assert_eq!(call(&provider, StreamOptions::default()).result().await.text(), "later");
    assert_eq!((provider.pending(), provider.call_count()), (0, 2));
}

#[tokio::test]
async fn failures_stream_their_content_first() {
    for (reason, given, expected) in [
        (StopReason::Error, Some("overloaded"), "overloaded"),
        (StopReason::Error, None, "An unknown error occurred"),
        (StopReason::Aborted, None, "Request was aborted"),
    ] {
        let mut scripted = failure([text("part")], reason.clone(), "");
        scripted.error_message = given.map(str::to_owned);
        let ran = run(call(&ScriptedProvider::playing([scripted]), StreamOptions::default())).await;
        assert_eq!(ran.kinds, ["start", "text_start", "text_delta", "text_end", "error"]);
        assert_eq!((ran.error(), &ran.message.stop_reason), (expected, &reason));
        assert!(ran.cause.is_none());
    }
}

#[tokio::test]
async fn cancellation_keeps_what_was_said() {
    let provider = ScriptedProvider::playing([message([text("x".repeat(1000))]), message([text("never")])]);
    let options = StreamOptions::default();
    let cancel = options.cancel.clone();
    let mut stream = call(&provider, options.clone());
    while stream.next().await.unwrap().kind() != "text_delta" {}
    cancel.cancel();
    let ran = run(stream).await;
    assert_eq!((ran.message.stop_reason.as_str(), ran.error()), ("aborted", "Request was aborted"));
    assert!((12..=40).contains(&ran.message.text().len()), "{}", ran.message.text().len());
    let before = run(call(&provider, options)).await;
    assert_eq!((before.kinds.as_slice(), before.message.content.len()), (&["error"][..], 0));
}

#[tokio::test(start_paused = true)]
async fn speed_is_tokens_per_second() {
    let provider = ScriptedProvider::new(ScriptedOptions::builder().tokens_per_second(10.0).build());
    provider.set_steps([message([text("x".repeat(400))])]);
    let start = Instant::now();
    call(&provider, StreamOptions::default()).result().await;
    let seconds = start.elapsed().as_secs_f64();
    assert!((10.0..10.2).contains(&seconds), "100 tokens took {seconds} s");
    // Cancellation does not wait for the chunk.
    provider.set_steps([message([text("x".repeat(400))])]);
    let options = StreamOptions::default();
    let cancel = options.cancel.clone();
    let (ran, ()) = tokio::join!(run(call(&provider, options)), async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        cancel.cancel();
    });
    assert_eq!(ran.kinds, ["start", "text_start", "error"]);
}

#[tokio::test]
async fn the_response_hook_is_called_and_the_payload_hook_is_not() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let on_response = ResponseHook(Arc::new(move |response, _| {
        log.lock().unwrap().push((response.status, response.headers.len()));
        async { Ok(()) }.boxed()
    }));
    let on_payload = crate::PayloadHook::new(|_, _| async { Err("called".to_owned()) });
    let options =
        StreamOptions { on_response: Some(on_response), on_payload: Some(on_payload), ..StreamOptions::default() };
    let provider = ScriptedProvider::playing([message([text("ok")])]);
    assert_eq!(call(&provider, options).result().await.text(), "ok");
    assert_eq!(*seen.lock().unwrap(), [(200, 0)]);
}

#[tokio::test]
async fn usage_is_estimated_from_the_texts() {
    let tool = ToolDefinition { name: "t".into(), description: "d".into(), parameters: json!({}) };
    let image = UserMessage::blocks(vec![ContentBlock::text("ab"), ContentBlock::image("AAAA", "image/png")], 0);
    let result: Message = serde_json::from_value(json!({
        "role": "toolResult", "toolCallId": "c", "toolName": "read", "content": [{ "type": "text", "text": "out" }],
        "isError": false, "timestamp": 0
    }))
    .unwrap();
    let context = Context::default()
        .with_system_prompt("S")
        .with_message(image)
        .with_message(tool_use([text("t"), tool_call("c", "read", json!({ "p": 1 }))]))
        .with_message(result)
        .with_tool(tool);
    let parts = [
        "system:S",
        "user:ab\n[image:image/png:4]",
        "assistant:t\nread:{\"p\":1}",
        "toolResult:read\nout",
        "tools:[{\"name\":\"t\",\"description\":\"d\",\"parameters\":{}}]",
    ];
    assert_eq!(estimate::prompt_text(&context), parts.join("\n\n"));
    let provider = ScriptedProvider::playing([message([text("12345"), thinking("6")])]);
    let usage = provider.stream(provider.model(), context, StreamOptions::default()).result().await.usage.clone();
    let input = parts.join("\n\n").len().div_ceil(4) as u64;
    assert_eq!(usage, Usage { input, output: 2, total_tokens: input + 2, ..Usage::default() });
}

#[tokio::test]
async fn a_session_caches_the_common_prefix() {
    let provider = ScriptedProvider::playing((0..5).map(|_| message([text("ok")])));
    let usage = async |prompt: &str, session: Option<&str>, retention: Option<CacheRetention>| {
        let options = StreamOptions {
            session_id: session.map(str::to_owned),
            cache_retention: retention,
            ..StreamOptions::default()
        };
        let usage = provider.stream(provider.model(), Context::prompt(prompt), options).result().await.usage.clone();
        (usage.input, usage.cache_read, usage.cache_write, usage.total_tokens)
    };
    let short = Some(CacheRetention::Short);
    // "user:" and 11 or 19 characters; the answer is one token.
    assert_eq!(usage("hello world", Some("s"), short).await, (4, 0, 4, 9));
    assert_eq!(usage("hello world and more", Some("s"), short).await, (3, 4, 3, 11));
    assert_eq!(usage("hello world", Some("other"), short).await, (4, 0, 4, 9));
    assert_eq!(usage("hello world", Some("s"), Some(CacheRetention::None)).await, (4, 0, 0, 5));
    assert_eq!(usage("hello world", None, short).await, (4, 0, 0, 5));
}

#[test]
fn models_belong_to_the_provider() {
    let options = ScriptedOptions::builder().api("a").provider("p").models(vec![model("m1"), model("m2")]).build();
    let provider = ScriptedProvider::new(options);
    let second = provider.find_model("m2").unwrap();
    assert_eq!((second.api.as_str(), second.provider.as_str(), second.name.as_str()), ("a", "p", "m2"));
    assert!(provider.find_model("m3").is_none());
    assert_eq!(ScriptedProvider::new(ScriptedOptions::builder().models(vec![]).build()).model().id, "faux-1");
}
