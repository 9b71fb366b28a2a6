//! Commands of the user: when they become part of the conversation, and how they end.

use std::path::Path;
use std::sync::{Arc, Mutex};

use pi_ai::Message;
use pi_ai::scripted::model;
use pi_coding_agent::agent_session::{AgentSession, BashOptions, BashResult};
use pi_coding_agent::sdk::CreateAgentSessionOptions;
use pi_coding_agent::tools::{ToolOptions, ToolPolicy};
use serde_json::json;

use crate::support::{Stage, fails, made, runs, says};

async fn bash(session: &AgentSession, command: &str) -> BashResult {
    session.shell().run(command, BashOptions::default()).await.unwrap()
}

fn done(output: &str, exit_code: i64) -> BashResult {
    BashResult { output: output.to_owned(), exit_code: Some(exit_code), ..BashResult::default() }
}

/// Roles of the context, a user's command with its text.
fn roles(session: &AgentSession) -> Vec<String> {
    session.messages().iter().map(|message| role(message)).collect()
}

/// The same of the messages of the session's file.
fn stored(session: &AgentSession) -> Vec<String> {
    session.store().read(|manager| {
        let messages = manager.entries().iter().filter_map(|entry| entry.unwrap().parse().into_message());
        messages.map(|message| role(&message)).collect()
    })
}

fn role(message: &Message) -> String {
    match message {
        Message::Other(other) => format!("{} {}", message.role(), other.0["command"].as_str().unwrap()),
        _ => message.role().to_owned(),
    }
}

#[tokio::test]
async fn commands_end_in_their_own_ways() {
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::in_files(&dir.path().canonicalize().unwrap(), vec![model("m")]);
    let session = &stage.session;
    for (command, expected) in [
        ("echo out; echo err >&2; exit 3", done("out\nerr\n", 3)),
        ("true", done("", 0)),
        ("pwd -P", done(&format!("{}\n", dir.path().canonicalize().unwrap().display()), 0)),
        ("printf '\\033[1mA\\033[0m\\tB\\r\\n\\303\\251\\377'", done("A\tB\né\u{fffd}", 0)),
        ("kill -9 $$", done("", 137)),
    ] {
        assert_eq!(bash(session, command).await, expected, "{command}");
    }
    assert_eq!(roles(session).len(), 5);
    assert_eq!(roles(session), stored(session));
    assert_eq!(stage.events(), Vec::<String>::new(), "no event tells of them");
}

#[tokio::test]
async fn long_output_is_in_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let temp = dir.path().to_owned();
    let stage = Stage::with_options(json!({}), vec![model("m")], |options| CreateAgentSessionOptions {
        configure_tools: Arc::new(move |options| ToolOptions { temp_dir: Some(temp.clone()), ..options }),
        ..options
    });
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let sink = Arc::clone(&seen);
    let on_output: Arc<dyn Fn(&str) + Send + Sync> = Arc::new(move |text| sink.lock().unwrap().push(text.to_owned()));
    let options = BashOptions { on_output: Some(on_output), ..BashOptions::default() };
    let result = stage.session.shell().run("seq 3000", options).await.unwrap();
    assert!(result.truncated && result.output.starts_with("1001\n") && result.output.ends_with("\n3000"));
    assert_eq!(seen.lock().unwrap().last(), Some(&result.output));
    let path = result.full_output_path.unwrap();
    assert!(Path::new(&path).starts_with(dir.path()));
    let all: String = (1..=3000).map(|n| format!("{n}\n")).collect();
    assert_eq!(std::fs::read_to_string(path).unwrap(), all);
}

