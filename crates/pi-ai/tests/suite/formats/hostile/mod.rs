//! Hostile provider streams against the real driver over loopback: whatever a server sends, a call ends in exactly one
//! final message, and its memory is bounded.
//!
//! `server` sends, `attack` makes streams out of the fixtures, `endless` makes streams that never end. The long form is
//! `.ci/long streams`.

mod attack;
mod endless;
mod server;

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures::stream::StreamExt;
use pi_ai::transport::ReqwestTransport;
use pi_ai::{
    ApiRegistry, AssistantMessage, Context, Message, Model, StopReason, StreamOptions, ThinkingLevel, Transport,
};

use crate::formats::{codex, decoders};
use attack::{Attack, Rng};
use pi_test_kit::scale;
use server::{Answer, Server};

/// All formats whose requests can be sent to a base URL without further ado.
pub(super) const APIS: &[&str] = &[
    "anthropic-messages",
    #[cfg(feature = "bedrock")]
    "bedrock-converse-stream",
    "google-generative-ai",
    "mistral-conversations",
    "openai-codex-responses",
    "openai-completions",
    "openai-responses",
];

/// Streams at the same time: most of them wait.
const AT_ONCE: usize = 8;
/// The least limit of an answer, in bytes.
const LIMIT: usize = 16 << 20;

fn options(stall: Duration) -> StreamOptions {
    let env = [("AWS_BEDROCK_SKIP_AUTH".to_owned(), "1".to_owned())].into();
    StreamOptions {
        api_key: None,
        env,
        reasoning: ThinkingLevel::Medium,
        transport: Some(Transport::Sse),
        http: Some(Arc::new(ReqwestTransport::new(&|_| None))),
        max_retries: 0,
        max_retry_delay: Duration::from_millis(1),
        stall_timeout: Some(stall),
        ..StreamOptions::default()
    }
}

/// One call; fails unless it ends in exactly one final message that can be written and read back.
async fn call(api: &str, url: &str, stall: Duration, name: &str) -> Arc<AssistantMessage> {
    let model = Model { base_url: url.to_owned(), ..(*decoders::model(api)).clone() };
    let mut options = codex::with_key(&model, options(stall));
    options.api_key.get_or_insert_with(|| "key".to_owned());
    let mut stream = ApiRegistry::builtin().stream(Arc::new(model), Context::prompt("hi"), options).unwrap();
    let mut last = None;
    let mut finals = 0;
    while let Some(event) = stream.next().await {
        assert_eq!(finals, 0, "{name}: an event after the final one");
        if let Some(message) = event.final_message() {
            finals += 1;
            last = Some(Arc::clone(message));
        }
    }
    let message = last.unwrap_or_else(|| panic!("{name}: no final message"));
    let failed = matches!(message.stop_reason, StopReason::Error | StopReason::Aborted);
    assert_eq!(failed, message.error_message.is_some(), "{name}: {message:?}");
    let json = serde_json::to_string(&Message::from((*message).clone())).unwrap();
    let read: Message = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(serde_json::to_string(&read).unwrap(), json, "{name}");
    message
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

#[test]
fn any_stream_ends_in_one_final_message() {
    let rounds = scale(60, 1500);
    runtime().block_on(async {
        let mut ends: BTreeMap<String, usize> = BTreeMap::new();
        for api in APIS {
            let streams = attack::recorded(api);
            let mut rng = Rng::new(7);
            let attacks = (0..rounds).map(|round| (round, Attack::any(&mut rng, &streams)));
            let messages = futures::stream::iter(attacks).map(|(round, attack)| async move {
                let server = Server::start(attack.answer.clone()).await;
                let name = format!("{api} round {round} {}", attack.name);
                // Only what never says anything again has to wait for the watchdog.
                let stall = if attack.is_silent { Duration::from_millis(150) } else { Duration::from_secs(120) };
                call(api, &server.url(), stall, &name).await
            });
            let mut messages = pin!(messages.buffer_unordered(AT_ONCE));
            while let Some(message) = messages.next().await {
                *ends.entry(message.stop_reason.as_str().to_owned()).or_default() += 1;
            }
        }
        let streams: usize = ends.values().sum();
        println!("hostile streams: {streams}, ends: {ends:?}");
        assert!(ends.len() > 1, "some streams were harmless, some were not: {ends:?}");
    });
}

/// What never ends is stopped at the limit, and everything that came is kept.
#[test]
fn an_endless_answer_is_stopped_and_kept() {
    runtime().block_on(async {
        let mut count = 0;
        for api in APIS {
            for endless in endless::of(api) {
                let server = Server::start(Answer::endless(endless.head, endless.repeated)).await;
                let name = format!("{api} {}", endless.name);
                let message = call(api, &server.url(), Duration::from_secs(120), &name).await;
                let error = message.error_message.clone().unwrap_or_default();
                assert!(error.starts_with("The answer was stopped at 16 MiB"), "{name}: {error}");
                assert!(!pi_ai::is_retryable_text(&error) && !pi_ai::is_overflow_text(&error), "{error}");
                let kept = serde_json::to_string(&message.content).unwrap().len();
                assert!(kept < 6 * LIMIT, "{name}: {kept} bytes are kept");
                assert!(!endless.has_content || kept >= LIMIT / 4, "{name}: only {kept} bytes are kept");
                count += 1;
            }
        }
        println!("endless answers: {count}, peak memory {} MiB", server::peak_mebibytes());
    });
}

/// What is no answer at all: lines without end, headers without end, errors without end, compressed bodies.
#[test]
fn what_is_no_answer_ends_as_well() {
    runtime().block_on(async {
        let apis = &APIS[..scale(2, APIS.len())];
        for api in apis {
            for (name, answer) in endless::junk() {
                let server = Server::start(answer).await;
                let name = format!("{api} {name}");
                let message = call(api, &server.url(), Duration::from_secs(120), &name).await;
                assert_eq!(message.stop_reason, StopReason::Error, "{name}");
                let error = message.error_message.clone().unwrap_or_default();
                assert!(error.len() < 70_000, "{name}: {} bytes of error", error.len());
            }
        }
        println!("junk: {}, peak memory {} MiB", apis.len() * endless::junk().len(), server::peak_mebibytes());
    });
}
