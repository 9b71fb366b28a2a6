//! Transcripts that nobody would write but that sessions come to hold: turns of several models, failed ones, calls
//! without results, results without calls, ids of every kind.

use std::sync::Arc;

use pi_ai::{
    AssistantMessage, ContentBlock, Extra, Message, OtherMessage, StopReason, TextContent, ThinkingContent, ToolCall,
    ToolResultMessage, UserContent, UserMessage,
};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::target::Target;

/// One step of a conversation, still without a model that took it.
#[derive(Debug, Clone)]
pub(super) enum Step {
    User(UserContent),
    Answer(Answer),
    /// A result that nobody asked for.
    Stray(String),
    /// A message of a role that wire formats do not know.
    Other,
}

/// An answer and what came of its calls.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    /// The target itself wrote it; otherwise the foreign model of this number did.
    writer: Option<usize>,
    blocks: Vec<Block>,
    stop_reason: StopReason,
    /// Results come in the opposite order of the calls.
    reversed: bool,
    /// What stands between the calls and late results.
    between: UserContent,
}

#[derive(Debug, Clone)]
enum Block {
    Text(String, bool),
    Thinking(String, Seal),
    /// The id is for foreign writers; the target's own ids are legal.
    Call {
        id: String,
        arguments: Value,
        outcome: Outcome,
    },
    Unknown,
}

#[derive(Debug, Clone, Copy)]
enum Seal {
    None,
    Empty,
    Signed,
    Redacted,
}

/// What came of a call.
#[derive(Debug, Clone)]
enum Outcome {
    Missing,
    Given(Vec<ContentBlock>, bool),
    Twice(Vec<ContentBlock>),
    Late(Vec<ContentBlock>),
}

/// Models that are never the target: api, provider, id.
const FOREIGN: [(&str, &str, &str); 4] = [
    ("anthropic-messages", "other", "claude-other"),
    ("openai-responses", "github-copilot", "gpt-other"),
    ("openai-completions", "local", "llama-other"),
    ("google-generative-ai", "other", "gemini-other"),
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => select(vec!["", " \n", "hi", "ok then", "日本\u{1F600}"]).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

/// Ids as providers, proxies and local servers make them up.
fn id() -> impl Strategy<Value = String> {
    let usual = vec![
        "call_1",
        "call.1",
        "call-1",
        "call+1",
        "call_1|fc_1",
        "call_1|fc/1==",
        "functions.bash:0",
        "",
        "|",
        "日本",
        "a b\tc\"",
        "123456789",
        "12345-6789",
    ];
    prop_oneof![
        6 => select(usual).prop_map(str::to_owned),
        1 => "[a-z_]{60,64}".prop_map(|long| format!("{long}{}", "x".repeat(400))),
        1 => any::<String>(),
    ]
}

fn image() -> ContentBlock {
    ContentBlock::image("QUFB", "image/png")
}

fn visible_block() -> impl Strategy<Value = ContentBlock> {
    prop_oneof![
        3 => text().prop_map(ContentBlock::text),
        2 => Just(image()),
        1 => Just(ContentBlock::Other(Box::new(json!({"type": "hologram"})))),
    ]
}

fn visible_blocks() -> impl Strategy<Value = Vec<ContentBlock>> {
    prop::collection::vec(visible_block(), 0..4)
}

fn user_content() -> impl Strategy<Value = UserContent> {
    prop_oneof![text().prop_map(UserContent::Text), visible_blocks().prop_map(UserContent::Blocks)]
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        1 => Just(Outcome::Missing),
        4 => (visible_blocks(), any::<bool>()).prop_map(|(content, is_error)| Outcome::Given(content, is_error)),
        1 => visible_blocks().prop_map(Outcome::Twice),
        1 => visible_blocks().prop_map(Outcome::Late),
    ]
}

fn block() -> impl Strategy<Value = Block> {
    let seal = select(vec![Seal::None, Seal::Empty, Seal::Signed, Seal::Redacted]);
    let arguments = select(vec![json!({}), json!({"path": "a", "n": 1}), Value::Null, json!([1]), json!("x")]);
    prop_oneof![
        2 => (text(), any::<bool>()).prop_map(|(text, signed)| Block::Text(text, signed)),
        2 => (text(), seal).prop_map(|(text, seal)| Block::Thinking(text, seal)),
        4 => (id(), arguments, outcome()).prop_map(|(id, arguments, outcome)| Block::Call { id, arguments, outcome }),
        1 => Just(Block::Unknown),
    ]
}

fn answer(stop_reasons: Vec<StopReason>) -> impl Strategy<Value = Step> {
    let blocks = prop::collection::vec(block(), 0..5);
    let writer = prop::option::of(0..FOREIGN.len());
    (writer, blocks, select(stop_reasons), any::<bool>(), user_content()).prop_map(
        |(writer, blocks, stop_reason, reversed, between)| {
            Step::Answer(Answer { writer, blocks, stop_reason, reversed, between })
        },
    )
}

/// A conversation; it begins with something that a user said.
pub(super) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let reasons = vec![
        StopReason::Stop,
        StopReason::ToolUse,
        StopReason::ToolUse,
        StopReason::Length,
        StopReason::Error,
        StopReason::Aborted,
        StopReason::Other("pending".into()),
    ];
    let step = prop_oneof![
        3 => user_content().prop_map(Step::User),
        6 => answer(reasons),
        1 => id().prop_map(Step::Stray),
        1 => Just(Step::Other),
    ];
    prop::collection::vec(step, 0..8).prop_map(|steps| {
        let first = Step::User(UserContent::Text("go".into()));
        std::iter::once(first).chain(steps).collect()
    })
}

