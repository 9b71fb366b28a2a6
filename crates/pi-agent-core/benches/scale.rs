//! How many agents fit into one process: memory of idle ones, events per second of running ones, and how evenly these
//! get on.
//!
//! 5,000 agents have answered once and wait; 200 run at the same time on one thread, each a few turns of text and tool
//! calls from a scripted model. A plain program, because the figures are not times of one function. Run with
//! `cargo bench -p pi-agent-core --bench scale`.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program that prints figures")]

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use allocation_counter::measure;
use pi_agent_core::{Agent, AgentOptions, AgentState, FnTool, StreamFn, Tool, ToolOutput, ToolSet, api_stream_fn};
use pi_ai::scripted::{self, ScriptedProvider, ScriptedStep};
use pi_ai::{ApiRegistry, Message, Model, StreamOptions, ToolDefinition};
use serde_json::json;

const IDLE: usize = 5_000;
const RUNNING: usize = 200;
/// Model calls of a run; all but the last ask for a tool.
const TURNS: usize = 4;
/// Words of an answer. A delta holds about two.
const WORDS: usize = 1_400;
const ROUNDS: usize = 5;

/// What all agents share.
struct Shared {
    provider: ScriptedProvider,
    stream: Arc<StreamFn>,
    tools: ToolSet,
    prompt: Arc<str>,
}

impl Shared {
    fn new() -> Self {
        let provider = ScriptedProvider::new(Default::default());
        let apis = ApiRegistry::empty();
        apis.register(Arc::new(provider.clone()));
        let definition = ToolDefinition {
            name: "echo".into(),
            description: "Says the same.".into(),
            parameters: json!({ "type": "object", "properties": { "text": { "type": "string" } } }),
        };
        let echo = FnTool::new(definition, |call| async move { Ok(ToolOutput::text(call.arguments.to_string())) });
        let tools = ToolSet::new([Arc::new(echo) as Arc<dyn Tool>]);
        Self { provider, stream: api_stream_fn(Arc::new(apis)), tools, prompt: "Be brief. ".repeat(200).into() }
    }

    /// An agent with a session of its own and a listener.
    fn agent(&self, number: usize, model: &Arc<Model>, progress: &Arc<Progress>) -> Agent {
        let initial_state = AgentState {
            system_prompt: Arc::clone(&self.prompt),
            model: Arc::clone(model),
            tools: self.tools.clone(),
            ..AgentState::default()
        };
        let stream_options =
            StreamOptions { session_id: Some(format!("session-{number}")), ..StreamOptions::default() };
        let options = AgentOptions::builder().stream(Arc::clone(&self.stream)).initial_state(initial_state);
        let agent = Agent::new(options.stream_options(stream_options).build());
        let progress = Arc::clone(progress);
        agent.on_event(move |_| progress.count(number));
        agent
    }
}

/// Events per agent, and what they were when half of all had happened.
struct Progress {
    events: Vec<AtomicU64>,
    total: AtomicU64,
    half: AtomicU64,
    at_half: Mutex<Vec<u64>>,
}

impl Progress {
    fn new(agents: usize, half: u64) -> Arc<Self> {
        let events = (0..agents).map(|_| AtomicU64::new(0)).collect();
        Arc::new(Self { events, total: AtomicU64::new(0), half: AtomicU64::new(half), at_half: Mutex::default() })
    }

