//! Whatever the model says, whatever the tools do, wherever the run is aborted: its events are well formed.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pi_agent_core::{QueueMode, Tool, ToolExecutionMode};
use pi_ai::{Message, StopReason, UserMessage};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use crate::agent::support::{Act, Bench, Reply, tool};

const TOOLS: [&str; 6] = ["echo", "fails", "panics", "progress", "terminates", "unknown"];
const IDS: [&str; 4] = ["a", "b", "c", "d"];

fn tools() -> Vec<Arc<dyn Tool>> {
    let acts = [Act::Echo, Act::Fail("no luck"), Act::Panic, Act::Progress, Act::Terminate];
    std::iter::zip(TOOLS, acts).map(|(name, act)| tool(name, act)).collect()
}

/// What the model says in one turn: the calls, and how the message ends.
type Turn = (Vec<&'static str>, u8);

fn reply((names, end): &Turn) -> Reply {
    let calls = std::iter::zip(IDS, names).map(|(id, name)| (id, *name, json!({}))).collect();
    match end {
        0 => Reply::Ended(StopReason::Error, calls),
        1 => Reply::Torn,
        2 => Reply::PanicLater,
        3 => Reply::Bare("hi"),
        4 => Reply::Reject("no"),
        _ => Reply::Calls(calls),
    }
}

#[derive(Debug)]
struct Case {
    turns: Vec<Turn>,
    sequential: bool,
    queued: usize,
    all: bool,
    abort_at: Option<usize>,
}

fn cases() -> impl Strategy<Value = Case> {
    let turn = (prop::collection::vec(select(&TOOLS[..]), 0..=4), 0..20u8);
    let rest = (any::<bool>(), 0..3usize, any::<bool>(), prop::option::of(0..40usize));
    (prop::collection::vec(turn, 0..5), rest).prop_map(|(turns, (sequential, queued, all, abort_at))| Case {
        turns,
        sequential,
        queued,
        all,
        abort_at,
    })
}

/// The case as an agent; scripts end in more plain answers than can be asked for.
fn bench(case: &Case) -> Bench {
    let replies = case.turns.iter().map(reply).chain((0..10).map(|_| Reply::Text("done")));
    let mode = if case.sequential { ToolExecutionMode::Sequential } else { ToolExecutionMode::Parallel };
    let bench = Bench::with_mode(replies, tools(), mode);
    if case.all {
        bench.agent.follow_ups().set_mode(QueueMode::All);
    }
    for _ in 0..case.queued {
        bench.agent.steer(UserMessage::text("steer", 0));
        bench.agent.follow_up(UserMessage::text("follow", 0));
    }
    let (agent, seen, abort_at) = (bench.agent.clone(), AtomicUsize::new(0), case.abort_at);
    bench.on(move |_| {
        if Some(seen.fetch_add(1, Ordering::SeqCst)) == abort_at {
            agent.abort();
        }
    });
    bench
}

fn count(words: &[&str], start: &str) -> usize {
    words.iter().filter(|word| word.starts_with(start)).count()
}

/// Every start has its end, and begin and end are where they belong.
fn check_events(trace: &str) {
    let words: Vec<&str> = trace.split(' ').filter(|word| *word != "error)" && *word != "aborted)").collect();
    assert_eq!((words[0], words[1]), ("agent_start", "turn_start"), "{trace}");
    assert!(words.last().unwrap().starts_with("agent_end("), "{trace}");
    assert_eq!((count(&words, "agent_start"), count(&words, "agent_end")), (1, 1), "{trace}");
    assert_eq!(count(&words, "turn_start"), count(&words, "turn_end"), "{trace}");
    assert_eq!(count(&words, "S("), count(&words, "E("), "{trace}");
    assert_eq!(count(&words, "xs("), count(&words, "xe("), "{trace}");
}

/// Results answer calls of the message before them, each once; all are answered unless the run was aborted.
fn check_transcript(bench: &Bench, aborted: bool) {
    let messages = bench.agent.state().messages;
    let mut open: BTreeSet<String> = BTreeSet::new();
    for message in &messages {
        match &**message {
            Message::ToolResult(result) => assert!(open.remove(&result.tool_call_id), "{}", bench.transcript()),
            Message::Assistant(answer) => {
                assert!(open.is_empty() || aborted, "{}", bench.transcript());
                let failed = answer.stop_reason.is_failure();
                assert_eq!(answer.error_message.is_some(), failed, "{}", bench.transcript());
                open = answer.tool_calls().filter(|_| !failed).map(|call| call.id.clone()).collect();
            }
            Message::User(_) | Message::Other(_) => {}
        }
    }
    assert!(open.is_empty() || aborted, "{}", bench.transcript());
}

proptest! {
    #[test]
    fn events_and_transcript_of_any_run(case in cases()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let bench = bench(&case);
        let trace = runtime.block_on(bench.run("go"));
        check_events(&trace);
        check_transcript(&bench, case.abort_at.is_some());
        assert!(!bench.agent.is_running());
        let state = bench.agent.state();
        assert!(state.pending_tool_calls.is_empty() && state.streaming_message.is_none());
        // What was queued is either delivered or still there.
        let delivered = bench.transcript().lines().filter(|line| line.ends_with("steer") || line.ends_with("follow")).count();
        assert_eq!(delivered + bench.agent.queued_count(), 2 * case.queued);
    }
}
