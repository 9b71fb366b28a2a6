//! Many sessions in one process: what they cost when they rest, how soon they stop when they run.
//!
//! `cargo run --release -p pi-coding-agent --example 13_concurrent_sessions [-- <resting> <running>]`
#![allow(clippy::print_stdout, reason = "examples print")]

#[path = "support/mod.rs"]
mod support;

use std::error::Error;
use std::time::{Duration, Instant};

use pi_ai::CacheRetention;
use pi_ai::scripted::{ScriptedOptions, ScriptedStep};
use pi_coding_agent::agent_session::PromptOptions;
use pi_coding_agent::sdk::CreateAgentSessionOptions;
use pi_coding_agent::session::SessionManager;
use pi_coding_agent::session_pool::{PoolOptions, SessionPool};
use support::{Offline, ask, says};

const PROMPTS: usize = 10;
const LIMIT: Duration = Duration::from_secs(30);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let resting = numbers.next().transpose()?.unwrap_or(1000);
    let running = numbers.next().transpose()?.unwrap_or(100);

    let offline = Offline::with_models(ScriptedOptions::default())?;
    let pool = pool(&offline);
    for _ in 0..resting {
        let session = in_memory(&pool).await?;
        offline.provider.set_steps((0..PROMPTS).map(|_| says(&"An answer of some length. ".repeat(16))));
        for number in 0..PROMPTS {
            ask(&session, &format!("Question {number}: {}", "what else is there to say? ".repeat(8))).await?;
        }
    }
    println!("{} sessions rest with {} messages each", pool.len(), 2 * PROMPTS);
    println!("memory of the process: {}", memory());
    pool.shutdown_all(LIMIT).await?;

    // A model that talks slowly and has much to say.
    let slow = Offline::with_models(ScriptedOptions::builder().tokens_per_second(Some(200.0)).build())?;
    slow.provider.set_steps((0..running).map(|_| ScriptedStep::from(says(&"word ".repeat(20_000)))));
    let pool = self::pool(&slow);
    let mut runs = Vec::new();
    for _ in 0..running {
        let session = in_memory(&pool).await?;
        let run = session.clone();
        runs.push((session, tokio::spawn(async move { run.prompt("go", PromptOptions::default()).await })));
    }
    while !runs.iter().all(|(session, _)| session.is_streaming()) {
        tokio::task::yield_now().await;
    }
    println!("{} sessions run", runs.len());
    let mut times = Vec::new();
    for (session, run) in runs {
        let from = Instant::now();
        session.abort().await;
        times.push(from.elapsed());
        run.await??;
    }
    times.sort();
    println!("abort: median {:?}, p99 {:?}", times[times.len() / 2], times[times.len() * 99 / 100]);
    pool.shutdown_all(LIMIT).await?;
    Ok(())
}

fn pool(offline: &Offline) -> SessionPool {
    let options = PoolOptions::builder().env(offline.env()).apis(offline.apis()).models(offline.models()).build();
    SessionPool::new(options)
}

async fn in_memory(pool: &SessionPool) -> Result<pi_coding_agent::agent_session::AgentSession, pi_coding_agent::Error> {
    let cwd = std::env::temp_dir();
    let manager = SessionManager::in_memory(pool.host(), &cwd);
    let options = CreateAgentSessionOptions { session_manager: Some(manager), ..pool.options(&cwd) };
    let session = pool.create(options).await?.session;
    // The stand-in for a provider would keep every prompt, to imitate a cache: that is no memory of the session.
    session.agent().edit_stream_options(|options| options.cache_retention = Some(CacheRetention::None));
    Ok(session)
}

/// What the system says of this process, where it says it.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let lines = status
        .lines()
        .filter(|line| line.starts_with("VmRSS") || line.starts_with("RssAnon") || line.starts_with("Threads"));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", ")
}
