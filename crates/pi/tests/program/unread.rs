//! Whoever does not read costs no memory and does not keep the program.
//!
//! Such a program ends when its patience does, after five or ten seconds. So these cases are one test: they wait together.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::rpc::{ask, prompt, rpc, send};
use crate::rpc_client::client;
use crate::rpc_limits::peak;
use pi_test_kit::{Gate, PATIENCE, Provider, Reply, World, answer, delta, open, tool_call, wait_until};

/// More than all buffers together, less than what would pile up.
const MOST: usize = 100 << 20;

#[tokio::test]
async fn who_does_not_read_costs_no_memory_and_keeps_nobody() {
    tokio::join!(
        a_client_that_does_not_read_costs_no_memory_and_can_end_it("full"),
        a_client_that_does_not_read_costs_no_memory_and_can_end_it("delta"),
        a_loud_command_costs_no_memory_when_nobody_reads(),
        a_long_answer_to_a_client_that_does_not_read_does_not_keep_the_program(),
        a_subscriber_that_does_not_read_holds_the_program_up(),
    );
}

/// 50,000 deltas.
fn deltas() -> String {
    (0..50_000).map(|n| delta(&format!("word {n} "))).collect()
}

async fn a_client_that_does_not_read_costs_no_memory_and_can_end_it(detail: &str) {
    let provider = Provider::start([Reply::stream(&(open() + &deltas())).hang()]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    ask(&mut pi, json!({"id": 1, "type": "set_event_detail", "partial": detail})).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.event("message_update").await;
    // Answers that are asked for, too, only wait.
    send(&mut pi, &vec![json!({"type": "get_messages"}); 1000]).await;
    send(&mut pi, &[json!({"type": "abort"})]).await;
    // It is through when the answer so far is in the file.
    wait_until("the run goes on", || is_aborted(&world)).await;
    assert!(peak(&pi) < MOST, "{detail}: {}", peak(&pi));
    pi.close_stdin();
    let (code, complaints) = pi.finish_unread().await;
    assert_eq!((code, complaints.as_str()), (0, ""), "{detail}");
}

fn is_aborted(world: &World) -> bool {
    let files = world.session_files();
    files.iter().any(|file| fs::read_to_string(file).unwrap().contains("\"stopReason\":\"aborted\""))
}

async fn a_loud_command_costs_no_memory_when_nobody_reads() {
    let gate = Gate::new();
    let loud =
        tool_call("call_1", "bash", &json!({"command": "yes 'a line of some length' | head -c 50000000; touch done"}));
    let provider = Provider::start([loud, Reply::stream(&open()).wait(&gate).end()]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    // All output of the user's own commands comes in events, so such a command waits for its reader.
    let command = "touch begun; yes 'another line' | head -c 50000000; touch done2";
    send(&mut pi, &[json!({"type": "bash", "command": command})]).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.event("tool_execution_start").await;
    wait_until("the user's command does not begin", || world.cwd().join("begun").exists()).await;
    // Time in which its output would pile up.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    assert!(peak(&pi) < MOST, "{}", peak(&pi));
    assert!(!world.cwd().join("done2").exists());
    pi.close_stdin();
    assert_eq!(pi.finish_unread().await, (0, String::new()));
}

async fn a_long_answer_to_a_client_that_does_not_read_does_not_keep_the_program() {
    let long = "x".repeat(4 << 20);
    let provider = Provider::start([answer(&long)]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    send(&mut pi, &[prompt("hi")]).await;
    pi.event("agent_end").await;
    send(&mut pi, &vec![json!({"type": "get_messages"}); 60]).await;
    pi.close_stdin();
    assert_eq!(pi.finish_unread().await, (0, String::new()));
}

async fn a_subscriber_that_does_not_read_holds_the_program_up() {
    let text: String = (0..20_000).map(|n| delta(&format!("word {n} "))).collect();
    let provider = Provider::start([Reply::stream(&(open() + &text)).hang()]).await;
    let world = World::with(&provider);
    let pi = client(&world, &[]);
    let mut events = pi.subscribe();
    let gone = pi.subscribe();
    pi.prompt("hi").await.unwrap();
    drop(gone);
    // Enough to be sure that the program stands still by itself when it is told to end.
    let mut early = 0;
    while early < 1000 {
        early += usize::from(events.next().await.unwrap().text_delta().is_some());
    }
    let exit = pi.stop(PATIENCE).await;
    assert!(exit.success(), "{exit:?}");
    let (mut late, mut bytes) = (0, 0);
    while let Some(event) = events.next().await {
        late += usize::from(event.text_delta().is_some());
        bytes += event.value().to_string().len();
    }
    assert!(early + late < 20_000, "all {late} were taken");
    assert!(bytes < 18 << 20, "{bytes}");
    assert!(Path::new(&world.session_files()[0]).exists());
}
