//! An editor that talks with `pi acp`, and the schema that every line has to fit.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Value, json};

use pi_test_kit::{Live, World};

/// The published schema, taken apart.
struct Schema {
    message: Validator,
    /// Parameters and results by their methods.
    params: HashMap<String, Validator>,
    results: HashMap<String, Validator>,
}

fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/acp/schema.json");
        let whole: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let (mut params, mut results) = (HashMap::new(), HashMap::new());
        for (name, definition) in whole["$defs"].as_object().unwrap() {
            let Some(method) = definition["x-method"].as_str() else { continue };
            let part = json!({"$schema": whole["$schema"], "$defs": whole["$defs"], "$ref": format!("#/$defs/{name}")});
            let validator = jsonschema::validator_for(&part).unwrap();
            let place = if name.ends_with("Response") { &mut results } else { &mut params };
            assert!(place.insert(method.to_owned(), validator).is_none(), "{method} is there twice");
        }
        Schema { message: jsonschema::validator_for(&whole).unwrap(), params, results }
    })
}

fn check(validator: &Validator, value: &Value, line: &Value) {
    let problems: Vec<String> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(problems.is_empty(), "{line}\ndoes not fit the schema: {}", problems.join("\n"));
}

/// The message itself, and what its method says of its parts. `methods` are those of the requests that are open.
fn check_message(line: &Value, methods: &HashMap<String, String>) {
    let schema = schema();
    check(&schema.message, line, line);
    if let Some(method) = line["method"].as_str() {
        let params = schema.params.get(method).unwrap_or_else(|| panic!("the schema has no {method}"));
        check(params, &line["params"], line);
    } else if let Some(result) = line.get("result") {
        let method = methods.get(&line["id"].to_string()).unwrap_or_else(|| panic!("nobody asked: {line}"));
        check(&schema.results[method], result, line);
    }
}

/// An editor and the `pi acp` that it has started.
pub(super) struct Editor {
    pub(super) pi: Live,
    next: u64,
    /// Our requests that are not answered, and those of the agent.
    asked: HashMap<String, String>,
    /// Answers that came before somebody waited for them.
    early: HashMap<u64, Value>,
    /// Everything that was told of sessions.
    pub(super) updates: Vec<Value>,
    /// What is answered to requests of the agent, by method, in order.
    pub(super) replies: HashMap<&'static str, VecDeque<Value>>,
    /// Requests of the agent.
    pub(super) requests: Vec<Value>,
}

impl Editor {
    /// `pi acp`, and nothing said yet.
    pub(super) fn silent(world: &World, options: &[&str]) -> Self {
        let pi = world.pi(&[&["acp"], options].concat()).start();
        let (asked, early, updates) = (HashMap::new(), HashMap::new(), Vec::new());
        Self { pi, next: 0, asked, early, updates, replies: HashMap::new(), requests: Vec::new() }
    }

    /// The same after `initialize` with these abilities.
    pub(super) async fn with(world: &World, capabilities: Value) -> Self {
        let mut editor = Self::silent(world, &[]);
        editor.ok("initialize", json!({"protocolVersion": 1, "clientCapabilities": capabilities})).await;
        editor
    }

    /// The same without any.
    pub(super) async fn start(world: &World) -> Self {
        Self::with(world, json!({})).await
    }

