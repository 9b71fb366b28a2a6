//! The lines of `message_update` against what serialising the message anew at every event would give.

use std::sync::Arc;

use pi_agent_core::AgentEvent;
use pi_ai::{
    AssistantMessage, AssistantMessageEvent, ContentBlock, Message, MessageBuilder, Model, StopReason, ThinkingContent,
};
use pi_coding_agent::agent_session::SessionEvent;
use pi_coding_agent::rpc::{EventDetail, EventDetailSwitch, EventJson};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What a decoder does next. Numbers choose among the open blocks.
#[derive(Debug, Clone)]
enum Step {
    Text,
    Thinking {
        redacted: bool,
    },
    Call {
        id: String,
        arguments: Value,
    },
    /// A delta for an open block; in a tool call the next piece of its JSON text, of this length.
    Delta(usize, String),
    Sign(usize, String),
    Rename(usize, String),
    Close(usize),
    Usage(u64),
    Stop(StopReason),
    Restart,
}

/// An open block, and for a tool call the text that is still to come.
struct Open {
    index: usize,
    rest: String,
}

/// Plays the steps and hands out each event together with the message at that time.
struct Script {
    builder: MessageBuilder,
    open: Vec<Open>,
    seen: Vec<(AssistantMessageEvent, AssistantMessage)>,
}

impl Script {
    fn new() -> Self {
        let model = Model { id: "m".into(), api: "a".into(), provider: "p".into(), ..Model::default() };
        let mut builder = MessageBuilder::new(&model, 7);
        builder.start();
        Self { builder, open: Vec::new(), seen: Vec::new() }
    }

    fn play(mut self, steps: Vec<Step>) -> Vec<(AssistantMessageEvent, AssistantMessage)> {
        for step in steps {
            self.step(step);
            while let Some(event) = self.builder.next_event() {
                let now = AssistantMessage::clone(&self.builder.partial().snapshot());
                self.seen.push((event, now));
            }
        }
        self.seen
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Text => {
                let index = self.builder.start_text();
                self.open.push(Open { index, rest: String::new() });
            }
            Step::Thinking { redacted } => {
                let block = ThinkingContent {
                    thinking: if redacted { "[\"hidden\"]".to_owned() } else { String::new() },
                    thinking_signature: Some(String::new()),
                    redacted: redacted.then_some(true),
                    ..ThinkingContent::default()
                };
                let index = self.builder.start_thinking(block);
                self.open.push(Open { index, rest: String::new() });
            }
            Step::Call { id, arguments } => {
                let index = self.builder.start_tool_call(id, "tool");
                self.open.push(Open { index, rest: arguments.to_string() });
            }
            Step::Delta(which, text) => self.delta(which, &text),
            Step::Sign(which, text) => self.edit(which, |block| match block {
                ContentBlock::Text(block) => block.text_signature = Some(text),
                ContentBlock::Thinking(block) => block.thinking_signature.get_or_insert_default().push_str(&text),
                ContentBlock::ToolCall(block) => Arc::make_mut(block).thought_signature = Some(text),
                _ => {}
            }),
            Step::Rename(which, text) => self.edit(which, |block| {
                if let ContentBlock::ToolCall(call) = block {
                    Arc::make_mut(call).name = text;
                }
            }),
            Step::Close(which) => self.close(which),
            Step::Usage(tokens) => self.builder.edit(|message| message.usage.output = tokens),
            Step::Stop(reason) => self.builder.edit(|message| message.stop_reason = reason),
            Step::Restart => {
                self.open.clear();
                self.builder.restart();
            }
        }
    }

    fn edit(&mut self, which: usize, change: impl FnOnce(&mut ContentBlock)) {
        if !self.open.is_empty() {
            let at = which % self.open.len();
            self.builder.edit_block(self.open[at].index, change);
        }
    }

    fn delta(&mut self, which: usize, text: &str) {
        if self.open.is_empty() {
            return;
        }
        let at = which % self.open.len();
        let open = &mut self.open[at];
        self.builder.text_delta(open.index, text);
        self.builder.thinking_delta(open.index, text);
        let cut = open.rest.char_indices().nth(text.chars().count()).map_or(open.rest.len(), |(cut, _)| cut);
        let piece: String = open.rest.drain(..cut).collect();
        self.builder.tool_call_delta(open.index, &piece);
    }

    fn close(&mut self, which: usize) {
        if self.open.is_empty() {
            return;
        }
        let Open { index, rest } = self.open.remove(which % self.open.len());
        // Cut-off arguments are ended as they are, every other time.
        if which.is_multiple_of(2) {
            self.builder.tool_call_delta(index, &rest);
        }
        self.builder.end_text(index);
        self.builder.end_thinking(index);
        self.builder.end_tool_call(index);
    }
}

