//! Keymaps: tables, what users want otherwise, and what is wrong with that.

use pi_tui::input::{Dialect, Key, KeyEvent};
use pi_tui::keymap::{Action, Keymap, Scope, action};
use serde_json::json;

pi_tui::actions! {
    static PROGRAM;
    QUIT = "app.quit", scope "app", keys ["ctrl+d"], "Leave", old "quit";
    OPEN = "app.open", scope "app", keys [], "Open";
    FOLLOW = "app.follow", scope "app", keys ["alt+enter"], "Queue";
}

fn names(keys: &Keymap, action: Action) -> String {
    keys.keys_of(action).iter().map(Key::to_string).collect::<Vec<_>>().join(" ")
}

fn event(raw: &str) -> KeyEvent {
    KeyEvent::read(raw.as_bytes(), Dialect::default())
}

#[test]
fn tables_are_sound() {
    let (keys, problems) = Keymap::with_overrides(&[action::TABLE, PROGRAM], &serde_json::Map::new());
    assert_eq!(problems, []);
    let mut names: Vec<&str> = keys.all().flat_map(|(spec, _)| [spec.action.0, spec.old_name]).collect();
    names.retain(|name| !name.is_empty());
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "two actions of one name");
    for (spec, bound) in keys.all() {
        for key in bound {
            let owners = keys.all().filter(|(other, bound)| other.scope == spec.scope && bound.contains(key)).count();
            assert_eq!(owners, 1, "{key} does several things in {:?}", spec.scope);
        }
    }
}

/// The table of the modules for scripts, with the keys that are ours alone.
#[test]
fn defaults_are_those_of_scripts() {
    let text = std::fs::read_to_string(super::fixtures().join("script-modules/tui.json")).unwrap();
    let all: serde_json::Value = serde_json::from_str(&text).unwrap();
    let table = all["exports"].as_array().unwrap().last().unwrap().as_object().unwrap();
    let keys = Keymap::default();
    let ours: Vec<&str> = keys.all().map(|(spec, _)| spec.action.0).collect();
    assert_eq!(ours, table.keys().map(String::as_str).collect::<Vec<_>>());
    for (spec, bound) in keys.all() {
        let theirs = &table[spec.action.0];
        assert_eq!(theirs["description"], spec.description);
        let theirs = match &theirs["defaultKeys"] {
            serde_json::Value::String(key) => vec![key.clone()],
            keys => keys.as_array().unwrap().iter().map(|key| key.as_str().unwrap().to_owned()).collect(),
        };
        let mut bound: Vec<String> = bound.iter().map(Key::to_string).collect();
        bound.retain(|key| {
            theirs.contains(key) || !["ctrl+j", "shift+backspace", "shift+delete"].contains(&key.as_str())
        });
        assert_eq!(bound, theirs, "{}", spec.action.0);
    }
}

#[test]
fn entries_replace_all_keys_of_their_actions() {
    let wanted = json!({
        "$schema": "https://example.com/keys.json",
        "tui.editor.cursorLeft": "alt+h",
        "app.open": ["ctrl+o", "F2", "ctrl+O"],
        "tui.editor.yank": [],
        "quit": "ctrl+q",
        "tui.select.confirm": ["nonsense"],
    });
    let (keys, problems) = Keymap::with_overrides(&[action::TABLE, PROGRAM], wanted.as_object().unwrap());
    for (action, expected) in [
        (action::EDITOR_CURSOR_LEFT, "alt+h"),
        (OPEN, "ctrl+o f2"),
        (action::EDITOR_YANK, ""),
        (QUIT, "ctrl+q"),
        (action::SELECT_CONFIRM, "enter"),
        (action::EDITOR_CURSOR_RIGHT, "right ctrl+f"),
        (Action("no.such"), ""),
    ] {
        assert_eq!(names(&keys, action), expected, "{action:?}");
    }
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].starts_with("\"tui.select.confirm\": \"nonsense\" names no key"), "{problems:?}");
    assert!(keys.is(&event("\x1bh"), action::EDITOR_CURSOR_LEFT));
    assert!(!keys.is(&event("\x1b[D"), action::EDITOR_CURSOR_LEFT));
    assert!(keys.is(&event("\x11"), QUIT));
}

