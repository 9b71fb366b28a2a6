//! Prompts, continuation, misuse, state.

use std::sync::{Arc, Mutex};

use pi_agent_core::Error;
use pi_ai::{Message, UserMessage};

use crate::support::{Bench, Reply};

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
    while !bench.trace().contains('U') {
        tokio::task::yield_now().await;
    }
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
