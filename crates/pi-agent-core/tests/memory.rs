//! Memory: what an idle agent occupies, and that reading an answer costs what it holds, not its square.
//!
//! A binary of its own: the crate that counts replaces the global allocator of whatever links it.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use allocation_counter::measure;
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use futures::{FutureExt, Stream};
use pi_agent_core::{
    Agent, AgentEvent, AgentOptions, AgentState, FnTool, ProxyOptions, StreamFn, ToolOutput, ToolSet, api_stream_fn,
    encode_events, proxy_stream_fn,
};
use pi_ai::scripted::{self, ScriptedProvider};
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport};
use pi_ai::{
    ApiRegistry, AssistantMessageEvent, AssistantMessageStream, Context, Error, MessageBuilder, Model, StopReason,
    StreamOptions, ToolDefinition,
};
use serde_json::json;
use tokio::runtime::Runtime;

/// An idle agent may occupy so much beyond its messages, in bytes.
const IDLE_AGENT: i64 = 20 * 1024;

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

#[test]
fn an_idle_agent_is_small() {
    const AGENTS: usize = 500;
    let provider = ScriptedProvider::playing((0..AGENTS).map(|_| scripted::message([scripted::text("Yes.")])));
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(provider.clone()));
    let (stream, model) = (api_stream_fn(Arc::new(apis)), provider.model());
    let runtime = runtime();
    let mut agents = Vec::with_capacity(AGENTS);
    let all = measure(|| {
        for _ in 0..AGENTS {
            let initial_state = AgentState { model: Arc::clone(&model), ..AgentState::default() };
            let options = AgentOptions::builder().stream(Arc::clone(&stream)).initial_state(initial_state);
            let agent = Agent::new(options.build());
            agent.on_event(|_| {});
            runtime.block_on(agent.prompt("Are you there?")).unwrap();
            agents.push(agent);
        }
    });
    assert!(agents.iter().all(|agent| agent.with_state(|state| state.messages.len() == 2)));
    let each = all.bytes_current / AGENTS as i64;
    assert!(each < IDLE_AGENT, "{each} bytes per idle agent, its two messages included");
}

/// Answers every request with the same body.
#[derive(Debug)]
struct Memory(Bytes);

impl HttpTransport for Memory {
    fn send(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        let body = self.0.clone();
        let pieces = (0..body.len()).step_by(4096).map(move |at| Ok(body.slice(at..(at + 4096).min(body.len()))));
        let response = HttpResponse { status: 200, headers: Default::default(), body: stream::iter(pieces).boxed() };
        std::future::ready(Ok(response)).boxed()
    }
}

/// A tool call in so many pieces.
fn call_in_pieces(deltas: usize) -> impl Stream<Item = AssistantMessageEvent> + Send {
    let mut message = MessageBuilder::new(&Model::default(), 0);
    message.start();
    let at = message.start_tool_call("c1", "write");
    message.tool_call_delta(at, "{\"text\":\"");
    (0..deltas).for_each(|_| message.tool_call_delta(at, "a word or so "));
    message.tool_call_delta(at, "\"}");
    message.end_tool_call(at);
    message.edit(|message| message.stop_reason = StopReason::ToolUse);
    let mut events: Vec<_> = std::iter::from_fn(|| message.next_event()).collect();
    events.push(message.done());
    stream::iter(events)
}

async fn read(client: &Arc<StreamFn>) -> usize {
    let options = StreamOptions::default();
    let events = client(Arc::new(Model::default()), Context::default(), options).await.unwrap();
    let message = events.result().await;
    assert_eq!(message.error_message, None);
    message.tool_calls().map(|call| call.arguments["text"].as_str().unwrap().len()).sum()
}

/// Bytes that the two halves allocate for a call in so many pieces.
fn cost_of_halves(deltas: usize) -> (u64, u64) {
    let runtime = runtime();
    let mut body = Bytes::new();
    let events = AssistantMessageStream::new(call_in_pieces(deltas));
    let server = measure(|| {
        let pieces: Vec<Bytes> = runtime.block_on(encode_events(events).map(Result::unwrap).collect());
        body = pieces.concat().into();
    });
    let http = Arc::new(Memory(body));
    let client = proxy_stream_fn(ProxyOptions::builder().proxy_url("http://p").auth_token("t").http(http).build());
    let client = measure(|| assert_eq!(runtime.block_on(read(&client)), 13 * deltas));
    (server.bytes_total, client.bytes_total)
}

/// Ten times the pieces cost ten times as much, fixed costs aside: nothing is parsed or copied per piece.
#[test]
fn a_tool_call_through_a_proxy_is_linear() {
    let (small, large) = (cost_of_halves(2_000), cost_of_halves(20_000));
    for (half, small, large) in [("server", small.0, large.0), ("client", small.1, large.1)] {
        assert!(large < 11 * small, "{half}: {small} and {large} bytes");
    }
}

/// A message whose one call has arguments of this size, as it comes out of a stream.
fn finished_call(size: usize) -> AssistantMessageEvent {
    let mut message = MessageBuilder::new(&Model::default(), 0);
    let at = message.start_tool_call("c1", "write");
    message.tool_call_delta(at, &json!({ "text": "x".repeat(size) }).to_string());
    message.end_tool_call(at);
    message.edit(|message| message.stop_reason = StopReason::ToolUse);
    message.done()
}

/// Bytes that a run allocates between the end of the stream and the end of the turn, for a call with arguments of this size.
fn cost_of_call(size: usize) -> u64 {
    let answers = Mutex::new(vec![MessageBuilder::new(&Model::default(), 0).done(), finished_call(size)]);
    let stream: Arc<StreamFn> = Arc::new(move |_, _, _| {
        let done = answers.lock().unwrap().pop().unwrap();
        let mut begun = MessageBuilder::new(&Model::default(), 0);
        begun.start();
        let events: Vec<_> = begun.next_event().into_iter().chain([done]).collect();
        std::future::ready(Ok(AssistantMessageStream::new(stream::iter(events)))).boxed()
    });
    let schema = json!({ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] });
    let definition = ToolDefinition { name: "write".into(), description: String::new(), parameters: schema };
    let seen = Arc::new(AtomicUsize::new(0));
    let (noted, heard) = (Arc::clone(&seen), Arc::clone(&seen));
    let tool = FnTool::new(definition, move |call| {
        noted.fetch_add(call.arguments["text"].as_str().unwrap().len(), Ordering::Relaxed);
        async { Ok(ToolOutput::text("written")) }
    });
    let initial_state = AgentState { tools: ToolSet::new([Arc::new(tool) as _]), ..AgentState::default() };
    let agent = Agent::new(AgentOptions::builder().stream(stream).initial_state(initial_state).build());
    agent.on_event(move |event| {
        if let AgentEvent::ToolExecutionStart { args, .. } = event {
            heard.fetch_add(args["text"].as_str().unwrap().len(), Ordering::Relaxed);
        }
    });
    let runtime = runtime();
    let cost = measure(|| runtime.block_on(agent.prompt("Write it.")).unwrap());
    assert_eq!(seen.load(Ordering::Relaxed), 2 * size);
    cost.bytes_total
}

/// The tool gets arguments of its own; the transcript, the events and whoever listens share those of the message.
#[test]
fn arguments_of_a_call_are_copied_once() {
    const SIZE: usize = 200_000;
    let copies = (cost_of_call(SIZE) - cost_of_call(1)) as f64 / SIZE as f64;
    assert!((0.9..1.1).contains(&copies), "{copies} copies");
}
