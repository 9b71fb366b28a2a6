//! How the program ends when it is told to: tools killed, the session file complete, the conventional exit code.

use std::fs;
use std::path::PathBuf;

use rustix::process::Signal;
use serde_json::json;

use pi_test_kit::{
    Gate, Live, Provider, Reply, World, answer, delta, end, fail, is_running, open, tool_call, wait_until,
};

const SIGNALS: [(Signal, i32); 3] = [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)];
const MODES: [&str; 3] = ["text", "json", "rpc"];

/// Writes its process ids into files and ignores what could be ignored.
const STUBBORN: &str = "trap '' INT TERM HUP; sleep 600 & echo $! > child.tmp; mv child.tmp child; echo $$ > leader.tmp; mv leader.tmp leader; wait; sleep 600";

/// `pi` in this mode with the prompt `hi` under way.
async fn prompted(world: &World, mode: &str) -> Live {
    if mode == "rpc" {
        let mut pi = world.pi(&["--mode", mode]).start();
        pi.send("{\"type\":\"prompt\",\"message\":\"hi\"}\n").await;
        return pi;
    }
    let mut pi = world.pi(&["--mode", mode, "hi"]).start();
    pi.close_stdin();
    pi
}

/// The model wants the stubborn command.
fn stubborn_call() -> Reply {
    tool_call("call_1", "bash", &json!({ "command": STUBBORN }))
}

async fn command_runs(world: &World) {
    wait_until("the command does not run", || world.cwd().join("leader").exists()).await;
}

/// A killed process is gone soon, not at once: the kernel ends it when it is next scheduled.
async fn command_is_gone(world: &World) {
    for name in ["leader", "child"] {
        wait_until(&format!("{name} is still there"), || !is_running(&world.cwd().join(name))).await;
    }
}

#[tokio::test]
async fn a_signal_ends_a_running_command_and_its_children() {
    for mode in MODES {
        for (signal, code) in SIGNALS {
            let provider = Provider::start([stubborn_call(), answer("back again")]).await;
            let world = World::with(&provider);
            let pi = prompted(&world, mode).await;
            command_runs(&world).await;
            pi.signal(signal);
            assert_eq!(pi.finish().await, (code, String::new()), "{mode} {signal:?}");
            command_is_gone(&world).await;
            let history = world.history();
            assert_eq!(history[..2], ["user: hi", "assistant (toolUse): bash"], "{mode} {signal:?}");
            assert!(history[2].starts_with("toolResult: "), "{history:?}");
            assert_eq!(world.run(&["-p", "-c", "again"]).await.success(), "back again\n");
            assert_eq!(world.history().last().unwrap(), "assistant: back again");
        }
    }
}

#[tokio::test]
async fn a_signal_while_text_arrives_keeps_what_arrived() {
    for mode in MODES {
        for (signal, code) in SIGNALS {
            let arrived = Gate::new();
            let reply = Reply::stream(&(open() + &delta("half an ans"))).wait(&arrived).then(&delta("wer")).hang();
            let provider = Provider::start([reply]).await;
            let world = World::with(&provider);
            let mut pi = prompted(&world, mode).await;
            if mode == "text" {
                provider.received(1).await;
            } else {
                pi.event("message_update").await;
                pi.event("message_update").await;
            }
            pi.signal(signal);
            assert_eq!(pi.finish().await, (code, String::new()), "{mode} {signal:?}");
            let history = world.history();
            assert_eq!(history.len(), 2, "{history:?}");
            match mode {
                // Nothing tells how far it was.
                "text" => assert!(history[1].starts_with("assistant (aborted): "), "{history:?}"),
                _ => assert_eq!(history[1], "assistant (aborted): half an ans"),
            }
        }
    }
}

#[tokio::test]
async fn a_signal_while_a_retry_waits() {
    let provider = Provider::start([fail(529, "overloaded_error", "Overloaded")]).await;
    let world = World::with(&provider);
    world.write_config("settings.json", &json!({"retry": {"enabled": true, "baseDelayMs": 600_000}}));
    let mut pi = prompted(&world, "json").await;
    pi.event("auto_retry_start").await;
    pi.signal(Signal::INT);
    assert_eq!(pi.finish().await, (130, String::new()));
    assert_eq!(provider.requests().len(), 1);
}

