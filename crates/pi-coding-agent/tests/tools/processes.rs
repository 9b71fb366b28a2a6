//! Real processes: whatever a command starts is gone when it should be, and lives on when it may.

use std::fs;
use std::time::{Duration, Instant};

use pi_agent_core::ToolUpdates;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::{Workbench, is_alive, text};

/// Long enough for a loaded machine, short enough not to be the sleep of a test command (600 s).
const PATIENCE: Duration = Duration::from_secs(20);

/// Waits until a condition holds.
async fn eventually(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A command that writes the ids of a stubborn tree of processes to `pids`: itself, a child that ignores signals,
/// a grandchild.
const TREE: &str = "trap '' TERM INT HUP; (trap '' TERM INT HUP; sleep 600 & echo $! >> pids; \
                    sh -c 'echo $$ >> pids; sleep 600; true' & wait) & echo $! >> pids; echo $$ >> pids; \
                    echo started; wait; wait; wait";

impl Workbench {
    fn pids(&self) -> Vec<String> {
        fs::read_to_string(self.path("pids")).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
    }

    async fn tree_is_up(&self) {
        eventually("the tree starts", || self.pids().len() == 4).await;
        assert!(self.pids().iter().all(|pid| is_alive(pid)));
    }

    async fn tree_is_gone(&self) {
        eventually("the tree dies", || !self.pids().iter().any(|pid| is_alive(pid))).await;
    }
}

#[tokio::test]
async fn an_abort_kills_the_whole_tree_and_keeps_the_output() {
    let bench = Workbench::new();
    let cancel = CancellationToken::new();
    let call = bench.call_with("bash", json!({ "command": TREE }), cancel.clone(), ToolUpdates::ignored());
    let (answer, ()) = tokio::join!(call, async {
        bench.tree_is_up().await;
        cancel.cancel();
    });
    assert_eq!(text(&answer), "started\n\n\nCommand aborted");
    bench.tree_is_gone().await;
}

#[tokio::test]
async fn a_timeout_kills_the_whole_tree() {
    let bench = Workbench::new();
    let answer = bench.call("bash", json!({ "command": TREE, "timeout": 2 })).await;
    assert_eq!(text(&answer), "started\n\n\nCommand timed out after 2 seconds");
    assert!(!bench.pids().is_empty());
    bench.tree_is_gone().await;
}

#[tokio::test]
async fn a_dropped_call_kills_the_whole_tree() {
    let bench = Workbench::new();
    let call = bench.call("bash", json!({ "command": TREE }));
    tokio::select! {
        answer = call => panic!("ended by itself: {answer:?}"),
        () = bench.tree_is_up() => {}
    }
    bench.tree_is_gone().await;
}

#[tokio::test]
async fn output_that_never_ends_is_aborted_too() {
    let bench = Workbench::new();
    let cancel = CancellationToken::new();
    let (updates, mut reports) = ToolUpdates::channel();
    let call = bench.call_with("bash", json!({"command": "yes"}), cancel.clone(), updates);
    let (answer, ()) = tokio::join!(call, async {
        // The empty report, and one with output.
        reports.recv().await.unwrap();
        reports.recv().await.unwrap();
        cancel.cancel();
    });
    let told = text(&answer);
    assert!(told.starts_with("y\ny\n") && told.ends_with("]\n\nCommand aborted"), "{}", &told[told.len() - 200..]);
}

#[tokio::test]
async fn a_background_job_outlives_its_command_and_does_not_hold_it_up() {
    let bench = Workbench::new();
    let answer = bench.call("bash", json!({"command": "(sleep 600; echo late) & echo $! > pids; echo now"})).await;
    assert_eq!(text(&answer), "now\n");
    let pids = bench.pids();
    assert!(is_alive(&pids[0]));
    let kill = json!({"command": format!("kill -9 -- -$(ps -o pgid= -p {} | tr -d ' ')", pids[0])});
    bench.call("bash", kill).await.unwrap();
    bench.tree_is_gone().await;
}

#[tokio::test]
async fn a_noisy_background_job_does_not_hold_the_command_up_for_ever() {
    let bench = Workbench::new();
    let command = "(while echo noise; do echo x >> ticks; sleep 0.02; done) & echo $! > pids; echo now";
    let answer = bench.call("bash", json!({ "command": command })).await;
    assert!(text(&answer).contains("now\n") && text(&answer).contains("noise\n"));
    // It goes on, although nobody wants its output any more.
    let ticks = || fs::metadata(bench.path("ticks")).unwrap().len();
    let before = ticks();
    eventually("the job goes on", || ticks() > before + 20).await;
    bench.call("bash", json!({"command": format!("kill -9 {}", bench.pids()[0])})).await.unwrap();
}

#[tokio::test]
async fn a_process_that_left_the_session_does_not_hold_an_abort_up() {
    let bench = Workbench::new();
    let cancel = CancellationToken::new();
    let command = "setsid sh -c 'echo $$ > pids; exec sleep 600' & echo started; sleep 600";
    let call = bench.call_with("bash", json!({ "command": command }), cancel.clone(), ToolUpdates::ignored());
    let (answer, ()) = tokio::join!(call, async {
        eventually("the process starts", || bench.pids().len() == 1).await;
        cancel.cancel();
    });
    assert_eq!(text(&answer), "started\n\n\nCommand aborted");
    // It asked to be left alone, as with the reference; tidy up.
    bench.call("bash", json!({"command": format!("kill -9 {}", bench.pids()[0])})).await.unwrap();
}

#[tokio::test]
async fn no_zombies_are_left() {
    let bench = Workbench::new();
    let mut shells = Vec::new();
    for run in 0..50 {
        let cancel = CancellationToken::new();
        let answer = match run % 3 {
            0 => bench.call("bash", json!({"command": "echo $$; true"})).await,
            1 => bench.call("bash", json!({"command": "echo $$; exec sleep 600", "timeout": 0.05})).await,
            _ => {
                let call = json!({"command": "echo $$; sleep 600"});
                let call = bench.call_with("bash", call, cancel.clone(), ToolUpdates::ignored());
                let abort = async {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    cancel.cancel();
                };
                tokio::join!(call, abort).0
            }
        };
        shells.extend(text(&answer).lines().next().and_then(|line| line.parse::<u32>().ok()));
    }
    assert!(shells.len() >= 17, "{shells:?}");
    for pid in shells {
        assert!(!fs::exists(format!("/proc/{pid}")).unwrap(), "{pid} is still there");
    }
}