fn arguments() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4).prop_map(|map| json!(map)),
        ]
    });
    prop::collection::btree_map("[a-z\"é]{1,4}", value, 0..4).prop_map(|map| json!(map))
}

fn step() -> impl Strategy<Value = Step> {
    let text = prop_oneof![Just(String::new()), ".{0,12}", "[\"\\\\\n\u{0}\u{1f}\u{2028}🦀é]{1,6}"];
    let reasons = [StopReason::Length, StopReason::ToolUse, StopReason::Other("odd".to_owned())];
    prop_oneof![
        2 => Just(Step::Text),
        1 => any::<bool>().prop_map(|redacted| Step::Thinking { redacted }),
        2 => (".{0,5}", arguments()).prop_map(|(id, arguments)| Step::Call { id, arguments }),
        12 => (any::<usize>(), text.clone()).prop_map(|(which, text)| Step::Delta(which, text)),
        1 => (any::<usize>(), text.clone()).prop_map(|(which, text)| Step::Sign(which, text)),
        1 => (any::<usize>(), text).prop_map(|(which, text)| Step::Rename(which, text)),
        3 => any::<usize>().prop_map(Step::Close),
        1 => any::<u32>().prop_map(|tokens| Step::Usage(tokens.into())),
        1 => prop::sample::select(reasons.to_vec()).prop_map(Step::Stop),
        1 => Just(Step::Restart),
    ]
}

/// The line of an event, as its own writer writes it.
fn line(writer: &mut EventJson, event: &AssistantMessageEvent) -> String {
    let mut line = Vec::new();
    writer.write(&SessionEvent::Agent(AgentEvent::MessageUpdate { event: event.clone() }), &mut line);
    String::from_utf8(line).unwrap()
}

