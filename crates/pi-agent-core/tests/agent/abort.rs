//! Aborts at every stage, and runs that are dropped.

use serde_json::json;

use pi_agent_core::ToolExecutionMode;

use crate::support::{Act, Bench, Reply, tool};

/// Runs a prompt and aborts as soon as the trace contains `mark`.
async fn abort_at(bench: &Bench, mark: &str) {
    let agent = bench.agent.clone();
    let run = tokio::spawn(async move { agent.prompt("go").await });
    while !bench.trace().contains(mark) {
        tokio::task::yield_now().await;
    }
    bench.agent.abort();
    bench.agent.wait_for_idle().await;
    run.await.unwrap().unwrap();
}

fn two_calls() -> Reply {
    Reply::Calls(vec![("a", "wait", json!({})), ("b", "wait", json!({}))])
}

#[tokio::test]
async fn while_streaming() {
    let bench = Bench::new([Reply::Hang], []);
    abort_at(&bench, "U").await;
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(go) E(go) S(asst) U E(asst aborted) turn_end(0) agent_end(2)");
    insta::assert_snapshot!(bench.transcript(), @r"
    user: go
    assistant aborted: wait (Request was aborted)
    ");
}

#[tokio::test]
async fn while_parallel_tools_run() {
    let bench = Bench::new([two_calls()], [tool("wait", Act::UntilAborted)]);
    abort_at(&bench, "xs(b)").await;
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xs(b) xe(b!) xe(a!) S(a) E(a) S(b) E(b) turn_end(2) turn_start S(asst) E(asst aborted) turn_end(0) agent_end(5)");
    assert_eq!(bench.script.requests.lock().unwrap().len(), 1, "no request after the abort");
}

#[tokio::test]
async fn while_a_sequential_tool_runs() {
    let bench = Bench::with_mode([two_calls()], [tool("wait", Act::UntilAborted)], ToolExecutionMode::Sequential);
    abort_at(&bench, "xs(a)").await;
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xe(a!) S(a) E(a) turn_end(1) turn_start S(asst) E(asst aborted) turn_end(0) agent_end(4)");
}

#[tokio::test]
async fn an_idle_agent_ignores_it() {
    let bench = Bench::new([Reply::Text("hi")], []);
    bench.agent.abort();
    bench.agent.prompt("go").await.unwrap();
    assert!(bench.trace().ends_with("E(asst) turn_end(0) agent_end(2)"), "{}", bench.trace());
}

#[tokio::test]
async fn dropping_the_prompt_frees_the_agent() {
    let bench = Bench::new([Reply::Hang, Reply::Text("again")], []);
    {
        let prompt = bench.agent.prompt("go");
        tokio::pin!(prompt);
        assert!(futures::poll!(&mut prompt).is_pending());
        assert!(bench.agent.is_running());
    }
    assert!(!bench.agent.is_running());
    bench.agent.wait_for_idle().await;
    bench.agent.prompt("next").await.unwrap();
    assert!(bench.transcript().ends_with("assistant stop: again"), "{}", bench.transcript());
}
