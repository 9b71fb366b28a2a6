//! Whatever the transcript, what the Google formats send keeps the rules of their servers, and grows only at its end.

use std::sync::Arc;

use pi_ai::{Context, Model, StreamOptions};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::formats::responses_rules::{context, turn};
use crate::formats::run::{Canned, End, call};

const MODELS: [&str; 3] = ["gemini-2.5-flash", "gemini-3-pro", "claude-on-vertex"];

fn contents(id: &str, context: &Context) -> Vec<Value> {
    let model = json!({
        "id": id, "name": "", "api": "google-generative-ai", "provider": "google", "baseUrl": "https://t.example",
        "reasoning": true, "input": ["text", "image"], "cost": {}, "contextWindow": 1, "maxTokens": 1,
    });
    let model: Arc<Model> = Arc::new(serde_json::from_value(model).unwrap());
    let canned = Canned::stream("", 0, End::Closed);
    call(&model, context, StreamOptions::default(), &canned);
    let body: Value = serde_json::from_slice(&canned.request().body).unwrap();
    body["contents"].as_array().unwrap().clone()
}

/// The objects of one kind in the parts of a turn.
fn parts<'a>(turn: &'a Value, kind: &str) -> Vec<&'a Value> {
    turn["parts"].as_array().unwrap().iter().filter_map(|part| part.get(kind)).collect()
}

fn is_legal(id: &Value) -> bool {
    let legal = |id: &str| id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    id.as_str().is_some_and(|id| !id.is_empty() && id.len() <= 64 && legal(id))
}

proptest! {
    #[test]
    fn calls_are_answered_in_order_before_anybody_else_speaks(
        turns in prop::collection::vec(turn(), 0..6),
        id in prop::sample::select(MODELS.to_vec()),
    ) {
        let mut open: Vec<Value> = Vec::new();
        for turn in contents(id, &context(&turns)) {
            prop_assert!(turn["parts"].as_array().is_some_and(|parts| !parts.is_empty()), "{turn}");
            if turn["role"] == "model" {
                prop_assert!(open.is_empty(), "{turn} while {open:?} wait");
                open = parts(&turn, "functionCall").into_iter().cloned().collect();
                prop_assert!(!id.starts_with("claude") || open.iter().all(|call| is_legal(&call["id"])), "{turn}");
                prop_assert!(id.starts_with("claude") || open.iter().all(|call| call["id"].is_null()), "{turn}");
                continue;
            }
            let answers = parts(&turn, "functionResponse");
            prop_assert!(!answers.is_empty() || open.is_empty(), "{turn} while {open:?} wait");
            for answer in answers {
                let at = open.iter().position(|call| call["id"] == answer["id"] && call["name"] == answer["name"]);
                prop_assert!(at.is_some(), "{answer} to none of {open:?}");
                open.remove(at.unwrap());
            }
        }
        prop_assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn a_further_turn_changes_nothing_that_was_sent(
        turns in prop::collection::vec(turn(), 1..6),
        next in turn(),
        id in prop::sample::select(MODELS.to_vec()),
    ) {
        // Every turn of the shorter conversation is over: its calls are answered.
        let (last, first) = turns.split_last().unwrap();
        let before = contents(id, &context(first).with_message(last.question()));
        let after = contents(id, &context(&[&turns[..], &[next]].concat()));
        prop_assert_eq!(&after[..before.len()], &before[..]);
    }
}
