//! Snapshots of events and messages, from the streams in `fixtures/streams`.

use std::path::Path;
use std::sync::Arc;

use pi_ai::{
    ApiRegistry, AssistantMessageEvent as Event, Context, Error, Message, Model, NetworkError, StopReason,
    StreamOptions, ToolDefinition,
};
use proptest::prelude::*;
use serde_json::json;

use crate::formats::requests::SUBSCRIPTION;
use crate::formats::run::{Canned, End, call, collect_until, json as message_json, lines, with_transport};
use crate::formats::{files, fixtures};

pub(crate) fn model(api: &str) -> Arc<Model> {
    let model = json!({
        "id": "gpt-own", "name": "Own", "api": api, "provider": "mine", "baseUrl": "https://llm.example",
        "reasoning": true, "input": ["text"], "contextWindow": 100000, "maxTokens": 8000,
        "cost": {"input": 3, "output": 15, "cacheRead": 0.3, "cacheWrite": 3.75},
    });
    Arc::new(serde_json::from_value(model).unwrap())
}

/// The outcome of a stream as text: events, then the message without what is the same in all.
fn outcome(model: &Arc<Model>, body: &str, split: usize, end: End) -> String {
    let outcome = call(model, &Context::default(), StreamOptions::default(), &Canned::stream(body, split, end));
    let mut message = message_json(outcome.message());
    let fields = message.as_object_mut().unwrap();
    for constant in ["api", "provider", "model", "role", "timestamp"] {
        fields.shift_remove(constant);
    }
    format!("{}\n{}\n", lines(&outcome.events), serde_json::to_string_pretty(&message).unwrap())
}

pub(crate) fn snapshots(api: &str) {
    let model = model(api);
    for path in files(&fixtures("streams").join(api), "sse") {
        let body = std::fs::read_to_string(&path).unwrap();
        let name = format!("{api}@{}", path.file_stem().unwrap().to_str().unwrap());
        let whole = outcome(&model, &body, 0, End::Closed);
        insta::assert_snapshot!(name, whole);
        for split in [1, 7] {
            assert_eq!(outcome(&model, &body, split, End::Closed), whole, "{} in pieces of {split}", path.display());
        }
        let crlf = body.replace('\n', "\r\n");
        assert_eq!(outcome(&model, &crlf, 0, End::Closed), whole, "{} with CRLF", path.display());
    }
}

#[test]
fn anthropic() {
    snapshots("anthropic-messages");
}

#[test]
fn completions() {
    snapshots("openai-completions");
}

#[test]
fn mistral() {
    snapshots("mistral-conversations");
}

pub(crate) fn fixture(path: &str) -> String {
    std::fs::read_to_string(fixtures("streams").join(path)).unwrap()
}

/// A stream cut at any byte ends in exactly one terminal event, which is an error unless the answer was complete.
#[test]
fn a_stream_may_break_anywhere() {
    for (file, complete_from) in [
        ("anthropic-messages/everything.sse", "event: message_stop\ndata: {\"type\":\"message_stop\"}"),
        ("openai-completions/tools.sse", "\"finish_reason\":\"tool_calls\"}]}"),
        ("mistral-conversations/tool-pieces.sse", "\"finish_reason\":\"tool_calls\"}],\"usage\":{"),
    ] {
        let body = fixture(file);
        let model = model(file.split('/').next().unwrap());
        let complete = body.find(complete_from).unwrap() + complete_from.len();
        for (cut, _) in body.char_indices() {
            for end in [End::Closed, End::Broken] {
                let canned = Canned::stream(&body[..cut], 0, end);
                let outcome = call(&model, &Context::default(), StreamOptions::default(), &canned);
                let terminal = outcome.events.iter().filter(|event| event.final_message().is_some()).count();
                assert_eq!(terminal, 1, "{file} cut at {cut}");
                let failed = outcome.message().stop_reason == StopReason::Error;
                if cut < complete {
                    assert!(failed, "{file} cut at {cut} ({end:?}) ended as {:?}", outcome.message().stop_reason);
                }
            }
        }
    }
}

