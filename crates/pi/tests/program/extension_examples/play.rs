//! Carries out a script.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::time::Duration;

use serde_json::{Value, json};

use crate::extension_examples::mask::Mask;
use crate::extension_examples::package::Package;
use crate::extension_examples::program::Program;
use crate::extension_examples::recordings;
use crate::extension_examples::script::{Answer, Script, Step};
use crate::extension_examples::trace::{self, Trace};
use pi_test_kit::{Live, Provider, World};

/// How long a line may take to come. Two slow programs share the machine with this test.
const LIMIT: Duration = Duration::from_secs(30);

/// Runs the unit.
pub(crate) async fn play(program: &Program, package: &Package, unit: &str, usual: &HashSet<String>) -> Trace {
    let script = Script::of(unit);
    let provider = Provider::start(script.model.iter().map(Answer::reply)).await;
    let world = World::with(&provider);
    prepare(&world, &script.files, script.setup.as_deref());
    let probe = recordings::path("probe.ts");
    let path = std::env::var("PATH").unwrap();
    let filled = |text: &str| text.replace("$CWD", world.cwd().to_str().unwrap()).replace("$PATH", &path);
    let arguments: Vec<String> = script.arguments.iter().map(|argument| filled(argument)).collect();
    let mut pi = program.rpc(&world, &[&package.path(unit), &probe], &arguments);
    for (name, value) in &script.environment {
        pi = pi.env(name, &filled(value));
    }
    let mut player = Player::new(pi.start(), &world, script.user.clone());
    let mut trace = Trace { session: player.probe().await, ..Trace::default() };
    for step in &script.steps {
        let told = player.step(step).await;
        let lines = match (step, trace.steps.last_mut()) {
            (Step::Until(_), Some(before)) => before,
            _ => {
                trace.steps.push(Vec::new());
                trace.steps.last_mut().expect("one was pushed")
            }
        };
        lines.extend(told);
        if script.any_order {
            lines.sort_by_key(Value::to_string);
        }
    }
    let (code, complaints) = player.pi.end().await;
    finish(&mut trace, &world, package, (code, &complaints));
    trace.requests = provider.requests().iter().map(|request| trace::request(&request.body, usual)).collect();
    mask(&mut trace, &Mask::new(&world, package));
    trace
}

/// Writes the files of the project, and runs the commands that make the rest of it.
pub(super) fn prepare(world: &World, files: &BTreeMap<String, String>, setup: Option<&str>) {
    for (name, content) in files {
        world.write(name, content);
    }
    if let Some(setup) = setup {
        shell(world, setup);
    }
}

fn shell(world: &World, command: &str) {
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", command]).current_dir(world.cwd()).env("HOME", world.home());
    for name in ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"] {
        shell.env(name, "tester@example.org");
    }
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
}

fn finish(trace: &mut Trace, world: &World, package: &Package, (code, complaints): (i32, &str)) {
    trace.code = code;
    trace.complaints = complaints.lines().map(str::to_owned).collect();
    trace.entries = trace::entries(world);
    trace.files = trace::files(&world.cwd(), &Mask::new(world, package));
}

fn mask(trace: &mut Trace, mask: &Mask<'_>) {
    let mut value = serde_json::to_value(&*trace).unwrap();
    mask.json(&mut value);
    *trace = serde_json::from_value(value).unwrap();
}

/// Lines of the system prompts that a program makes without extensions.
pub(crate) async fn usual_prompt(program: &Program) -> HashSet<String> {
    let mut usual = HashSet::new();
    for tools in [["--tools", "read,bash,edit,write"], ["--tools", "read,bash,edit,write,grep,find,ls"]] {
        let provider = Provider::start([Answer::Text("Hello.".to_owned()).reply()]).await;
        let world = World::with(&provider);
        let skill = world.agent_dir().join("skills/usual");
        std::fs::create_dir_all(&skill).unwrap();
        std::fs::write(skill.join("SKILL.md"), "---\nname: usual\ndescription: for what is said of skills\n---\n")
            .unwrap();
        let pi = program.rpc(&world, &[], &tools.map(str::to_owned));
        let mut player = Player::new(pi.start(), &world, Vec::new());
        player.step(&Step::Run("hello".to_owned())).await;
        player.pi.end().await;
        let body = provider.requests().remove(0).body;
        usual.extend(trace::text_of(&body["system"]).lines().map(str::to_owned));
    }
    usual
}

struct Player<'w> {
    pi: Live,
    world: &'w World,
    user: VecDeque<Value>,
    /// The program has ended, or says nothing any more.
    is_over: bool,
    entry: Value,
    /// What has been said since the last step that did something.
    heard: Vec<Value>,
}

impl<'w> Player<'w> {
    fn new(pi: Live, world: &'w World, user: Vec<Value>) -> Self {
        Self { pi, world, user: user.into(), is_over: false, entry: Value::Null, heard: Vec::new() }
    }

