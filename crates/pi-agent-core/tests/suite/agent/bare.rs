//! The loop without an agent.

use std::sync::{Arc, Mutex};

use futures::{FutureExt, StreamExt};
use pi_agent_core::{
    AgentContext, AgentEvent, AgentLoopConfig, Error, Hooks, MessageSource, RunFailure, ToolSet, agent_loop,
    agent_loop_continue, run_agent_loop, run_agent_loop_continue,
};
use pi_ai::{FixedClock, Message, UserMessage};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::agent::support::{Act, Reply, Script, roles, short, tool};

fn config(replies: impl IntoIterator<Item = Reply>) -> AgentLoopConfig {
    let stream = Script::new(replies).stream_fn();
    AgentLoopConfig::builder().model(Arc::default()).stream(stream).clock(Arc::new(FixedClock(7))).build()
}

fn user(text: &str) -> Arc<Message> {
    Arc::new(UserMessage::text(text, 0).into())
}

fn context(messages: &[&str]) -> AgentContext {
    let tools = ToolSet::new([tool("echo", Act::Echo)]);
    AgentContext { messages: messages.iter().map(|text| user(text)).collect(), tools, ..AgentContext::default() }
}

fn calls() -> Reply {
    Reply::Calls(vec![("a", "echo", json!({}))])
}

async fn trace(mut events: pi_agent_core::AgentEventStream) -> (String, String) {
    let mut words = Vec::new();
    while let Some(event) = events.next().await {
        words.push(short(&event));
    }
    words.dedup_by(|a, b| a == "U" && b == "U");
    let result = roles(events.messages().unwrap());
    assert_eq!(roles(&events.result().await), result, "the result can be asked for at any time");
    (words.join(" "), result)
}

#[tokio::test]
async fn a_prompt_as_a_stream() {
    let (trace, added) = trace(agent_loop("go", context(&["before"]), config([calls(), Reply::Text("done")]))).await;
    insta::assert_snapshot!(trace, @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) xe(a) S(a) E(a) turn_end(1) turn_start S(asst) U E(asst) turn_end(0) agent_end(4)");
    assert_eq!(added, "uara");
}

#[tokio::test]
async fn the_result_alone() {
    let added = agent_loop("go", context(&[]), config([Reply::Text("hi")])).result().await;
    assert_eq!(roles(&added), "ua");
}

#[tokio::test]
async fn continuing_as_a_stream() {
    let events = agent_loop_continue(context(&["go"]), config([Reply::Text("hi")])).unwrap();
    let (trace, added) = trace(events).await;
    insta::assert_snapshot!(trace, @"agent_start turn_start S(asst) U E(asst) turn_end(0) agent_end(1)");
    assert_eq!(added, "a");
}