/// What may be appended to any conversation: a user's turn, and maybe what followed it.
pub(super) fn turn() -> impl Strategy<Value = Vec<Step>> {
    (user_content(), steps()).prop_map(|(content, rest)| std::iter::once(Step::User(content)).chain(rest).collect())
}

/// The conversation as the target's program holds it, and the texts of results that must reach the model.
pub(super) fn messages(steps: &[Step], target: &Target) -> (Vec<Arc<Message>>, Vec<String>) {
    let mut writer = Writer { target, messages: Vec::new(), calls: 0, must_arrive: Vec::new() };
    steps.iter().for_each(|step| writer.step(step));
    (writer.messages, writer.must_arrive)
}

struct Writer<'a> {
    target: &'a Target,
    messages: Vec<Arc<Message>>,
    /// Calls so far.
    calls: usize,
    must_arrive: Vec<String>,
}

impl Writer<'_> {
    fn push(&mut self, message: impl Into<Message>) {
        self.messages.push(Arc::new(message.into()));
    }

    fn user(&mut self, content: &UserContent) {
        self.push(UserMessage { content: content.clone(), timestamp: 1, extra: Extra::new() });
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::User(content) => self.user(content),
            Step::Answer(answer) => self.answer(answer),
            Step::Stray(id) => self.push(result(id, vec![ContentBlock::text("stray")], false)),
            Step::Other => {
                let other = json!({"role": "bashExecution", "command": "ls"});
                self.push(Message::Other(OtherMessage(Box::new(other.as_object().unwrap().clone()))));
            }
        }
    }

    fn answer(&mut self, answer: &Answer) {
        let own = answer.writer.is_none();
        let mut calls = Vec::new();
        let mut content = Vec::new();
        for block in &answer.blocks {
            content.push(match block {
                Block::Text(text, signed) => self.text(text, *signed, own),
                Block::Thinking(text, seal) => self.thinking(text, *seal, own),
                Block::Call { id, arguments, outcome } => {
                    self.calls += 1;
                    let id = if own { self.target.own_id(self.calls) } else { id.clone() };
                    calls.push((id.clone(), outcome.clone(), self.calls));
                    call(id, arguments)
                }
                Block::Unknown => ContentBlock::Other(Box::new(json!({"type": "hologram"}))),
            });
        }
        let (api, provider, model) = match answer.writer {
            Some(foreign) => FOREIGN[foreign],
            None => (self.target.api, self.target.provider, self.target.model),
        };
        self.push(AssistantMessage {
            content,
            api: api.into(),
            provider: provider.into(),
            model: model.into(),
            stop_reason: answer.stop_reason.clone(),
            error_message: answer.stop_reason.is_failure().then(|| "failed".into()),
            ..AssistantMessage::default()
        });
        if answer.reversed {
            calls.reverse();
        }
        self.results(answer, &calls);
    }

    fn results(&mut self, answer: &Answer, calls: &[(String, Outcome, usize)]) {
        for (id, outcome, number) in calls {
            match outcome {
                Outcome::Given(content, is_error) => {
                    let marker = format!("result-{number}.");
                    // Of two calls with one id nobody can tell which result is whose.
                    let unique = calls.iter().filter(|(other, ..)| other == id).count() == 1;
                    if unique && !answer.stop_reason.is_failure() {
                        self.must_arrive.push(marker.clone());
                    }
                    let content = content.iter().cloned().chain([ContentBlock::text(marker)]).collect();
                    self.push(result(id, content, *is_error));
                }
                Outcome::Twice(content) => (0..2).for_each(|_| self.push(result(id, content.clone(), false))),
                Outcome::Missing | Outcome::Late(_) => {}
            }
        }
        let late: Vec<_> = calls
            .iter()
            .filter_map(|(id, outcome, _)| match outcome {
                Outcome::Late(content) => Some(result(id, content.clone(), false)),
                _ => None,
            })
            .collect();
        if !late.is_empty() {
            self.user(&answer.between);
            late.into_iter().for_each(|late| self.push(late));
        }
    }

    fn text(&self, text: &str, signed: bool, own: bool) -> ContentBlock {
        let signature = if own { self.target.text_signature(self.calls) } else { Some("foreign".to_owned()) };
        let text_signature = signature.filter(|_| signed);
        ContentBlock::Text(TextContent { text: text.into(), text_signature, ..TextContent::default() })
    }

    fn thinking(&self, text: &str, seal: Seal, own: bool) -> ContentBlock {
        let signature = if own { self.target.thinking_signature() } else { Some("foreign".to_owned()) };
        let (thinking_signature, redacted) = match seal {
            Seal::None => (None, None),
            Seal::Empty => (Some(String::new()), None),
            Seal::Signed => (signature, None),
            Seal::Redacted => (signature, Some(true)),
        };
        ContentBlock::Thinking(ThinkingContent {
            thinking: text.into(),
            thinking_signature,
            redacted,
            ..ThinkingContent::default()
        })
    }
}

fn call(id: String, arguments: &Value) -> ContentBlock {
    ContentBlock::from(ToolCall {
        id,
        name: "look".into(),
        arguments: arguments.clone(),
        thought_signature: None,
        extra: Extra::new(),
    })
}

fn result(id: &str, content: Vec<ContentBlock>, is_error: bool) -> ToolResultMessage {
    ToolResultMessage {
        tool_call_id: id.into(),
        tool_name: "look".into(),
        content,
        details: None,
        is_error,
        timestamp: 1,
        extra: Extra::new(),
    }
}
