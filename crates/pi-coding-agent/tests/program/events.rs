//! The lines of `message_update` against what serialising the message anew at every event would give.

use pi_agent_core::AgentEvent;
use pi_ai::{
    AssistantMessage, AssistantMessageEvent, ContentBlock, Message, MessageBuilder, Model, StopReason, ThinkingContent,
};
use pi_coding_agent::agent_session::SessionEvent;
use pi_coding_agent::rpc::EventJson;
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
                ContentBlock::ToolCall(block) => block.thought_signature = Some(text),
                _ => {}
            }),
            Step::Rename(which, text) => self.edit(which, |block| {
                if let ContentBlock::ToolCall(call) = block {
                    call.name = text;
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
                let now = json!(Message::Assistant(AssistantMessage::clone(&script.builder.partial().snapshot())));
                let mut update = json!({"type": event.kind(), "contentIndex": event.content_index(), "partial": now});
                if let Some((key, value)) = payload(&event) {
                    update[key] = value;
                }
                prop_assert_eq!(
                    written,
                    json!({"type": "message_update", "assistantMessageEvent": update, "message": now})
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
        assert_eq!(written["message"], json!(Message::Assistant(then.clone())), "{}", event.kind());
    }
    assert_eq!(seen.len(), 10);
}
