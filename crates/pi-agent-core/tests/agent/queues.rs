//! Steering and follow-ups.

use pi_agent_core::QueueMode;
use pi_ai::{Message, UserMessage};
use serde_json::json;

use crate::support::{Act, Bench, Reply, tool};

fn user(text: &str) -> Message {
    UserMessage::text(text, 0).into()
}

fn with_tool(texts: usize) -> Bench {
    let calls = Reply::Calls(vec![("a", "echo", json!({}))]);
    let bench =
        Bench::new(std::iter::once(calls).chain((0..texts).map(|_| Reply::Text("ok"))), [tool("echo", Act::Echo)]);
    let agent = bench.agent.clone();
    bench.on(move |event| {
        if matches!(event, pi_agent_core::AgentEvent::ToolExecutionStart { .. }) {
            agent.steer(user("s1"));
            agent.steer(user("s2"));
        }
    });
    bench
}

#[tokio::test]
async fn steering_is_delivered_one_per_turn() {
    let bench = with_tool(2);
    bench.agent.prompt("go").await.unwrap();
    assert!(
        bench.trace().ends_with(
            "turn_end(1) turn_start S(s1) E(s1) S(asst) U E(asst) turn_end(0) \
             turn_start S(s2) E(s2) S(asst) U E(asst) turn_end(0) agent_end(7)"
        ),
        "{}",
        bench.trace()
    );
}

#[tokio::test]
async fn or_all_at_once() {
    let bench = with_tool(1);
    bench.agent.set_steering_mode(QueueMode::All);
    bench.agent.prompt("go").await.unwrap();
    assert!(
        bench.trace().ends_with("turn_start S(s1) E(s1) S(s2) E(s2) S(asst) U E(asst) turn_end(0) agent_end(6)"),
        "{}",
        bench.trace()
    );
}

#[tokio::test]
async fn steering_queued_before_the_prompt_joins_its_first_turn() {
    let bench = Bench::new([Reply::Text("hi")], []);
    bench.agent.steer(user("s1"));
    bench.agent.prompt("go").await.unwrap();
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(go) E(go) S(s1) E(s1) S(asst) U E(asst) turn_end(0) agent_end(3)");
}

#[tokio::test]
async fn follow_ups_are_delivered_when_the_run_would_stop() {
    let bench = Bench::new([Reply::Text("1"), Reply::Text("2"), Reply::Text("3")], []);
    bench.agent.follow_up(user("f1"));
    bench.agent.follow_up(user("f2"));
    bench.agent.prompt("go").await.unwrap();
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(go) E(go) S(asst) U E(asst) turn_end(0) turn_start S(f1) E(f1) S(asst) U E(asst) turn_end(0) turn_start S(f2) E(f2) S(asst) U E(asst) turn_end(0) agent_end(6)");
}

#[tokio::test]
async fn continuing_after_an_answer_takes_the_queues() {
    let bench = Bench::new([Reply::Text("1"), Reply::Text("2")], []);
    bench.agent.prompt("go").await.unwrap();
    bench.agent.steer(user("s1"));
    assert!(bench.agent.has_queued_messages());
    bench.agent.continue_run().await.unwrap();
    assert!(bench.trace().ends_with("agent_start turn_start S(s1) E(s1) S(asst) U E(asst) turn_end(0) agent_end(2)"));
    bench.agent.steer(user("never"));
    bench.agent.clear_queues();
    assert!(!bench.agent.has_queued_messages());
}
