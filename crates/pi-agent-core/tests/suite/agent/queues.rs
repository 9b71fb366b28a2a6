//! Steering and follow-ups.

use pi_agent_core::{AgentEvent, QueueMode, RunFailure};
use pi_ai::{Message, UserMessage};
use serde_json::json;

use crate::agent::support::{Act, Bench, Reply, tool};

fn user(text: &str) -> Message {
    UserMessage::text(text, 0).into()
}

fn with_tool(texts: usize) -> Bench {
    let calls = Reply::Calls(vec![("a", "echo", json!({}))]);
    let bench =
        Bench::new(std::iter::once(calls).chain((0..texts).map(|_| Reply::Text("ok"))), [tool("echo", Act::Echo)]);
    let agent = bench.agent.clone();
    bench.on(move |event| {
        if matches!(event, AgentEvent::ToolExecutionStart { .. }) {
            agent.steer(user("s1"));
            agent.steer(user("s2"));
        }
    });
    bench
}

#[tokio::test]
async fn steering_is_delivered_one_per_turn() {
    let bench = with_tool(2);
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xe(a) S(a) E(a) turn_end(1) turn_start S(s1) E(s1) S(asst) U E(asst) turn_end(0) turn_start S(s2) E(s2) S(asst) U E(asst) turn_end(0) agent_end(7)");
}

