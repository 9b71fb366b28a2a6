//! Tool batches: order, modes, failures, termination.

use std::sync::Arc;

use pi_agent_core::ToolExecutionMode;
use pi_ai::StopReason;
use serde_json::json;
use tokio::sync::Notify;

use crate::support::{Act, Bench, Reply, sequential_tool, tool};

fn slow_and_fast() -> [Reply; 2] {
    [Reply::Calls(vec![("a", "slow", json!({})), ("b", "fast", json!({}))]), Reply::Text("done")]
}

#[tokio::test]
async fn one_tool_with_progress() {
    let bench = Bench::new(
        [Reply::Calls(vec![("a", "work", json!({"n": 1}))]), Reply::Text("done")],
        [tool("work", Act::Progress)],
    );
    bench.agent.prompt("go").await.unwrap();
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xu(a) xu(a) xe(a) S(a) E(a) turn_end(1) turn_start S(asst) U E(asst) turn_end(0) agent_end(4)");
    insta::assert_snapshot!(bench.transcript(), @r#"
    user: go
    assistant toolUse:  [a]
    result a: {"n":1}
    assistant stop: done
    "#);
}

#[tokio::test]
async fn parallel_calls_end_as_they_finish_and_report_in_source_order() {
    let notify = Arc::new(Notify::new());
    let tools = [tool("slow", Act::Wait(Arc::clone(&notify))), tool("fast", Act::Wake(notify))];
    let bench = Bench::new(slow_and_fast(), tools);
    bench.agent.prompt("go").await.unwrap();
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xs(b) xe(b) xe(a) S(a) E(a) S(b) E(b) turn_end(2) turn_start S(asst) U E(asst) turn_end(0) agent_end(5)");
}

#[tokio::test]
async fn an_unknown_tool_fails_at_once_without_disturbing_the_others() {
    let notify = Arc::new(Notify::new());
    let tools = [tool("slow", Act::Wait(Arc::clone(&notify))), tool("fast", Act::Wake(notify))];
    let calls = vec![("a", "slow", json!({})), ("z", "nope", json!({})), ("b", "fast", json!({}))];
    let bench = Bench::new([Reply::Calls(calls), Reply::Text("done")], tools);
    bench.agent.prompt("go").await.unwrap();
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xs(z) xe(z!) xs(b) xe(b) xe(a) S(a) E(a) S(z) E(z) S(b) E(b) turn_end(3) turn_start S(asst) U E(asst) turn_end(0) agent_end(6)");
}

#[tokio::test]
async fn sequential_by_setting_or_by_one_tool() {
    let by_setting = Bench::with_mode(
        slow_and_fast(),
        [tool("slow", Act::Echo), tool("fast", Act::Echo)],
        ToolExecutionMode::Sequential,
    );
    by_setting.agent.prompt("go").await.unwrap();
    let by_tool = Bench::new(slow_and_fast(), [tool("slow", Act::Echo), sequential_tool("fast", Act::Echo)]);
    by_tool.agent.prompt("go").await.unwrap();
    insta::assert_snapshot!(by_setting.trace(), @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xe(a) S(a) E(a) xs(b) xe(b) S(b) E(b) turn_end(2) turn_start S(asst) U E(asst) turn_end(0) agent_end(5)");
    assert_eq!(by_setting.trace(), by_tool.trace());
}

#[tokio::test]
async fn failures_are_results_and_the_loop_goes_on() {
    let calls = vec![
        ("fails", "fails", json!({})),
        ("panics", "panics", json!({})),
        ("unknown", "unknown", json!({})),
        ("invalid", "fails", json!({"n": "many"})),
    ];
    let bench = Bench::new(
        [Reply::Calls(calls), Reply::Text("done")],
        [tool("fails", Act::Fail("no luck")), tool("panics", Act::Panic)],
    );
    bench.agent.prompt("go").await.unwrap();
    insta::assert_snapshot!(bench.transcript(), @r#"
    user: go
    assistant toolUse:  [fails] [panics] [unknown] [invalid]
    result fails!: no luck
    result panics!: Tool panics failed unexpectedly (it panicked)
    result unknown!: Tool unknown not found
    result invalid!: Validation failed for tool "fails":
      - n: must be number

    Received arguments:
    {
      "n": "many"
    }
    assistant stop: done
    "#);
}

#[tokio::test]
async fn numbers_in_quotes_are_coerced_before_the_tool_sees_them() {
    let bench = Bench::new(
        [Reply::Calls(vec![("a", "echo", json!({"n": "5"}))]), Reply::Text("done")],
        [tool("echo", Act::Echo)],
    );
    bench.agent.prompt("go").await.unwrap();
    assert!(bench.transcript().contains(r#"result a: {"n":5}"#), "{}", bench.transcript());
}

#[tokio::test]
async fn a_batch_ends_the_run_when_every_result_asks_for_it() {
    let calls = || Reply::Calls(vec![("a", "stop", json!({})), ("b", "other", json!({}))]);
    let all = Bench::new([calls()], [tool("stop", Act::Terminate), tool("other", Act::Terminate)]);
    all.agent.prompt("go").await.unwrap();
    assert!(all.trace().ends_with("turn_end(2) agent_end(4)"), "{}", all.trace());
    let one = Bench::new([calls(), Reply::Text("on")], [tool("stop", Act::Terminate), tool("other", Act::Echo)]);
    one.agent.prompt("go").await.unwrap();
    assert!(one.trace().ends_with("turn_end(0) agent_end(5)"), "{}", one.trace());
}

#[tokio::test]
async fn calls_of_a_message_cut_by_its_length_are_run() {
    let reply = Reply::Ended(StopReason::Length, vec![("a", "echo", json!({}))]);
    let bench = Bench::new([reply, Reply::Text("done")], [tool("echo", Act::Echo)]);
    bench.agent.prompt("go").await.unwrap();
    assert!(bench.trace().contains("E(asst length) xs(a) xe(a)"), "{}", bench.trace());
}
