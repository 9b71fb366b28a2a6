//! Writes a session step by step: what is said, what tools answer, filler in between. All chance comes from a seed.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use pi_ai::{
    AssistantMessage, Clock, ContentBlock, Extra, Message, StopReason, ToolCall, ToolResultMessage, Usage, UserContent,
    UserMessage,
};
use pi_coding_agent::env::Env;
use pi_coding_agent::ids::SequentialIds;
use pi_coding_agent::messages::BashExecutionMessage;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::{CustomMessageContent, NewSession, SessionHost, SessionManager};
use serde_json::{Value, json};

use super::facts::{Fact, Kind, Place, Planted};

/// A clock that ticks a second per question.
#[derive(Debug)]
struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now_ms(&self) -> i64 {
        self.0.fetch_add(1000, Ordering::Relaxed)
    }
}

/// A session in the making.
pub(crate) struct Script {
    pub(crate) manager: SessionManager,
    pub(crate) planted: Planted,
    seed: u64,
    calls: usize,
    bytes: u64,
}

const WORDS: &[&str] = &[
    "buffer", "queue", "index", "cursor", "token", "frame", "route", "handler", "cache", "shard", "worker", "lease",
    "ledger", "parser", "cluster", "socket", "journal", "bucket", "window", "schema", "digest", "signal", "replica",
    "segment", "filter", "record", "session", "branch", "anchor", "matrix",
];
const VERBS: &[&str] = &["load", "merge", "split", "check", "write", "drain", "close", "apply", "fetch", "sort"];

impl Script {
    /// An empty session whose file will be in `dir`.
    pub(crate) fn new(dir: &Path, name: &str, about: &str) -> Self {
        let seed = name.bytes().fold(0x9e37_79b9_7f4a_7c15, |seed: u64, byte| seed.rotate_left(7) ^ u64::from(byte));
        let host = SessionHost {
            paths: Paths::new(Env::fixed([("HOME", "/home/user")]), "/home/user"),
            clock: Arc::new(Ticking(AtomicI64::new(1_790_000_000_000))),
            ids: SequentialIds::shared(),
        };
        let options = NewSession { dir: Some(dir.to_owned()), id: Some(name.to_owned()), ..NewSession::default() };
        let manager = SessionManager::create(host, Path::new("/srv/app"), &options).expect("a session");
        let planted =
            Planted { about: about.to_owned(), reserve_tokens: 16_384, keep_recent_tokens: 4_000, facts: Vec::new() };
        let mut script = Self { manager, planted, seed, calls: 0, bytes: 0 };
        script.manager.append().model_change("example", "m1").expect("an entry");
        script.manager.append().thinking_level_change("medium").expect("an entry");
        script
    }

    /// Notes a fact that the summarising model has to be told, and returns its words.
    pub(crate) fn plant(&mut self, kind: Kind, text: &str) -> String {
        self.plant_at(kind, text, Place::Request, None)
    }

    /// Notes a fact that is lost, with the reason.
    pub(crate) fn lose(&mut self, kind: Kind, text: &str, why: &str) -> String {
        self.plant_at(kind, text, Place::Lost, Some(why))
    }

    /// Notes a fact with its place.
    pub(crate) fn plant_at(&mut self, kind: Kind, text: &str, place: Place, why: Option<&str>) -> String {
        self.planted.facts.push(Fact { kind, text: text.to_owned(), place, why: why.map(str::to_owned) });
        text.to_owned()
    }

    fn push(&mut self, message: Message) -> String {
        self.bytes += serde_json::to_string(&message).map_or(0, |text| text.len() as u64);
        self.manager.append_message(Arc::new(message)).expect("an entry")
    }

    pub(crate) fn user(&mut self, text: &str) -> String {
        self.push(UserMessage::blocks(vec![ContentBlock::text(text)], 1).into())
    }

    /// A user message with a picture of one pixel.
    pub(crate) fn user_with_picture(&mut self, text: &str) -> String {
        const PIXEL: &str =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
        self.push(
            UserMessage::blocks(vec![ContentBlock::text(text), ContentBlock::image(PIXEL, "image/png")], 1).into(),
        )
    }

    pub(crate) fn answer(&mut self, text: &str) -> String {
        self.say(vec![ContentBlock::text(text)], StopReason::Stop)
    }

    pub(crate) fn say(&mut self, content: Vec<ContentBlock>, stop_reason: StopReason) -> String {
        let total_tokens = 1500 + self.bytes / 4;
        let message = AssistantMessage {
            content,
            api: "example".into(),
            provider: "example".into(),
            model: "m1".into(),
            usage: Usage { input: total_tokens - 100, output: 100, total_tokens, ..Usage::default() },
            stop_reason,
            timestamp: 1,
            ..AssistantMessage::default()
        };
        self.push(message.into())
    }