#[tokio::test]
async fn a_reader_that_does_not_read_does_not_keep_the_program() {
    // More than the pipe and the program's own buffer hold.
    let long = "x".repeat(1 << 20);
    for mode in ["json", "rpc"] {
        let reply = Reply::stream(&(open() + &delta(&long) + &delta(&long))).hang();
        let provider = Provider::start([reply]).await;
        let world = World::with(&provider);
        let mut pi = prompted(&world, mode).await;
        pi.event("message_start").await;
        provider.received(1).await;
        pi.signal(Signal::TERM);
        let (code, complaints) = pi.finish_unread().await;
        assert_eq!((code, complaints.as_str()), (143, ""), "{mode}");
        let last = world.history().pop().unwrap();
        assert!(last.starts_with("assistant (aborted): "), "{}", &last[..40]);
    }
}

/// Whether the file holds the whole answer; a long line may be half written.
fn recorded_answer(file: &PathBuf) -> bool {
    let text = fs::read_to_string(file).unwrap();
    text.ends_with('\n') && text.lines().any(|line| line.contains("\"role\":\"assistant\""))
}

#[tokio::test]
async fn a_signal_while_the_last_output_waits_for_the_reader() {
    let provider = Provider::start([answer(&"x".repeat(1 << 20))]).await;
    let world = World::with(&provider);
    let pi = prompted(&world, "text").await;
    wait_until("no answer", || world.session_files().iter().any(recorded_answer)).await;
    pi.signal(Signal::INT);
    assert_eq!(pi.finish_unread().await, (130, String::new()));
}

#[tokio::test]
async fn a_reader_that_goes_away_before_the_answer() {
    let gate = Gate::new();
    let provider = Provider::start([Reply::stream(&open()).wait(&gate).then(&(delta("hello") + &end())).end()]).await;
    let world = World::with(&provider);
    let mut pi = prompted(&world, "text").await;
    provider.received(1).await;
    pi.close_stdout();
    gate.open();
    assert_eq!(pi.finish().await, (0, String::new()));
    assert_eq!(world.history(), ["user: hi", "assistant: hello"]);
}

#[tokio::test]
async fn a_reader_that_goes_away_early() {
    for mode in ["json", "rpc"] {
        let gate = Gate::new();
        let long: String = (0..2000).map(|n| delta(&format!("word {n} "))).collect();
        let provider =
            Provider::start([Reply::stream(&(open() + &delta("first"))).wait(&gate).then(&long).hang()]).await;
        let world = World::with(&provider);
        let mut pi = prompted(&world, mode).await;
        pi.event("message_update").await;
        pi.close_stdout();
        gate.open();
        assert_eq!(pi.finish().await, (0, String::new()), "{mode}");
        assert!(world.history()[1].starts_with("assistant (aborted): first"), "{:?}", world.history());
    }
}

#[tokio::test]
async fn fixed_outputs_without_a_reader() {
    let world = World::at("http://127.0.0.1:9");
    for option in ["--version", "--help", "--list-models"] {
        let finished = world.shell(&format!("{{ \"$PI\" {option}; echo $? >&2; }} | true")).run().await;
        assert_eq!((finished.stderr.as_str(), finished.stdout.as_str()), ("0\n", ""), "{option}");
    }
}

#[tokio::test]
async fn the_end_of_the_input_ends_rpc_mode_and_its_tools() {
    let provider = Provider::start([stubborn_call(), answer("back again")]).await;
    let world = World::with(&provider);
    let mut pi = prompted(&world, "rpc").await;
    pi.event("tool_execution_start").await;
    command_runs(&world).await;
    pi.close_stdin();
    let rest = pi.rest().await;
    assert!(rest.iter().all(|line| line["type"] == "tool_execution_update"), "{rest:#?}");
    assert_eq!(pi.finish().await, (0, String::new()));
    command_is_gone(&world).await;
    assert_eq!(world.run(&["-p", "-c", "again"]).await.success(), "back again\n");
}

#[tokio::test]
async fn the_end_of_the_input_while_text_arrives() {
    let provider = Provider::start([Reply::stream(&(open() + &delta("half"))).hang()]).await;
    let world = World::with(&provider);
    let mut pi = prompted(&world, "rpc").await;
    pi.until(|line| line["assistantMessageEvent"]["type"] == "text_delta").await;
    pi.close_stdin();
    assert_eq!(pi.rest().await, Vec::<serde_json::Value>::new());
    assert_eq!(pi.finish().await, (0, String::new()));
    assert_eq!(world.history(), ["user: hi", "assistant (aborted): half"]);
}
