//! A run depends on its script, its clock and its tools only: the same again is the same to the byte.

use std::future::poll_fn;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use pi_agent_core::{
    Agent, AgentEvent, AgentOptions, AgentState, FnTool, Tool, ToolError, ToolOutput, ToolSet, api_stream_fn,
};
use pi_ai::scripted::{self, ScriptedOptions, ScriptedProvider};
use pi_ai::{
    ApiRegistry, AssistantMessageEvent, Clock, Message, SeededRandom, StopReason, StreamOptions, ToolDefinition,
    UserMessage,
};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

/// A clock that advances at every reading: one reading more or less shifts all later times.
#[derive(Debug, Default)]
struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now_ms(&self) -> i64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// All fields of an event.
fn line(event: &AgentEvent) -> Value {
    match event {
        AgentEvent::AgentStart => json!(["agent_start"]),
        AgentEvent::AgentEnd { messages } => json!(["agent_end", messages]),
        AgentEvent::TurnStart => json!(["turn_start"]),
        AgentEvent::TurnEnd { message, tool_results } => json!(["turn_end", message, tool_results]),
        AgentEvent::MessageStart { message } => json!(["message_start", message]),
        AgentEvent::MessageUpdate { event } => {
            let delta = match event {
                AssistantMessageEvent::TextDelta { delta, .. }
                | AssistantMessageEvent::ThinkingDelta { delta, .. }
                | AssistantMessageEvent::ToolCallDelta { delta, .. } => Some(delta),
                _ => None,
            };
            let partial = event.partial().map(|partial| (*partial.snapshot()).clone());
            json!(["message_update", event.kind(), event.content_index(), delta, partial])
        }
        AgentEvent::MessageEnd { message } => json!(["message_end", message]),
        AgentEvent::ToolExecutionStart { tool_call_id, tool_name, args, .. } => {
            json!(["tool_execution_start", tool_call_id, tool_name, args])
        }
        AgentEvent::ToolExecutionUpdate { tool_call_id, partial_result, .. } => {
            json!(["tool_execution_update", tool_call_id, partial_result.content])
        }
        AgentEvent::ToolExecutionEnd { tool_call_id, result, is_error, .. } => {
            json!(["tool_execution_end", tool_call_id, result.content, result.details, is_error])
        }
    }
}

/// Yields once. `tokio::task::yield_now` resumes when its scheduler chooses to, which differs between runtimes.
async fn let_others_run() {
    let mut waited = false;
    let wait = poll_fn(|context| {
        if std::mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    });
    wait.await;
}

/// A tool that reports a few steps, and fails where it is told to.
fn tool(name: &str) -> Arc<dyn Tool> {
    let parameters = json!({"type": "object", "properties": {"steps": {"type": "integer"}}});
    let definition = ToolDefinition { name: name.into(), description: "Walks.".into(), parameters };
    Arc::new(FnTool::new(definition, |call| async move {
        for step in 0..call.arguments["steps"].as_u64().unwrap_or_default() {
            call.updates.send(ToolOutput::text(format!("step {step}")));
            let_others_run().await;
        }
        if call.arguments["steps"] == 2 { Err(ToolError::new("stumbled")) } else { Ok(ToolOutput::text("there")) }
    }))
}

/// Thinking, text, several tools at once, an unknown one, steering, follow-ups, a failure.
fn script() -> ScriptedProvider {
    let provider = ScriptedProvider::new(ScriptedOptions {
        random: Arc::new(SeededRandom::new(11)),
        ..ScriptedOptions::default()
    });
    let walk = |id: &str, name: &str, steps: u64| scripted::tool_call(id, name, json!({ "steps": steps }));
    provider.append_steps([
        scripted::tool_use([
            scripted::thinking("Which way? ".repeat(20)),
            scripted::text("Off we go, all of us at the same time."),
            walk("c1", "walk", 3),
            walk("c2", "run", 2),
            walk("c3", "fly", 1),
            walk("c4", "walk", 1),
        ]),
        scripted::message([scripted::text("Half way. ".repeat(30))]),
        scripted::failure([scripted::text("And then")], StopReason::Error, "the road ended"),
    ]);
    provider
}

fn run_once(runtime: &Runtime) -> String {
    let provider = script();
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(provider.clone()));
    let clock: Arc<dyn Clock> = Arc::new(Ticking::default());
    let state = AgentState {
        model: provider.model(),
        tools: ToolSet::new([tool("walk"), tool("run")]),
        ..AgentState::default()
    };
    let options = AgentOptions::builder()
        .stream(api_stream_fn(Arc::new(apis)))
        .initial_state(state)
        .stream_options(StreamOptions { clock: Arc::clone(&clock), ..StreamOptions::default() })
        .clock(clock)
        .build();
    let agent = Agent::new(options);
    agent.follow_up(UserMessage::text("And after that?", 0));
    let lines = Arc::new(Mutex::new(String::new()));
    let log = Arc::clone(&lines);
    agent.on_event(move |event| *log.lock().unwrap() += &format!("{}\n", line(event)));
    runtime.block_on(agent.prompt("Walk!")).unwrap();
    let last = agent.state().messages.last().and_then(|message| message.as_assistant()?.error_message.clone());
    assert_eq!(last.as_deref(), Some("the road ended"));
    assert!(agent.state().messages.iter().all(|message| timestamp(message) < 100), "a time from elsewhere");
    drop(agent);
    Arc::into_inner(lines).unwrap().into_inner().unwrap()
}

fn timestamp(message: &Message) -> i64 {
    json!(message)["timestamp"].as_i64().unwrap()
}

#[test]
fn the_same_script_gives_the_same_bytes() {
    let current = Builder::new_current_thread().enable_time().build().unwrap();
    let threads = Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap();
    let first = run_once(&current);
    assert!(first.lines().count() > 80, "{} events", first.lines().count());
    for runtime in [&current, &threads, &threads] {
        let again = run_once(runtime);
        let different = first.lines().zip(again.lines()).find(|(a, b)| a != b);
        assert!(again == first, "{different:?}");
    }
}
