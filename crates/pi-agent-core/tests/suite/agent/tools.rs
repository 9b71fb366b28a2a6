//! Tool batches: order, modes, failures, termination.

use std::sync::{Arc, Mutex};

use pi_agent_core::{AgentEvent, FnTool, Tool, ToolError, ToolExecutionMode, ToolOutput};
use pi_ai::{StopReason, ToolDefinition};
use serde_json::json;

use crate::agent::support::{Act, Bench, Reply, sequential_tool, tool};

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
        ("at once", "panics at once", json!({})),
        ("unknown", "unknown", json!({})),
        ("invalid", "fails", json!({"n": "many"})),
    ];
    let bench = Bench::new(
        [Reply::Calls(calls), Reply::Text("done")],
        [tool("fails", Act::Fail("no luck")), tool("panics", Act::Panic), tool("panics at once", Act::PanicNow)],
    );
    bench.agent.prompt("go").await.unwrap();
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(fails) xs(panics) xs(at once) xs(unknown) xe(unknown!) xs(invalid) xe(invalid!) xe(fails!) xe(panics!) xe(at once!) S(fails) E(fails) S(panics) E(panics) S(at once) E(at once) S(unknown) E(unknown) S(invalid) E(invalid) turn_end(5) turn_start S(asst) U E(asst) turn_end(0) agent_end(8)");
    insta::assert_snapshot!(bench.transcript(), @r#"
    user: go
    assistant toolUse:  [fails] [panics] [at once] [unknown] [invalid]
    result fails!: no luck
    result panics!: Tool panics failed unexpectedly (it panicked)
    result at once!: Tool panics at once failed unexpectedly (it panicked)
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
    insta::assert_snapshot!(all.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xs(b) xe(a) xe(b) S(a) E(a) S(b) E(b) turn_end(2) agent_end(4)");
    let one = Bench::new([calls(), Reply::Text("on")], [tool("stop", Act::Terminate), tool("other", Act::Echo)]);
    insta::assert_snapshot!(one.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xs(b) xe(a) xe(b) S(a) E(a) S(b) E(b) turn_end(2) turn_start S(asst) U E(asst) turn_end(0) agent_end(5)");
}

#[tokio::test]
async fn calls_of_a_message_cut_by_its_length_are_run() {
    let reply = Reply::Ended(StopReason::Length, vec![("a", "echo", json!({}))]);
    let bench = Bench::new([reply, Reply::Text("done")], [tool("echo", Act::Echo)]);
    bench.agent.prompt("go").await.unwrap();
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(go) E(go) S(asst) U E(asst length) xs(a) xe(a) S(a) E(a) turn_end(1) turn_start S(asst) U E(asst) turn_end(0) agent_end(4)");
}

#[tokio::test]
async fn progress_counts_until_the_tool_returns() {
    let calls = vec![("a", "chatty", json!({})), ("b", "echo", json!({}))];
    let bench = Bench::new(
        [Reply::Calls(calls), Reply::Text("done")],
        [tool("chatty", Act::Chatty), tool("echo", Act::Progress)],
    );
    let trace = bench.run("go").await;
    assert_eq!(trace.matches("xu(a)").count(), 1, "{trace}");
    assert!(trace.find("xu(a)") < trace.find("xe(a)"), "{trace}");
}

#[tokio::test]
async fn events_and_transcript_keep_the_arguments_of_the_model() {
    let repaired = FnTool::new(
        ToolDefinition {
            name: "add".into(),
            description: String::new(),
            parameters: json!({"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}),
        },
        |call| async move { Ok(ToolOutput::text(call.arguments.to_string())) },
    )
    .with_prepare_arguments(|raw| match raw.get("number") {
        Some(number) => Ok(json!({ "n": number })),
        None => Err(ToolError::new("Give me a number.")),
    });
    let calls = vec![("a", "add", json!({"number": "5"})), ("b", "add", json!({"n": 5}))];
    let bench = Bench::new([Reply::Calls(calls), Reply::Text("done")], [Arc::new(repaired) as Arc<dyn Tool>]);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    bench.on(move |event| {
        if let AgentEvent::ToolExecutionStart { args, .. } = event {
            log.lock().unwrap().push(args.to_string());
        }
    });
    bench.run("go").await;
    assert_eq!(*seen.lock().unwrap(), [r#"{"number":"5"}"#, r#"{"n":5}"#]);
    insta::assert_snapshot!(bench.transcript(), @r#"
    user: go
    assistant toolUse:  [a] [b]
    result a: {"n":5}
    result b!: Give me a number.
    assistant stop: done
    "#);
}

#[tokio::test]
async fn a_failed_result_in_json() {
    let tools = [tool("fails", Act::Fail("no luck"))];
    let bench = Bench::new([Reply::Calls(vec![("a", "fails", json!({}))]), Reply::Text("done")], tools);
    bench.run("go").await;
    let result = serde_json::to_string(&*bench.agent.state().messages[2]).unwrap();
    insta::assert_snapshot!(result, @r#"{"role":"toolResult","toolCallId":"a","toolName":"fails","content":[{"type":"text","text":"no luck"}],"details":{},"isError":true,"timestamp":7}"#);
}
