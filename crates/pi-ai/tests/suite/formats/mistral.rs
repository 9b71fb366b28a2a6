//! What only `mistral-conversations` does: payloads in the shape of an SDK, and calls in pieces.

use std::fmt::Write;
use std::sync::{Arc, Mutex};

use pi_ai::{Context, Model, PayloadHook, StopReason, StreamOptions, ToolCall};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::formats::run::{Canned, End, call, json as message_json};
use crate::formats::{fixtures, read_json};

fn model() -> Arc<Model> {
    Arc::new(
        serde_json::from_value(read_json(&fixtures("requests").join("mistral-prompt.json"))["model"].clone()).unwrap(),
    )
}

fn context(name: &str) -> Context {
    serde_json::from_value(read_json(&fixtures("requests").join("contexts.json"))[name].clone()).unwrap()
}

/// The body that is sent when a hook makes this of the payload.
fn body_after(hook: impl Fn(Value) -> Option<Value> + Send + Sync + 'static) -> Value {
    let hook = PayloadHook::new(move |payload, _| std::future::ready(Ok(hook(payload))));
    let options = StreamOptions {
        on_payload: Some(hook),
        max_tokens: Some(100),
        session_id: Some("s1".into()),
        ..StreamOptions::default()
    };
    let transport = Canned::stream("", 0, End::Closed);
    call(&model(), &context("mistralTurns"), options, &transport);
    serde_json::from_slice(&transport.request().body).unwrap()
}

#[test]
fn a_payload_hook_sees_the_objects_of_the_sdk() {
    let seen = Arc::new(Mutex::new(Value::Null));
    let body = body_after({
        let seen = Arc::clone(&seen);
        move |payload| {
            *seen.lock().unwrap() = payload;
            None
        }
    });
    insta::assert_json_snapshot!(*seen.lock().unwrap());
    assert_eq!(body["max_tokens"], 100);
    assert_eq!(body["prompt_cache_key"], "s1");
}

#[test]
fn what_a_payload_hook_makes_of_it_is_translated() {
    let body = body_after(|mut payload| {
        payload["maxTokens"] = 7.into();
        payload["randomSeed"] = 1.into();
        payload["safe_prompt"] = true.into();
        payload["messages"] = json!([{"role": "assistant", "toolCalls": [{"id": "a", "index": 2}], "prefix": true}]);
        Some(payload)
    });
    assert_eq!((&body["max_tokens"], &body["random_seed"], &body["safe_prompt"]), (&json!(7), &json!(1), &json!(true)));
    let message = json!([{"role": "assistant", "tool_calls": [{"id": "a", "index": 2}], "prefix": true}]);
    assert_eq!(body["messages"], message);
}

#[test]
fn a_complete_answer_survives_a_connection_that_lingers_or_breaks() {
    let body = std::fs::read_to_string(fixtures("streams/mistral-conversations/text.sse")).unwrap();
    let body = body.replace("data: [DONE]", "");
    for end in [End::Open, End::Broken] {
        let outcome = call(&model(), &Context::default(), StreamOptions::default(), &Canned::stream(&body, 0, end));
        assert_eq!((&outcome.message().stop_reason, outcome.message().text().as_str()), (&StopReason::Stop, "Hello"));
    }
}

#[test]
fn a_long_error_body_is_cut() {
    let canned = Canned::error(422, &"x".repeat(5000));
    let outcome = call(&model(), &Context::default(), StreamOptions::default(), &canned);
    let expected = format!("Mistral API error (422): {}... [truncated 1000 chars]", "x".repeat(4000));
    assert_eq!(outcome.message().error_message.as_deref(), Some(expected.as_str()));
}

/// A call, and after how many bytes of its arguments a piece ends.
type Cuts = (Value, Vec<prop::sample::Index>);

fn calls_in_pieces() -> impl Strategy<Value = Vec<Cuts>> {
    let arguments = ("[a-zé]{0,8}", any::<i32>()).prop_map(|(text, number)| json!({"text": text, "number": number}));
    prop::collection::vec((arguments, prop::collection::vec(any::<prop::sample::Index>(), 0..4)), 1..4)
}

/// The pieces of a text, cut at characters.
fn cut(text: &str, cuts: &[prop::sample::Index]) -> Vec<String> {
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let mut at: Vec<usize> = cuts.iter().map(|cut| *cut.get(&ends)).chain([0, text.len()]).collect();
    at.sort_unstable();
    at.windows(2).map(|pair| text[pair[0]..pair[1]].to_owned()).collect()
}

proptest! {
    /// However the arguments of parallel calls are cut and interleaved, the calls come out whole.
    #[test]
    fn calls_in_pieces_come_out_whole(calls in calls_in_pieces(), repeat in any::<bool>()) {
        let pieces: Vec<Vec<String>> = calls.iter().map(|(arguments, cuts)| cut(&arguments.to_string(), cuts)).collect();
        let mut body = String::new();
        for round in 0..pieces.iter().map(Vec::len).max().unwrap_or(0) {
            for (index, pieces) in pieces.iter().enumerate() {
                let Some(piece) = pieces.get(round) else { continue };
                let mut function = json!({"arguments": piece});
                let mut call = json!({"index": index});
                if round == 0 || repeat {
                    function["name"] = format!("tool{index}").into();
                    call["id"] = format!("call0000{index}").into();
                }
                call["function"] = function;
                let chunk = json!({"id": "m", "choices": [{"delta": {"tool_calls": [call]}}]});
                write!(body, "data: {chunk}\n\n").unwrap();
            }
        }
        body.push_str("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n");
        let outcome = call(&model(), &Context::default(), StreamOptions::default(), &Canned::stream(&body, 0, End::Closed));
        let got: Vec<&ToolCall> = outcome.message().tool_calls().collect();
        prop_assert_eq!(got.len(), calls.len(), "{}", message_json(outcome.message()));
        for (index, (call, (arguments, _))) in got.iter().zip(&calls).enumerate() {
            prop_assert_eq!(&call.id, &format!("call0000{index}"));
            prop_assert_eq!(&call.name, &format!("tool{index}"));
            prop_assert_eq!(&call.arguments, arguments);
        }
    }
}