    fn count(&self, agent: usize) {
        self.events[agent].fetch_add(1, Relaxed);
        if self.total.fetch_add(1, Relaxed) + 1 == self.half.load(Relaxed) {
            *self.at_half.lock().unwrap() = self.events.iter().map(|events| events.load(Relaxed)).collect();
        }
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

/// Agents that answered once, and what they occupy beyond their messages, in bytes.
fn idle(shared: &Shared) -> (Vec<Agent>, u64) {
    let runtime = runtime();
    let (model, progress) = (shared.provider.model(), Progress::new(IDLE, 0));
    shared.provider.set_steps((0..IDLE).map(|_| scripted::message([scripted::text("I am here.")])));
    let mut agents = Vec::with_capacity(IDLE);
    let all = measure(|| {
        for number in 0..IDLE {
            let agent = shared.agent(number, &model, &progress);
            runtime.block_on(agent.prompt("Are you there?")).unwrap();
            agents.push(agent);
        }
    });
    let mut copies: Vec<Arc<Message>> = Vec::with_capacity(4 * IDLE);
    let messages = measure(|| {
        for agent in &agents {
            agent.with_state(|state| copies.extend(state.messages.iter().map(|m| Arc::new((**m).clone()))));
        }
    });
    black_box(copies);
    (agents, u64::try_from(all.bytes_current - messages.bytes_current).unwrap() / IDLE as u64)
}

/// How long this thread has had a core, where the system says so: other programs do not count then.
fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Runs all agents to their end; returns events per second of one core.
fn running(shared: &Shared, half: u64) -> (f64, Arc<Progress>) {
    let progress = Progress::new(RUNNING, half);
    let text = "words of it ".repeat(WORDS / 3);
    let step = |turn: usize| match turn {
        TURNS => scripted::message([scripted::text(&text)]),
        _ => scripted::tool_use([scripted::text(&text), scripted::tool_call("c", "echo", json!({ "text": "hi" }))]),
    };
    // Runs do not take the same turn at the same time, so each looks at its own transcript for its step.
    let steps = (0..RUNNING * TURNS).map(|_| {
        let steps: [_; 2] = [step(1), step(TURNS)];
        ScriptedStep::new(move |call| {
            let [more, last] = steps;
            Ok(if call.context.messages.len() < 2 * TURNS - 1 { more } else { last })
        })
    });
    shared.provider.set_steps(steps);
    let model = shared.provider.model();
    let agents: Vec<Agent> = (0..RUNNING).map(|number| shared.agent(number, &model, &progress)).collect();
    let runtime = runtime();
    let (start, from) = (Instant::now(), cpu_time());
    runtime.block_on(async {
        let runs: Vec<_> = agents
            .iter()
            .map(|agent| {
                let agent = agent.clone();
                tokio::spawn(async move { agent.prompt("Go on.").await })
            })
            .collect();
        for run in runs {
            run.await.unwrap().unwrap();
        }
    });
    let elapsed = start.elapsed();
    let busy = cpu_time().zip(from).map_or(elapsed, |(to, from)| to.saturating_sub(from));
    (progress.total.load(Relaxed) as f64 / busy.as_secs_f64(), progress)
}

/// 1 when all are equal, 1/n when one has everything.
fn jain(values: &[u64]) -> f64 {
    let sum: f64 = values.iter().map(|value| *value as f64).sum();
    let squares: f64 = values.iter().map(|value| (*value as f64).powi(2)).sum();
    sum * sum / (values.len() as f64 * squares)
}

/// A line of `/proc/self/status` in MB, where there is such a thing.
fn memory(name: &str) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().nth(1)?.parse().ok());
    kilobytes.map_or_else(|| "unknown".to_owned(), |kilobytes: f64| format!("{:.1} MB", kilobytes / 1024.0))
}

fn main() {
    let shared = Shared::new();
    let before = memory("VmRSS");
    let (agents, bytes) = idle(&shared);
    println!("idle agent beyond its messages  {:.2} KB", bytes as f64 / 1024.0);
    println!("process, before and with {IDLE} idle agents  {before}, {}", memory("VmRSS"));
    // The first round finds out how many events there are.
    let (_, first) = running(&shared, 0);
    let events = first.total.load(Relaxed);
    println!("events of {RUNNING} agents  {events}");
    let mut speeds = Vec::new();
    for _ in 0..ROUNDS {
        let (speed, progress) = running(&shared, events / 2);
        let mut half = progress.at_half.lock().unwrap().clone();
        half.sort_unstable();
        println!(
            "events/s  {speed:.0}   progress at half: min {} median {} max {}, Jain index {:.4}",
            half[0],
            half[RUNNING / 2],
            half[RUNNING - 1],
            jain(&half)
        );
        speeds.push(speed);
    }
    speeds.sort_by(f64::total_cmp);
    println!("events/s, median of {ROUNDS}  {:.0}", speeds[ROUNDS / 2]);
    println!("process at most  {}", memory("VmHWM"));
    drop(agents);
}
