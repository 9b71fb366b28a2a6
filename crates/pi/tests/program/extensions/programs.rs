//! The examples as programs: each in Rust, and in TypeScript under `pi` and under the reference.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use pi_test_kit::{Live, Pi, World};

/// Whether `pi` runs scripts.
const PI_RUNS_SCRIPTS: bool = cfg!(feature = "typescript");

/// An example, in one of the ways in which it can be run.
pub(crate) struct Program {
    /// For messages of a test that fails.
    pub(crate) name: String,
    file: PathBuf,
    first_arguments: Vec<String>,
}

/// The example in Rust and the script in TypeScript, run by us. Every test goes through all of them: they do the same.
pub(crate) fn ours(rust: &str, script: &str) -> Vec<Program> {
    let mut programs = vec![Program { name: rust.to_owned(), file: example(rust), first_arguments: Vec::new() }];
    if PI_RUNS_SCRIPTS {
        programs.push(Program::running(script, &format!("pi {script}"), &[env!("CARGO_BIN_EXE_pi")]));
    }
    programs
}

/// The same, and the script under the reference: what `PI_REFERENCE_CLI` says is the command line that starts it.
pub(crate) fn programs(rust: &str, script: &str) -> Vec<Program> {
    let mut programs = ours(rust, script);
    match std::env::var("PI_REFERENCE_CLI") {
        Ok(command) => {
            let command: Vec<&str> = command.split_whitespace().collect();
            programs.push(Program::running(script, &format!("reference {script}"), &command));
        }
        Err(_) => println!("skipped: {script} under the reference, PI_REFERENCE_CLI is not set"),
    }
    programs
}

impl Program {
    fn running(script: &str, name: &str, command: &[&str]) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/extensions/typescript").join(script);
        let mut arguments: Vec<String> = command[1..].iter().map(|&word| word.to_owned()).collect();
        arguments.extend(["-e".to_owned(), script.to_str().unwrap().to_owned()]);
        Self { name: name.to_owned(), file: PathBuf::from(command[0]), first_arguments: arguments }
    }

    /// With these arguments, not started.
    pub(crate) fn with<'w>(&self, world: &'w World, arguments: &[&str]) -> Pi<'w> {
        let all: Vec<&str> = self.first_arguments.iter().map(String::as_str).chain(arguments.iter().copied()).collect();
        world.program(&self.file, &all)
    }

    /// Serving a client.
    pub(crate) fn rpc(&self, world: &World, arguments: &[&str]) -> Live {
        let all: Vec<&str> = ["--mode", "rpc"].into_iter().chain(arguments.iter().copied()).collect();
        self.with(world, &all).start()
    }
}

/// What came of the only tool call: whether it failed, and its text.
pub(crate) fn tool_result(lines: &[Value]) -> (bool, String) {
    let end = lines.iter().find(|line| line["type"] == "tool_execution_end").unwrap();
    (end["isError"].as_bool().unwrap(), end["result"]["content"][0]["text"].as_str().unwrap().to_owned())
}

/// What the user was told, in order.
pub(crate) fn notices(lines: &[Value]) -> Vec<&str> {
    lines.iter().filter(|line| line["method"] == "notify").map(|line| line["message"].as_str().unwrap()).collect()
}

/// The program of an example of this package.
pub(crate) fn example(name: &str) -> PathBuf {
    pi_test_kit::example("pi", name, &[])
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