    /// An answer that failed.
    pub(crate) fn failure(&mut self, reason: StopReason, text: &str) {
        let message = AssistantMessage {
            api: "example".into(),
            provider: "example".into(),
            model: "m1".into(),
            stop_reason: reason,
            error_message: Some(text.to_owned()),
            timestamp: 1,
            ..AssistantMessage::default()
        };
        self.push(message.into());
    }

    /// Calls one tool and takes its result.
    pub(crate) fn tool(&mut self, text: &str, name: &str, arguments: Value, result: &str) -> String {
        let id = self.call(text, name, arguments);
        self.result(&id, name, result)
    }

    /// Calls a tool; returns the id of the call.
    pub(crate) fn call(&mut self, text: &str, name: &str, arguments: Value) -> String {
        self.calls += 1;
        let id = format!("call_{}", self.calls);
        let call =
            ToolCall { id: id.clone(), name: name.to_owned(), arguments, thought_signature: None, extra: Extra::new() };
        let mut content = Vec::new();
        if !text.is_empty() {
            content.push(ContentBlock::text(text));
        }
        content.push(call.into());
        self.say(content, StopReason::ToolUse);
        id
    }

    pub(crate) fn result(&mut self, id: &str, name: &str, text: &str) -> String {
        let message = ToolResultMessage {
            tool_call_id: id.to_owned(),
            tool_name: name.to_owned(),
            content: vec![ContentBlock::text(text)],
            details: None,
            is_error: false,
            timestamp: 1,
            extra: Extra::new(),
        };
        self.push(message.into())
    }

    /// A command that the user ran.
    pub(crate) fn bash(&mut self, command: &str, output: &str, hidden: bool) {
        let message = BashExecutionMessage {
            command: command.to_owned(),
            output: output.to_owned(),
            exit_code: Some(0),
            exclude_from_context: hidden.then_some(true),
            timestamp: 1,
            ..BashExecutionMessage::default()
        };
        self.push(message.into());
    }

    /// A message of an extension.
    pub(crate) fn custom(&mut self, text: &str) {
        let content = UserContent::Text(text.to_owned());
        let message = CustomMessageContent { custom_type: "notes".to_owned(), content, display: true, details: None };
        self.manager.append().custom_message(message).expect("an entry");
    }

    pub(crate) fn pin(&mut self, id: &str) {
        self.manager.append().label_change(id, Some("pin")).expect("an entry");
    }

    /// Turns of ordinary work: a question, some reading and editing, an answer.
    pub(crate) fn work(&mut self, turns: usize) {
        for _ in 0..turns {
            let (a, b) = (self.word(), self.word());
            let question = format!("Please look at how the {a} handles the {b} now. {}", self.prose(3));
            self.user(&question);
            let path = format!("src/{a}/{b}.rs");
            let code = self.code(45);
            self.tool("", "read", json!({ "path": path }), &code);
            let (old, new) = (self.line(), self.line());
            self.tool(
                "I see.",
                "edit",
                json!({ "path": path, "edits": [{ "oldText": old, "newText": new }] }),
                "Applied 1 edit.",
            );
            let log = self.log(12);
            self.tool("", "bash", json!({ "command": format!("cargo test -p {a}") }), &log);
            let answer = self.prose(6);
            self.answer(&answer);
        }
    }

    fn random(&mut self, below: usize) -> usize {
        // SplitMix64.
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % below as u64) as usize
    }

    pub(crate) fn word(&mut self) -> &'static str {
        let at = self.random(WORDS.len());
        WORDS[at]
    }

    fn verb(&mut self) -> &'static str {
        let at = self.random(VERBS.len());
        VERBS[at]
    }

    /// A line of code.
    pub(crate) fn line(&mut self) -> String {
        let (a, b, c, n) = (self.word(), self.verb(), self.word(), self.random(900));
        format!("    let {a}_{n} = {b}_{c}(&mut {a}, {n})?;")
    }

    pub(crate) fn code(&mut self, lines: usize) -> String {
        let mut text = String::new();
        for n in 0..lines {
            if n % 9 == 0 {
                let (a, b) = (self.verb(), self.word());
                text.push_str(&format!("}}\n\nfn {a}_{b}_{n}(input: &str) -> Result<u64> {{\n"));
            }
            text.push_str(&self.line());
            text.push('\n');
        }
        text
    }

    pub(crate) fn log(&mut self, lines: usize) -> String {
        let line = |script: &mut Self, n: usize| format!("test {}::{}_{n} ... ok", script.word(), script.verb());
        (0..lines).map(|n| line(self, n)).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn prose(&mut self, sentences: usize) -> String {
        let sentence = |script: &mut Self| {
            let (a, b, c, d) = (script.word(), script.verb(), script.word(), script.word());
            format!("The {a} has to {b} its {c} before the {d} is used.")
        };
        (0..sentences).map(|_| sentence(self)).collect::<Vec<_>>().join(" ")
    }
}
