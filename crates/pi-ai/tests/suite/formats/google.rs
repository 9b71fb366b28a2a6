//! What only `google-generative-ai` and `google-vertex` have: the SDK's shape in payload hooks, calls in pieces, made-up
//! ids, endpoints.

use std::sync::Arc;

use pi_ai::{
    AnswerError, ApiRegistry, AssistantMessageEvent as Event, Context, Error, GoogleOptions, GoogleThinking,
    GoogleVertexOptions, Message, Model, PayloadHook, StopReason, StreamOptions,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::formats::decoders::{ends_properly, fixture, model, nearly_a_stream, snapshots};
use crate::formats::requests::{map, text};
use crate::formats::run::{Canned, End, call, collect, collect_until, with_transport};
use crate::formats::{files, fixtures};

const API: &str = "google-generative-ai";

/// Options of the format, as the cases in `fixtures/requests` give them.
pub(crate) fn options(case: &Value, base: StreamOptions) -> GoogleOptions {
    GoogleOptions { base, thinking: thinking(&case["thinking"]), tool_choice: map(&case["toolChoice"]) }
}

/// As [`options`], for Vertex.
pub(crate) fn vertex_options(case: &Value, base: StreamOptions) -> GoogleVertexOptions {
    GoogleVertexOptions {
        base,
        thinking: thinking(&case["thinking"]),
        tool_choice: map(&case["toolChoice"]),
        project: text(&case["project"]),
        location: text(&case["location"]),
    }
}

fn thinking(case: &Value) -> Option<GoogleThinking> {
    case.is_object().then(|| GoogleThinking {
        enabled: case["enabled"] == true,
        budget_tokens: case["budgetTokens"].as_i64(),
        level: text(&case["level"]),
    })
}

fn answer(body: &str, context: &Context) -> Vec<Event> {
    call(&model(API), context, StreamOptions::default(), &Canned::stream(body, 0, End::Closed)).events
}

#[test]
fn streams() {
    snapshots(API);
}

/// What arrived before a cut is kept, and no cut goes unnoticed.
#[test]
fn a_stream_may_break_anywhere() {
    for file in ["pieces", "thinking", "tools", "oddities"] {
        let body = fixture(&format!("{API}/{file}.sse"));
        let finish = body.find("\"finishReason\"").unwrap();
        let complete = body[finish..].find('\n').map_or(body.len(), |length| finish + length);
        for (cut, _) in body.char_indices() {
            for end in [End::Closed, End::Broken] {
                let canned = Canned::stream(&body[..cut], 0, end);
                let outcome = call(&model(API), &Context::default(), StreamOptions::default(), &canned);
                let terminal = outcome.events.iter().filter(|event| event.final_message().is_some()).count();
                assert_eq!(terminal, 1, "{file} cut at {cut}");
                let failed = outcome.message().stop_reason == StopReason::Error;
                assert!(failed || cut >= complete, "{file} cut at {cut} ({end:?}) went unnoticed");
            }
        }
    }
}

#[test]
fn a_cut_answer_can_be_retried() {
    for (file, until) in
        [("text", "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"lo"), ("text", "\"lo"), ("empty", "")]
    {
        let body = fixture(&format!("{API}/{file}.sse"));
        let events = answer(&body[..body.find(until).unwrap()], &Context::default());
        let Some(Event::Error { cause: Some(cause), .. }) = events.last() else { panic!("{file} until {until}") };
        assert!(matches!(cause, Error::Answer(AnswerError::Incomplete { .. })) && cause.is_retryable(), "{cause}");
    }
}

#[test]
fn a_complete_answer_survives_a_connection_that_lingers_or_breaks() {
    let body = fixture(&format!("{API}/text.sse"));
    for end in [End::Open, End::Broken] {
        let canned = Canned::stream(&body, 0, end);
        let outcome = call(&model(API), &Context::default(), StreamOptions::default(), &canned);
        assert_eq!(outcome.message().stop_reason, StopReason::Stop, "{end:?}");
        assert_eq!(outcome.message().text(), "Hello");
    }
}

#[test]
fn an_error_status_is_shown_with_its_body() {
    for (status, body, expected) in [
        (400, "{\n \"error\": {\"code\": 400, \"message\": \"M\"}\n}", r#"{"error":{"code":400,"message":"M"}}"#),
        (502, "<p>", r#"{"error":{"message":"<p>","code":502,"status":"Bad Gateway"}}"#),
    ] {
        let outcome = call(&model(API), &Context::default(), StreamOptions::default(), &Canned::error(status, body));
        assert_eq!(outcome.message().error_message.as_deref(), Some(expected));
        assert_eq!(outcome.events.len(), 1, "no start before an error status");
    }
}

/// Whoever looks at every delta sees the arguments grow, and each look is valid.
#[test]
fn arguments_in_pieces_grow() {
    let canned = Canned::stream(&fixture(&format!("{API}/pieces.sse")), 0, End::Closed);
    let options = with_transport(StreamOptions::default(), &canned);
    let mut seen = Vec::new();
    let stream = ApiRegistry::builtin().stream(model(API), Context::default(), options).unwrap();
    collect_until(stream, |event| {
        if let Event::ToolCallDelta { content_index: 0, partial, .. } = event {
            seen.push(partial.snapshot().tool_calls().next().unwrap().arguments.to_string());
        }
    });
    insta::assert_snapshot!(seen.join("\n"));
}

/// Ids that are made up differ from those of earlier turns, also when the clock stands still.
#[test]
fn made_up_ids_are_unique_across_turns() {
    let body = fixture(&format!("{API}/tools.sse"));
    let mut context = Context::prompt("q");
    let mut ids = Vec::new();
    for _ in 0..3 {
        let events = answer(&body, &context);
        let message = events.last().and_then(Event::final_message).unwrap();
        ids.extend(message.tool_calls().map(|call| call.id.clone()).filter(|id| id.contains("_0_")));
        context = context.with_message(Message::from((**message).clone()));
    }
    let mut unique = ids.clone();
    unique.sort();
    unique.dedup();
    assert_eq!((ids.len(), unique.len()), (9, 9), "{ids:?}");
}

/// What a payload hook sees, and what becomes of what it returns.
fn through_hook(model: &Arc<Model>, replacement: Option<Value>) -> (Value, Result<Value, String>) {
    let seen = Arc::new(std::sync::Mutex::new(Value::Null));
    let noted = Arc::clone(&seen);
    let hook = PayloadHook::new(move |payload, _| {
        *noted.lock().unwrap() = payload;
        let replacement = replacement.clone();
        Box::pin(async move { Ok(replacement) })
    });
    let canned = Canned::stream(&fixture(&format!("{API}/text.sse")), 0, End::Closed);
    let options = StreamOptions { on_payload: Some(hook), temperature: Some(0.5), ..StreamOptions::default() };
    let context = Context::prompt("hi").with_system_prompt("Be brief.");
    let outcome = call(model, &context, options, &canned);
    let sent = match &outcome.message().error_message {
        Some(error) => Err(error.clone()),
        None => Ok(serde_json::from_slice(&canned.request().body).unwrap()),
    };
    let seen = seen.lock().unwrap().clone();
    (seen, sent)
}

#[test]
fn hooks_see_the_shape_of_the_sdk() {
    let (seen, sent) = through_hook(&model(API), None);
    let contents = json!([{"role": "user", "parts": [{"text": "hi"}]}]);
    let config = json!({"temperature": 0.5, "systemInstruction": "Be brief.", "thinkingConfig": {"thinkingBudget": 0}});
    assert_eq!(seen, json!({"model": "gpt-own", "contents": contents, "config": config}));
    let instruction = json!({"parts": [{"text": "Be brief."}], "role": "user"});
    let generation = json!({"temperature": 0.5, "thinkingConfig": {"thinkingBudget": 0}});
    assert_eq!(
        sent,
        Ok(json!({"contents": contents, "systemInstruction": instruction, "generationConfig": generation}))
    );
}

#[test]
fn what_hooks_return_is_translated() {
    let safety = json!([{"category": "C", "threshold": "OFF"}]);
    let config = json!({
        "topP": 0.1, "safetySettings": safety, "seed": 7, "temperature": null, "cachedContent": "c", "httpOptions": {},
        "systemInstruction": {"parts": [{"text": "s"}]}, "thinkingConfig": {}, "stopSequences": ["x"],
        "responseMimeType": "text/plain",
    });
    let (_, sent) = through_hook(&model(API), Some(json!({"contents": ["plain"], "config": config})));
    insta::assert_snapshot!(sent.unwrap().to_string());
    for odd in [json!("text"), json!({"config": {}}), json!({"contents": 1}), json!({"contents": [], "config": []})] {
        let (_, sent) = through_hook(&model(API), Some(odd.clone()));
        let error = sent.unwrap_err();
        assert!(error.starts_with("on_payload hook failed: the payload cannot be sent"), "{odd}: {error}");
    }
}

#[test]
fn hooks_may_choose_another_model() {
    let payload = json!({"model": "tunedModels/other", "contents": []});
    let hook = PayloadHook::new(move |_, _| {
        let payload = payload.clone();
        Box::pin(async move { Ok(Some(payload)) })
    });
    for (api, expected) in [(API, "tunedModels/other"), ("google-vertex", "v1/publishers/tunedModels/models/other")] {
        let canned = Canned::stream("", 0, End::Closed);
        let options = StreamOptions { on_payload: Some(hook.clone()), ..StreamOptions::default() };
        call(&model(api), &Context::prompt("q"), options, &canned);
        let expected = format!("https://llm.example/{expected}:streamGenerateContent?alt=sse");
        assert_eq!(canned.request().url, expected);
    }
}

/// What a decoder made of a stream can be sent back.
#[test]
fn answers_can_be_replayed() {
    for path in files(&fixtures("streams").join(API), "sse") {
        let events = answer(&std::fs::read_to_string(&path).unwrap(), &Context::prompt("q"));
        let message = events.last().and_then(Event::final_message).unwrap();
        let context = Context::prompt("q").with_message(Message::from((**message).clone()));
        let second = Canned::stream("", 0, End::Closed);
        call(&model(API), &context, StreamOptions::default(), &second);
        let sent: Value = serde_json::from_slice(&second.request().body).unwrap();
        for turn in sent["contents"].as_array().unwrap() {
            assert!(turn["parts"].as_array().is_some_and(|parts| !parts.is_empty()), "{}: {turn}", path.display());
        }
        let count = |kind: &str| sent.to_string().matches(kind).count();
        assert_eq!(count("\"functionCall\""), count("\"functionResponse\""), "{}", path.display());
    }
}

#[test]
fn vertex_says_what_it_lacks() {
    let mut model = model("google-vertex");
    Arc::get_mut(&mut model).unwrap().base_url = "https://{location}-aiplatform.googleapis.com".into();
    let error = |project: &str, location: &str| {
        let env = [("GOOGLE_CLOUD_PROJECT", project), ("GCLOUD_PROJECT", ""), ("GOOGLE_CLOUD_LOCATION", location)];
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        // Neither of the two is a key.
        let key = if project.is_empty() { "<authenticated>" } else { "gcp-vertex-credentials" };
        let options = StreamOptions { env, api_key: Some(key.into()), ..StreamOptions::default() };
        let canned = Canned::stream("", 0, End::Closed);
        call(&model, &Context::prompt("q"), options, &canned).message().error_message.clone().unwrap()
    };
    let variables = "Set GOOGLE_CLOUD_PROJECT/GCLOUD_PROJECT or pass project in options.";
    assert_eq!(error("", "global"), format!("Vertex AI requires a project ID. {variables}"));
    let variables = "Set GOOGLE_CLOUD_LOCATION or pass location in options.";
    assert_eq!(error("p", ""), format!("Vertex AI requires a location. {variables}"));
}

#[test]
fn vertex_reads_the_same_streams() {
    for file in ["pieces", "thinking", "safety"] {
        let body = fixture(&format!("{API}/{file}.sse"));
        let content = |api: &str| {
            let canned = Canned::stream(&body, 0, End::Closed);
            let options = with_transport(StreamOptions::default(), &canned);
            let api = ApiRegistry::builtin().get(api).unwrap();
            collect(api.stream(model(api.name()), Context::default(), options)).message().content.clone()
        };
        assert_eq!(content("google-vertex"), content(API), "{file}");
    }
}

proptest! {
    #[test]
    fn no_sequence_of_chunks_does_harm(body in nearly_a_stream(&fixtures("streams/google-generative-ai"))) {
        ends_properly(API, &body)?;
    }

    #[test]
    fn no_bytes_do_harm(pieces in prop::collection::vec(prop_oneof![
        any::<String>(),
        Just("data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"f\",\"willContinue\":true".to_owned()),
        Just("}}]}}]}\n\n".to_owned()),
        Just("\n[{".to_owned()),
    ], 0..12)) {
        ends_properly(API, &pieces.concat())?;
    }
}
