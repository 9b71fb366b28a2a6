//! Keys as the reference reads them: the recording that the modules of scripts are tested with, in
//! `fixtures/script-modules`.

use pi_tui::input::{Dialect, Input, Key, KeyEvent, KeyKind, Splitter};
use pi_tui::text::width;
use serde_json::Value;

fn recorded(group: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(super::fixtures().join("script-modules/tui.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    all[group].as_array().unwrap().clone()
}

/// What a script gets is one sequence; a few cases are none, or several.
fn is_one_key(raw: &str) -> bool {
    let mut inputs = Vec::new();
    let mut splitter = Splitter::default();
    splitter.feed(raw.as_bytes(), &mut inputs);
    splitter.flush(&mut inputs);
    matches!(inputs.as_slice(), [Input::Key(key)] if key.raw == raw.as_bytes())
}

/// Its best reading, by the name that scripts get.
fn name(event: &KeyEvent) -> Option<String> {
    match event.raw.as_slice() {
        [byte @ b'A'..=b'Z'] => Some(char::from(*byte).to_string()),
        _ => event.keys.first().map(Key::to_string),
    }
}

#[test]
fn names_kinds_and_texts_are_those_of_the_reference() {
    let cases = recorded("keys");
    let half = cases.len() / 2;
    let mut count = 0;
    for (at, case) in cases.iter().enumerate() {
        let raw = case[0].as_str().unwrap();
        if !is_one_key(raw) {
            continue;
        }
        let event = KeyEvent::read(raw.as_bytes(), Dialect { kitty: at >= half, ..Dialect::default() });
        assert_eq!(name(&event).as_deref(), case[1].as_str(), "{raw:?}, case {at}");
        assert_eq!(event.is_release(), case[2] == true, "{raw:?}");
        assert_eq!(event.kind == KeyKind::Repeat, case[3] == true, "{raw:?}");
        // What went up types nothing.
        if let Some(text) = case[4].as_str() {
            assert_eq!(event.text.as_deref(), Some(text), "{raw:?}");
        }
        count += 1;
    }
    assert!(count > 220, "{count}");
}

#[test]
fn keys_match_the_names_that_they_match_in_the_reference() {
    const KEYS: &str = "az19`-=[]\\;/!_+";
    const NAMED: &str = "escape esc enter return tab space backspace delete insert clear home end pageUp pageDown up down left right f1 f5";
    const MODIFIERS: &str = " ctrl+ shift+ alt+ super+ ctrl+shift+ shift+ctrl+ ctrl+alt+";
    let keys: Vec<String> = KEYS.chars().map(String::from).chain(NAMED.split(' ').map(str::to_owned)).collect();
    let ids: Vec<String> =
        keys.iter().flat_map(|key| MODIFIERS.split(' ').map(move |modifier| format!("{modifier}{key}"))).collect();
    for case in recorded("matches") {
        let raw = case[0].as_str().unwrap();
        if !is_one_key(raw) {
            continue;
        }
        let expected: Vec<&str> = case.as_array().unwrap()[1..].iter().map(|id| id.as_str().unwrap()).collect();
        let event = KeyEvent::read(raw.as_bytes(), Dialect::default());
        let found: Vec<&str> = ids.iter().map(String::as_str).filter(|id| event.matches(id.parse().unwrap())).collect();
        let sorted = |mut ids: Vec<&str>| {
            ids.sort_unstable();
            ids.join(" ")
        };
        assert_eq!(sorted(found), sorted(expected), "{raw:?}");
    }
}

#[test]
fn widths_are_those_of_the_reference() {
    for case in recorded("visibleWidth") {
        let text = case[0].as_str().unwrap();
        if !text.contains('\x1b') {
            assert_eq!(width(text), usize::try_from(case[1].as_u64().unwrap()).unwrap(), "{text:?}");
        }
    }
}
