//! How many commands run at once, and how many files they may have open.

use serde_json::{Value, json};

use crate::processes::marked::{Marked, bash, response, send};
use pi_test_kit::{Provider, World, answer, scale, tool_calls};

fn limited(world: World, limit: usize) -> Marked {
    let settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "retry": {"enabled": false},
        "maxConcurrentCommands": limit});
    world.write_config("settings.json", &settings);
    Marked::new(world)
}

/// Calls of `bash`.
fn calls(arguments: Vec<Value>) -> Vec<(String, Value)> {
    arguments.into_iter().enumerate().map(|(index, arguments)| (format!("call_{index}"), arguments)).collect()
}

async fn provider(arguments: Vec<Value>) -> Provider {
    let calls = calls(arguments);
    let calls: Vec<_> = calls.iter().map(|(id, arguments)| (id.as_str(), "bash", arguments.clone())).collect();
    Provider::start([tool_calls(&calls), answer("done")]).await
}

#[tokio::test]
async fn no_more_than_the_setting_run_at_once_and_all_have_their_turn() {
    // Each says how many it sees.
    let command = "mkdir -p run; : > run/$$; ls run | wc -l >> seen; sleep 0.05; rm run/$$";
    let provider = provider(vec![json!({ "command": command }); 12]).await;
    let marked = limited(World::with(&provider), 3);
    let done = marked.pi(&["-p", "go"]).run().await;
    assert_eq!(done.success(), "done\n");
    let seen = std::fs::read_to_string(marked.world.cwd().join("seen")).unwrap();
    let seen: Vec<usize> = seen.lines().map(|line| line.trim().parse().unwrap()).collect();
    assert!(seen.len() == 12 && seen.iter().all(|count| (1..=3).contains(count)), "{seen:?}");
}

#[tokio::test]
async fn waiting_can_be_cancelled_and_is_not_part_of_a_time_limit() {
    // The second would be out of time if that counted from the call.
    let provider = provider(vec![json!({"command": "sleep 4"}), json!({"command": "echo second", "timeout": 3})]).await;
    let marked = limited(World::with(&provider), 1);
    assert_eq!(marked.pi(&["-p", "go"]).run().await.success(), "done\n");
    assert!(marked.world.history().contains(&"toolResult: second\n".to_owned()), "{:?}", marked.world.history());
    let mut pi = marked.rpc();
    send(&mut pi, &[bash("runs", "sleep 1000")]).await;
    marked.sleeping(1).await;
    send(&mut pi, &[bash("waits", "echo never"), json!({"id": "a", "type": "abort_bash"})]).await;
    let cancelled = response(&mut pi, "waits").await;
    assert_eq!(cancelled["data"], json!({"output": "", "cancelled": true, "truncated": false}));
    assert_eq!(marked.sleepers().len(), 1);
    pi.end().await;
    marked.nothing_is_left().await;
}

#[tokio::test]
async fn an_abort_of_many_commands_ends_all_of_them() {
    let count = scale(60, 400);
    let command = "setsid sleep 1000 & sleep 1000";
    let provider = provider(vec![json!({ "command": command }); count]).await;
    let marked = limited(World::with(&provider), count);
    let mut pi = marked.rpc();
    send(&mut pi, &[json!({"type": "prompt", "message": "go"})]).await;
    // Read, so that it does not wait for its reader: each call reports once before it starts.
    let reports = std::cell::Cell::new(0);
    pi.until(|line| {
        reports.set(reports.get() + usize::from(line["type"] == "tool_execution_update"));
        reports.get() == count
    })
    .await;
    marked.sleeping(2 * count).await;
    send(&mut pi, &[json!({"id": "abort", "type": "abort"})]).await;
    pi.event("agent_end").await;
    marked.sleeping(0).await;
    assert_eq!(pi.end().await, (0, String::new()));
    marked.nothing_is_left().await;
    println!("commands aborted at once: {count}, processes: {}, left over: none", 2 * count);
}

#[tokio::test]
async fn too_few_files_fail_commands_and_nothing_hangs() {
    let marked = limited(World::at("http://127.0.0.1:9"), 64);
    let mut pi = marked.world.shell("ulimit -n 60; exec \"$PI\" --mode rpc").start();
    let commands: Vec<_> = (0..40).map(|index| bash(&index.to_string(), "sleep 0.5; echo ok")).collect();
    send(&mut pi, &commands).await;
    let mut ok = 0;
    for _ in 0..40 {
        let response = pi.event("response").await;
        match response["error"].as_str() {
            None => ok += usize::from(response["data"]["output"] == "ok\n"),
            Some(error) => assert!(error.contains("EMFILE"), "{error}"),
        }
    }
    assert!(ok > 0, "some run");
    send(&mut pi, &[bash("after", "echo after")]).await;
    assert_eq!(response(&mut pi, "after").await["data"]["output"], "after\n");
    assert_eq!(pi.end().await, (0, String::new()));
}

#[tokio::test]
async fn pi_may_open_as_many_files_as_it_can_and_commands_as_many_as_before() {
    let marked = limited(World::at("http://127.0.0.1:9"), 64);
    let mut pi = marked.world.shell("ulimit -Sn 700; ulimit -Hn 3000; exec \"$PI\" --mode rpc").start();
    send(&mut pi, &[bash("1", "ulimit -Sn; ulimit -Hn")]).await;
    assert_eq!(response(&mut pi, "1").await["data"]["output"], "700\n3000\n");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", pi.id())).unwrap();
    let files: Vec<&str> =
        limits.lines().find(|line| line.starts_with("Max open files")).unwrap().split_whitespace().collect();
    assert_eq!(files[3..5], ["3000", "3000"]);
    assert_eq!(pi.end().await, (0, String::new()));
}
