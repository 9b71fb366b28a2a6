//! Aborts at every stage, and runs that are dropped.

use serde_json::json;

use pi_agent_core::{AgentEvent, DEFAULT_ABORT_GRACE, ToolExecutionMode};

use crate::agent::support::{Act, Bench, Reply, tool};

fn two_calls() -> Reply {
    Reply::Calls(vec![("a", "wait", json!({})), ("b", "wait", json!({}))])
}

#[tokio::test]
async fn while_streaming() {
    let bench = Bench::new([Reply::Hang], []);
    insta::assert_snapshot!(bench.abort_at("U").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst aborted) turn_end(0) agent_end(2)");
    insta::assert_snapshot!(bench.transcript(), @r"
    user: go
    assistant aborted: wait (Request was aborted)
    ");
}

#[tokio::test]
async fn while_parallel_tools_run() {
    let bench = Bench::new([two_calls()], [tool("wait", Act::UntilAborted)]);
    insta::assert_snapshot!(bench.abort_at("xs(b)").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xs(b) xe(a!) xe(b!) S(a) E(a) S(b) E(b) turn_end(2) turn_start S(asst) E(asst aborted) turn_end(0) agent_end(5)");
    assert_eq!(bench.script.requests.lock().unwrap().len(), 1, "no request after the abort");
}

#[tokio::test]
async fn while_a_sequential_tool_runs() {
    let bench = Bench::with_mode([two_calls()], [tool("wait", Act::UntilAborted)], ToolExecutionMode::Sequential);
    insta::assert_snapshot!(bench.abort_at("xs(a)").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xe(a!) S(a) E(a) turn_end(1) turn_start S(asst) E(asst aborted) turn_end(0) agent_end(4)");
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

/// A model that never begins to answer, or does not hear the abort, costs no time.
#[tokio::test]
async fn while_the_model_does_not_react() {
    let never = Bench::new([Reply::NeverStarts], []);
    insta::assert_snapshot!(never.abort_at("E(go)").await, @"agent_start turn_start S(go) E(go) S(asst) E(asst aborted) turn_end(0) agent_end(2)");
    let deaf = Bench::new([Reply::Deaf], []);
    insta::assert_snapshot!(deaf.abort_at("U").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst aborted) turn_end(0) agent_end(2)");
    insta::assert_snapshot!(deaf.transcript(), @"
    user: go
    assistant aborted: wait (Request was aborted)
    ");
    let endless = Bench::new([Reply::Endless], []);
    insta::assert_snapshot!(endless.abort_at("U").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst aborted) turn_end(0) agent_end(2)");
    assert!(endless.transcript().ends_with("(Request was aborted)"), "{}", endless.transcript());
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_does_not_react_is_dropped_after_a_grace() {
    for mode in [ToolExecutionMode::Parallel, ToolExecutionMode::Sequential] {
        let bench = Bench::with_mode([Reply::Calls(vec![("a", "deaf", json!({}))])], [tool("deaf", Act::Deaf)], mode);
        let start = tokio::time::Instant::now();
        bench.abort_at("xs(a)").await;
        // The clock is paused: it shows what was waited for, not what passed.
        assert_eq!(Some(start.elapsed().as_secs()), DEFAULT_ABORT_GRACE.map(|grace| grace.as_secs()));
        insta::allow_duplicates! {
            insta::assert_snapshot!(bench.transcript(), @"
            user: go
            assistant toolUse:  [a]
            result a!: Operation aborted
            assistant aborted:  (Request was aborted)
            ");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn unless_it_may_take_its_time() {
    let bench = Bench::new([Reply::Calls(vec![("a", "deaf", json!({}))])], [tool("deaf", Act::Deaf)]);
    bench.agent.tool_settings().set_abort_grace(None);
    let agent = bench.agent.clone();
    let run = tokio::spawn(async move { agent.prompt("go").await });
    bench.until(|| bench.trace().contains("xs(a)")).await;
    bench.agent.abort();
    let hour = std::time::Duration::from_secs(3600);
    assert!(tokio::time::timeout(hour, bench.agent.wait_for_idle()).await.is_err());
    run.abort();
    bench.agent.wait_for_idle().await;
}

#[tokio::test]
async fn the_token_of_a_run_aborts_it() {
    let bench = Bench::new([Reply::Hang], []);
    let agent = bench.agent.clone();
    bench.on(move |event| {
        if matches!(event, AgentEvent::MessageUpdate { .. }) {
            agent.cancellation().unwrap().cancel();
        }
    });
    let trace = bench.run("go").await;
    assert!(trace.ends_with("E(asst aborted) turn_end(0) agent_end(2)"), "{trace}");
}

/// A call that was checked before the abort still runs, with a token that has fired; later ones are not even announced.
#[tokio::test]
async fn between_the_checks_of_two_calls() {
    let calls = vec![("a", "echo", json!({})), ("b", "echo", json!({})), ("c", "echo", json!({}))];
    let bench = Bench::new([Reply::Calls(calls)], [tool("echo", Act::Echo)]);
    let agent = bench.agent.clone();
    bench.on(move |event| {
        if matches!(event, AgentEvent::ToolExecutionStart { tool_call_id, .. } if tool_call_id == "b") {
            agent.abort();
        }
    });
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xs(b) xe(b!) xe(a) S(a) E(a) S(b) E(b) turn_end(2) turn_start S(asst) E(asst aborted) turn_end(0) agent_end(5)");
    insta::assert_snapshot!(bench.transcript(), @"
    user: go
    assistant toolUse:  [a] [b] [c]
    result a: {}
    result b!: Operation aborted
    assistant aborted:  (Request was aborted)
    ");
}
