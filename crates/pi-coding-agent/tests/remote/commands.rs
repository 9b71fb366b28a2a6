//! Commands on other machines: whatever they start is gone when it should be, and lives on when it may.

use std::fs;
use std::sync::Arc;

use pi_coding_agent::tools::{RemoteMachine, SpawnHook, create_tool};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::places::{Place, contained, eventually, is_alive, text};

/// A command that writes the ids of a stubborn tree of processes to `pids`: itself, a child that ignores signals, a
/// grandchild.
const TREE: &str = "trap '' TERM INT HUP; (trap '' TERM INT HUP; sleep 600 & echo $! >> pids; \
                    sh -c 'echo $$ >> pids; sleep 600; true' & wait) & echo $! >> pids; echo $$ >> pids; \
                    echo started; wait; wait; wait";

impl Place {
    pub(crate) fn pids(&self) -> Vec<String> {
        fs::read_to_string(self.path("pids")).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
    }

    pub(crate) async fn tree_is_up(&self) {
        eventually("the tree starts", || self.pids().len() == 4).await;
    }

    pub(crate) async fn tree_is_gone(&self) {
        eventually("the tree dies", || !self.pids().iter().any(|pid| is_alive(pid))).await;
    }
}

#[tokio::test]
async fn an_abort_kills_the_whole_tree_and_keeps_the_output() {
    for place in Place::elsewhere() {
        let cancel = CancellationToken::new();
        let call = place.call_until("bash", json!({ "command": TREE }), cancel.clone());
        let (answer, ()) = tokio::join!(call, async {
            place.tree_is_up().await;
            cancel.cancel();
        });
        assert_eq!(text(&answer), "started\n\n\nCommand aborted", "{}", place.name);
        place.tree_is_gone().await;
    }
}

#[tokio::test]
async fn a_timeout_kills_the_whole_tree() {
    for place in Place::elsewhere() {
        let answer = place.call("bash", json!({ "command": TREE, "timeout": 3 })).await;
        assert_eq!(text(&answer), "started\n\n\nCommand timed out after 3 seconds", "{}", place.name);
        assert!(!place.pids().is_empty());
        place.tree_is_gone().await;
    }
}

#[tokio::test]
async fn a_dropped_call_kills_the_whole_tree() {
    for place in Place::elsewhere() {
        tokio::select! {
            answer = place.call("bash", json!({ "command": TREE })) => panic!("ended by itself: {answer:?}"),
            () = place.tree_is_up() => {}
        }
        place.tree_is_gone().await;
    }
}

/// Where the end of the input does not get through, as with some container services, a second shell kills.
#[tokio::test]
async fn a_way_that_keeps_the_input_open_is_no_way_to_survive() {
    // The pipe's writing end is held by a process that outlives the connection for a while.
    let keeps_open = "( cat; sleep 30 ) | setsid \"$@\"";
    let place = Place::on(contained(&["sh", "-c", keeps_open, "sh"]));
    let cancel = CancellationToken::new();
    let call = place.call_until("bash", json!({ "command": TREE }), cancel.clone());
    let (answer, ()) = tokio::join!(call, async {
        place.tree_is_up().await;
        cancel.cancel();
    });
    assert_eq!(text(&answer), "started\n\n\nCommand aborted");
    place.tree_is_gone().await;
}

#[tokio::test]
async fn output_that_never_ends_is_aborted_too() {
    for place in Place::elsewhere() {
        let cancel = CancellationToken::new();
        let call = place.call_until("bash", json!({"command": "touch on; yes"}), cancel.clone());
        let (answer, ()) = tokio::join!(call, async {
            eventually("the command starts", || place.path("on").exists()).await;
            cancel.cancel();
        });
        assert!(text(&answer).ends_with("Command aborted"), "{}", place.name);
    }
}

#[tokio::test]
async fn background_jobs_outlive_their_command_and_may_go_on_writing() {
    for place in Place::elsewhere() {
        let command = "(while echo noise; do echo x >> ticks; sleep 0.1; done) & echo $! > pids; echo now";
        let answer = place.call("bash", json!({ "command": command })).await;
        assert!(text(&answer).contains("now\n"), "{}: {answer:?}", place.name);
        let ticks = || fs::metadata(place.path("ticks")).map_or(0, |file| file.len());
        let before = ticks();
        eventually("the job goes on", || ticks() > before + 20).await;
        place.call("bash", json!({"command": format!("kill -9 {}", place.pids()[0])})).await.unwrap();
        place.tree_is_gone().await;
    }
}

#[tokio::test]
async fn long_output_arrives_whole() {
    for place in Place::elsewhere() {
        let script = "i=0; while [ $i -lt 50000 ]; do echo \"line $i\"; i=$((i+1)); done";
        let answer = text(&place.call("bash", json!({ "command": script })).await);
        let file = answer.split("Full output: ").nth(1).unwrap().trim_end_matches([']', '\n']);
        let expected: String = (0..50_000).map(|i| format!("line {i}\n")).collect();
        assert!(fs::read_to_string(file).unwrap() == expected, "{}", place.name);
    }
}

#[tokio::test]
async fn only_what_was_set_for_the_command_is_sent() {
    for place in Place::elsewhere() {
        let mut options = place.options();
        options.command_env = vec![("MINE".into(), "it's\n\"mine\" $HOME".into())];
        options.agent_bin_dir = Some("/agent/bin".into());
        options.spawn_hook = Some(SpawnHook::new(|mut spawn| {
            spawn.env.push(("HOOKED".into(), "yes".into()));
            spawn
        }));
        let bash = create_tool("bash", &options).unwrap();
        // Cargo sets the last one for this process.
        let command =
            "echo \"$MINE|$HOOKED|${CARGO_MANIFEST_DIR-none}\"; case $PATH in *agent*) echo local path;; esac";
        let call = pi_agent_core::ToolInvocation {
            id: "call".into(),
            arguments: json!({ "command": command }),
            cancel: CancellationToken::new(),
            updates: pi_agent_core::ToolUpdates::ignored(),
            model: Arc::default(),
            calls: pi_agent_core::NestedCalls::none(),
        };
        assert_eq!(text(&bash.execute(call).await), "it's\n\"mine\" $HOME|yes|none\n", "{}", place.name);
    }
}

#[tokio::test]
async fn what_cannot_start_says_so() {
    let place = Place::container();
    let gone = Place::on(RemoteMachine::clone(place.machine()));
    fs::remove_dir(gone.work()).unwrap();
    let told = gone.masked(&text(&gone.call("bash", json!({"command": "echo"})).await));
    assert_eq!(told, "Working directory does not exist: <WORK>\nCannot execute bash commands.");

    let machine = RemoteMachine::clone(place.machine()).with_command_shell("/no/such/shell");
    let place = Place::on(machine);
    let told = text(&place.call("bash", json!({"command": "echo"})).await);
    assert_eq!(told, "Custom shell path not found: /no/such/shell");

    let cancel = CancellationToken::new();
    cancel.cancel();
    assert_eq!(text(&place.call_until("bash", json!({"command": "echo"}), cancel).await), "Command aborted");
}

#[tokio::test]
async fn the_shell_of_commands_can_be_chosen() {
    let place = Place::container();
    let place = Place::on(RemoteMachine::clone(place.machine()).with_command_shell("sh"));
    assert_eq!(text(&place.call("bash", json!({"command": "echo $0"})).await), "sh\n");
}