#[tokio::test]
async fn what_cannot_be_continued() {
    let error = agent_loop_continue(context(&[]), config([])).unwrap_err();
    assert_eq!(error, Error::EmptyContext);
    assert_eq!(error.to_string(), "Cannot continue: no messages in context");
    let mut answered = context(&["go"]);
    answered.messages.extend(agent_loop("x", context(&[]), config([Reply::Text("hi")])).result().await);
    let error = run_agent_loop_continue(answered, config([]), |_| async { Ok(()) }).await.unwrap_err();
    assert_eq!(error.to_string(), "Cannot continue from message role: assistant");
    let mut noted = context(&["go"]);
    noted.messages.push(Arc::new(serde_json::from_str(r#"{"role":"note"}"#).unwrap()));
    assert!(agent_loop_continue(noted, config([Reply::Text("hi")])).is_ok(), "hooks may convert it");
}

#[tokio::test]
async fn the_run_waits_for_its_consumer() {
    let script = Script::new([Reply::Text("hi")]);
    let config = AgentLoopConfig::builder().model(Arc::default()).stream(script.stream_fn()).build();
    let mut events = agent_loop("go", context(&[]), config);
    for expected in ["agent_start", "turn_start", "S(go)", "E(go)"] {
        assert_eq!(short(&events.next().await.unwrap()), expected);
        assert!(script.requests.lock().unwrap().is_empty(), "the run is ahead of {expected}");
    }
    events.next().await.unwrap();
    assert_eq!(script.requests.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn queues_are_functions() {
    let queue = |texts: &[&'static str]| -> Arc<MessageSource> {
        let waiting = Mutex::new(texts.to_vec());
        Arc::new(move || {
            let next: Vec<_> = waiting.lock().unwrap().pop().into_iter().map(user).collect();
            async move { Ok(next) }.boxed()
        })
    };
    let config = AgentLoopConfig {
        steering: Some(queue(&["s1"])),
        follow_ups: Some(queue(&["f1"])),
        ..config([Reply::Text("1"), Reply::Text("2")])
    };
    let (trace, added) = trace(agent_loop("go", context(&[]), config)).await;
    insta::assert_snapshot!(trace, @"agent_start turn_start S(go) E(go) S(s1) E(s1) S(asst) U E(asst) turn_end(0) turn_start S(f1) E(f1) S(asst) U E(asst) turn_end(0) agent_end(5)");
    assert_eq!(added, "uuaua");
}

#[tokio::test]
async fn a_broken_hook_ends_the_stream() {
    let broken: [Hooks; 2] = [
        Hooks::default().with_convert_to_llm(|_| Err("broken".into())),
        Hooks::default().with_prepare_next_turn(|_| async { panic!("on purpose") }),
    ];
    for hooks in broken {
        let (trace, added) =
            trace(agent_loop("go", context(&[]), AgentLoopConfig { hooks, ..config([calls()]) })).await;
        assert!(trace.ends_with("S(asst) E(asst error) turn_end(0) agent_end(1)"), "{trace}");
        assert!(added.starts_with('u') && added.ends_with('a'), "{added}: nothing is lost");
    }
    let source: Arc<MessageSource> = Arc::new(|| async { Err(RunFailure::new("no queue")) }.boxed());
    let (trace, added) =
        trace(agent_loop("go", context(&[]), AgentLoopConfig { steering: Some(source), ..config([]) })).await;
    insta::assert_snapshot!(format!("{trace} {added}"), @"agent_start turn_start S(go) E(go) S(asst) E(asst error) turn_end(0) agent_end(1) ua");
}

#[tokio::test]
async fn cancelling_ends_the_stream() {
    let cancel = CancellationToken::new();
    let config = AgentLoopConfig { cancel: cancel.clone(), ..config([Reply::Deaf]) };
    let mut events = agent_loop("go", context(&[]), config);
    while let Some(event) = events.next().await {
        if matches!(event, AgentEvent::MessageUpdate { .. }) {
            cancel.cancel();
        }
    }
    let last = events.result().await.pop().unwrap();
    assert_eq!(last.as_assistant().unwrap().error_message.as_deref(), Some("Request was aborted"));
}

#[tokio::test]
async fn a_sink_is_awaited_and_may_break_the_run_off() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&heard);
    let sink = move |event: AgentEvent| {
        let log = Arc::clone(&log);
        async move {
            tokio::task::yield_now().await;
            log.lock().unwrap().push(short(&event));
            if matches!(event, AgentEvent::ToolExecutionStart { .. }) { Err("enough".into()) } else { Ok(()) }
        }
    };
    let added = run_agent_loop("go", context(&[]), config([calls()]), sink).await;
    let mut heard = heard.lock().unwrap().clone();
    heard.dedup_by(|a, b| a == "U" && b == "U");
    insta::assert_snapshot!(heard.join(" "), @"agent_start turn_start S(go) E(go) S(asst) U E(asst toolUse) xs(a) S(asst) E(asst error) turn_end(0) agent_end(1)");
    assert_eq!(roles(&added), "uaa");
}

#[tokio::test]
async fn continuing_into_a_sink() {
    let added =
        run_agent_loop_continue(context(&["go"]), config([Reply::Text("hi")]), |_| async { Ok(()) }).await.unwrap();
    assert_eq!(roles(&added), "a");
}

#[test]
fn no_runtime_is_needed() {
    // Only waiting for tools after an abort needs a clock.
    let run = agent_loop("go", context(&[]), config([calls(), Reply::Text("done")])).result();
    assert_eq!(roles(&run.now_or_never().unwrap()), "uara");
}
