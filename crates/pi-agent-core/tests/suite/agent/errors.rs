//! Failed calls, failing stream functions and listeners.

use std::sync::Arc;

use futures::FutureExt;
use pi_agent_core::{AgentEvent, RunFailure};
use pi_ai::StopReason;
use serde_json::json;

use crate::agent::support::{Act, Bench, Reply, tool};

#[tokio::test]
async fn a_provider_error_ends_the_run() {
    let bench = Bench::new([Reply::Ended(StopReason::Error, Vec::new())], []);
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) E(asst error) turn_end(0) agent_end(2)");
    assert_eq!(bench.agent.state().error_message.as_deref(), Some("overloaded"));
}

#[tokio::test]
async fn a_stream_that_just_ends_is_a_failed_message_with_what_arrived() {
    let bench = Bench::new([Reply::Torn], []);
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst error) turn_end(0) agent_end(2)");
    insta::assert_snapshot!(bench.transcript(), @"
    user: go
    assistant error: wait (Stream ended without a final message)
    ");
}

#[tokio::test]
async fn a_failed_message_ends_the_run_and_its_calls_are_not_run() {
    let reply = Reply::Ended(StopReason::Error, vec![("a", "echo", json!({}))]);
    let bench = Bench::new([reply], [tool("echo", Act::Echo)]);
    bench.agent.prompt("go").await.unwrap();
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(go) E(go) S(asst) U E(asst error) turn_end(0) agent_end(2)");
    assert_eq!(bench.agent.state().error_message.as_deref(), Some("overloaded"));
}

#[tokio::test]
async fn a_stream_function_that_fails_becomes_a_message() {
    let bench = Bench::new([Reply::Reject("no key")], []);
    bench.agent.prompt("go").await.unwrap();
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(go) E(go) S(asst) E(asst error) turn_end(0) agent_end(1)");
    insta::assert_snapshot!(bench.transcript(), @r"
    user: go
    assistant error:  (no key)
    ");
    assert!(!bench.agent.is_running());
}

#[tokio::test]
async fn a_listener_that_fails_ends_the_run_in_order() {
    let bench = Bench::new([Reply::Text("hi")], []);
    bench.agent.subscribe(Arc::new(|event, _| {
        let failed = matches!(event, AgentEvent::TurnEnd { .. });
        let outcome = if failed { Err(RunFailure::new("listener broke")) } else { Ok(()) };
        futures::future::ready(outcome).boxed()
    }));
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst) turn_end(0) S(asst) E(asst error) turn_end(0) agent_end(1)");
    insta::assert_snapshot!(bench.transcript(), @"
    user: go
    assistant stop: hi
    assistant error:  (listener broke)
    ");
}

#[tokio::test]
async fn a_cancelled_subscription_is_silent() {
    let bench = Bench::new([Reply::Text("hi")], []);
    let subscription =
        bench.agent.subscribe(Arc::new(|_, _| futures::future::ready(Err(RunFailure::new("x"))).boxed()));
    subscription.cancel();
    bench.agent.prompt("go").await.unwrap();
    assert!(bench.trace().ends_with("agent_end(2)"), "{}", bench.trace());
}

#[tokio::test]
async fn misuse_does_not_touch_the_state() {
    let bench = Bench::new([Reply::Reject("no key")], []);
    bench.run("go").await;
    assert!(bench.agent.continue_run().await.is_err());
    assert_eq!(bench.agent.state().error_message.as_deref(), Some("no key"));
}