    /// Sends a request; returns its number.
    pub(super) async fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let line = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        self.asked.insert(self.next.to_string(), method.to_owned());
        if schema().params.contains_key(method) {
            check_message(&line, &self.asked);
        }
        self.pi.send(&format!("{line}\n")).await;
        self.next
    }

    pub(super) async fn notify(&mut self, method: &str, params: Value) {
        let line = json!({"jsonrpc": "2.0", "method": method, "params": params});
        check_message(&line, &self.asked);
        self.pi.send(&format!("{line}\n")).await;
    }

    /// Takes one line; returns what was neither an answer nor a request.
    pub(super) async fn take(&mut self) -> bool {
        let Some(line) = self.pi.line().await else { return false };
        self.take_line(line).await;
        true
    }

    async fn take_line(&mut self, line: Value) {
        check_message(&line, &self.asked);
        match (line["method"].as_str(), line.get("id")) {
            (Some("session/update"), None) => self.updates.push(line["params"].clone()),
            (Some("$/cancel_request"), None) => {}
            (Some(method), Some(id)) => {
                let reply = self.replies.get_mut(method).and_then(VecDeque::pop_front);
                let reply = reply.unwrap_or_else(|| panic!("no reply to {line}"));
                self.requests.push(line.clone());
                // Null stands for no answer at all.
                if !reply.is_null() {
                    let answer = json!({"jsonrpc": "2.0", "id": id, "result": reply});
                    let methods = HashMap::from([(id.to_string(), method.to_owned())]);
                    check_message(&answer, &methods);
                    self.pi.send(&format!("{answer}\n")).await;
                }
            }
            (None, Some(id)) if id.is_u64() => {
                self.asked.remove(&id.to_string());
                assert!(self.early.insert(id.as_u64().unwrap(), line.clone()).is_none(), "answered twice: {line}");
            }
            _ => panic!("nobody expects {line}"),
        }
    }

    /// The answer to a request: its result, or its error.
    pub(super) async fn answer(&mut self, id: u64) -> Result<Value, Value> {
        while !self.early.contains_key(&id) {
            assert!(self.take().await, "the output ended");
        }
        let mut line = self.early.remove(&id).unwrap();
        match line.get_mut("error") {
            Some(error) => Err(error.take()),
            None => Ok(line["result"].take()),
        }
    }

    pub(super) async fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.send(method, params).await;
        self.answer(id).await
    }

    pub(super) async fn ok(&mut self, method: &str, params: Value) -> Value {
        self.ask(method, params).await.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The code and the text of a refusal.
    pub(super) async fn refusal(&mut self, method: &str, params: Value) -> (i64, String) {
        let error = self.ask(method, params).await.expect_err("it is refused");
        let words = format!("{} {}", error["message"].as_str().unwrap(), error["data"].as_str().unwrap_or_default());
        (error["code"].as_i64().unwrap(), words.trim().to_owned())
    }

    /// A new session in the project; what comes behind the answer is awaited.
    pub(super) async fn session(&mut self, world: &World) -> String {
        let answer = self.ok("session/new", json!({"cwd": world.cwd(), "mcpServers": []})).await;
        self.until("available_commands_update").await;
        answer["sessionId"].as_str().unwrap().to_owned()
    }

    /// Waits for an update of a kind that has not been seen yet; returns it.
    pub(super) async fn until(&mut self, kind: &str) -> Value {
        let seen = self.updates.len();
        self.until_update(seen, |update| update["sessionUpdate"] == kind).await
    }

    /// The first update from `seen` on that fits.
    pub(super) async fn until_update(&mut self, seen: usize, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let found = self.updates[seen..].iter().map(|params| &params["update"]).find(|update| fits(update));
            if let Some(found) = found {
                return found.clone();
            }
            assert!(self.take().await, "the output ended");
        }
    }

    pub(super) async fn send_prompt(&mut self, session: &str, text: &str) -> u64 {
        self.send_blocks(session, json!([{"type": "text", "text": text}])).await
    }

    pub(super) async fn send_blocks(&mut self, session: &str, blocks: Value) -> u64 {
        self.send("session/prompt", json!({"sessionId": session, "prompt": blocks})).await
    }

    /// The stop reason of a prompt.
    pub(super) async fn prompt(&mut self, session: &str, text: &str) -> String {
        let id = self.send_prompt(session, text).await;
        let answer = self.answer(id).await.unwrap_or_else(|error| panic!("{text}: {error}"));
        answer["stopReason"].as_str().unwrap().to_owned()
    }

    /// Updates of a session and of one kind.
    pub(super) fn of_kind(&self, session: &str, kind: &str) -> Vec<&Value> {
        let own = self.updates.iter().filter(|params| params["sessionId"] == session).map(|params| &params["update"]);
        own.filter(|update| update["sessionUpdate"] == kind).collect()
    }

    /// The text of all chunks of a session and of one kind.
    pub(super) fn text(&self, session: &str, kind: &str) -> String {
        self.of_kind(session, kind).into_iter().filter_map(|update| update["content"]["text"].as_str()).collect()
    }

    /// Sends something that is no request of ours; returns the error that comes back, and its id.
    pub(super) async fn send_raw(&mut self, line: &str) -> (Value, i64) {
        self.pi.send(&format!("{line}\n")).await;
        let line = self.pi.until(|line| line.get("error").is_some()).await.pop().unwrap();
        (line["id"].clone(), line["error"]["code"].as_i64().unwrap())
    }

    /// Ends the input; the exit code and what was complained of.
    pub(super) async fn end(mut self) -> (i32, String) {
        self.pi.close_stdin();
        while let Some(line) = self.pi.line().await {
            self.take_line(line).await;
        }
        self.pi.finish().await
    }
}
