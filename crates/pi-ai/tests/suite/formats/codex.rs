//! What `openai-codex-responses` does differently from the other Responses formats, without a socket.

use std::fmt::Write;
use std::sync::Arc;

use pi_ai::{
    AnswerError, AssistantMessageEvent as Event, Context, Error, Model, OpenAiCodexResponses,
    OpenAiCodexResponsesOptions,
};
use pi_ai::{StopReason, StreamOptions, ThinkingLevel, Transport};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::formats::decoders::{ends_properly, fixture, model, nearly_a_stream, snapshots};
use crate::formats::requests::{level, options, render, text};
use crate::formats::run::{Canned, End, call, collect, with_transport};
use crate::formats::{files, fixtures, read_json};

const API: &str = "openai-codex-responses";
/// A token of the account `acct`, nobody's.
const TOKEN: &str =
    concat!("e30.", "eyJodHRwczovL2FwaS5vcGVuYWkuY29tL2F1dGgiOnsiY2hhdGdwdF9hY2NvdW50X2lkIjoiYWNjdCJ9fQ", ".sig");

/// The options with a key that this format takes, if the model is one of it.
pub(crate) fn with_key(model: &Model, mut options: StreamOptions) -> StreamOptions {
    if model.api == API {
        options.api_key.get_or_insert_with(|| TOKEN.into());
    }
    options
}

#[test]
fn requests() {
    let contexts = read_json(&fixtures("requests").join("contexts.json"));
    for path in files(&fixtures("requests/codex"), "json") {
        let topic = read_json(&path);
        let mut sent = String::new();
        for case in topic["cases"].as_array().unwrap() {
            let context = serde_json::from_value(contexts[case["context"].as_str().unwrap()].clone()).unwrap();
            let mut target = topic["model"].clone();
            for (key, value) in case["model"].as_object().into_iter().flatten() {
                target[key] = value.clone();
            }
            let target = Arc::new(serde_json::from_value(target).unwrap());
            writeln!(sent, "## {}\n{}", case["name"].as_str().unwrap(), request(&target, context, case)).unwrap();
        }
        insta::assert_snapshot!(format!("codex-{}", path.file_stem().unwrap().to_str().unwrap()), sent);
    }
}

/// The request of a case, the machine it was made on left out.
fn request(model: &Arc<Model>, context: Context, case: &Value) -> String {
    let transport = Canned::stream("", 0, End::Closed);
    let base = with_transport(with_key(model, options(&case["options"])), &transport);
    let api = OpenAiCodexResponses::new();
    collect(match &case["explicit"] {
        Value::Null => pi_ai::Api::stream(&api, Arc::clone(model), context, base),
        explicit => api.stream_with(
            Arc::clone(model),
            context,
            OpenAiCodexResponsesOptions {
                base,
                reasoning_effort: explicit.get("reasoningEffort").map(level),
                reasoning_summary: text(&explicit["reasoningSummary"]),
                text_verbosity: text(&explicit["textVerbosity"]),
                service_tier: text(&explicit["serviceTier"]),
            },
        ),
    });
    let mut request = transport.request();
    let agent = request.headers["user-agent"].to_str().unwrap();
    assert!(agent.starts_with("pi (") && agent.contains("; ") && agent.ends_with(')'), "{agent}");
    request.headers.insert("user-agent", "SYSTEM".parse().unwrap());
    request.headers.insert("authorization", "Bearer TOKEN".parse().unwrap());
    render(&request)
}

#[test]
fn streams() {
    snapshots(API);
}

/// The first complete response ends the answer, also where the connection lingers or breaks.
#[test]
fn a_complete_answer_needs_no_end_of_the_body() {
    let body = fixture(&format!("{API}/text.sse"));
    for end in [End::Open, End::Broken] {
        let outcome = call(&model(API), &Context::default(), StreamOptions::default(), &Canned::stream(&body, 0, end));
        assert_eq!(
            (outcome.message().stop_reason.clone(), outcome.message().text().as_str()),
            (StopReason::Stop, "Hello")
        );
    }
}

#[test]
fn a_stream_may_break_anywhere() {
    let body = fixture(&format!("{API}/text.sse"));
    let complete = body.find("\"status\":\"completed\"}}").unwrap() + "\"status\":\"completed\"}}".len();
    for (cut, _) in body.char_indices().filter(|(cut, _)| *cut < complete) {
        let canned = Canned::stream(&body[..cut], 0, End::Closed);
        let outcome = call(&model(API), &Context::default(), StreamOptions::default(), &canned);
        let Some(Event::Error { cause: Some(cause), error, .. }) = outcome.events.last() else {
            panic!("cut at {cut}")
        };
        assert!(
            matches!(cause, Error::Answer(AnswerError::Incomplete { .. } | AnswerError::Decode { .. })),
            "cut at {cut}: {cause}"
        );
        assert!("Hello".starts_with(&error.text()), "cut at {cut}");
    }
}

#[test]
fn a_wanted_tier_is_charged_when_the_response_says_default() {
    let body = fixture(&format!("{API}/tier-default.sse"));
    let cost = |tier: Option<&str>| {
        let transport = Canned::stream(&body, 0, End::Closed);
        let base = with_transport(with_key(&model(API), StreamOptions::default()), &transport);
        let options = OpenAiCodexResponsesOptions { base, service_tier: tier.map(str::to_owned), ..Default::default() };
        let stream = OpenAiCodexResponses::new().stream_with(model(API), Context::default(), options);
        collect(stream).message().usage.cost.total
    };
    assert_eq!(cost(Some("priority")), 2.0 * cost(None));
    assert_eq!(cost(Some("flex")), 0.5 * cost(None));
}

/// A transport that only knows requests and responses, such as a cassette, is no failed WebSocket.
#[test]
fn without_upgrades_there_are_server_sent_events() {
    for transport in [Transport::Auto, Transport::Websocket, Transport::WebsocketCached] {
        let options = StreamOptions {
            transport: Some(transport),
            session_id: Some("s".into()),
            reasoning: ThinkingLevel::Low,
            ..StreamOptions::default()
        };
        let canned = Canned::stream(&fixture(&format!("{API}/text.sse")), 0, End::Closed);
        let outcome = call(&model(API), &Context::default(), options, &canned);
        if cfg!(feature = "codex-ws") || transport == Transport::Auto {
            assert_eq!((outcome.message().text().as_str(), &outcome.message().diagnostics), ("Hello", &None));
        } else {
            let error = outcome.message().error_message.clone().unwrap();
            assert!(error.starts_with("WebSocket transport is not available in this runtime"), "{error}");
        }
    }
}

#[test]
fn the_account_must_be_in_the_key() {
    let options = StreamOptions { api_key: Some("sk-no-token".into()), ..StreamOptions::default() };
    let outcome = call(&model(API), &Context::default(), options, &Canned::stream("", 0, End::Closed));
    let error = json!(outcome.message().error_message);
    assert!(error.as_str().unwrap().starts_with("Failed to extract accountId from token"), "{error}");
    assert_eq!(outcome.events.len(), 1);
}

proptest! {
    #[test]
    fn no_sequence_of_events_does_harm(body in nearly_a_stream(&fixtures("streams").join(API))) {
        ends_properly(API, &body)?;
    }
}