#[tokio::test]
async fn what_ends_during_a_run_comes_behind_it() {
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::in_files(dir.path(), vec![model("m")]);
    stage.script([runs("touch started; until [ -e go ]; do sleep 0.01; done"), says("done")]);
    let session = &stage.session;
    let meanwhile = async {
        made(&dir.path().join("started")).await;
        bash(session, "echo one").await;
        bash(session, "echo two").await;
        assert!(session.shell().has_pending());
        assert_eq!(roles(session), ["user", "assistant"]);
        std::fs::write(dir.path().join("go"), "").unwrap();
    };
    tokio::join!(stage.prompt("go on"), meanwhile);
    let expected = ["user", "assistant", "toolResult", "assistant", "bashExecution echo one", "bashExecution echo two"];
    assert_eq!(roles(session), expected);
    assert_eq!(stored(session), expected);
    assert!(!session.shell().has_pending());
}

#[tokio::test]
async fn a_retry_is_not_disturbed() {
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::in_files(dir.path(), vec![model("m")]);
    stage.script([fails("overloaded"), says("better")]);
    let pause = async {
        stage.wait_for("retry").await;
        bash(&stage.session, "echo").await;
    };
    tokio::join!(stage.prompt("hi"), pause);
    assert_eq!(roles(&stage.session), ["user", "assistant", "bashExecution echo"]);
    assert_eq!(stored(&stage.session), ["user", "assistant", "assistant", "bashExecution echo"]);
}

#[tokio::test]
async fn a_run_that_is_dropped_gives_back_what_was_held() {
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::in_files(dir.path(), vec![model("m")]);
    stage.script([runs("touch started; sleep 30")]);
    tokio::select! {
        () = stage.prompt("go on") => panic!("the run has ended"),
        () = async {
            made(&dir.path().join("started")).await;
            bash(&stage.session, "echo").await;
        } => {}
    }
    assert_eq!(stored(&stage.session).last().unwrap(), "bashExecution echo");
}

#[tokio::test]
async fn abort_kills_the_last_one_and_dispose_all() {
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::in_files(dir.path(), vec![model("m")]);
    let session = &stage.session;
    session.shell().abort();
    let command = |name: &str| format!("echo {name}; echo $$ > {name}; sleep 30");
    let (first, second) = (command("first"), command("second"));
    let last = async {
        made(&dir.path().join("first")).await;
        bash(session, &second).await
    };
    let stop = async {
        made(&dir.path().join("second")).await;
        session.shell().abort();
        while roles(session).is_empty() {
            tokio::task::yield_now().await;
        }
        assert!(session.shell().is_running());
        session.dispose().await;
        assert!(!session.shell().is_running());
        session.shell().run("true", BashOptions::default()).await.unwrap_err().to_string()
    };
    let (first, second, refused) = tokio::join!(bash(session, &first), last, stop);
    let cancelled = |name: &str| BashResult { output: format!("{name}\n"), cancelled: true, ..BashResult::default() };
    assert_eq!((first, second), (cancelled("first"), cancelled("second")));
    assert!(refused.contains("closed"), "{refused}");
    let order: Vec<bool> = roles(session).iter().map(|role| role.contains("second")).collect();
    assert_eq!(order, [true, false]);
}

#[tokio::test]
async fn what_cannot_be_run_is_not_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let cwd = dir.path().join("gone");
    std::fs::create_dir(&cwd).unwrap();
    let stage = Stage::in_files(&cwd, vec![model("m")]);
    std::fs::remove_dir_all(&cwd).unwrap();
    let refused = stage.session.shell().run("true", BashOptions::default()).await.unwrap_err().to_string();
    let expected = format!("Working directory does not exist: {}\nCannot execute bash commands.", cwd.display());
    assert_eq!(refused, expected);
    let policy = ToolPolicy::confined_to(dir.path());
    let confined = Stage::with_options(json!({}), vec![model("m")], |options| CreateAgentSessionOptions {
        configure_tools: Arc::new(move |options| ToolOptions { policy: policy.clone(), ..options }),
        ..options
    });
    let refused = confined.session.shell().run("true", BashOptions::default()).await.unwrap_err().to_string();
    assert!(refused.contains("confined"), "{refused}");
    assert_eq!((roles(&stage.session).len(), roles(&confined.session).len()), (0, 0));
}
