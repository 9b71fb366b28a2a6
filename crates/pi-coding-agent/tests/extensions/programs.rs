//! The examples as programs.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::Live;

/// Where cargo puts the examples that it builds with the tests of a package.
pub(crate) fn example(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_pi")).with_file_name("examples").join(name);
    assert!(path.exists(), "{} is not there; build it with: cargo build -p pi-coding-agent --examples", path.display());
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
