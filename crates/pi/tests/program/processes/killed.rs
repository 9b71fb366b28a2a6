//! `pi` is killed by a signal that it cannot handle: nothing that it has started is left.

use rustix::process::Signal;
use serde_json::json;

use crate::processes::marked::{Marked, bash, send, signal};
use pi_test_kit::{Provider, World, scale, tool_calls};

/// Commands, and how many processes of each sleep.
const COMMANDS: [(&str, usize); 10] = [
    ("sleep 1000", 1),
    ("setsid sleep 1000 & wait", 1),
    ("(sleep 1000 &); sleep 1000", 2),
    ("(setsid sleep 1000 &); sleep 1000", 2),
    ("nohup sleep 1000 > /dev/null 2>&1", 1),
    ("trap '' TERM INT HUP QUIT; sleep 1000; sleep 1000", 1),
    ("set -m; sleep 1000 & sleep 1000 & disown; wait", 2),
    // The command ends, its job stays.
    ("sleep 1000 &", 1),
    // A daemon: its parents are gone.
    ("setsid sh -c 'setsid sleep 1000 & exit' &", 1),
    // Another pi, with a command of its own.
    (
        r#"(echo '{"type":"bash","id":"n","command":"setsid sleep 1000"}'; exec sleep 1000) | "$PI" --mode rpc --no-session"#,
        2,
    ),
];

fn sleepers() -> usize {
    COMMANDS.iter().map(|(_, count)| count).sum()
}

#[tokio::test]
async fn everything_ends_with_a_killed_pi() {
    let (rounds, mut started) = (scale(2, 40), 0);
    for round in 0..rounds {
        let calls: Vec<_> = COMMANDS.iter().map(|(command, _)| ("", "bash", json!({ "command": command }))).collect();
        let ids: Vec<String> = (0..calls.len()).map(|index| format!("call_{index}")).collect();
        let calls: Vec<_> = ids.iter().zip(calls).map(|(id, (_, name, call))| (id.as_str(), name, call)).collect();
        let provider = Provider::start([tool_calls(&calls)]).await;
        let marked = Marked::new(World::with(&provider));
        let mut pi = marked.rpc();
        // By turns those of the user and those of the model.
        if round % 2 == 0 {
            let commands: Vec<_> =
                COMMANDS.iter().enumerate().map(|(index, (command, _))| bash(&index.to_string(), command)).collect();
            send(&mut pi, &commands).await;
        } else {
            send(&mut pi, &[json!({"type": "prompt", "message": "go"})]).await;
        }
        marked.sleeping(sleepers()).await;
        started += marked.processes().len();
        pi.signal(Signal::KILL);
        marked.nothing_is_left().await;
    }
    println!("kills with all commands running: {rounds}, processes started: {started}, left over: none");
}

#[tokio::test]
async fn everything_ends_whenever_the_kill_comes() {
    let rounds = scale(8, 400);
    for round in 0..rounds {
        let marked = Marked::new(World::at("http://127.0.0.1:9"));
        let mut pi = marked.rpc();
        let commands: Vec<_> =
            COMMANDS.iter().enumerate().map(|(index, (command, _))| bash(&index.to_string(), command)).collect();
        send(&mut pi, &commands).await;
        // While the spawner starts, while commands start, while they run.
        let count = round % (sleepers() + 1);
        marked.until("some sleep", || marked.sleepers().len() >= count).await;
        pi.signal(Signal::KILL);
        marked.nothing_is_left().await;
    }
    println!("kills while commands start: {rounds}, left over: none");
}

#[tokio::test]
async fn it_ends_even_if_somebody_has_stopped_the_spawner() {
    let marked = Marked::new(World::at("http://127.0.0.1:9"));
    let mut pi = marked.rpc();
    send(&mut pi, &[bash("1", "sleep 1000"), bash("2", "(setsid sleep 1000 &); sleep 1000")]).await;
    marked.sleeping(3).await;
    let spawner = marked.spawner(&pi).unwrap().pid;
    signal(spawner, Signal::STOP);
    // The kernel wakes what is stopped when its parent dies, and not what is about to stop then.
    marked.until("the spawner stops", || is_stopped(spawner)).await;
    pi.signal(Signal::KILL);
    marked.nothing_is_left().await;
}

#[tokio::test]
async fn programs_of_extensions_and_commands_for_keys_end_too() {
    let world = World::at("http://127.0.0.1:9");
    let extension = "export default function (pi) { pi.registerCommand('work', { handler: async () => { \
                     await pi.exec('sh', ['-c', '(setsid sleep 1000 &); sleep 1000']); } }); }";
    std::fs::create_dir_all(world.agent_dir().join("extensions")).unwrap();
    std::fs::write(world.agent_dir().join("extensions/work.ts"), extension).unwrap();
    let key = "!(sleep 1000 &) ; sleep 1000";
    world.write_config(
        "models.json",
        &json!({"providers": {"mock": {"baseUrl": "http://127.0.0.1:9", "api": "anthropic-messages", "apiKey": key,
            "models": [{"id": "m1"}]}}}),
    );
    let marked = Marked::new(world);
    let mut pi = marked.rpc();
    send(&mut pi, &[json!({"type": "prompt", "message": "/work"})]).await;
    marked.sleeping(2).await;
    pi.signal(Signal::KILL);
    marked.nothing_is_left().await;
    let mut pi = marked.rpc();
    send(&mut pi, &[json!({"type": "prompt", "message": "hi"})]).await;
    marked.sleeping(2).await;
    pi.signal(Signal::KILL);
    marked.nothing_is_left().await;
}

#[tokio::test]
async fn programs_that_fetch_packages_end_too() {
    let world = World::at("http://127.0.0.1:9");
    world.write_config("settings.json", &json!({"npmCommand": ["sh", "-c", "(setsid sleep 1000 &); sleep 1000"]}));
    let marked = Marked::new(world);
    let pi = marked.pi(&["install", "npm:some-package"]).start();
    marked.sleeping(2).await;
    pi.signal(Signal::KILL);
    marked.nothing_is_left().await;
}

/// Whether a process is stopped.
fn is_stopped(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
}
