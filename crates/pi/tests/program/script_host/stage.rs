//! A program with scripts as extensions, and a client that talks to it.

use serde_json::{Value, json};

use pi_test_kit::{Live, Provider, Reply, World, answer};

/// A place in which scripts can run.
pub(crate) struct Stage {
    pub(crate) world: World,
    pub(crate) provider: Provider,
    files: Vec<String>,
}

impl Stage {
    /// With these scripts, by file name, and these answers of the model.
    pub(crate) async fn new(scripts: &[(&str, &str)], replies: impl IntoIterator<Item = Reply>) -> Self {
        let provider = Provider::start(replies).await;
        let world = World::with(&provider);
        let files = scripts.iter().map(|(name, source)| world.write(name, source).to_str().unwrap().to_owned());
        let files = files.collect();
        Self { world, provider, files }
    }

    /// One script, and a model that says so many times that all is well.
    pub(crate) async fn of(script: &str, answers: usize) -> Self {
        Self::new(&[("ext.ts", script)], (0..answers).map(|_| answer("all is well"))).await
    }

    /// With these settings besides.
    pub(crate) fn set(self, key: &str, value: Value) -> Self {
        let mut settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "retry": {"enabled": false}});
        settings[key] = value;
        self.world.write_config("settings.json", &settings);
        self
    }

    /// Arguments that name the scripts.
    pub(crate) fn arguments<'a>(&'a self, more: &[&'a str]) -> Vec<&'a str> {
        let named = self.files.iter().flat_map(|file| ["-e", file.as_str()]);
        named.chain(more.iter().copied()).collect()
    }

    /// The program, serving a client.
    pub(crate) fn serve(&self) -> Live {
        self.world.pi(&self.arguments(&["--mode", "rpc"])).start()
    }
}

/// Sends a command and returns its response, with the lines before it.
pub(crate) async fn ask(pi: &mut Live, command: Value) -> (Value, Vec<Value>) {
    pi.send(&format!("{command}\n")).await;
    let mut lines = pi.until(|line| line["type"] == "response" && line["command"] == command["type"]).await;
    (lines.pop().unwrap(), lines)
}

/// Sends a prompt that begins no run: a command of an extension. The lines up to the response.
pub(crate) async fn call(pi: &mut Live, text: &str) -> Vec<Value> {
    let (response, lines) = ask(pi, json!({"type": "prompt", "message": text})).await;
    assert_eq!(response["success"], true, "{response}");
    lines
}

/// Sends a prompt and waits for the end of its run.
pub(crate) async fn run(pi: &mut Live, text: &str) -> Vec<Value> {
    pi.send(&format!("{}\n", json!({"type": "prompt", "message": text}))).await;
    pi.until(|line| line["type"] == "agent_end").await
}

/// What the user was told, in order.
pub(crate) fn notices(lines: &[Value]) -> Vec<&str> {
    lines.iter().filter(|line| line["method"] == "notify").map(|line| line["message"].as_str().unwrap()).collect()
}

/// Event and text of each reported failure.
pub(crate) fn failures(lines: &[Value]) -> Vec<String> {
    let failures = lines.iter().filter(|line| line["type"] == "extension_error");
    failures.map(|line| format!("{}: {}", line["event"].as_str().unwrap(), line["error"].as_str().unwrap())).collect()
}

/// The text of the result of the only tool call, and whether it failed.
pub(crate) fn tool_result(lines: &[Value]) -> (bool, String) {
    let end = lines.iter().find(|line| line["type"] == "tool_execution_end").unwrap();
    (end["isError"].as_bool().unwrap(), end["result"]["content"][0]["text"].as_str().unwrap().to_owned())
}