#[tokio::test]
async fn or_all_at_once() {
    let bench = with_tool(1);
    bench.agent.steering().set_mode(QueueMode::All);
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xe(a) S(a) E(a) turn_end(1) turn_start S(s1) E(s1) S(s2) E(s2) S(asst) U E(asst) turn_end(0) agent_end(6)");
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

#[tokio::test]
async fn steering_goes_on_after_a_terminating_batch() {
    let calls = Reply::Calls(vec![("a", "stop", json!({}))]);
    let bench = Bench::new([calls, Reply::Text("ok")], [tool("stop", Act::Terminate)]);
    let agent = bench.agent.clone();
    bench.on(move |event| {
        if matches!(event, AgentEvent::ToolExecutionStart { .. }) {
            agent.steer(user("s1"));
        }
    });
    insta::assert_snapshot!(bench.run("go").await, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xe(a) S(a) E(a) turn_end(1) turn_start S(s1) E(s1) S(asst) U E(asst) turn_end(0) agent_end(5)");
}

#[tokio::test]
async fn queued_from_the_end_of_a_run_waits_for_the_next() {
    let bench = Bench::new([Reply::Text("1"), Reply::Text("2")], []);
    let agent = bench.agent.clone();
    bench.on(move |event| {
        if matches!(event, AgentEvent::AgentEnd { messages } if messages.len() == 2) && !agent.has_queued_messages() {
            agent.follow_up(user("later"));
        }
    });
    bench.run("go").await;
    assert_eq!(bench.transcript(), "user: go\nassistant stop: 1");
    assert_eq!(bench.agent.queued_count(), 1);
    bench.agent.continue_run().await.unwrap();
    assert!(bench.transcript().ends_with("user: later\nassistant stop: 2"), "{}", bench.transcript());
}

#[tokio::test]
async fn continuing_keeps_to_one_at_a_time_and_prefers_steering() {
    let bench = Bench::new(["1", "2", "3", "4"].map(Reply::Text), []);
    bench.run("go").await;
    bench.agent.follow_up(user("f1"));
    bench.agent.steer(user("s1"));
    bench.agent.steer(user("s2"));
    bench.agent.continue_run().await.unwrap();
    let rest = bench.trace().split("agent_end(2) ").nth(1).unwrap().to_owned();
    insta::assert_snapshot!(rest, @"agent_start turn_start S(s1) E(s1) S(asst) U E(asst) turn_end(0) turn_start S(s2) E(s2) S(asst) U E(asst) turn_end(0) turn_start S(f1) E(f1) S(asst) U E(asst) turn_end(0) agent_end(6)");
}

#[tokio::test]
async fn queues_can_be_looked_at_and_cleared_one_by_one() {
    let bench = Bench::new([], []);
    let agent = &bench.agent;
    assert_eq!((agent.steering().mode(), agent.follow_ups().mode()), (QueueMode::OneAtATime, QueueMode::OneAtATime));
    agent.follow_ups().set_mode(QueueMode::All);
    assert_eq!((agent.steering().mode(), agent.follow_ups().mode()), (QueueMode::OneAtATime, QueueMode::All));
    agent.steer(user("s1"));
    agent.follow_up(user("f1"));
    agent.follow_up(user("f2"));
    let snapshot = agent.follow_ups().messages();
    agent.follow_ups().clear();
    assert_eq!(snapshot.iter().map(|m| texts(m)).collect::<Vec<_>>(), ["f1", "f2"]);
    assert_eq!((agent.steering().len(), agent.follow_ups().len()), (1, 0));
    assert_eq!(agent.queued_count(), 1);
    agent.steering().clear();
    assert!(!agent.has_queued_messages());
}

fn texts(message: &Message) -> String {
    match message {
        Message::User(user) => user.content.to_text(),
        other => other.role().to_owned(),
    }
}

#[tokio::test]
async fn a_mode_counts_from_the_next_drain_on() {
    let bench = Bench::new(["1", "2", "3"].map(Reply::Text), []);
    for text in ["f1", "f2", "f3"] {
        bench.agent.follow_up(user(text));
    }
    let agent = bench.agent.clone();
    bench.on(move |event| {
        if matches!(event, AgentEvent::MessageEnd { message } if texts(message) == "f1") {
            agent.follow_ups().set_mode(QueueMode::All);
        }
    });
    let trace = bench.run("go").await;
    assert!(trace.contains("turn_start S(f1) E(f1) S(asst)"), "{trace}");
    assert!(trace.contains("turn_start S(f2) E(f2) S(f3) E(f3) S(asst)"), "{trace}");
}

#[tokio::test]
async fn an_abort_leaves_what_is_queued() {
    let calls = Reply::Calls(vec![("a", "wait", json!({}))]);
    let bench = Bench::new([calls, Reply::Text("ok"), Reply::Text("ok")], [tool("wait", Act::UntilAborted)]);
    bench.agent.follow_up(user("f1"));
    let agent = bench.agent.clone();
    bench.on(move |event| {
        if matches!(event, AgentEvent::ToolExecutionStart { .. }) {
            agent.steer(user("s1"));
        }
    });
    bench.abort_at("xs(a)").await;
    assert!(bench.transcript().ends_with("(Request was aborted)"), "{}", bench.transcript());
    assert_eq!(bench.agent.queued_count(), 2);
    bench.run("again").await;
    assert_eq!(bench.agent.queued_count(), 0, "the next run takes them");
}

/// A listener that breaks, or stops for ever, when a queued message is about to be delivered.
async fn interrupted(stop: bool) -> Bench {
    let bench = Bench::new(["1", "2"].map(Reply::Text), []);
    for text in ["f1", "f2"] {
        bench.agent.follow_up(user(text));
    }
    bench.agent.follow_ups().set_mode(QueueMode::All);
    bench.agent.on_event_async(move |event, _| {
        let hit = matches!(&event, AgentEvent::MessageStart { message } if texts(message) == "f2");
        async move {
            match hit {
                true if stop => futures::future::pending().await,
                true => Err(RunFailure::new("broken")),
                false => Ok(()),
            }
        }
    });
    if stop {
        let mut prompt = Box::pin(bench.agent.prompt("go"));
        assert!(futures::poll!(&mut prompt).is_pending());
    } else {
        bench.run("go").await;
    }
    bench
}

#[tokio::test]
async fn what_was_not_delivered_is_still_queued() {
    for stop in [false, true] {
        let bench = interrupted(stop).await;
        assert!(bench.transcript().contains("user: f1"), "{}", bench.transcript());
        assert!(!bench.transcript().contains("user: f2"), "{}", bench.transcript());
        let queued: Vec<_> = bench.agent.follow_ups().messages().iter().map(|m| texts(m)).collect();
        assert_eq!(queued, ["f2"], "stop: {stop}");
    }
}

#[tokio::test]
async fn what_was_taken_is_undelivered_until_it_is_announced() {
    let bench = Bench::new(["1", "2"].map(Reply::Text), []);
    bench.agent.follow_ups().set_mode(QueueMode::All);
    // The same text three times: each message is one of its own.
    for _ in 0..2 {
        bench.agent.follow_up(user("again"));
    }
    let (agent, seen) = (bench.agent.clone(), std::sync::Arc::new(std::sync::Mutex::new(Vec::new())));
    let noted = std::sync::Arc::clone(&seen);
    bench.on(move |event| {
        if matches!(event, AgentEvent::MessageStart { message } if texts(message) == "again") {
            noted.lock().unwrap().push((agent.queued_count(), agent.follow_ups().undelivered().len()));
        }
    });
    bench.run("again").await;
    assert_eq!(*seen.lock().unwrap(), [(2, 2), (0, 1), (0, 0)]);
}

#[tokio::test]
async fn the_queues_are_emptied_at_once() {
    let bench = Bench::new([], []);
    bench.agent.steer(user("s"));
    bench.agent.follow_up(user("f"));
    let taken = bench.agent.take_queues();
    let texts =
        [&taken.steering, &taken.follow_ups].map(|list| list.iter().map(|message| texts(message)).collect::<String>());
    assert_eq!((texts, bench.agent.queued_count()), (["s".to_owned(), "f".to_owned()], 0));
}

#[tokio::test]
async fn what_is_held_is_waited_for_and_may_be_changed_meanwhile() {
    for case in ["released", "emptied", "aborted"] {
        let bench = Bench::new(["1", "2"].map(Reply::Text), []);
        bench.agent.follow_up(user("f1"));
        bench.agent.follow_up(user("f2"));
        let hold = bench.agent.hold_queues();
        let mut prompt = Box::pin(bench.agent.prompt("go"));
        assert!(futures::poll!(&mut prompt).is_pending(), "{case}");
        assert!(bench.agent.is_running() && bench.agent.queued_count() == 2, "{case}");
        bench.agent.change_queues(|queues| {
            queues.follow_ups.remove(0);
            if case == "emptied" {
                queues.follow_ups.clear();
            }
        });
        match case {
            "released" => {
                assert!(futures::poll!(&mut prompt).is_pending());
                drop(hold);
            }
            "aborted" => bench.agent.abort(),
            _ => {}
        }
        prompt.await.unwrap();
        let delivered = bench.transcript().contains("user: f2");
        assert_eq!(
            (delivered, bench.agent.queued_count()),
            (case == "released", usize::from(case == "aborted")),
            "{case}"
        );
        assert!(!bench.transcript().contains("user: f1"), "{case}");
    }
}

#[tokio::test]
async fn going_on_waits_for_what_is_held() {
    let bench = Bench::new(["1", "2"].map(Reply::Text), []);
    bench.agent.prompt("go").await.unwrap();
    bench.agent.steer(user("s"));
    let hold = bench.agent.hold_queues();
    let mut goes_on = Box::pin(bench.agent.continue_run());
    assert!(futures::poll!(&mut goes_on).is_pending());
    drop(hold);
    goes_on.await.unwrap();
    assert!(bench.transcript().contains("user: s"), "{}", bench.transcript());
}