#[test]
fn what_is_wrong_is_named() {
    let wanted = json!({
        "no.such": "a",
        "undo": "ctrl+z",
        "tui.editor.undo": "ctrl+_",
        "tui.editor.yank": 7,
        "tui.editor.yankPop": ["alt+y", null],
        "tui.input.submit": ["ctrl+s", "ctrl+"],
        "tui.input.tab": ["tab", "ctrl+s"],
        "tui.select.up": ["up", "ctrl+s"],
        "tui.input.newLine": "home",
    });
    let (keys, problems) = Keymap::with_overrides(&[action::TABLE], wanted.as_object().unwrap());
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(problems.join("\n"), @r#"
    "no.such" is no action
    "undo" is the old name of "tui.editor.undo", which has an entry of its own: remove the old one
    "tui.editor.yank" needs a key such as "ctrl+a", or a list of keys
    "tui.editor.yankPop" needs a key such as "ctrl+a", or a list of keys
    "tui.input.submit": "ctrl+" names no key; keys are written like "ctrl+shift+a", "alt+enter", "pageUp" or "f1"
    "home" is bound to tui.editor.cursorLineStart and tui.input.newLine
    "ctrl+s" is bound to tui.input.submit and tui.input.tab
    "#);
    assert_eq!(names(&keys, action::EDITOR_UNDO), "ctrl+_");
    assert_eq!(names(&keys, action::INPUT_SUBMIT), "ctrl+s");
}

#[test]
fn events_find_their_actions() {
    let keys = Keymap::new(&[action::TABLE, PROGRAM]);
    let found = |raw: &str, scope| keys.actions_of(&event(raw), scope).collect::<Vec<_>>();
    assert_eq!(found("\x04", Scope("app")), [QUIT]);
    assert_eq!(found("\x04", Scope::EDITOR), [action::EDITOR_DELETE_CHAR_FORWARD]);
    assert_eq!(found("\x04", Scope::SELECT), []);
    // LF begins a line, but where there are no lines it is Enter.
    assert_eq!(found("\n", Scope::EDITOR), [action::INPUT_NEW_LINE, action::INPUT_SUBMIT]);
    assert_eq!(found("\n", Scope::SELECT), [action::SELECT_CONFIRM]);
    // In legacy terminals Alt and B is also what they send for a word to the left.
    assert_eq!(found("\x1bb", Scope::EDITOR), [action::EDITOR_CURSOR_WORD_LEFT]);
    assert_eq!(found("\x1b[97;5:1u", Scope::EDITOR), [action::EDITOR_CURSOR_LINE_START]);
    assert_eq!(found("\x1b[97;5:3u", Scope::EDITOR), []);
    assert_eq!(keys.hint(action::SELECT_CANCEL), "escape/ctrl+c");
    assert_eq!(keys.hint(OPEN), "");
    let alt = if cfg!(target_os = "macos") { "option+enter" } else { "alt+enter" };
    assert_eq!(keys.hint(FOLLOW), alt);
}

#[test]
fn a_key_is_bound_if_it_does_anything() {
    let wanted = json!({ "tui.editor.undo": "x", "tui.editor.yank": [] });
    let (keys, problems) = Keymap::with_overrides(&[action::TABLE], wanted.as_object().unwrap());
    assert_eq!(problems, []);
    for (raw, expected) in [("x", true), ("z", false), ("\x01", true), ("\x19", false), ("\x1b[A", true)] {
        let event = event(raw);
        let does_something = action::TABLE.iter().any(|spec| keys.is(&event, spec.action));
        assert_eq!((keys.binds(&event), does_something), (expected, expected), "{raw:?}");
    }
}
