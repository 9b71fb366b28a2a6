//! What failures mean: every way in which providers say that a prompt is too long, and their usual other failures, from
//! the response to the predicates of the error and of its text.
//!
//! The tables are in `classification_table.rs`.

use std::sync::Arc;
use std::time::Duration;

use pi_ai::{
    AnswerError, ApiRegistry, AssistantMessage, AssistantMessageEvent as Event, Context, CredentialError, Error, Model,
    NetworkError, RequestError, StopReason, Usage, is_context_overflow, is_overflow_text, is_retryable_text,
    overflow_patterns,
};
use regex::RegexBuilder;
use serde_json::json;

use crate::formats::classification_table::{REFUSALS, Refusal, STREAMS, TEXTS};
use crate::formats::properties::options;
use crate::formats::run::{Canned, End, call};

/// The error that a call ends with, and the message that says so.
fn failure(api: &str, canned: &Arc<Canned>) -> (Error, Arc<AssistantMessage>) {
    let model: Model = serde_json::from_value(json!({
        "id": "m", "name": "m", "api": api, "provider": "p", "baseUrl": "https://target.example/v1", "reasoning": false,
        "input": ["text"], "cost": {}, "contextWindow": 1000, "maxTokens": 100,
    }))
    .unwrap();
    let outcome = call(&Arc::new(model), &Context::prompt("q"), options(), canned);
    match outcome.events.last() {
        Some(Event::Error { cause: Some(cause), error, .. }) => (cause.clone(), Arc::clone(error)),
        other => panic!("{api}: no failure but {other:?}"),
    }
}

/// The classes of an error, as the tables write them.
fn classes(error: &Error) -> String {
    let classes = [(error.is_retryable(), "retry"), (error.is_overflow(), "overflow"), (error.is_auth(), "auth")];
    let names: Vec<&str> = classes.into_iter().filter_map(|(is, name)| is.then_some(name)).collect();
    names.join(" ")
}

/// The classes of a message of the transcript, of which only the text is left.
fn classes_of_text(message: &AssistantMessage) -> String {
    let text = message.error_message.as_deref().unwrap_or_default();
    let overflow = is_context_overflow(message, None);
    assert_eq!(overflow, is_overflow_text(text), "{text}");
    let classes = [(is_retryable_text(text), "retry"), (overflow, "overflow")];
    let names: Vec<&str> = classes.into_iter().filter_map(|(is, name)| is.then_some(name)).collect();
    names.join(" ")
}

fn known(api: &str) -> bool {
    ApiRegistry::builtin().get(api).is_some()
}

#[test]
fn refused_requests() {
    let mut checked = 0;
    for Refusal { provider, api, status, headers, body, expected, retry_after } in REFUSALS {
        if !known(api) {
            continue;
        }
        let (error, message) = failure(api, &Canned::refusal(*status, headers, body));
        assert_eq!(classes(&error), *expected, "{provider}: {error}");
        assert_eq!(error.retry_after(), retry_after.map(Duration::from_millis), "{provider}: {error}");
        // What a text cannot tell is whose fault a status is.
        let by_text = expected.replace("auth", "");
        assert_eq!(classes_of_text(&message), by_text.trim(), "{provider} as text: {error}");
        checked += 1;
    }
    assert!(checked > 20, "only {checked} checked");
}

#[test]
fn failures_inside_a_stream() {
    for (api, body, expected) in STREAMS.iter().filter(|(api, ..)| known(api)) {
        let (error, message) = failure(api, &Canned::stream(body, 0, End::Closed));
        assert_eq!(classes(&error), *expected, "{api}: {error}");
        assert_eq!(classes_of_text(&message), *expected, "{api} as text: {error}");
        assert_eq!(error.retry_after(), None);
    }
}

#[test]
fn texts_that_sessions_hold() {
    for (text, expected) in TEXTS {
        let message = AssistantMessage {
            stop_reason: StopReason::Error,
            error_message: Some((*text).to_owned()),
            ..AssistantMessage::default()
        };
        assert_eq!(classes_of_text(&message), *expected, "{text}");
        assert_eq!(classes(&Error::Answer(AnswerError::Provider { message: (*text).to_owned() })), *expected, "{text}");
        // The same words are no failure when they are not one.
        assert!(!is_context_overflow(&AssistantMessage { stop_reason: StopReason::Aborted, ..message }, None));
    }
}

#[test]
fn every_overflow_pattern_is_met_by_something_that_a_provider_says() {
    let texts = TEXTS.iter().map(|(text, _)| *text).chain(REFUSALS.iter().map(|refusal| refusal.body));
    let texts: Vec<&str> = texts.collect();
    for pattern in overflow_patterns() {
        let regex = RegexBuilder::new(pattern).case_insensitive(true).build().unwrap();
        assert!(texts.iter().any(|text| regex.is_match(text)), "nothing says {pattern}");
    }
}

#[test]
fn our_own_failures() {
    let text = || "x".to_owned();
    let after = Duration::from_secs(1);
    for (error, expected) in [
        (Error::Aborted, ""),
        (Error::Credential(CredentialError::MissingKey { provider: text() }), "auth"),
        (Error::Request(RequestError::MissingVariable { name: text(), provider: text() }), ""),
        (Error::Network(NetworkError::Timeout { after }), "retry"),
        (Error::Network(NetworkError::Stalled { after }), "retry"),
        (Error::Network(NetworkError::Connection { detail: text() }), "retry"),
        (Error::Network(NetworkError::Setup { detail: text() }), ""),
        (Error::Network(NetworkError::Body { detail: text() }), "retry"),
        (Error::Answer(AnswerError::Incomplete { message: "Stream ended without finish_reason".into() }), "retry"),
        (
            Error::Answer(AnswerError::Incomplete { message: "Anthropic stream ended before message_stop".into() }),
            "retry",
        ),
        (Error::Answer(AnswerError::UnhandledStopReason { reason: "new".into() }), ""),
        (Error::Request(RequestError::UnknownApi { api: text() }), ""),
        (Error::Hook { hook: "on_payload", message: text() }, ""),
    ] {
        assert_eq!(classes(&error), expected, "{error}");
        // Sessions hold the text only.
        assert_eq!(is_retryable_text(&error.to_string()), expected == "retry", "{error}");
        assert_eq!(error.retry_after(), None);
    }
}

/// Input, cached input, output, stop reason, and whether it overflowed a window of 1000 tokens.
const USAGES: [(u64, u64, u64, StopReason, bool); 9] = [
    (901, 100, 5, StopReason::Stop, true),
    (900, 100, 5, StopReason::Stop, false),
    (1001, 0, 0, StopReason::Stop, true),
    (890, 100, 0, StopReason::Length, true),
    (889, 100, 0, StopReason::Length, false),
    (890, 100, 1, StopReason::Length, false),
    (2000, 0, 0, StopReason::ToolUse, false),
    (2000, 0, 0, StopReason::Aborted, false),
    (2000, 0, 0, StopReason::Error, false),
];

#[test]
fn usage_betrays_prompts_that_were_cut_silently() {
    for (input, cache_read, output, stop_reason, expected) in USAGES {
        let usage = Usage { input, output, cache_read, cache_write: 500, ..Usage::default() };
        let message = AssistantMessage { stop_reason: stop_reason.clone(), usage, ..AssistantMessage::default() };
        let case = format!("{input} + {cache_read} in, {output} out, {stop_reason:?}");
        assert_eq!(is_context_overflow(&message, Some(1000)), expected, "{case}");
        assert!(!is_context_overflow(&message, None), "{case} without a window");
    }
}
