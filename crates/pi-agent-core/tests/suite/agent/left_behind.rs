//! Nothing is left behind: no task is alive after an abort or a drop, wherever it happens.

use futures::StreamExt;
use pi_agent_core::{AgentContext, AgentLoopConfig, ToolExecutionMode, ToolSet, agent_loop};
use serde_json::json;
use tokio::runtime::Handle;

use crate::agent::support::{Act, Bench, Reply, tool};

fn alive() -> usize {
    Handle::current().metrics().num_alive_tasks()
}

/// Waits until the tasks of before are all there are.
async fn settle(before: usize, stage: &str) {
    for _ in 0..100_000 {
        if alive() <= before {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("{stage}: {} tasks are left", alive() - before);
}

/// Stages of a run, as marks in its trace, and the answer that gets it there.
fn stages() -> Vec<(&'static str, Reply)> {
    let call = || Reply::Calls(vec![("a", "spawns", json!({})), ("b", "spawns", json!({}))]);
    vec![("E(go)", Reply::NeverStarts), ("U", Reply::Hang), ("U", Reply::Deaf), ("xs(a)", call()), ("xs(b)", call())]
}

#[tokio::test(start_paused = true)]
async fn after_an_abort() {
    for mode in [ToolExecutionMode::Parallel, ToolExecutionMode::Sequential] {
        for (mark, reply) in
            stages().into_iter().filter(|(mark, _)| mode == ToolExecutionMode::Parallel || *mark != "xs(b)")
        {
            let before = alive();
            let bench = Bench::with_mode([reply], [tool("spawns", Act::Spawning)], mode);
            bench.abort_at(mark).await;
            settle(before, mark).await;
        }
    }
}

#[tokio::test]
async fn after_a_dropped_prompt() {
    for (mark, reply) in stages() {
        let before = alive();
        let bench = Bench::new([reply], [tool("spawns", Act::Spawning)]);
        let mut prompt = Box::pin(bench.agent.prompt("go"));
        assert!(futures::poll!(&mut prompt).is_pending());
        assert!(bench.trace().contains(mark), "{}", bench.trace());
        drop(prompt);
        assert!(!bench.agent.is_running());
        settle(before, mark).await;
    }
}

#[tokio::test]
async fn after_a_dropped_stream() {
    let replies = || [Reply::Calls(vec![("a", "spawns", json!({}))])];
    let mut lengths = Vec::new();
    for taken in 0.. {
        let before = alive();
        let script = crate::agent::support::Script::new(replies());
        let config = AgentLoopConfig::builder().model(Default::default()).stream(script.stream_fn()).build();
        let tools = ToolSet::new([tool("spawns", Act::Spawning)]);
        let mut events = agent_loop("go", AgentContext { tools, ..AgentContext::default() }, config.clone());
        let mut seen = 0;
        while seen < taken && events.next().now_or_never_yielding().await {
            seen += 1;
        }
        drop(events);
        assert!(!config.cancel.is_cancelled(), "the caller's token is the caller's");
        settle(before, "dropped stream").await;
        lengths.push(seen);
        if seen < taken {
            break;
        }
    }
    assert!(lengths.len() > 8, "{lengths:?}");
}

/// Whether there is a next event without waiting for the world.
trait NowOrNever {
    async fn now_or_never_yielding(self) -> bool;
}

impl<F: Future + Unpin> NowOrNever for F {
    async fn now_or_never_yielding(mut self) -> bool {
        for _ in 0..3 {
            if futures::poll!(&mut self).is_ready() {
                return true;
            }
            tokio::task::yield_now().await;
        }
        false
    }
}

#[tokio::test]
async fn after_a_run_that_broke_off_while_tools_ran() {
    let before = alive();
    let calls = Reply::Calls(vec![("a", "spawns", json!({})), ("b", "progress", json!({}))]);
    let tools = [tool("spawns", Act::Spawning), tool("progress", Act::Progress)];
    let bench = Bench::new([calls], tools);
    bench.on(|event| assert!(!matches!(event, pi_agent_core::AgentEvent::ToolExecutionUpdate { .. }), "on purpose"));
    let trace = bench.run("go").await;
    assert!(trace.ends_with("xu(b) S(asst) E(asst error) turn_end(0) agent_end(1)"), "{trace}");
    settle(before, "broken run").await;
}

/// Aborts from another thread at all sorts of moments: every run ends, and no task stays.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_many_aborts_from_elsewhere() {
    let before = alive();
    for yields in 0..100 {
        let calls = vec![("a", "spawns", json!({})), ("b", "echo", json!({})), ("c", "waits", json!({}))];
        let tools = [tool("spawns", Act::Spawning), tool("echo", Act::Progress), tool("waits", Act::UntilAborted)];
        let bench = Bench::new([Reply::Calls(calls)], tools);
        bench.agent.tool_settings().set_abort_grace(Some(std::time::Duration::ZERO));
        let agent = bench.agent.clone();
        let run = tokio::spawn(async move { agent.prompt("go").await });
        bench.until(|| bench.agent.is_running()).await;
        for _ in 0..yields {
            tokio::task::yield_now().await;
        }
        bench.agent.abort();
        let end = tokio::time::timeout(std::time::Duration::from_secs(60), run);
        end.await.expect("the abort hangs").unwrap().unwrap();
        let trace = bench.trace();
        assert!(trace.contains("E(asst aborted) turn_end(0) agent_end("), "{trace}");
    }
    settle(before, "many aborts").await;
}
