//! Somebody else's code panics, at every seam: the run ends in order, nothing hangs, the transcript is kept.

use std::sync::Arc;

use futures::FutureExt;
use pi_agent_core::{AgentEvent, Hooks, NextTurn, ToolCallVerdict, ToolResultPatch};
use serde_json::json;

use crate::agent::support::{Act, Bench, Reply, tool};

fn with_call() -> Bench {
    let replies = [Reply::Calls(vec![("a", "echo", json!({}))]), Reply::Text("done")];
    Bench::new(replies, [tool("echo", Act::Echo)])
}

/// Where to panic: before there is a future, or in it.
#[derive(Clone, Copy)]
enum When {
    AtOnce,
    Later,
}

fn boom<T>(when: When, value: T) -> impl Future<Output = T> {
    match when {
        When::AtOnce => panic!("on purpose"),
        When::Later => {
            async move {
                tokio::task::yield_now().await;
                let value = Some(value).filter(|_| false);
                value.expect("on purpose")
            }
        }
    }
}

/// Hooks whose panic breaks the run off.
fn breaking(when: When) -> Vec<(&'static str, Hooks)> {
    let hooks = Hooks::default;
    vec![
        ("transform_context", hooks().with_transform_context(move |messages, _| boom(when, Ok(messages)))),
        ("convert_to_llm", hooks().with_convert_to_llm(|_| panic!("on purpose"))),
        ("get_api_key", hooks().with_get_api_key(move |_| boom(when, Ok(None)))),
        ("prepare_next_turn", hooks().with_prepare_next_turn(move |_| boom(when, Ok(NextTurn::unchanged())))),
        ("should_stop_after_turn", hooks().with_should_stop_after_turn(move |_| boom(when, Ok(false)))),
    ]
}

#[tokio::test]
async fn in_a_hook_of_the_run() {
    for when in [When::AtOnce, When::Later] {
        for (name, hooks) in breaking(when) {
            let bench = with_call().hooked(hooks);
            let trace = bench.run("go").await;
            assert!(trace.ends_with("S(asst) E(asst error) turn_end(0) agent_end(1)"), "{name}: {trace}");
            assert!(bench.transcript().starts_with("user: go\n"), "{name}: {}", bench.transcript());
            let error = bench.agent.state().error_message.unwrap();
            assert!(error.ends_with("failed unexpectedly (it panicked)"), "{name}: {error}");
            assert!(!bench.agent.is_running(), "{name}");
        }
    }
}

#[tokio::test]
async fn in_a_hook_of_a_call() {
    for when in [When::AtOnce, When::Later] {
        let before = Hooks::default().with_before_tool_call(move |_| boom(when, Ok(ToolCallVerdict::Allow)));
        let after = Hooks::default().with_after_tool_call(move |_| boom(when, Ok(ToolResultPatch::keep())));
        for (name, hooks) in [("before_tool_call", before), ("after_tool_call", after)] {
            let bench = with_call().hooked(hooks);
            bench.run("go").await;
            let result = format!("result a!: The hook {name} failed unexpectedly (it panicked)\nassistant stop: done");
            assert!(bench.transcript().ends_with(&result), "{}", bench.transcript());
        }
    }
}

#[tokio::test]
async fn in_a_listener() {
    for when in [When::AtOnce, When::Later] {
        let bench = Bench::new([Reply::Text("hi")], []);
        bench.agent.subscribe(Arc::new(move |event, _| match event {
            AgentEvent::TurnEnd { .. } => boom(when, Ok(())).boxed(),
            _ => futures::future::ready(Ok(())).boxed(),
        }));
        let trace = bench.run("go").await;
        assert!(trace.ends_with("turn_end(0) S(asst) E(asst error) turn_end(0) agent_end(1)"), "{trace}");
    }
    let bench = Bench::new([Reply::Text("hi")], []);
    bench.on(|event| assert!(!matches!(event, AgentEvent::MessageUpdate { .. }), "on purpose"));
    let trace = bench.run("go").await;
    assert!(trace.ends_with("U S(asst) E(asst error) turn_end(0) agent_end(1)"), "{trace}");
    insta::assert_snapshot!(bench.transcript(), @"
    user: go
    assistant error:  (A listener failed unexpectedly (it panicked))
    ");
}

#[tokio::test]
async fn in_the_model_call() {
    let now = Bench::new([Reply::PanicNow], []);
    insta::assert_snapshot!(now.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) E(asst error) turn_end(0) agent_end(1)");
    insta::assert_snapshot!(now.transcript(), @"
    user: go
    assistant error:  (The model call failed unexpectedly (it panicked))
    ");
    let later = Bench::new([Reply::PanicLater], []);
    insta::assert_snapshot!(later.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst error) turn_end(0) agent_end(2)");
    insta::assert_snapshot!(later.transcript(), @"
    user: go
    assistant error: wait (The model call failed unexpectedly (it panicked))
    ");
}
