//! A home, a project directory and a configuration directory of one's own, and `pi` running in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::{Live, PATIENCE, Provider};

/// The `pi` of the package whose tests these are: cargo tells its integration tests where it is.
fn program() -> PathBuf {
    let program = std::env::var_os("CARGO_BIN_EXE_pi");
    program.expect("World runs `pi`: only tests of the package `pi` have it, run by cargo").into()
}

/// Directories that nobody else uses; gone with the value.
pub struct World {
    root: TempDir,
    port: Option<u16>,
}

/// A program that has ended.
#[derive(Debug)]
pub struct Finished {
    /// Its exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// What it printed, masked.
    pub stdout: String,
    /// What it complained of, masked.
    pub stderr: String,
}

impl World {
    /// Directories without any configuration.
    pub fn empty() -> Self {
        let world = Self { root: tempfile::tempdir().unwrap(), port: None };
        for dir in [world.home(), world.cwd(), world.agent_dir()] {
            fs::create_dir_all(dir).unwrap();
        }
        world
    }

    /// With the models `mock/m1` (Anthropic's format, can think) and `chat/c1` (OpenAI's) at this provider.
    pub fn with(provider: &Provider) -> Self {
        let mut world = Self::at(&provider.url());
        world.port = Some(provider.port());
        world
    }

    /// The same at any base URL.
    pub fn at(url: &str) -> Self {
        let world = Self::empty();
        world.write_config(
            "models.json",
            &json!({"providers": {
                "mock": {"baseUrl": url, "api": "anthropic-messages", "apiKey": "mock-key",
                    "models": [{"id": "m1", "reasoning": true}, {"id": "m2"}]},
                "chat": {"baseUrl": format!("{url}/v1"), "api": "openai-completions", "apiKey": "chat-key",
                    "models": [{"id": "c1"}]},
            }}),
        );
        // Failures are reported at once unless a test is about retries.
        world.write_config(
            "settings.json",
            &json!({"defaultProvider": "mock", "defaultModel": "m1",
            "retry": {"enabled": false}}),
        );
        world
    }

    /// The directory that holds everything else.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// The home directory.
    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    /// The project, in which programs are started.
    pub fn cwd(&self) -> PathBuf {
        self.root().join("project")
    }

    /// The configuration directory.
    pub fn agent_dir(&self) -> PathBuf {
        self.root().join("agent")
    }

    /// Writes a file into the configuration directory.
    pub fn write_config(&self, name: &str, value: &Value) {
        fs::write(self.agent_dir().join(name), value.to_string()).unwrap();
    }

    /// Writes a file into the project.
    pub fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.cwd().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// All session files in the default place, oldest first.
    pub fn session_files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for dir in fs::read_dir(self.agent_dir().join("sessions")).into_iter().flatten() {
            let entries = fs::read_dir(dir.unwrap().path()).unwrap().map(|entry| entry.unwrap().path());
            files.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")));
        }
        files.sort();
        files
    }

    /// The entries of the only session file.
    pub fn entries(&self) -> Vec<Value> {
        let files = self.session_files();
        assert_eq!(files.len(), 1, "{files:?}");
        read_entries(&files[0])
    }

    /// Role and text (or stop reason) of each message in the only session file.
    pub fn history(&self) -> Vec<String> {
        let entries = self.entries();
        entries.iter().filter(|entry| entry["type"] == "message").map(|entry| gist(&entry["message"])).collect()
    }

    /// `pi` with these arguments, not started.
    pub fn pi(&self, args: &[&str]) -> Pi<'_> {
        self.program(&program(), args)
    }

    /// Another program of the same kind.
    pub fn program(&self, program: &Path, args: &[&str]) -> Pi<'_> {
        let mut command = Command::new(program);
        command.args(args);
        self.prepare(command)
    }

    /// A shell script that finds `pi` in `$PI`, not started.
    pub fn shell(&self, script: &str) -> Pi<'_> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        self.prepare(command).env("PI", &program().to_string_lossy())
    }

    fn prepare(&self, mut command: Command) -> Pi<'_> {
        command.current_dir(self.cwd()).env_clear().kill_on_drop(true);
        command.env("HOME", self.home()).env("PI_CODING_AGENT_DIR", self.agent_dir());
        // An empty value, which is what a test that is about versions sets, lets it look for them again.
        command.env("PI_SKIP_VERSION_CHECK", "1");
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        Pi { world: self, command, input: String::new() }
    }

    /// Runs `pi` with these arguments and without input.
    pub async fn run(&self, args: &[&str]) -> Finished {
        self.pi(args).run().await
    }

    /// Text without what differs between runs: directories, ports, process ids.
    pub fn mask(&self, text: &str) -> String {
        let root = self.root().to_str().unwrap();
        let text = text.replace(root, "ROOT").replace(&root.replace('/', "-"), "-ROOT");
        match self.port {
            Some(port) => text.replace(&format!(":{port}"), ":PORT"),
            None => text,
        }
    }
}

/// The JSON lines of a file.
pub fn read_entries(file: &Path) -> Vec<Value> {
    entries_of(&fs::read_to_string(file).unwrap())
}

/// The JSON lines of a text.
pub fn entries_of(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn gist(message: &Value) -> String {
    let text = match &message["content"] {
        Value::String(text) => text.clone(),
        blocks => {
            let blocks = blocks.as_array().unwrap().iter();
            blocks.filter_map(|block| block["text"].as_str().or(block["name"].as_str())).collect()
        }
    };
    let role = message["role"].as_str().unwrap();
    match message["stopReason"].as_str() {
        Some("stop") | None => format!("{role}: {text}"),
        Some(reason) => format!("{role} ({reason}): {text}"),
    }
}

/// A program that can be started.
pub struct Pi<'a> {
    world: &'a World,
    command: Command,
    input: String,
}

impl Pi<'_> {
    /// What is piped into it.
    pub fn stdin(mut self, text: &str) -> Self {
        text.clone_into(&mut self.input);
        self
    }

    /// With this variable in its environment.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Started in this directory.
    pub fn dir(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Runs it to its end.
    pub async fn run(mut self) -> Finished {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = self.input.clone();
        let feed = async move {
            // It may end without having read everything.
            let _ = stdin.write_all(input.as_bytes()).await;
        };
        let finished = async { tokio::join!(child.wait_with_output(), feed).0 };
        let output = tokio::time::timeout(PATIENCE, finished).await.expect("pi does not end").unwrap();
        let text = |bytes: Vec<u8>| self.world.mask(&String::from_utf8(bytes).unwrap());
        Finished { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Starts it; the test talks to it while it runs.
    pub fn start(mut self) -> Live {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Live::new(self.command.spawn().unwrap())
    }
}

impl Finished {
    /// The output of a run that went well and had nothing to complain about.
    pub fn success(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.stdout);
        self.stdout
    }
}