    async fn probe(&mut self) -> Value {
        let lines = self.step(&Step::Say("/probe".to_owned())).await;
        let is_answer = |line: &&Value| {
            line["method"] == "notify" && line["message"].as_str().is_some_and(|text| text.starts_with("{\"tools\""))
        };
        let Some(answer) = lines.iter().find(is_answer) else { return json!(lines) };
        let mut session: Value = serde_json::from_str(answer["message"].as_str().unwrap()).unwrap();
        // What the extension said when the session began.
        session["start"] = lines.iter().filter(|line| *line != answer).cloned().collect();
        session
    }

    /// What the client is told in this step.
    async fn step(&mut self, step: &Step) -> Vec<Value> {
        let mut lines = Vec::new();
        match step {
            Step::Run(text) => {
                self.send(json!({"id": "step", "type": "prompt", "message": text})).await;
                self.until(&mut lines, |line| line["type"] == "agent_end" || is_refusal(line)).await;
            }
            Step::Say(text) => self.ask(json!({"type": "prompt", "message": text}), &mut lines).await,
            Step::Command(command) => {
                let text = command.to_string().replace("ENTRY", self.entry.as_str().unwrap_or_default());
                self.ask(serde_json::from_str(&text).unwrap(), &mut lines).await;
            }
            Step::Runs(count) => {
                for _ in 0..*count {
                    self.until(&mut lines, |line| line["type"] == "agent_end").await;
                }
            }
            Step::Until(what) => {
                let fits = |line: &Value| ["type", "method", "message"].iter().any(|field| line[field] == **what);
                // It may have come while the step before was settling.
                if !self.heard.iter().any(fits) {
                    self.until(&mut lines, fits).await;
                }
            }
            // What the program says of it is for the next step.
            Step::Shell(command) => {
                shell(self.world, command);
                return lines;
            }
            Step::Fork => self.entry = self.first_message(&mut lines).await,
        }
        self.settle(&mut lines).await;
        let told = lines.iter().filter_map(trace::line).collect();
        match step {
            Step::Until(_) => self.heard.extend(lines),
            _ => self.heard = lines,
        }
        told
    }

    async fn send(&mut self, command: Value) {
        if !self.is_over {
            self.pi.send(&format!("{command}\n")).await;
        }
    }

    /// Sends a command and reads up to its response.
    async fn ask(&mut self, mut command: Value, lines: &mut Vec<Value>) {
        command["id"] = json!("step");
        self.send(command).await;
        self.until(lines, |line| line["id"] == "step" && line["type"] == "response").await;
    }

    async fn first_message(&mut self, lines: &mut Vec<Value>) -> Value {
        let mut answer = Vec::new();
        self.ask(json!({"type": "get_fork_messages"}), &mut answer).await;
        let entry = answer.last().map(|line| line["data"]["messages"][0]["entryId"].clone());
        lines.extend(answer);
        entry.unwrap_or_default()
    }

    /// Waits until nothing goes on.
    async fn settle(&mut self, lines: &mut Vec<Value>) {
        while !self.is_over {
            self.send(json!({"id": "settle", "type": "get_state"})).await;
            let mut said = Vec::new();
            self.until(&mut said, |line| line["id"] == "settle").await;
            let Some(state) = said.pop() else { return };
            let is_quiet = said.is_empty();
            lines.extend(said);
            let is_busy = ["isStreaming", "isCompacting"].iter().any(|field| state["data"][field] == true);
            if is_quiet && !is_busy {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Reads up to a line that fits, and answers questions on the way.
    async fn until(&mut self, lines: &mut Vec<Value>, fits: impl Fn(&Value) -> bool) {
        while !self.is_over {
            let line = match tokio::time::timeout(LIMIT, self.pi.line()).await {
                Ok(Some(line)) => line,
                Ok(None) => {
                    self.is_over = true;
                    return;
                }
                Err(_) => {
                    self.is_over = true;
                    lines.push(json!({"type": "nothing came"}));
                    return;
                }
            };
            let fits = fits(&line);
            if ["select", "confirm", "input", "editor"].contains(&line["method"].as_str().unwrap_or_default()) {
                let mut answer = self.user.pop_front().unwrap_or_else(|| json!({"cancelled": true}));
                answer["type"] = json!("extension_ui_response");
                answer["id"] = line["id"].clone();
                self.send(answer).await;
            }
            lines.push(line);
            if fits {
                return;
            }
        }
    }
}

fn is_refusal(line: &Value) -> bool {
    line["id"] == "step" && line["success"] == false
}

/// So that a unit that cannot be loaded is told from one that says nothing.
pub(crate) fn is_loaded(trace: &Trace) -> bool {
    trace.session.is_object()
}
