//! The process that starts commands: killed, stopped, signalled, and at the end of `pi`.

use rustix::process::Signal;
use serde_json::json;

use crate::processes::marked::{Marked, bash, response, send, signal};
use pi_test_kit::World;

fn marked() -> Marked {
    Marked::new(World::at("http://127.0.0.1:9"))
}

#[tokio::test]
async fn it_is_there_from_the_first_command_on_and_gone_at_the_end() {
    let marked = marked();
    let mut pi = marked.rpc();
    send(&mut pi, &[json!({"id": "s", "type": "get_state"})]).await;
    response(&mut pi, "s").await;
    assert_eq!(marked.spawner(&pi), None);
    let command = "sleep 1000 > /dev/null & (setsid sleep 1000 > /dev/null &) ; echo done";
    send(&mut pi, &[bash("1", command)]).await;
    assert_eq!(response(&mut pi, "1").await["data"]["output"], "done\n");
    assert!(marked.spawner(&pi).is_some());
    send(&mut pi, &[bash("2", "trap '' TERM INT HUP; sleep 1000")]).await;
    marked.sleeping(3).await;
    assert_eq!(pi.end().await, (0, String::new()));
    // Background jobs of a command that has ended live on, and nothing else.
    marked.until("jobs alone", || marked.processes().iter().all(|it| it.line == "sleep 1000")).await;
    assert_eq!(marked.sleepers().len(), 2);
}

#[tokio::test]
async fn when_it_is_killed_commands_fail_and_the_next_one_runs() {
    let marked = marked();
    let mut pi = marked.rpc();
    for round in ["1", "2"] {
        send(&mut pi, &[bash(round, "echo up; setsid sleep 1000 & sleep 1000")]).await;
        // Its output is read once its start was reported: what is not known to run cannot be killed.
        pi.event("bash_execution_update").await;
        marked.sleeping(2).await;
        let spawner = marked.spawner(&pi).unwrap();
        signal(spawner.pid, Signal::KILL);
        let failed = response(&mut pi, round).await;
        let said = failed["error"].as_str().unwrap();
        assert!(said.contains("the process that starts commands (command-spawner) was killed"), "{said}");
        marked.sleeping(0).await;
        send(&mut pi, &[bash("next", "echo next")]).await;
        assert_eq!(response(&mut pi, "next").await["data"]["output"], "next\n");
        assert_ne!(marked.spawner(&pi).unwrap().pid, spawner.pid);
    }
    assert_eq!(pi.end().await, (0, String::new()));
    marked.nothing_is_left().await;
}

#[tokio::test]
async fn it_is_woken_and_survives_what_is_meant_for_all() {
    let marked = marked();
    let mut pi = marked.rpc();
    send(&mut pi, &[bash("0", "true")]).await;
    response(&mut pi, "0").await;
    let spawner = marked.spawner(&pi).unwrap().pid;
    for kind in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT, Signal::STOP] {
        signal(spawner, kind);
        send(&mut pi, &[bash("1", "echo here")]).await;
        assert_eq!(response(&mut pi, "1").await["data"]["output"], "here\n", "{kind:?}");
    }
    // Stopped while a command runs and ends.
    send(&mut pi, &[bash("2", "touch up; until [ -e go ]; do sleep 0.01; done; echo end")]).await;
    marked.until("the command runs", || marked.world.cwd().join("up").exists()).await;
    signal(spawner, Signal::STOP);
    marked.world.write("go", "");
    assert_eq!(response(&mut pi, "2").await["data"]["output"], "end\n");
    assert_eq!(marked.spawner(&pi).unwrap().pid, spawner);
    assert_eq!(pi.end().await, (0, String::new()));
    marked.nothing_is_left().await;
}

#[tokio::test]
async fn a_signal_ends_pi_and_its_commands_and_the_spawner() {
    for kind in [Signal::INT, Signal::TERM, Signal::HUP] {
        let marked = marked();
        let mut pi = marked.rpc();
        send(&mut pi, &[bash("1", "trap '' INT TERM HUP; setsid sleep 1000 & sleep 1000")]).await;
        marked.sleeping(2).await;
        pi.signal(kind);
        pi.finish().await;
        marked.nothing_is_left().await;
    }
}
