//! The examples as programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::Live;

/// The program of an example. `cargo test` builds them all; only who asks for this test alone has to build it here.
pub(crate) fn example(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_pi")).with_file_name("examples").join(name);
    if !path.exists() {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "-p", "pi-coding-agent", "--example", name]);
        assert!(cargo.status().unwrap().success(), "cannot build {name}");
    }
    path
}

/// Sends a command.
pub(crate) async fn send(pi: &mut Live, command: &Value) {
    pi.send(&format!("{command}\n")).await;
}

/// Sends a command and returns its response; other lines before it are skipped.
pub(crate) async fn ask(pi: &mut Live, command: Value) -> Value {
    send(pi, &command).await;
    pi.until(|line| line["type"] == "response" && line.get("id") == command.get("id")).await.pop().unwrap()
}

/// Sends a prompt and waits for the end of its run.
pub(crate) async fn run(pi: &mut Live, text: &str) -> Vec<Value> {
    send(pi, &json!({"type": "prompt", "message": text})).await;
    pi.until(|line| line["type"] == "agent_end").await
}

/// Answers a question.
pub(crate) async fn reply(pi: &mut Live, request: &Value, mut answer: Value) {
    answer["type"] = json!("extension_ui_response");
    answer["id"] = request["id"].clone();
    send(pi, &answer).await;
}
