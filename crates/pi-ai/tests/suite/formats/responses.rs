//! `openai-responses` and `azure-openai-responses`: streams, requests, and what comes back when an answer is sent again.

use std::collections::BTreeMap;
use std::sync::Arc;

use pi_ai::{
    AnswerError, AssistantMessage, AssistantMessageEvent as Event, AzureOpenAiResponses, AzureOpenAiResponsesOptions,
    ContentBlock, Context, Error, Message, Model, OpenAiResponses, OpenAiResponsesOptions, StopReason, StreamOptions,
    UserMessage,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::formats::decoders::{ends_properly, fixture, model, nearly_a_stream, snapshots};
use crate::formats::requests::{level, text};
use crate::formats::run::{Canned, End, Outcome, call, collect, with_transport};
use crate::formats::{files, fixtures, read_json};

const OPENAI: &str = "openai-responses";
const AZURE: &str = "azure-openai-responses";

/// Runs a call with options that only its format has.
pub(crate) fn stream_with(model: Arc<Model>, context: Context, case: &Value, base: StreamOptions) {
    let reasoning_effort = level(&case["reasoningEffort"]);
    let reasoning_summary = text(&case["reasoningSummary"]);
    let stream = if model.api == AZURE {
        let options = AzureOpenAiResponsesOptions {
            base,
            reasoning_effort,
            reasoning_summary,
            azure_base_url: text(&case["azureBaseUrl"]),
            azure_resource_name: text(&case["azureResourceName"]),
            azure_api_version: text(&case["azureApiVersion"]),
            azure_deployment_name: text(&case["azureDeploymentName"]),
        };
        AzureOpenAiResponses.stream_with(model, context, options)
    } else {
        let service_tier = text(&case["serviceTier"]);
        let options = OpenAiResponsesOptions { base, reasoning_effort, reasoning_summary, service_tier };
        OpenAiResponses.stream_with(model, context, options)
    };
    collect(stream);
}

#[test]
fn streams() {
    snapshots(OPENAI);
    snapshots(AZURE);
}

fn answer(api: &str, body: &str, end: End) -> Outcome {
    call(&model(api), &Context::default(), StreamOptions::default(), &Canned::stream(body, 0, end))
}

/// A stream cut at any byte ends in exactly one terminal event, which is an error unless the answer was complete.
#[test]
fn a_stream_may_break_anywhere() {
    for (file, complete) in [("changing-ids", StopReason::ToolUse), ("incomplete-call", StopReason::Length)] {
        let body = fixture(&format!("openai-responses/{file}.sse"));
        for (cut, _) in body.char_indices() {
            for end in [End::Closed, End::Broken] {
                let outcome = answer(OPENAI, &body[..cut], end);
                let count = outcome.events.iter().filter(|event| event.final_message().is_some()).count();
                assert_eq!(count, 1, "{file} cut at {cut}");
                let is_complete = cut >= body.trim_end().len() && matches!(end, End::Closed);
                let expected = if is_complete { &complete } else { &StopReason::Error };
                assert_eq!(&outcome.message().stop_reason, expected, "{file} cut at {cut} ({end:?})");
            }
        }
    }
}

#[test]
fn an_answer_without_its_terminal_event_is_worth_another_try() {
    for file in
        ["openai-responses/no-terminal.sse", "openai-responses/empty.sse", "azure-openai-responses/no-terminal.sse"]
    {
        let outcome = answer(file.split('/').next().unwrap(), &fixture(file), End::Closed);
        let Some(Event::Error { cause: Some(cause), .. }) = outcome.events.last() else { panic!("{file}") };
        assert!(
            matches!(cause, Error::Answer(AnswerError::Incomplete { .. })) && cause.is_retryable(),
            "{file}: {cause}"
        );
    }
}

#[test]
fn a_complete_answer_survives_a_connection_that_lingers_or_breaks() {
    let body = fixture("openai-responses/text.sse");
    for end in [End::Open, End::Broken] {
        let outcome = answer(OPENAI, &body, end);
        assert_eq!((&outcome.message().stop_reason, outcome.message().text()), (&StopReason::Stop, "Hello".to_owned()));
    }
}

#[test]
fn an_error_status_is_worded_by_the_format() {
    for (status, body, expected) in [
        (400, r#"{"error":{"message":"M","type":"t"}}"#, "API error (400): 400 M"),
        (400, r#"{"message":"M"}"#, "API error (400): 400 status code (no body)"),
        (500, r#"{"error":"S"}"#, r#"API error (500): 500 "S""#),
        (429, r#"{"error":{"code":5}}"#, r#"API error (429): 429 {"code":5}"#),
        (502, "<html>bad</html>", "API error (502): 502 <html>bad</html>"),
        (413, "", "API error (413): 413 status code (no body)"),
    ] {
        for (api, prefix) in [(OPENAI, "OpenAI"), (AZURE, "Azure OpenAI")] {
            let canned = Canned::error(status, body);
            let outcome = call(&model(api), &Context::default(), StreamOptions::default(), &canned);
            assert_eq!(outcome.message().error_message, Some(format!("{prefix} {expected}")));
            assert_eq!(outcome.events.len(), 1, "no start before an error status");
        }
    }
}

#[test]
fn a_requested_tier_is_charged_unless_the_response_names_one() {
    let total = |body: &str, tier: Option<&str>| {
        let base = with_transport(StreamOptions::default(), &Canned::stream(body, 0, End::Closed));
        let service_tier = tier.map(str::to_owned);
        let options = OpenAiResponsesOptions { base, service_tier, ..OpenAiResponsesOptions::default() };
        collect(OpenAiResponses.stream_with(model(OPENAI), Context::default(), options)).message().usage.cost.total
    };
    let named = fixture("openai-responses/text.sse");
    let unnamed = named.replace(r#""service_tier":"default""#, r#""service_tier":null"#);
    assert_ne!(named, unnamed);
    let ordinary = total(&named, None);
    assert!(ordinary > 0.0);
    assert_eq!(total(&named, Some("priority")), ordinary);
    assert_eq!(total(&unnamed, Some("priority")), 2.0 * ordinary);
    assert_eq!(total(&unnamed, Some("flex")), 0.5 * ordinary);
}

#[test]
fn azure_must_be_told_where_to_call() {
    for (base_url, expected) in [
        (
            " ",
            "AZURE_OPENAI_BASE_URL or AZURE_OPENAI_RESOURCE_NAME is required for provider azure-openai-responses but is \
             not set.",
        ),
        (
            "res.openai.azure.com?key=secret",
            "Invalid base URL \"res.openai.azure.com\" of provider azure-openai-responses: it must start with http:// or \
             https:// and name a host.",
        ),
        (
            "https://re s/",
            "Invalid base URL \"https://re s/\" of provider azure-openai-responses: it must start with http:// or \
             https:// and name a host.",
        ),
    ] {
        let mut model = model(AZURE);
        let changed = Arc::get_mut(&mut model).unwrap();
        (changed.base_url, changed.provider) = (base_url.into(), AZURE.into());
        let unset =
            ["AZURE_OPENAI_BASE_URL", "AZURE_OPENAI_RESOURCE_NAME"].map(|name| (name.to_owned(), String::new()));
        let options = StreamOptions { env: BTreeMap::from(unset), ..StreamOptions::default() };
        let outcome = call(&model, &Context::default(), options, &Canned::stream("", 0, End::Closed));
        assert_eq!(outcome.message().error_message.as_deref(), Some(expected));
    }
}

/// The body of a request.
pub(crate) fn sent(model: &Arc<Model>, context: &Context) -> Value {
    let transport = Canned::stream("", 0, End::Closed);
    call(model, context, StreamOptions::default(), &transport);
    serde_json::from_slice(&transport.request().body).unwrap()
}

/// The conversation that the specification gives as an example, empty user messages included.
#[test]
fn a_foreign_conversation_is_sent_as_specified() {
    let target = json!({
        "id": "gpt-5.4", "name": "", "api": OPENAI, "provider": "openai", "baseUrl": "https://t.example", "reasoning": true,
        "input": ["text", "image"], "cost": {}, "contextWindow": 1, "maxTokens": 1,
    });
    let target: Arc<Model> = Arc::new(serde_json::from_value(target).unwrap());
    let mut context: Context =
        serde_json::from_value(read_json(&fixtures("requests").join("contexts.json"))["handoff"].clone()).unwrap();
    let blanks = ["", " "].map(|blank| Arc::new(Message::from(UserMessage::text(blank, 0))));
    context.messages.splice(0..0, blanks);
    let input = sent(&target, &context)["input"].clone();
    let items = input.as_array().unwrap();
    let ids = |kind: &str, key: &str| -> Vec<&str> {
        items.iter().filter(|item| item["type"] == kind).filter_map(|item| item[key].as_str()).collect()
    };
    let foreign: Vec<&str> = ids("message", "id").into_iter().filter(|id| id.starts_with("msg_pi_5")).collect();
    assert_eq!(foreign, ["msg_pi_5", "msg_pi_5_1"]);
    assert_eq!(ids("function_call", "call_id")[1..], ["call_F", "call_G"]);
    assert_eq!(ids("function_call", "id"), ["fc_14urip43bosle", "fc_x08lfqt1kfj7"]);
    assert_eq!(ids("function_call_output", "call_id")[1..], ["call_F", "call_G"]);
    assert_eq!(ids("function_call_output", "output"), ["No result provided"]);
}

#[test]
fn handed_over_conversations() {
    for (api, provider) in [(OPENAI, "openai"), (AZURE, AZURE), (OPENAI, "github-copilot")] {
        let name = format!("handoff@{api}-{provider}");
        insta::assert_snapshot!(name, crate::formats::handoffs::sent_to(api, provider, "gpt-5.4", &["text", "image"]));
    }
}

/// The items of the final event of a recorded stream are what is sent when its answer becomes part of a transcript.
#[test]
fn answers_go_back_as_they_came() {
    for api in [OPENAI, AZURE] {
        for path in files(&fixtures("streams").join(api), "sse") {
            let name = path.display();
            let body = std::fs::read_to_string(&path).unwrap();
            let first = call(
                &model(api),
                &Context::prompt("q"),
                StreamOptions::default(),
                &Canned::stream(&body, 0, End::Closed),
            );
            let message = &**first.message();
            let context = Context::prompt("q").with_message(Message::from(message.clone()));
            let sent = sent(&model(api), &context);
            let items = &sent["input"].as_array().unwrap()[1..];
            if message.stop_reason.is_failure() {
                assert!(items.is_empty(), "{name}");
                continue;
            }
            check_replay(message, items, &name.to_string());
        }
    }
}

fn check_replay(message: &AssistantMessage, items: &[Value], name: &str) {
    let mut items = items.iter();
    for block in &message.content {
        match block {
            ContentBlock::Thinking(thinking) => {
                // Without its item, thinking stays here.
                let Some(signature) = &thinking.thinking_signature else { continue };
                assert_eq!(&items.next().unwrap().to_string(), signature, "{name}");
            }
            ContentBlock::Text(text) => assert_eq!(items.next().unwrap()["content"][0]["text"], text.text, "{name}"),
            ContentBlock::ToolCall(call) => {
                let item = items.next().unwrap();
                let id = [&item["call_id"], &item["id"]].map(|id| id.as_str().unwrap_or("")).join("|");
                assert_eq!(id.trim_end_matches('|'), call.id, "{name}");
                assert_eq!(item["arguments"], call.arguments.to_string(), "{name}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    assert!(items.all(|item| item["type"] == "function_call_output"), "{name}");
}

/// Any JSON where a string is expected.
fn wrong() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![json!(null), json!(7), json!([]), json!({}), json!(""), json!("x"), json!(true)])
}

fn item() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec!["reasoning", "message", "function_call", "web_search_call"]);
    let id = prop::sample::select(vec!["a", "b", "c"]);
    let text = prop::sample::select(vec!["{\"n\":1}", "{", "x", ""]);
    (kind, prop::option::of(id), text, wrong()).prop_map(|(kind, id, text, wrong)| {
        json!({
            "type": kind, "id": id, "call_id": id, "name": wrong, "arguments": text, "phase": wrong,
            "summary": [{"text": text}, wrong], "content": [{"type": "output_text", "text": text}, wrong],
        })
    })
}

/// An event with an index, an id and contents that need not fit anything.
fn event() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec![
        "created",
        "output_item.added",
        "output_item.added",
        "output_item.done",
        "content_part.added",
        "output_text.delta",
        "refusal.delta",
        "reasoning_summary_part.added",
        "reasoning_summary_part.done",
        "reasoning_summary_text.delta",
        "reasoning_text.delta",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "brand_new",
    ]);
    let delta = prop_oneof!["[a-z{}\": ]{0,4}".prop_map(Value::from), wrong()];
    let part = prop::sample::select(vec!["output_text", "refusal", "other"]);
    let id = prop::option::of(prop::sample::select(vec!["a", "b", "z"]));
    (kind, prop::option::of(0..4_u64), id, item(), delta, part).prop_map(|(kind, index, id, item, delta, part)| {
        json!({
            "type": format!("response.{kind}"), "output_index": index, "item_id": id, "item": item, "delta": delta,
            "arguments": delta, "part": {"type": part}, "response": {"id": id},
        })
    })
}

fn ending() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec!["completed", "completed", "incomplete", "failed", "done"]);
    (kind, wrong(), wrong()).prop_map(|(kind, wrong, count)| {
        let usage = json!({"input_tokens": count, "output_tokens": u64::MAX, "total_tokens": wrong});
        json!({"type": format!("response.{kind}"), "response": {"id": wrong, "status": "completed", "usage": usage}})
    })
}

/// Every block begins once, ends at most once, and has deltas only in between; all are closed in a success.
fn blocks_are_orderly(outcome: &Outcome) -> Result<(), TestCaseError> {
    let mut open = BTreeMap::new();
    for event in &outcome.events {
        let Some(at) = event.content_index() else { continue };
        let (block, step) = event.kind().split_once('_').unwrap();
        let known = match step {
            "start" => open.insert(at, (block, true)).is_none(),
            "end" => open.insert(at, (block, false)) == Some((block, true)),
            _ => open.get(&at) == Some(&(block, true)),
        };
        prop_assert!(known, "{} {at}", event.kind());
    }
    if !outcome.message().stop_reason.is_failure() {
        prop_assert!(open.values().all(|(_, is_open)| !is_open));
        prop_assert_eq!(open.len(), outcome.message().content.len());
    }
    Ok(())
}

proptest! {
    #[test]
    fn no_order_of_recorded_events_does_harm(body in nearly_a_stream(&fixtures("streams/openai-responses"))) {
        ends_properly(OPENAI, &body)?;
        blocks_are_orderly(&answer(OPENAI, &body, End::Closed))?;
    }

    #[test]
    fn no_sequence_of_events_does_harm(events in prop::collection::vec(event(), 0..30), last in ending()) {
        let body: String = events.iter().chain([&last]).map(|event| format!("data: {event}\n\n")).collect();
        ends_properly(OPENAI, &body)?;
        let outcome = answer(OPENAI, &body, End::Closed);
        blocks_are_orderly(&outcome)?;
        // What was read can be sent.
        let context = Context::prompt("q").with_message(Message::from((**outcome.message()).clone()));
        prop_assert!(sent(&model(OPENAI), &context)["input"].is_array());
    }
}