/// The fields that tell kinds of events apart.
fn payload(event: &AssistantMessageEvent) -> Option<(&'static str, Value)> {
    use AssistantMessageEvent as Event;
    match event {
        Event::TextDelta { delta, .. } | Event::ThinkingDelta { delta, .. } | Event::ToolCallDelta { delta, .. } => {
            Some(("delta", json!(delta)))
        }
        Event::TextEnd { content, .. } | Event::ThinkingEnd { content, .. } => Some(("content", json!(content))),
        Event::ToolCallEnd { tool_call, .. } => Some(("toolCall", json!(ContentBlock::ToolCall(tool_call.clone())))),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_update_shows_the_message_at_its_time(steps in prop::collection::vec(step(), 1..40)) {
        // Written at once, as the events come: the handle must not be ahead.
        let mut script = Script::new();
        let mut writer = EventJson::default();
        for step in steps {
            script.step(step);
            while let Some(event) = script.builder.next_event() {
                if event.content_index().is_none() {
                    continue;
                }
                let line = line(&mut writer, &event);
                prop_assert_eq!(line.find('\n'), Some(line.len() - 1));
                let written: Value = serde_json::from_str(&line).unwrap();
                let now = json!(Message::from(AssistantMessage::clone(&script.builder.partial().snapshot())));
                let mut update = json!({"type": event.kind(), "contentIndex": event.content_index(), "partial": now});
                if let Some((key, value)) = payload(&event) {
                    update[key] = value;
                }
                if event.kind() == "toolcall_start" {
                    let block = &now["content"][event.content_index().unwrap()];
                    update["id"] = block["id"].clone();
                    update["toolName"] = block["name"].clone();
                }
                let usage = &now["usage"];
                prop_assert_eq!(
                    written,
                    json!({"type": "message_update", "usage": usage, "assistantMessageEvent": update, "message": now})
                );
            }
        }
    }
}

#[test]
fn a_writer_that_is_behind_shows_what_the_events_told() {
    let steps = vec![
        Step::Text,
        Step::Delta(0, "one ".to_owned()),
        Step::Delta(0, "two".to_owned()),
        Step::Close(0),
        Step::Call { id: "c".to_owned(), arguments: json!({"path": "a/b", "n": 12}) },
        Step::Delta(0, "123456789".to_owned()),
        Step::Delta(0, "123456789".to_owned()),
        Step::Close(0),
    ];
    let seen = Script::new().play(steps);
    let mut writer = EventJson::default();
    for (event, then) in seen.iter().filter(|(event, _)| event.content_index().is_some()) {
        let written: Value = serde_json::from_str(&line(&mut writer, event)).unwrap();
        if event.kind() == "toolcall_start" {
            // Before any text the arguments are those of the message as it is.
            continue;
        }
        assert_eq!(written["message"], json!(Message::from(then.clone())), "{}", event.kind());
    }
    assert_eq!(seen.len(), 10);
}

/// Follows the lines of delta detail, as `docs/rpc.md` says it.
#[derive(Default)]
struct Fold {
    content: Vec<Value>,
    /// The JSON text of the calls' arguments.
    arguments: Vec<String>,
}

impl Fold {
    fn take(&mut self, line: &str) {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line.as_object().unwrap().len(), 3, "{line}");
        let event = &line["assistantMessageEvent"];
        assert_eq!(event.get("partial"), None);
        let at = usize::try_from(event["contentIndex"].as_u64().unwrap()).unwrap();
        let (block, step) = event["type"].as_str().unwrap().split_once('_').unwrap();
        match (block, step) {
            (_, "start") => {
                self.content.truncate(at);
                self.arguments.truncate(at);
                self.content.push(event["block"].clone());
                self.arguments.push(String::new());
            }
            ("toolcall", "delta") => self.arguments[at].push_str(event["delta"].as_str().unwrap()),
            ("toolcall", _) => self.content[at] = event["toolCall"].clone(),
            (kind, "delta") => {
                let text = self.content[at][kind].as_str().unwrap().to_owned() + event["delta"].as_str().unwrap();
                self.content[at][kind] = text.into();
            }
            (kind, _) => self.content[at][kind] = event["content"].clone(),
        }
    }

    /// What of a message deltas tell: everything but signatures, and names that came late.
    fn told(content: &[Value], arguments: &[String]) -> Vec<Value> {
        let told = content.iter().zip(arguments).map(|(block, arguments)| match block["type"].as_str().unwrap() {
            "toolCall" => json!(["toolCall", block["id"], pi_ai::parse_streaming_json(arguments)]),
            kind => json!([kind, block["text"], block["thinking"], block["redacted"]]),
        });
        told.collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn deltas_put_together_are_the_message(steps in prop::collection::vec(step(), 1..40)) {
        let mut script = Script::new();
        let switch = EventDetailSwitch::default();
        switch.set(EventDetail::Delta);
        let mut writer = EventJson::with_detail(switch);
        let mut fold = Fold::default();
        for step in steps {
            let is_restart = matches!(step, Step::Restart);
            script.step(step);
            let mut told = false;
            while let Some(event) = script.builder.next_event() {
                if event.content_index().is_some() {
                    fold.take(&line(&mut writer, &event));
                    told = true;
                }
            }
            // A new beginning shows with its first block.
            if !told || is_restart {
                continue;
            }
            let now = json!(Message::from(AssistantMessage::clone(&script.builder.partial().snapshot())));
            let content = now["content"].as_array().unwrap();
            prop_assert_eq!(Fold::told(&fold.content, &fold.arguments), Fold::told(content, &fold.arguments));
            for (mine, theirs) in fold.content.iter().zip(content).filter(|(mine, _)| mine["type"] == "toolCall") {
                let is_open = script.open.iter().any(|open| content.get(open.index) == Some(theirs));
                prop_assert!(is_open || mine == theirs || mine["arguments"] == json!({}), "{} {}", mine, theirs);
            }
        }
    }
}

#[test]
fn the_detail_can_change_in_the_middle_of_a_message() {
    let switch = EventDetailSwitch::default();
    let mut writer = EventJson::with_detail(switch.clone());
    let mut script = Script::new();
    let mut sizes = Vec::new();
    let details = [EventDetail::Full, EventDetail::Delta, EventDetail::Delta, EventDetail::Full, EventDetail::Delta];
    script.step(Step::Text);
    for detail in details {
        switch.set(detail);
        script.step(Step::Delta(0, "word ".repeat(20)));
        while let Some(event) = script.builder.next_event() {
            if event.content_index().is_none() {
                continue;
            }
            let line = line(&mut writer, &event);
            let written: Value = serde_json::from_str(&line).unwrap();
            if detail == EventDetail::Full {
                let now = json!(Message::from(AssistantMessage::clone(&script.builder.partial().snapshot())));
                assert_eq!(
                    written["message"]["content"].as_array().map(Vec::len),
                    now["content"].as_array().map(Vec::len)
                );
            }
            if event.kind() == "text_delta" {
                sizes.push((detail, written.get("message").is_some(), line.len()));
            }
        }
    }
    assert!(sizes.iter().all(|(detail, has_message, _)| (*detail == EventDetail::Full) == *has_message), "{sizes:?}");
    assert_eq!(sizes.len(), details.len());
    let deltas: Vec<usize> = sizes.iter().filter(|(_, has_message, _)| !has_message).map(|size| size.2).collect();
    assert!(deltas.iter().all(|size| *size == deltas[0]), "{deltas:?}");
}
