//! The session's file is deleted, cut, replaced or moved while the program runs: nothing is lost, one warning says where the
//! session is, clients hear of the new file, and the next run finds it.

use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::rpc::{ask, prompt, rpc, send};
use pi_test_kit::{Live, Provider, World, answer, tool_call, wait_until};

async fn say(pi: &mut Live, text: &str) {
    send(pi, &[prompt(text)]).await;
    pi.until(|line| line["type"] == "agent_end").await;
}

async fn file(pi: &mut Live) -> PathBuf {
    let state: Value = ask(pi, json!({"id": "state", "type": "get_state"})).await;
    state["data"]["sessionFile"].as_str().unwrap().into()
}

fn sh(script: &str, file: &Path) {
    let status = std::process::Command::new("sh").args(["-c", script, "sh"]).arg(file).status().unwrap();
    assert!(status.success(), "{script}");
}

/// What another program does to the file, whether the session has another file then, and what the warning says.
const ATTACKS: [(&str, bool, &str); 9] = [
    (r#"rm "$1""#, false, "was deleted"),
    (r#": > "$1""#, true, "was cut or overwritten"),
    (r#"head -c 700 "$1" > x.tmp && cat x.tmp > "$1" && rm x.tmp"#, true, "was cut or overwritten"),
    (r#"seq 1 5000 > "$1""#, true, "was cut or overwritten"),
    (r#"cp "$1" "$1.copy" && mv "$1.copy" "$1""#, true, "was replaced"),
    (r#"mv "$1" "$1.bak" && echo stranger > "$1""#, true, "was replaced"),
    (r#"mv "$1" "$1.bak""#, false, "was moved away"),
    (r#"rm -r "$(dirname "$1")""#, false, "was deleted"),
    (r#"mv "$(dirname "$1")" "$(dirname "$1")-old""#, false, "was moved away"),
];

#[tokio::test]
async fn a_lost_file_costs_nothing_and_the_next_run_finds_the_new_one() {
    for (script, elsewhere, said) in ATTACKS {
        let provider = Provider::start(["one", "two", "three", "four"].map(answer)).await;
        let world = World::with(&provider);
        let mut pi = rpc(&world).await;
        say(&mut pi, "first").await;
        let before = file(&mut pi).await;
        sh(script, &before);
        let left = std::fs::read(&before).ok();
        say(&mut pi, "second").await;
        let now = file(&mut pi).await;
        assert_eq!(now != before, elsewhere, "{script}");
        if elsewhere {
            assert_eq!(std::fs::read(&before).ok(), left, "{script}: what is there is not ours");
        }
        say(&mut pi, "third").await;
        assert_eq!(file(&mut pi).await, now);
        let (code, complaints) = pi.end().await;
        assert_eq!(code, 0, "{script}");
        assert!(
            complaints.contains(said) && complaints.ends_with("Nothing of it was lost\n"),
            "{script}: {complaints}"
        );
        assert_eq!(complaints.lines().count(), 1, "{script}: {complaints}");
        world.run(&["-p", "-c", "fourth"]).await.success();
        assert_eq!(provider.requests()[3].texts("user"), ["first", "second", "third", "fourth"], "{script}");
        assert_eq!(provider.requests()[3].texts("assistant"), ["one", "two", "three"], "{script}");
    }
}

#[tokio::test]
async fn a_resumed_session_is_written_anew_too() {
    let provider = Provider::start(["one", "two", "three"].map(answer)).await;
    let world = World::with(&provider);
    world.run(&["-p", "first"]).await.success();
    let mut pi = world.pi(&["--mode", "rpc", "-c"]).start();
    let before = file(&mut pi).await;
    sh(r#": > "$1""#, &before);
    say(&mut pi, "second").await;
    assert_ne!(file(&mut pi).await, before);
    let (_, complaints) = pi.end().await;
    assert!(complaints.ends_with("Nothing of it was lost\n"), "{complaints}");
    world.run(&["-p", "-c", "third"]).await.success();
    assert_eq!(provider.requests()[2].texts("user"), ["first", "second", "third"]);
}

/// A session whose file is yet to be made, too.
#[tokio::test]
async fn a_directory_that_is_gone_before_the_first_message_is_made_again() {
    let provider = Provider::start(["one", "two"].map(answer)).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    let file = file(&mut pi).await;
    std::fs::remove_dir_all(world.agent_dir().join("sessions")).unwrap();
    say(&mut pi, "first").await;
    assert_eq!(pi.end().await, (0, String::new()));
    assert!(std::fs::read_to_string(&file).unwrap().contains("\"one\""));
    world.run(&["-p", "-c", "second"]).await.success();
    assert_eq!(provider.requests()[1].texts("user"), ["first", "second"]);
}

#[tokio::test]
async fn another_program_s_line_stays_and_is_not_glued() {
    let provider = Provider::start(["one", "two"].map(answer)).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    say(&mut pi, "first").await;
    let file = file(&mut pi).await;
    sh(r#"printf '{"theirs":1}' >> "$1""#, &file);
    say(&mut pi, "second").await;
    assert!(pi.end().await.1.contains("Another program writes to session file"));
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().filter(|line| *line == "{\"theirs\":1}").count(), 1);
    assert!(text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
}

/// The notes about tool calls go with the session.
#[tokio::test]
async fn what_is_known_of_a_call_under_way_follows_the_session() {
    const FIND: &str = "for f in ../agent/sessions/*/*.jsonl; do";
    let attacks = [
        format!("{FIND} mv $f $f.bak; echo stranger > $f; done"),
        "rm -r ../agent/sessions/*".to_owned(),
        format!("{FIND} rm $f; done"),
    ];
    for attack in attacks {
        let long = "echo $$ > pid.tmp; mv pid.tmp pid; exec sleep 600";
        let calls = [
            tool_call("call_1", "bash", &json!({ "command": attack })),
            tool_call("call_2", "bash", &json!({ "command": long })),
            answer("I see"),
        ];
        let provider = Provider::start(calls).await;
        let world = World::with(&provider);
        let mut pi = rpc(&world).await;
        send(&mut pi, &[prompt("go")]).await;
        wait_until("the command does not run", || world.cwd().join("pid").exists()).await;
        pi.signal(Signal::KILL);
        pi.finish_unread().await;
        let pid = std::fs::read_to_string(world.cwd().join("pid")).unwrap().trim().parse().unwrap();
        // It may be gone already: it ends with pi, sooner or later.
        let _ = kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL);
        world.run(&["-p", "-c", "and?"]).await.success();
        let request = provider.requests()[2].body.to_string();
        assert!(request.contains("Outcome unknown: the run was cut off"), "{attack}: {request}");
        let left =
            std::process::Command::new("find").arg(world.agent_dir()).args(["-name", "*.effects"]).output().unwrap();
        assert_eq!(String::from_utf8(left.stdout).unwrap(), "", "{attack}");
    }
}
