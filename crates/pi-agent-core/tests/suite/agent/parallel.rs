//! Calls of one message that run at the same time. `support::short` shortens the events: `S`, `U`, `E` are messages, `xs`,
//! `xu`, `xe` executions of tools.

use std::sync::Arc;

use pi_agent_core::{AgentEvent, Tool, ToolOutput};
use serde_json::json;
use tokio::sync::Notify;

use crate::agent::support::{Act, Bench, Reply, tool};

/// A slow tool that ends when the fast one has.
fn slow_and_fast() -> [Arc<dyn Tool>; 2] {
    let notify = Arc::new(Notify::new());
    [tool("slow", Act::Wait(Arc::clone(&notify))), tool("fast", Act::Wake(notify))]
}

#[tokio::test]
async fn calls_end_as_they_finish_and_report_in_source_order() {
    let calls = vec![("a", "slow", json!({})), ("b", "fast", json!({}))];
    let bench = Bench::new([Reply::Calls(calls), Reply::Text("done")], slow_and_fast());
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xs(b) xe(b) xe(a) S(a) E(a) S(b) E(b) turn_end(2) turn_start S(asst) U E(asst) turn_end(0) agent_end(5)");
}

#[tokio::test]
async fn an_unknown_tool_fails_at_once_without_disturbing_the_others() {
    let calls = vec![("a", "slow", json!({})), ("z", "nope", json!({})), ("b", "fast", json!({}))];
    let bench = Bench::new([Reply::Calls(calls), Reply::Text("done")], slow_and_fast());
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xs(z) xe(z!) xs(b) xe(b) xe(a) S(a) E(a) S(z) E(z) S(b) E(b) turn_end(3) turn_start S(asst) U E(asst) turn_end(0) agent_end(6)");
}

#[tokio::test]
async fn calls_are_pending_until_they_are_settled() {
    let calls = vec![("a", "slow", json!({})), ("b", "fast", json!({}))];
    let bench = Bench::new([Reply::Calls(calls), Reply::Text("done")], slow_and_fast());
    let (agent, seen) = (bench.agent.clone(), Arc::new(std::sync::Mutex::new(Vec::new())));
    let log = Arc::clone(&seen);
    bench.on(move |event| {
        let pending = agent.with_state(|state| state.pending_tool_calls.iter().cloned().collect::<String>());
        log.lock().unwrap().push(format!("{}:{pending}", crate::agent::support::short(event)));
    });
    bench.run("go").await;
    let seen = seen.lock().unwrap().iter().filter(|entry| entry.starts_with('x')).cloned().collect::<Vec<_>>();
    assert_eq!(seen, ["xs(a):a", "xs(b):ab", "xe(b):a", "xe(a):"]);
}

#[tokio::test]
async fn what_running_calls_have_told_is_known_until_they_end() {
    let calls = vec![("a", "progress", json!({})), ("b", "progress", json!({}))];
    let bench = Bench::new([Reply::Calls(calls), Reply::Text("done")], [tool("progress", Act::Progress)]);
    let (agent, seen) = (bench.agent.clone(), Arc::new(std::sync::Mutex::new(Vec::new())));
    let log = Arc::clone(&seen);
    bench.on(move |event| {
        let is_known = |id: &String, output: &Arc<ToolOutput>| {
            agent.with_state(|state| state.partial_results.get(id).is_some_and(|known| Arc::ptr_eq(known, output)))
        };
        match event {
            AgentEvent::ToolExecutionUpdate { tool_call_id, partial_result, .. } => {
                assert!(is_known(tool_call_id, partial_result), "{tool_call_id}");
                log.lock().unwrap().push(tool_call_id.clone());
            }
            AgentEvent::ToolExecutionEnd { tool_call_id, .. } => {
                assert!(agent.with_state(|state| !state.partial_results.contains_key(tool_call_id)), "{tool_call_id}");
            }
            _ => {}
        }
    });
    bench.run("go").await;
    let mut told = seen.lock().unwrap().clone();
    told.sort();
    assert_eq!(told, ["a", "a", "b", "b"]);
    assert!(bench.agent.state().partial_results.is_empty());
}
