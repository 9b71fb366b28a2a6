//! Whatever the transcript, what the Responses formats send keeps the rules of their servers, and grows only at its end.

use std::collections::HashSet;
use std::sync::Arc;

use pi_ai::{Context, Message, Model};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::formats::responses::sent;

const API: &str = "openai-responses";

fn model(provider: &str) -> Arc<Model> {
    let model = json!({
        "id": "gpt", "name": "", "api": API, "provider": provider, "baseUrl": "https://t.example", "reasoning": true,
        "input": ["text", "image"], "cost": {}, "contextWindow": 1, "maxTokens": 1,
    });
    Arc::new(serde_json::from_value(model).unwrap())
}

/// One turn: what the user says, what a model answers, and which of its calls are answered.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    user: Value,
    /// Api, provider and model; the first is the target's own.
    speaker: (&'static str, &'static str, &'static str),
    texts: Vec<String>,
    /// Parts of ids, and whether there is a result.
    calls: Vec<(String, Option<String>, bool)>,
    stop: &'static str,
}

impl Turn {
    /// What the user said, without the answer.
    pub(crate) fn question(&self) -> Message {
        messages(&Self { texts: Vec::new(), calls: Vec::new(), ..self.clone() }, 0).swap_remove(0)
    }
}

pub(crate) fn turn() -> impl Strategy<Value = Turn> {
    let image = json!({"type": "image", "data": "QUFB", "mimeType": "image/png"});
    let user = prop::sample::select(vec![json!("hi"), json!(""), json!([]), json!([image])]);
    let speaker = prop::sample::select(vec![
        (API, "openai", "gpt"),
        (API, "openai", "gpt-other"),
        (API, "github-copilot", "gpt"),
        ("anthropic-messages", "anthropic", "claude"),
        ("openai-completions", "mine", "m"),
    ]);
    let call = ("[a-z+/=| é_]{0,80}", prop::option::of("(fc_)?[a-zA-Z+/=_]{0,90}"), any::<bool>());
    let stop = prop::sample::select(vec!["stop", "toolUse", "length", "error", "aborted"]);
    (user, speaker, prop::collection::vec(".{0,5}", 0..3), prop::collection::vec(call, 0..3), stop)
        .prop_map(|(user, speaker, texts, calls, stop)| Turn { user, speaker, texts, calls, stop })
}

/// The messages of a turn. Ids of the target's own messages are legal, as its server made them.
fn messages(turn: &Turn, number: usize) -> Vec<Message> {
    let (api, provider, model) = turn.speaker;
    let is_own = (provider, model) == ("openai", "gpt");
    let ids: Vec<String> = turn
        .calls
        .iter()
        .enumerate()
        .map(|(at, (call, item, _))| match item {
            _ if is_own => format!("call_{number}_{at}|fc_{number}_{at}"),
            Some(item) => format!("{number}-{at}{call}|{item}"),
            None => format!("{number}-{at}{call}"),
        })
        .collect();
    let texts = turn.texts.iter().map(|text| json!({"type": "text", "text": text, "textSignature": "s"}));
    let calls = ids.iter().map(|id| json!({"type": "toolCall", "id": id, "name": "look", "arguments": {"n": 1}}));
    let answer = json!({
        "role": "assistant", "content": texts.chain(calls).collect::<Value>(), "api": api, "provider": provider,
        "model": model, "stopReason": turn.stop, "timestamp": 2,
    });
    let failed = ["error", "aborted"].contains(&turn.stop);
    let results = ids.iter().zip(&turn.calls).filter(|(_, (_, _, answered))| *answered && !failed).map(|(id, _)| {
        let content = json!([{"type": "text", "text": "seen"}]);
        json!({"role": "toolResult", "toolCallId": id, "toolName": "look", "content": content, "timestamp": 3})
    });
    let user = json!({"role": "user", "content": turn.user, "timestamp": 1});
    [user, answer].into_iter().chain(results).map(|message| serde_json::from_value(message).unwrap()).collect()
}

pub(crate) fn context(turns: &[Turn]) -> Context {
    let all = turns.iter().enumerate().flat_map(|(number, turn)| messages(turn, number));
    all.fold(Context::prompt("first"), Context::with_message)
}

fn input(provider: &str, context: &Context) -> Vec<Value> {
    sent(&model(provider), context)["input"].as_array().unwrap().clone()
}

fn is_legal(id: &Value) -> bool {
    let legal = |id: &str| id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    id.as_str().is_some_and(|id| !id.is_empty() && id.len() <= 64 && legal(id))
}

proptest! {
    #[test]
    fn calls_are_answered_before_anybody_else_speaks(
        turns in prop::collection::vec(turn(), 0..6),
        provider in prop::sample::select(vec!["openai", "mine"]),
    ) {
        let mut open = HashSet::new();
        for item in input(provider, &context(&turns)) {
            match item["type"].as_str() {
                Some("function_call") => {
                    prop_assert!(is_legal(&item["call_id"]), "{item}");
                    prop_assert!(item["id"].is_null() || is_legal(&item["id"]) && item["id"].as_str().unwrap().starts_with("fc_"));
                    prop_assert!(open.insert(item["call_id"].to_string()), "{item} twice");
                }
                Some("function_call_output") => prop_assert!(open.remove(&item["call_id"].to_string()), "{item}"),
                Some("message") => prop_assert!(is_legal(&item["id"]), "{item}"),
                _ => prop_assert!(open.is_empty() && item["content"] != json!([]), "{item} while {open:?} wait"),
            }
        }
        prop_assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn a_further_turn_changes_nothing_that_was_sent(turns in prop::collection::vec(turn(), 1..6), user in turn()) {
        // Every turn of the shorter conversation is over: its calls are answered.
        let (last, first) = turns.split_last().unwrap();
        let before = input("openai", &context(first).with_message(last.question()));
        let after = input("openai", &context(&[&turns[..], &[user]].concat()));
        prop_assert_eq!(&after[..before.len()], &before[..]);
    }
}
