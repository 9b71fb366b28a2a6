//! Prompts, continuation, misuse, state.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use pi_agent_core::{AgentEvent, Error, Prompt};
use pi_ai::{ContentBlock, Message, StopReason, UserMessage};
use tokio::sync::Notify;

use crate::agent::support::{Bench, Reply};

#[tokio::test]
async fn a_plain_answer() {
    let bench = Bench::new([Reply::Text("hi")], []);
    bench.agent.prompt("hello").await.unwrap();
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(hello) E(hello) S(asst) U E(asst) turn_end(0) agent_end(2)");
    insta::assert_snapshot!(bench.transcript(), @r"
    user: hello
    assistant stop: hi
    ");
}

#[tokio::test]
async fn an_answer_without_a_start() {
    let bench = Bench::new([Reply::Bare("hi")], []);
    insta::assert_snapshot!(bench.run("hello").await, @"agent_start turn_start S(hello) E(hello) S(asst) E(asst) turn_end(0) agent_end(2)");
    assert!(bench.transcript().ends_with("assistant stop: hi"));
}

#[tokio::test]
async fn an_answer_cut_by_its_length() {
    let bench = Bench::new([Reply::Ended(StopReason::Length, Vec::new())], []);
    insta::assert_snapshot!(bench.run("hello").await, @"agent_start turn_start S(hello) E(hello) S(asst) E(asst length) turn_end(0) agent_end(2)");
}

#[tokio::test]
async fn prompts_of_every_form() {
    let bench = Bench::new(["1", "2", "3"].map(Reply::Text), []);
    let image = ContentBlock::image("AAAA", "image/png");
    bench.agent.prompt(Prompt::Text { text: "look".into(), images: vec![image] }).await.unwrap();
    bench.agent.prompt(Message::from(UserMessage::text("one", 0))).await.unwrap();
    let several = ["two", "three"].map(|text| Arc::new(UserMessage::text(text, 0).into()));
    bench.agent.prompt(several.to_vec()).await.unwrap();
    assert_eq!(bench.script.roles(), ["u", "uau", "uauauu"]);
    let first = serde_json::to_value(&*bench.agent.state().messages[0]).unwrap();
    assert_eq!(first["content"][0], serde_json::json!({"type": "text", "text": "look"}));
    assert_eq!((&first["content"][1]["type"], &first["timestamp"]), (&"image".into(), &7.into()));
}

#[tokio::test]
async fn a_prompt_from_within_the_run_is_refused() {
    let bench = Bench::new([Reply::Text("hi")], []);
    let (agent, refused) = (bench.agent.clone(), Arc::new(Mutex::new(Vec::new())));
    let log = Arc::clone(&refused);
    bench.agent.on_event_async(move |_, _| {
        let (agent, log) = (agent.clone(), Arc::clone(&log));
        async move {
            let outcomes = (agent.prompt("again").await, agent.continue_run().await);
            log.lock().unwrap().push(outcomes);
            Ok(())
        }
    });
    bench.run("go").await;
    let refused = refused.lock().unwrap();
    assert!(refused.len() > 7);
    let expected = (Err(Error::PromptWhileRunning), Err(Error::ContinueWhileRunning));
    assert!(refused.iter().all(|outcome| *outcome == expected), "{refused:?}");
}

#[tokio::test]
async fn a_run_is_over_when_its_last_listener_is() {
    let bench = Bench::new([Reply::Text("hi")], []);
    let (gate, at_the_end) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let (wait, arrived) = (Arc::clone(&gate), Arc::clone(&at_the_end));
    bench.agent.on_event_async(move |event, _| {
        let (wait, arrived) = (Arc::clone(&wait), Arc::clone(&arrived));
        async move {
            if matches!(event, AgentEvent::AgentEnd { .. }) {
                arrived.store(true, Ordering::SeqCst);
                wait.notified().await;
            }
            Ok(())
        }
    });
    let agent = bench.agent.clone();
    let run = tokio::spawn(async move { agent.prompt("go").await });
    bench.until(|| at_the_end.load(Ordering::SeqCst)).await;
    let idle = bench.agent.wait_for_idle();
    tokio::pin!(idle);
    assert!(futures::poll!(&mut idle).is_pending());
    assert!(bench.agent.state().is_streaming && bench.agent.cancellation().is_some());
    assert_eq!(bench.agent.prompt("early").await, Err(Error::PromptWhileRunning));
    gate.notify_one();
    idle.await;
    assert!(bench.agent.cancellation().is_none());
    run.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_reset_keeps_settings_and_forgets_the_rest() {
    let bench = Bench::new([Reply::Reject("no key")], []);
    bench.agent.set_system_prompt("be brief");
    bench.run("go").await;
    bench.agent.steer(UserMessage::text("s", 0));
    bench.agent.reset();
    let state = bench.agent.state();
    assert_eq!((state.messages.len(), state.error_message, &*state.system_prompt), (0, None, "be brief"));
    assert!(!bench.agent.has_queued_messages());
}

#[tokio::test]
async fn two_prompts_share_the_transcript() {
    let bench = Bench::new([Reply::Text("one"), Reply::Text("two")], []);
    bench.agent.prompt("first").await.unwrap();
    bench.agent.prompt("second").await.unwrap();
    let sizes: Vec<_> = bench.script.requests.lock().unwrap().iter().map(|context| context.messages.len()).collect();
    assert_eq!(sizes, [1, 3]);
}

#[tokio::test]
async fn continuing_answers_what_is_there() {
    let bench = Bench::new([Reply::Text("hi")], []);
    bench.agent.push_message(Arc::new(UserMessage::text("stored", 0).into()));
    bench.agent.continue_run().await.unwrap();
    insta::assert_snapshot!(bench.trace(), @"agent_start turn_start S(asst) U E(asst) turn_end(0) agent_end(1)");
}

#[tokio::test]
async fn misuse_is_an_error() {
    let bench = Bench::new([Reply::Text("hi")], []);
    assert_eq!(bench.agent.continue_run().await, Err(Error::NothingToContinue));
    bench.agent.prompt("x").await.unwrap();
    let error = bench.agent.continue_run().await.unwrap_err();
    assert_eq!(error.to_string(), "Cannot continue from message role: assistant");
    assert!(!bench.agent.is_running());
}

#[tokio::test]
async fn a_second_prompt_during_a_run_is_refused() {
    let bench = Bench::new([Reply::Hang], []);
    let agent = bench.agent.clone();
    let run = tokio::spawn(async move { agent.prompt("first").await });
    bench.until(|| bench.trace().contains('U')).await;
    assert_eq!(bench.agent.prompt("second").await, Err(Error::PromptWhileRunning));
    assert_eq!(bench.agent.continue_run().await, Err(Error::ContinueWhileRunning));
    bench.agent.abort();
    run.await.unwrap().unwrap();
}

#[tokio::test]
async fn listeners_see_the_state_after_the_event() {
    let bench = Bench::new([Reply::Text("hi")], []);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (agent, log) = (bench.agent.clone(), Arc::clone(&seen));
    bench.on(move |_| {
        let entry = agent.with_state(|s| (s.is_streaming, s.streaming_message.is_some(), s.messages.len()));
        log.lock().unwrap().push(entry);
    });
    bench.agent.prompt("x").await.unwrap();
    let seen = seen.lock().unwrap().clone();
    assert!(seen.iter().all(|(streaming, _, _)| *streaming), "streaming until the last listener returned");
    assert_eq!(seen.last(), Some(&(true, false, 2)));
    assert!(!bench.agent.state().is_streaming);
}

#[tokio::test]
async fn unknown_roles_stay_in_the_transcript_but_not_in_the_request() {
    let bench = Bench::new([Reply::Text("hi")], []);
    let note: Message = serde_json::from_str(r#"{"role":"note","text":"keep me"}"#).unwrap();
    bench.agent.push_message(Arc::new(note));
    bench.agent.prompt("x").await.unwrap();
    let requests = bench.script.requests.lock().unwrap();
    assert_eq!(requests[0].messages.iter().map(|m| m.role()).collect::<Vec<_>>(), ["user"]);
    assert_eq!(bench.agent.state().messages[0].role(), "note");
}
