//! How long it takes to abort a run whose `bash` call has started a tree of processes: from `Agent::abort` until the
//! prompt has returned, and until the last process is gone.
//!
//! Prints median and maximum. Run with `cargo bench -p pi-coding-agent --bench abort`.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measuring program for people")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pi_agent_core::{Agent, AgentEvent, AgentOptions, AgentState, Tool, ToolSet, api_stream_fn};
use pi_ai::ApiRegistry;
use pi_ai::scripted::{self, ScriptedProvider};
use pi_coding_agent::tools::{BashTool, ToolOptions};
use serde_json::json;

const ABORTS: usize = 50;

/// What runs when the abort comes. Each writes the ids of its processes.
const TREES: [(&str, &str); 3] = [
    ("sleep & wait", "sleep 1000 & echo $! $$ > pids; wait"),
    (
        "deep, deaf to signals",
        "trap '' TERM INT HUP; (trap '' TERM INT HUP; sleep 1000 & echo $! >> all; wait) & echo $! $$ >> all; \
         until [ $(wc -w < all) = 3 ]; do :; done; mv all pids; wait",
    ),
    ("in a session of its own", "setsid sh -c 'echo $$ >> pids; exec sleep 1000' & wait"),
];

#[tokio::main]
async fn main() {
    for (name, command) in TREES {
        let mut settled = Vec::new();
        let mut gone = Vec::new();
        for _ in 0..ABORTS {
            let (a, b) = abort_once(command).await;
            settled.push(a);
            gone.push(b);
        }
        println!("{name}: settled {}, processes gone {}", figures(settled), figures(gone));
    }
}

fn figures(mut times: Vec<Duration>) -> String {
    times.sort();
    let (median, max) = (times[times.len() / 2], times[times.len() - 1]);
    format!("median {:.1} ms, max {:.1} ms", 1e3 * median.as_secs_f64(), 1e3 * max.as_secs_f64())
}

/// Runs the command through the agent loop and aborts it: time until the prompt returned, until nothing ran any more.
async fn abort_once(command: &str) -> (Duration, Duration) {
    let dir = tempfile::tempdir().unwrap();
    let provider = ScriptedProvider::playing([scripted::tool_use([scripted::tool_call(
        "call",
        "bash",
        json!({ "command": command }),
    )])]);
    let apis = ApiRegistry::empty();
    apis.register(Arc::new(provider.clone()));
    let tools =
        ToolSet::new([Arc::new(BashTool::new(&ToolOptions::builder().cwd(dir.path()).build())) as Arc<dyn Tool>]);
    let state = AgentState { model: provider.model(), tools, ..AgentState::default() };
    let agent = Agent::new(AgentOptions::builder().stream(api_stream_fn(Arc::new(apis))).initial_state(state).build());
    let (ended, mut result) = tokio::sync::mpsc::unbounded_channel();
    agent.on_event(move |event| {
        if let AgentEvent::ToolExecutionEnd { result, .. } = event {
            let _ = ended.send(result.content[0].as_text().unwrap_or_default().to_owned());
        }
    });
    let prompt = async {
        agent.prompt("Run it.").await.unwrap();
        Instant::now()
    };
    let abort = async {
        let pids = loop {
            let pids = fs::read_to_string(dir.path().join("pids")).unwrap_or_default();
            if pids.ends_with('\n') {
                break pids;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        };
        let start = Instant::now();
        agent.abort();
        (pids, start)
    };
    let (end, (pids, start)) = tokio::join!(prompt, abort);
    while pids.split_whitespace().any(is_running) {
        tokio::time::sleep(Duration::from_micros(100)).await;
    }
    assert_eq!(result.recv().await.as_deref(), Some("Command aborted"));
    (end - start, start.elapsed())
}

/// A process that has ended but that nobody has asked about yet does not count: that is the business of process 1.
fn is_running(pid: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}