#[test]
fn a_complete_answer_survives_a_connection_that_lingers_or_breaks() {
    let body = fixture("anthropic-messages/text.sse");
    for end in [End::Open, End::Broken] {
        let canned = Canned::stream(&body, 0, end);
        let outcome = call(&model("anthropic-messages"), &Context::default(), StreamOptions::default(), &canned);
        assert_eq!(outcome.message().stop_reason, StopReason::Stop, "{end:?}");
        assert_eq!(outcome.message().text(), "Hello");
    }
}

#[test]
fn a_stream_that_falls_silent_is_given_up() {
    for (file, until) in [
        ("anthropic-messages/text.sse", "event: content_block_stop"),
        ("openai-completions/text.sse", "data: [DONE]"),
        (
            "mistral-conversations/text.sse",
            "data: {\"id\":\"m1\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"}",
        ),
    ] {
        let body = fixture(file);
        let canned = Canned::stream(&body[..body.find(until).unwrap()], 0, End::Open);
        let model = model(file.split('/').next().unwrap());
        let outcome = call(&model, &Context::default(), StreamOptions::default(), &canned);
        let Some(Event::Error { cause: Some(cause), error, .. }) = outcome.events.last() else { panic!("{file}") };
        assert!(matches!(cause, Error::Network(NetworkError::Stalled { .. })) && cause.is_retryable(), "{cause}");
        assert_eq!(error.text(), "Hello");
    }
}

/// Whoever follows chat completions sees the end of every block also when the caller cancels; the blocks of the
/// other format stay open then.
#[test]
fn a_cancelled_answer_ends_as_its_clients_expect() {
    for file in [
        "openai-completions/tools.sse",
        "openai-completions/text.sse",
        "anthropic-messages/text.sse",
        "mistral-conversations/tools.sse",
    ] {
        let api = file.split('/').next().unwrap();
        let options = StreamOptions::default();
        let cancel = options.cancel.clone();
        let options = with_transport(options, &Canned::stream(&fixture(file), 0, End::Closed));
        let stream = ApiRegistry::builtin().stream(model(api), Context::default(), options).unwrap();
        let outcome = collect_until(stream, |event| {
            if matches!(event, Event::TextDelta { .. } | Event::ToolCallDelta { .. }) {
                cancel.cancel();
            }
        });
        insta::assert_snapshot!(format!("cancelled@{}", file.replace('/', "-")), lines(&outcome.events));
        assert_eq!(outcome.message().stop_reason, StopReason::Aborted, "{file}");
    }
}

