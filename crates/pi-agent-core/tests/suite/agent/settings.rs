//! Settings that change while a run is in progress: they are for the next run.

use std::sync::Arc;

use pi_agent_core::{AgentEvent, Hooks, ToolExecutionMode, ToolSet};
use pi_ai::{Model, ThinkingLevel, Transport};
use serde_json::json;

use crate::agent::support::{Act, Bench, Reply, tool};

fn model(id: &str) -> Arc<Model> {
    Arc::new(Model { id: id.to_owned(), ..Model::default() })
}

/// Changes everything when the first tool call starts.
fn changing() -> Bench {
    let calls = || Reply::Calls(vec![("a", "echo", json!({})), ("b", "echo", json!({}))]);
    let replies = [calls(), Reply::Text("1"), calls(), Reply::Text("2")];
    let bench = Bench::new(replies, [tool("echo", Act::Echo)]);
    let agent = bench.agent.clone();
    bench.on(move |event| {
        if !matches!(event, AgentEvent::ToolExecutionStart { .. }) {
            return;
        }
        agent.set_model(model("new"));
        agent.set_system_prompt("new");
        agent.set_thinking_level(ThinkingLevel::Low);
        agent.set_tools(ToolSet::new([tool("echo", Act::Fail("new"))]));
        agent.tool_settings().set_execution(ToolExecutionMode::Sequential);
        agent.tool_settings().set_abort_grace(None);
        agent.edit_stream_options(|options| options.session_id = Some("new".into()));
        agent.set_hooks(Hooks::default().with_get_api_key(|_| async { Ok(Some("new".into())) }));
    });
    bench
}

#[tokio::test]
async fn a_run_keeps_what_it_started_with() {
    let bench = changing();
    bench.run("go").await;
    bench.run("again").await;
    let seen = bench.script.options.lock().unwrap().clone();
    let models = bench.script.models.lock().unwrap().clone();
    let lines: Vec<String> = std::iter::zip(&seen, &models)
        .map(|(o, model)| format!("{model} {} {:?} {:?}", o.reasoning.as_str(), o.session_id, o.api_key))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    unknown off None None
    unknown off None None
    new low Some("new") Some("new")
    new low Some("new") Some("new")
    "#);
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xs(b) xe(a) xe(b) S(a) E(a) S(b) E(b) turn_end(2) turn_start S(asst) U E(asst) turn_end(0) agent_end(5) agent_start turn_start S(again) E(again) S(asst) U E(asst toolUse) xs(a) xe(a!) S(a) E(a) xs(b) xe(b!) S(b) E(b) turn_end(2) turn_start S(asst) U E(asst) turn_end(0) agent_end(5)");
    insta::assert_snapshot!(bench.transcript(), @"
    user: go
    assistant toolUse:  [a] [b]
    result a: {}
    result b: {}
    assistant stop: 1
    user: again
    assistant toolUse:  [a] [b]
    result a!: new
    result b!: new
    assistant stop: 2
    ");
}

#[tokio::test]
async fn what_is_set_can_be_read() {
    let bench = Bench::new([], []);
    let agent = &bench.agent;
    agent.tool_settings().set_execution(ToolExecutionMode::Sequential);
    agent.edit_stream_options(|options| options.transport = Some(Transport::Sse));
    agent.set_hooks(agent.hooks().with_convert_to_llm(|messages| Ok(messages.to_vec())));
    assert_eq!(agent.tool_settings().execution(), ToolExecutionMode::Sequential);
    assert_eq!(agent.stream_options().transport, Some(Transport::Sse));
    assert!(agent.hooks().convert_to_llm.is_some());
    assert_eq!(agent.tool_settings().abort_grace(), pi_agent_core::DEFAULT_ABORT_GRACE);
}

#[tokio::test]
async fn getters_are_snapshots() {
    let bench = Bench::new([Reply::Text("hi")], []);
    let (state, queue) = (bench.agent.state(), bench.agent.steering().messages());
    bench.agent.steer(pi_ai::UserMessage::text("s", 0));
    bench.run("go").await;
    assert!(state.messages.is_empty() && queue.is_empty());
}

#[tokio::test]
async fn the_source_of_answers_can_be_replaced() {
    let (first, second) = (Bench::new([Reply::Text("first")], []), Bench::new([Reply::Text("second")], []));
    first.agent.set_stream(second.script.stream_fn());
    first.run("go").await;
    assert!(first.transcript().ends_with("second"), "{}", first.transcript());
}

#[tokio::test]
async fn messages_set_during_a_run_are_kept_but_not_sent() {
    let bench = Bench::new([Reply::Calls(vec![("a", "echo", json!({}))]), Reply::Text("1")], [tool("echo", Act::Echo)]);
    let agent = bench.agent.clone();
    bench.on(move |event| {
        if matches!(event, AgentEvent::ToolExecutionStart { .. }) {
            agent.set_messages(Vec::new());
        }
    });
    bench.run("go").await;
    assert_eq!(bench.script.roles(), ["u", "uar"]);
    assert_eq!(crate::agent::support::roles(&bench.agent.state().messages), "ra");
}
