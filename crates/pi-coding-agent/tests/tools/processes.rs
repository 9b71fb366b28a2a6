//! Real processes: whatever a command starts is gone when it should be, and lives on when it may.

use std::fs;
use std::time::{Duration, Instant};

use futures::stream::{self, StreamExt};
use pi_agent_core::ToolUpdates;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::again;
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

/// Sessions of their own, one inside the other; the inner one ignores signals. Writes their ids to `pids`.
const ESCAPE: &str =
    "setsid sh -c 'echo $$ >> pids; setsid sh -c \"trap : TERM HUP; echo \\$\\$ >> pids; sleep 600; true\"; true' &
                      set -m; sleep 600 & echo $! >> pids; echo started; sleep 600";

#[tokio::test]
async fn processes_that_left_the_session_are_killed_too() {
    let up = |bench: &Workbench| bench.pids().len() == 3;
    let bench = Workbench::new();
    let cancel = CancellationToken::new();
    let call = bench.call_with("bash", json!({ "command": ESCAPE }), cancel.clone(), ToolUpdates::ignored());
    let (answer, ()) = tokio::join!(call, async {
        eventually("the processes start", || up(&bench)).await;
        cancel.cancel();
    });
    assert_eq!(text(&answer), "started\n\n\nCommand aborted");
    bench.tree_is_gone().await;
    let bench = Workbench::new();
    let call = bench.call("bash", json!({ "command": ESCAPE }));
    tokio::select! {
        answer = call => panic!("ended by itself: {answer:?}"),
        () = eventually("the processes start", || up(&bench)) => {}
    }
    bench.tree_is_gone().await;
}

#[tokio::test]
async fn a_daemon_does_not_hold_an_abort_up() {
    let bench = Workbench::new();
    let cancel = CancellationToken::new();
    let command = "(setsid sh -c 'echo $$ > pids; exec sleep 600' &); touch up; sleep 600";
    let call = bench.call_with("bash", json!({ "command": command }), cancel.clone(), ToolUpdates::ignored());
    let (answer, ()) = tokio::join!(call, async {
        eventually("the daemon starts", || bench.pids().len() == 1 && bench.path("up").exists()).await;
        cancel.cancel();
    });
    assert_eq!(text(&answer), "Command aborted");
    // It has no parent among the command's processes and asked to be left alone; tidy up.
    assert!(is_alive(&bench.pids()[0]));
    bench.call("bash", json!({"command": format!("kill -9 {}", bench.pids()[0])})).await.unwrap();
    bench.tree_is_gone().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_commands_leave_nothing_behind() {
    let bench = Workbench::new();
    let handles = || fs::read_dir("/proc/self/fd").unwrap().count();
    let before = handles();
    let shells: Vec<String> = stream::iter(0..1000)
        .map(|_| bench.call("bash", json!({"command": "echo $$"})))
        .buffer_unordered(8)
        .map(|answer| text(&answer).trim().to_owned())
        .collect()
        .await;
    let me = std::process::id().to_string();
    // Another process may have the id by now.
    let is_my_zombie = |pid: &String| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let mut fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
        fields.next() == Some("Z") && fields.next() == Some(me.as_str())
    };
    eventually("the shells are reaped", || !shells.iter().any(is_my_zombie)).await;
    // Other tests may run in this process.
    eventually("the pipes are closed", || handles() < before + 200).await;
}

#[tokio::test]
async fn much_output_takes_little_memory() {
    const BYTES: u64 = 100 << 20;
    if !again::is_inner() {
        return again::passed(&again::run("processes::much_output_takes_little_memory", ""));
    }
    let bench = Workbench::new();
    bench.call("bash", json!({"command": "seq 20000"})).await.unwrap();
    let before = again::peak_memory();
    let log = bench.root().join("tmp/pi-bash-0123456789abcdef.log");
    fs::remove_file(&log).unwrap();
    let command = format!("yes 'a line of moderate length, as programs print it' | head -c {BYTES}");
    let output = bench.call("bash", json!({ "command": command })).await.unwrap();
    assert_eq!(output.details.unwrap()["truncation"]["totalBytes"], BYTES);
    assert_eq!(fs::metadata(log).unwrap().len(), BYTES);
    let after = again::peak_memory();
    assert!(after - before < 12 << 10, "{before} KiB before, {after} KiB after");
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