#[test]
fn an_error_status_is_worded_by_the_format() {
    let body = r#"{"error":{"message":"M","type":"t"}}"#;
    for (api, expected) in [
        ("anthropic-messages", r#"400 {"error":{"message":"M","type":"t"}}"#),
        ("openai-completions", "400 M"),
        ("mistral-conversations", r#"Mistral API error (400): {"error":{"message":"M","type":"t"}}"#),
    ] {
        let canned = Canned::error(400, body);
        let outcome = call(&model(api), &Context::default(), StreamOptions::default(), &canned);
        assert_eq!(outcome.message().error_message.as_deref(), Some(expected));
        assert_eq!(outcome.events.len(), 1, "no start before an error status");
    }
}

#[test]
fn tool_names_of_subscription_keys_come_back_as_they_were() {
    let tool = |name: &str| ToolDefinition { name: name.into(), description: String::new(), parameters: json!({}) };
    let context = Context::default().with_tool(tool("bash")).with_tool(tool("myTool"));
    let body = fixture("anthropic-messages/everything.sse").replace("\"bash\"", "\"Bash\"");
    for (key, expected) in [(SUBSCRIPTION, "bash"), ("another", "Bash")] {
        let options = StreamOptions { api_key: Some(key.into()), ..StreamOptions::default() };
        let outcome = call(&model("anthropic-messages"), &context, options, &Canned::stream(&body, 0, End::Closed));
        let names: Vec<&str> = outcome.message().tool_calls().map(|call| call.name.as_str()).collect();
        assert_eq!(names, [expected, "read"]);
    }
}

#[test]
fn reasoning_is_renamed_for_a_provider_that_wants_it_back_under_another_name() {
    let mut model = model("openai-completions");
    Arc::get_mut(&mut model).unwrap().provider = "opencode-go".into();
    let canned = Canned::stream(&fixture("openai-completions/reasoning-fields.sse"), 0, End::Closed);
    let outcome = call(&model, &Context::default(), StreamOptions::default(), &canned);
    assert_eq!(message_json(outcome.message())["content"][0]["thinkingSignature"], "reasoning_content");
}

/// What a decoder made of a stream can be sent back.
#[test]
fn answers_can_be_replayed() {
    for api in ["anthropic-messages", "mistral-conversations", "openai-completions"] {
        for path in files(&fixtures("streams").join(api), "sse") {
            let body = std::fs::read_to_string(&path).unwrap();
            let canned = Canned::stream(&body, 0, End::Closed);
            let first = call(&model(api), &Context::prompt("q"), StreamOptions::default(), &canned);
            let context = Context::prompt("q").with_message(Message::from((**first.message()).clone()));
            let second = Canned::stream("", 0, End::Closed);
            call(&model(api), &context, StreamOptions::default(), &second);
            let sent = String::from_utf8(second.request().body.to_vec()).unwrap();
            assert!(serde_json::from_str::<serde_json::Value>(&sent).is_ok(), "{}", path.display());
        }
    }
}

/// Lines that are nearly those of a stream.
pub(crate) fn nearly_a_stream(folder: &Path) -> impl Strategy<Value = String> + use<> {
    let lines: Vec<String> = files(folder, "sse")
        .iter()
        .flat_map(|path| {
            std::fs::read_to_string(path).unwrap().split_inclusive("\n\n").map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    prop::collection::vec(prop::sample::select(lines), 0..20).prop_map(|lines| lines.concat())
}

pub(crate) fn ends_properly(api: &str, body: &str) -> Result<(), TestCaseError> {
    let canned = Canned::stream(body, 0, End::Closed);
    let outcome = call(&model(api), &Context::default(), StreamOptions::default(), &canned);
    let terminal = outcome.events.iter().filter(|event| event.final_message().is_some()).count();
    prop_assert_eq!(terminal, 1);
    let message = outcome.message();
    prop_assert_eq!(message.stop_reason == StopReason::Error, message.error_message.is_some());
    Ok(())
}

proptest! {
    #[test]
    fn no_sequence_of_anthropic_events_does_harm(body in nearly_a_stream(&fixtures("streams/anthropic-messages"))) {
        ends_properly("anthropic-messages", &body)?;
    }

    #[test]
    fn no_sequence_of_chunks_does_harm(body in nearly_a_stream(&fixtures("streams/openai-completions"))) {
        ends_properly("openai-completions", &body)?;
    }

    #[test]
    fn no_sequence_of_mistral_chunks_does_harm(body in nearly_a_stream(&fixtures("streams/mistral-conversations"))) {
        ends_properly("mistral-conversations", &body)?;
    }
}

/// A refusal is a failed call, and programs can tell it from others.
#[test]
fn refusals_are_marked() {
    for (file, refused) in [
        ("anthropic-messages/refusal.sse", true),
        ("anthropic-messages/refusal-plain.sse", true),
        ("anthropic-messages/everything.sse", false),
        ("openai-completions/finish-content-filter.sse", true),
        ("openai-responses/incomplete-filtered.sse", true),
        ("google-generative-ai/safety.sse", true),
        ("google-generative-ai/blocked.sse", true),
    ] {
        let model = model(file.split('/').next().unwrap());
        let canned = Canned::stream(&fixture(file), 0, End::Closed);
        let outcome = call(&model, &Context::default(), StreamOptions::default(), &canned);
        let message = outcome.message();
        assert_eq!(message.refused, refused, "{file}");
        assert_eq!(message.stop_reason == StopReason::Error, refused, "{file}");
    }
}
