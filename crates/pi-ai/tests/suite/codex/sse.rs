//! Calls over server-sent events: what is tried again, what the response hook sees.

use std::sync::{Arc, Mutex};

use pi_ai::{ResponseHook, StreamOptions, Transport};
use serde_json::Value;

use crate::codex::server::{Script, answer};
use crate::codex::{Program, options};

/// Options whose hook writes down the status of every response.
fn watched(statuses: &Arc<Mutex<Vec<u16>>>, max_retries: u32) -> StreamOptions {
    let statuses = Arc::clone(statuses);
    let hook = ResponseHook(Arc::new(move |response, _| {
        assert_eq!(response.headers["x-try"], "1");
        statuses.lock().unwrap().push(response.status);
        Box::pin(async { Ok(()) })
    }));
    let max_retry_delay = std::time::Duration::from_millis(1);
    StreamOptions { on_response: Some(hook), max_retries, max_retry_delay, ..options(Transport::Sse) }
}

#[tokio::test]
async fn no_websocket_is_opened() {
    let program = Program::start([]).await;
    let ran = program.ask(options(Transport::Sse)).await;
    ran.assert_says("by events");
    assert_eq!(ran.diagnostics(), Value::Null);
    assert_eq!(program.api.session_stats("s"), None);
}

#[tokio::test]
async fn what_is_tried_again() {
    for (status, body, seen) in [
        (503, "", vec![503, 200]),
        (400, "upstream connect error", vec![400, 200]),
        (429, r#"{"error":{"code":"rate_limit_exceeded"}}"#, vec![429, 200]),
        (429, r#"{"error":{"code":"insufficient_quota"}}"#, vec![429]),
        (400, r#"{"error":{"message":"bad"}}"#, vec![400]),
        (501, "", vec![501]),
    ] {
        let program = Program::start([]).await;
        program.server.reply(status, body);
        let statuses = Arc::default();
        let ran = program.ask(watched(&statuses, 1)).await;
        assert_eq!(*statuses.lock().unwrap(), seen, "{body}");
        assert_eq!(ran.error().is_empty(), seen.ends_with(&[200]), "{}", ran.error());
    }
}

#[tokio::test]
async fn statuses_are_worded_for_users() {
    let program = Program::start([]).await;
    program.server.reply(429, r#"{"error":{"code":"usage_limit_reached","plan_type":"Pro","message":"M"}}"#);
    let ran = program.ask(options(Transport::Sse)).await;
    assert_eq!(
        (ran.kinds.as_slice(), ran.error()),
        (&["error"][..], "You have hit your ChatGPT usage limit (pro plan).")
    );
    let Some(pi_ai::Error::Answer(pi_ai::AnswerError::Http { status: 429, .. })) = ran.cause else {
        panic!("{:?}", ran.cause)
    };
}

/// A session may change its mind.
#[tokio::test]
async fn both_transports_in_one_session() {
    let program = Program::start([Script::Serve(vec![answer("r1", "one")])]).await;
    program.ask(options(Transport::Sse)).await.assert_says("by events");
    program.ask(options(Transport::Auto)).await.assert_says("one");
}
